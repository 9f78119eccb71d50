; riccati.c, by `make native`: source 4a01b0056fea3b696b0f98d5a0ff179aef161d538c9c6742d01abb8e3fa13626 text a0d2b5206090bb0d328250540ef857d56028b8ad603a0fcdffe9dfbc69ce90af
%struct.Pattern = type { i64, i64, i64, i64, i64, ptr, ptr, ptr, ptr, ptr, ptr }

define i64 @jounce_riccati_backward(ptr %0, ptr %1, ptr %2, ptr %3, double %4, ptr %5, ptr %6) nounwind {
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %9 = load i64, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %11 = load i64, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %13 = load i64, ptr %12, align 8
  %14 = load i64, ptr %0, align 8
  %15 = add nsw i64 %14, -1
  %16 = add i64 %11, %9
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %18 = load ptr, ptr %17, align 8
  %19 = shl nsw i64 %9, 1
  %20 = add i64 %11, 1
  %21 = add i64 %20, %19
  %22 = mul nsw i64 %21, %13
  %23 = getelementptr inbounds double, ptr %18, i64 %22
  %24 = mul i64 %13, %9
  %25 = getelementptr inbounds double, ptr %23, i64 %24
  %26 = mul nsw i64 %16, %13
  %27 = getelementptr inbounds double, ptr %25, i64 %26
  %28 = mul nsw i64 %20, %13
  %29 = getelementptr inbounds double, ptr %27, i64 %28
  %30 = mul nsw i64 %11, %11
  %31 = getelementptr inbounds nuw double, ptr %29, i64 %30
  %32 = mul nsw i64 %11, 24
  %33 = getelementptr inbounds i8, ptr %31, i64 %32
  %34 = add nsw i64 %9, 1
  %35 = mul nsw i64 %34, %9
  %36 = getelementptr inbounds double, ptr %33, i64 %35
  %37 = getelementptr inbounds double, ptr %18, i64 %24
  %38 = getelementptr inbounds ptr, ptr %1, i64 %15
  %39 = load ptr, ptr %38, align 8
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %41 = load ptr, ptr %40, align 8
  %42 = getelementptr inbounds i32, ptr %41, i64 %15
  %43 = load i32, ptr %42, align 4
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %45 = load ptr, ptr %44, align 8
  %46 = sext i32 %43 to i64
  %47 = getelementptr inbounds %struct.Pattern, ptr %45, i64 %46
  %48 = icmp eq i32 %43, -1
  br i1 %48, label %55, label %49

49:
  %50 = getelementptr inbounds nuw i8, ptr %47, i64 80
  %51 = load ptr, ptr %50, align 8
  %52 = shl i64 %13, 3
  %53 = mul i64 %52, %21
  %54 = tail call ptr @memcpy(ptr %18, ptr %51, i64 %53)
  br label %55

55:
  %56 = getelementptr inbounds nuw i8, ptr %47, i64 8
  %57 = load i64, ptr %56, align 8
  %58 = load i64, ptr %47, align 8
  %59 = icmp slt i64 %57, %58
  br i1 %59, label %60, label %82

60:
  %61 = getelementptr inbounds nuw i8, ptr %47, i64 40
  %62 = getelementptr inbounds nuw i8, ptr %47, i64 48
  br label %63

63:
  %64 = phi i64 [ %57, %60 ], [ %79, %63 ]
  %65 = getelementptr inbounds double, ptr %39, i64 %64
  %66 = load double, ptr %65, align 8
  %67 = load ptr, ptr %61, align 8
  %68 = getelementptr inbounds i32, ptr %67, i64 %64
  %69 = load i32, ptr %68, align 4
  %70 = sext i32 %69 to i64
  %71 = load i64, ptr %12, align 8
  %72 = mul nsw i64 %71, %70
  %73 = load ptr, ptr %62, align 8
  %74 = getelementptr inbounds i32, ptr %73, i64 %64
  %75 = load i32, ptr %74, align 4
  %76 = sext i32 %75 to i64
  %77 = getelementptr double, ptr %18, i64 %72
  %78 = getelementptr double, ptr %77, i64 %76
  store double %66, ptr %78, align 8
  %79 = add nsw i64 %64, 1
  %80 = load i64, ptr %47, align 8
  %81 = icmp slt i64 %79, %80
  br i1 %81, label %63, label %82

82:
  %83 = mul i64 %24, %15
  %84 = getelementptr inbounds double, ptr %6, i64 %83
  %85 = mul nsw i64 %13, %11
  %86 = getelementptr inbounds double, ptr %37, i64 %85
  %87 = shl i64 %24, 3
  %88 = tail call ptr @memcpy(ptr %84, ptr %86, i64 %87)
  %89 = tail call ptr @memset(ptr %36, i32 0, i64 %11)
  %90 = icmp slt i64 %14, 2
  br i1 %90, label %993, label %91

91:
  %92 = add nsw i64 %14, -2
  %93 = icmp sgt i64 %9, 1
  %94 = icmp sgt i64 %9, 0
  %95 = sdiv i64 %9, 2
  %96 = mul nsw i64 %13, %95
  %97 = getelementptr inbounds double, ptr %18, i64 %96
  %98 = mul nsw i64 %95, %95
  %99 = getelementptr inbounds nuw double, ptr %33, i64 %98
  %100 = getelementptr inbounds nuw double, ptr %99, i64 %98
  %101 = getelementptr double, ptr %18, i64 %16
  %102 = icmp eq i64 %9, 1
  %103 = tail call i64 @llvm.smax.i64(i64 %95, i64 1)
  %104 = getelementptr double, ptr %23, i64 %16
  %105 = getelementptr double, ptr %23, i64 %11
  %106 = getelementptr double, ptr %100, i64 %95
  %107 = getelementptr inbounds double, ptr %25, i64 %85
  %108 = getelementptr double, ptr %25, i64 %16
  %109 = getelementptr double, ptr %25, i64 %11
  %110 = icmp eq ptr %2, null
  %111 = getelementptr inbounds double, ptr %31, i64 %11
  %112 = shl nsw i64 %11, 4
  %113 = getelementptr inbounds i8, ptr %31, i64 %112
  %114 = icmp sgt i64 %11, 0
  %115 = fadd double %4, 1.000000e+00
  %116 = fmul double %115, 0x3D06849B86A12B9B
  %117 = icmp slt i64 %16, 1
  %118 = sdiv i64 %11, 8
  %119 = shl nsw i64 %118, 3
  %120 = icmp slt i64 %119, %13
  %121 = getelementptr inbounds double, ptr %27, i64 %11
  %122 = add nsw i64 %16, 1
  %123 = icmp slt i64 %122, %13
  br label %124

124:
  %125 = phi i32 [ %43, %91 ], [ %144, %990 ]
  %126 = phi i64 [ %92, %91 ], [ %991, %990 ]
  %127 = add nuw nsw i64 %126, 1
  %128 = mul i64 %24, %127
  %129 = getelementptr inbounds double, ptr %6, i64 %128
  %130 = mul nsw i64 %126, %11
  %131 = mul nsw i64 %130, %13
  %132 = getelementptr inbounds double, ptr %5, i64 %131
  %133 = getelementptr double, ptr %129, i64 %11
  br i1 %93, label %134, label %139

134:
  %135 = phi i64 [ %195, %194 ], [ 1, %124 ]
  %136 = getelementptr double, ptr %133, i64 %135
  %137 = mul nsw i64 %135, %13
  %138 = getelementptr double, ptr %133, i64 %137
  br label %197

139:
  %140 = getelementptr inbounds nuw ptr, ptr %1, i64 %126
  %141 = load ptr, ptr %140, align 8
  %142 = load ptr, ptr %40, align 8
  %143 = getelementptr inbounds nuw i32, ptr %142, i64 %126
  %144 = load i32, ptr %143, align 4
  %145 = load ptr, ptr %44, align 8
  %146 = sext i32 %144 to i64
  %147 = getelementptr inbounds %struct.Pattern, ptr %145, i64 %146
  %148 = icmp eq i32 %144, %125
  br i1 %148, label %161, label %149

149:
  %150 = getelementptr inbounds nuw i8, ptr %147, i64 80
  %151 = load ptr, ptr %150, align 8
  %152 = load i64, ptr %8, align 8
  %153 = shl nsw i64 %152, 1
  %154 = load i64, ptr %10, align 8
  %155 = add i64 %154, 1
  %156 = add i64 %155, %153
  %157 = load i64, ptr %12, align 8
  %158 = shl i64 %157, 3
  %159 = mul i64 %158, %156
  %160 = tail call ptr @memcpy(ptr %18, ptr %151, i64 %159)
  br label %161

161:
  %162 = getelementptr inbounds nuw i8, ptr %147, i64 8
  %163 = load i64, ptr %162, align 8
  %164 = load i64, ptr %147, align 8
  %165 = icmp slt i64 %163, %164
  br i1 %165, label %166, label %188

166:
  %167 = getelementptr inbounds nuw i8, ptr %147, i64 40
  %168 = getelementptr inbounds nuw i8, ptr %147, i64 48
  br label %169

169:
  %170 = phi i64 [ %163, %166 ], [ %185, %169 ]
  %171 = getelementptr inbounds double, ptr %141, i64 %170
  %172 = load double, ptr %171, align 8
  %173 = load ptr, ptr %167, align 8
  %174 = getelementptr inbounds i32, ptr %173, i64 %170
  %175 = load i32, ptr %174, align 4
  %176 = sext i32 %175 to i64
  %177 = load i64, ptr %12, align 8
  %178 = mul nsw i64 %177, %176
  %179 = load ptr, ptr %168, align 8
  %180 = getelementptr inbounds i32, ptr %179, i64 %170
  %181 = load i32, ptr %180, align 4
  %182 = sext i32 %181 to i64
  %183 = getelementptr double, ptr %18, i64 %178
  %184 = getelementptr double, ptr %183, i64 %182
  store double %172, ptr %184, align 8
  %185 = add nsw i64 %170, 1
  %186 = load i64, ptr %147, align 8
  %187 = icmp slt i64 %185, %186
  br i1 %187, label %169, label %188

188:
  %189 = load ptr, ptr %44, align 8
  %190 = getelementptr inbounds %struct.Pattern, ptr %189, i64 %146
  %191 = getelementptr inbounds nuw i8, ptr %190, i64 32
  %192 = load i64, ptr %191, align 8
  %193 = icmp sgt i64 %192, -1
  br i1 %193, label %205, label %320

194:
  %195 = add nuw nsw i64 %135, 1
  %196 = icmp eq i64 %195, %9
  br i1 %196, label %139, label %134

197:
  %198 = phi i64 [ 0, %134 ], [ %203, %197 ]
  %199 = mul nsw i64 %198, %13
  %200 = getelementptr double, ptr %136, i64 %199
  %201 = load double, ptr %200, align 8
  %202 = getelementptr double, ptr %138, i64 %198
  store double %201, ptr %202, align 8
  %203 = add nuw nsw i64 %198, 1
  %204 = icmp eq i64 %203, %135
  br i1 %204, label %194, label %197

205:
  %206 = load ptr, ptr %140, align 8
  %207 = getelementptr inbounds nuw double, ptr %206, i64 %192
  %208 = load double, ptr %207, align 8
  br i1 %94, label %209, label %273

209:
  %210 = phi i64 [ %225, %224 ], [ 0, %205 ]
  %211 = mul nsw i64 %210, %13
  %212 = getelementptr double, ptr %129, i64 %211
  %213 = getelementptr double, ptr %212, i64 %16
  %214 = load double, ptr %213, align 8
  %215 = getelementptr inbounds nuw double, ptr %100, i64 %210
  store double %214, ptr %215, align 8
  br i1 %102, label %221, label %216

216:
  %217 = getelementptr double, ptr %212, i64 %11
  br label %226

218:
  %219 = add nuw nsw i64 %210, 1
  %220 = icmp eq i64 %219, %9
  br i1 %220, label %238, label %224

221:
  %222 = add nuw nsw i64 %210, 1
  %223 = icmp eq i64 %210, 0
  br i1 %223, label %273, label %224

224:
  %225 = phi i64 [ %222, %221 ], [ %219, %218 ]
  br label %209

226:
  %227 = phi double [ %214, %216 ], [ %234, %226 ]
  %228 = phi i64 [ 0, %216 ], [ %235, %226 ]
  %229 = getelementptr double, ptr %217, i64 %228
  %230 = load double, ptr %229, align 8
  %231 = mul nsw i64 %228, %13
  %232 = getelementptr double, ptr %101, i64 %231
  %233 = load double, ptr %232, align 8
  %234 = tail call double @llvm.fmuladd.f64(double %230, double %233, double %227)
  store double %234, ptr %215, align 8
  %235 = add nuw nsw i64 %228, 1
  %236 = icmp eq i64 %235, %103
  br i1 %236, label %218, label %226

237:
  tail call fastcc void @multiply(ptr %23, ptr null, double 1.000000e+00, ptr %99, i64 %95, i64 1, ptr %97, i64 %95, i64 %95, i64 %13, i64 -1)
  br label %268

238:
  %239 = phi i64 [ %247, %246 ], [ 0, %218 ]
  %240 = mul nsw i64 %239, %13
  %241 = getelementptr double, ptr %133, i64 %240
  %242 = add nuw nsw i64 %239, %95
  %243 = mul nsw i64 %242, %13
  %244 = getelementptr double, ptr %133, i64 %243
  %245 = mul nuw nsw i64 %239, %95
  br label %249

246:
  %247 = add nuw nsw i64 %239, 1
  %248 = icmp eq i64 %247, %95
  br i1 %248, label %237, label %238

249:
  %250 = phi i64 [ 0, %238 ], [ %266, %249 ]
  %251 = add nuw nsw i64 %250, %95
  %252 = getelementptr inbounds nuw double, ptr %241, i64 %251
  %253 = load double, ptr %252, align 8
  %254 = getelementptr inbounds nuw double, ptr %241, i64 %250
  %255 = load double, ptr %254, align 8
  %256 = tail call double @llvm.fmuladd.f64(double %208, double %255, double %253)
  %257 = add nuw nsw i64 %250, %245
  %258 = getelementptr inbounds nuw double, ptr %33, i64 %257
  store double %256, ptr %258, align 8
  %259 = getelementptr inbounds nuw double, ptr %244, i64 %251
  %260 = load double, ptr %259, align 8
  %261 = getelementptr inbounds nuw double, ptr %244, i64 %250
  %262 = load double, ptr %261, align 8
  %263 = tail call double @llvm.fmuladd.f64(double %208, double %262, double %260)
  %264 = tail call double @llvm.fmuladd.f64(double %208, double %256, double %263)
  %265 = getelementptr inbounds nuw double, ptr %99, i64 %257
  store double %264, ptr %265, align 8
  %266 = add nuw nsw i64 %250, 1
  %267 = icmp eq i64 %266, %95
  br i1 %267, label %246, label %249

268:
  %269 = phi i64 [ 0, %237 ], [ %284, %275 ]
  %270 = getelementptr double, ptr %33, i64 %269
  %271 = mul nsw i64 %269, %13
  %272 = getelementptr double, ptr %105, i64 %271
  br label %286

273:
  tail call fastcc void @multiply(ptr %23, ptr null, double 1.000000e+00, ptr %99, i64 %95, i64 1, ptr %97, i64 %95, i64 %95, i64 %13, i64 -1)
  tail call fastcc void @multiply(ptr %25, ptr %37, double 1.000000e+00, ptr %97, i64 1, i64 %13, ptr %23, i64 %16, i64 %95, i64 %13, i64 0)
  tail call fastcc void @multiply(ptr %107, ptr %107, double 1.000000e+00, ptr %33, i64 %95, i64 1, ptr %97, i64 %95, i64 %95, i64 %13, i64 %11)
  br label %333

274:
  tail call fastcc void @multiply(ptr %25, ptr %37, double 1.000000e+00, ptr %97, i64 1, i64 %13, ptr %23, i64 %16, i64 %95, i64 %13, i64 0)
  tail call fastcc void @multiply(ptr %107, ptr %107, double 1.000000e+00, ptr %33, i64 %95, i64 1, ptr %97, i64 %95, i64 %95, i64 %13, i64 %11)
  br label %296

275:
  %276 = getelementptr double, ptr %104, i64 %271
  %277 = load double, ptr %276, align 8
  %278 = getelementptr double, ptr %106, i64 %269
  %279 = load double, ptr %278, align 8
  %280 = getelementptr inbounds nuw double, ptr %100, i64 %269
  %281 = load double, ptr %280, align 8
  %282 = tail call double @llvm.fmuladd.f64(double %208, double %281, double %279)
  %283 = fadd double %277, %282
  store double %283, ptr %276, align 8
  %284 = add nuw nsw i64 %269, 1
  %285 = icmp eq i64 %284, %95
  br i1 %285, label %274, label %268

286:
  %287 = phi i64 [ 0, %268 ], [ %294, %286 ]
  %288 = mul nuw nsw i64 %287, %95
  %289 = getelementptr double, ptr %270, i64 %288
  %290 = load double, ptr %289, align 8
  %291 = getelementptr double, ptr %272, i64 %287
  %292 = load double, ptr %291, align 8
  %293 = fadd double %290, %292
  store double %293, ptr %291, align 8
  %294 = add nuw nsw i64 %287, 1
  %295 = icmp eq i64 %294, %95
  br i1 %295, label %275, label %286

296:
  %297 = phi i64 [ 0, %274 ], [ %309, %303 ]
  %298 = mul nsw i64 %297, %13
  %299 = getelementptr double, ptr %133, i64 %298
  %300 = add nsw i64 %297, %11
  %301 = mul nsw i64 %300, %13
  %302 = getelementptr double, ptr %109, i64 %301
  br label %311

303:
  %304 = getelementptr inbounds nuw double, ptr %100, i64 %297
  %305 = load double, ptr %304, align 8
  %306 = getelementptr double, ptr %108, i64 %301
  %307 = load double, ptr %306, align 8
  %308 = fadd double %305, %307
  store double %308, ptr %306, align 8
  %309 = add nuw nsw i64 %297, 1
  %310 = icmp eq i64 %309, %95
  br i1 %310, label %333, label %296

311:
  %312 = phi i64 [ 0, %296 ], [ %318, %311 ]
  %313 = getelementptr double, ptr %299, i64 %312
  %314 = load double, ptr %313, align 8
  %315 = getelementptr double, ptr %302, i64 %312
  %316 = load double, ptr %315, align 8
  %317 = fadd double %314, %316
  store double %317, ptr %315, align 8
  %318 = add nuw nsw i64 %312, 1
  %319 = icmp eq i64 %318, %95
  br i1 %319, label %303, label %311

320:
  tail call fastcc void @multiply(ptr %23, ptr null, double 1.000000e+00, ptr %133, i64 %13, i64 1, ptr %18, i64 %9, i64 %9, i64 %13, i64 -1)
  br i1 %94, label %322, label %321

321:
  tail call fastcc void @multiply(ptr %25, ptr %37, double 1.000000e+00, ptr %18, i64 1, i64 %13, ptr %23, i64 %16, i64 %9, i64 %13, i64 0)
  br label %333

322:
  %323 = phi i64 [ %331, %322 ], [ 0, %320 ]
  %324 = mul nsw i64 %323, %13
  %325 = add nsw i64 %324, %16
  %326 = getelementptr inbounds double, ptr %129, i64 %325
  %327 = load double, ptr %326, align 8
  %328 = getelementptr inbounds double, ptr %23, i64 %325
  %329 = load double, ptr %328, align 8
  %330 = fadd double %327, %329
  store double %330, ptr %328, align 8
  %331 = add nuw nsw i64 %323, 1
  %332 = icmp eq i64 %331, %9
  br i1 %332, label %321, label %322

333:
  br i1 %110, label %805, label %334

334:
  %335 = getelementptr inbounds double, ptr %2, i64 %130
  %336 = getelementptr inbounds double, ptr %3, i64 %130
  br i1 %114, label %337, label %868

337:
  %338 = phi i64 [ %350, %347 ], [ 0, %334 ]
  %339 = getelementptr inbounds nuw double, ptr %335, i64 %338
  %340 = load double, ptr %339, align 8
  %341 = fcmp ogt double %340, 0.000000e+00
  br i1 %341, label %347, label %342

342:
  %343 = getelementptr inbounds nuw double, ptr %336, i64 %338
  %344 = load double, ptr %343, align 8
  %345 = fcmp olt double %344, 0.000000e+00
  br i1 %345, label %346, label %347

346:
  br label %347

347:
  %348 = phi double [ 0.000000e+00, %342 ], [ %344, %346 ], [ %340, %337 ]
  %349 = getelementptr inbounds nuw double, ptr %31, i64 %338
  store double %348, ptr %349, align 8
  %350 = add nuw nsw i64 %338, 1
  %351 = icmp eq i64 %350, %11
  br i1 %351, label %355, label %337

352:
  %353 = add nuw nsw i64 %356, 1
  %354 = icmp eq i64 %353, 100
  br i1 %354, label %707, label %355

355:
  %356 = phi i64 [ %353, %352 ], [ 0, %347 ]
  br label %421

357:
  %358 = fcmp ogt double %473, 0.000000e+00
  br label %359

359:
  %360 = phi i64 [ %419, %418 ], [ 0, %357 ]
  %361 = getelementptr double, ptr %29, i64 %360
  %362 = getelementptr inbounds nuw i8, ptr %36, i64 %360
  %363 = mul nsw i64 %360, %13
  %364 = getelementptr double, ptr %25, i64 %363
  %365 = icmp eq i64 %360, 0
  %366 = mul nuw nsw i64 %360, %11
  %367 = getelementptr double, ptr %29, i64 %366
  %368 = mul i64 %360, %20
  %369 = getelementptr inbounds double, ptr %29, i64 %368
  br label %370

370:
  %371 = phi i64 [ %360, %359 ], [ %416, %415 ]
  %372 = getelementptr inbounds nuw i8, ptr %36, i64 %371
  %373 = load i8, ptr %372, align 1
  %374 = icmp eq i8 %373, 0
  br i1 %374, label %375, label %378

375:
  %376 = load i8, ptr %362, align 1
  %377 = icmp eq i8 %376, 0
  br i1 %377, label %383, label %378

378:
  %379 = icmp eq i64 %371, %360
  %380 = select i1 %379, double 1.000000e+00, double 0.000000e+00
  %381 = mul nuw nsw i64 %371, %11
  %382 = getelementptr double, ptr %361, i64 %381
  store double %380, ptr %382, align 8
  br label %415

383:
  %384 = getelementptr double, ptr %364, i64 %371
  %385 = load double, ptr %384, align 8
  %386 = icmp eq i64 %371, %360
  %387 = fadd double %4, %385
  %388 = select i1 %386, double %387, double %385
  br i1 %365, label %392, label %389

389:
  %390 = mul nuw nsw i64 %371, %11
  %391 = getelementptr double, ptr %29, i64 %390
  br label %394

392:
  %393 = phi double [ %388, %383 ], [ %402, %394 ]
  br i1 %386, label %410, label %405

394:
  %395 = phi i64 [ 0, %389 ], [ %403, %394 ]
  %396 = phi double [ %388, %389 ], [ %402, %394 ]
  %397 = getelementptr double, ptr %391, i64 %395
  %398 = load double, ptr %397, align 8
  %399 = getelementptr double, ptr %367, i64 %395
  %400 = load double, ptr %399, align 8
  %401 = fneg double %398
  %402 = tail call double @llvm.fmuladd.f64(double %401, double %400, double %396)
  %403 = add nuw nsw i64 %395, 1
  %404 = icmp eq i64 %403, %360
  br i1 %404, label %392, label %394

405:
  %406 = load double, ptr %369, align 8
  %407 = fmul double %393, %406
  %408 = mul nuw nsw i64 %371, %11
  %409 = getelementptr double, ptr %361, i64 %408
  store double %407, ptr %409, align 8
  br label %415

410:
  %411 = fcmp ogt double %393, %116
  br i1 %411, label %412, label %993

412:
  %413 = tail call double @llvm.sqrt.f64(double %393)
  %414 = fdiv double 1.000000e+00, %413
  store double %414, ptr %369, align 8
  br label %415

415:
  %416 = add nuw i64 %371, 1
  %417 = icmp eq i64 %416, %11
  br i1 %417, label %418, label %370

418:
  %419 = add nuw nsw i64 %360, 1
  %420 = icmp eq i64 %419, %11
  br i1 %420, label %476, label %359

421:
  %422 = phi i64 [ %474, %464 ], [ 0, %355 ]
  %423 = phi double [ %473, %464 ], [ 0.000000e+00, %355 ]
  %424 = phi double [ %437, %464 ], [ 0.000000e+00, %355 ]
  %425 = mul nsw i64 %422, %13
  %426 = getelementptr inbounds double, ptr %108, i64 %425
  %427 = load double, ptr %426, align 8
  %428 = getelementptr inbounds nuw double, ptr %31, i64 %422
  %429 = load double, ptr %428, align 8
  %430 = tail call double @llvm.fmuladd.f64(double %4, double %429, double %427)
  br label %443

431:
  %432 = getelementptr inbounds nuw double, ptr %111, i64 %422
  store double %454, ptr %432, align 8
  %433 = load double, ptr %428, align 8
  %434 = fmul double %433, 5.000000e-01
  %435 = load double, ptr %426, align 8
  %436 = fadd double %454, %435
  %437 = tail call double @llvm.fmuladd.f64(double %434, double %436, double %424)
  %438 = getelementptr inbounds nuw double, ptr %335, i64 %422
  %439 = load double, ptr %438, align 8
  %440 = fcmp ole double %433, %439
  %441 = fcmp ogt double %454, 0.000000e+00
  %442 = select i1 %440, i1 %441, i1 false
  br i1 %442, label %464, label %457

443:
  %444 = phi i64 [ 0, %421 ], [ %455, %443 ]
  %445 = phi double [ %430, %421 ], [ %454, %443 ]
  %446 = tail call i64 @llvm.umin.i64(i64 %422, i64 %444)
  %447 = mul nsw i64 %446, %13
  %448 = tail call i64 @llvm.umax.i64(i64 %422, i64 %444)
  %449 = getelementptr double, ptr %25, i64 %447
  %450 = getelementptr double, ptr %449, i64 %448
  %451 = load double, ptr %450, align 8
  %452 = getelementptr inbounds nuw double, ptr %31, i64 %444
  %453 = load double, ptr %452, align 8
  %454 = tail call double @llvm.fmuladd.f64(double %451, double %453, double %445)
  %455 = add nuw nsw i64 %444, 1
  %456 = icmp eq i64 %455, %11
  br i1 %456, label %431, label %443

457:
  %458 = getelementptr inbounds nuw double, ptr %336, i64 %422
  %459 = load double, ptr %458, align 8
  %460 = fcmp oge double %433, %459
  %461 = fcmp olt double %454, 0.000000e+00
  %462 = select i1 %460, i1 %461, i1 false
  %463 = zext i1 %462 to i8
  br label %464

464:
  %465 = phi i8 [ 1, %431 ], [ %463, %457 ]
  %466 = getelementptr inbounds nuw i8, ptr %36, i64 %422
  store i8 %465, ptr %466, align 1
  %467 = fcmp olt double %454, 0.000000e+00
  %468 = fneg double %454
  %469 = select i1 %467, double %468, double %454
  %470 = icmp eq i8 %465, 0
  %471 = fcmp ogt double %469, %423
  %472 = select i1 %470, i1 %471, i1 false
  %473 = select i1 %472, double %469, double %423
  %474 = add nuw nsw i64 %422, 1
  %475 = icmp eq i64 %474, %11
  br i1 %475, label %357, label %421

476:
  br i1 %358, label %477, label %769

477:
  %478 = phi i64 [ %499, %492 ], [ 0, %476 ]
  %479 = getelementptr inbounds nuw i8, ptr %36, i64 %478
  %480 = load i8, ptr %479, align 1
  %481 = icmp eq i8 %480, 0
  br i1 %481, label %482, label %486

482:
  %483 = getelementptr inbounds nuw double, ptr %111, i64 %478
  %484 = load double, ptr %483, align 8
  %485 = fneg double %484
  br label %486

486:
  %487 = phi double [ %485, %482 ], [ 0.000000e+00, %477 ]
  %488 = icmp eq i64 %478, 0
  br i1 %488, label %492, label %489

489:
  %490 = mul nuw nsw i64 %478, %11
  %491 = getelementptr double, ptr %29, i64 %490
  br label %501

492:
  %493 = phi double [ %487, %486 ], [ %509, %501 ]
  %494 = mul i64 %478, %20
  %495 = getelementptr inbounds double, ptr %29, i64 %494
  %496 = load double, ptr %495, align 8
  %497 = fmul double %493, %496
  %498 = getelementptr inbounds nuw double, ptr %113, i64 %478
  store double %497, ptr %498, align 8
  %499 = add nuw nsw i64 %478, 1
  %500 = icmp eq i64 %499, %11
  br i1 %500, label %512, label %477

501:
  %502 = phi i64 [ 0, %489 ], [ %510, %501 ]
  %503 = phi double [ %487, %489 ], [ %509, %501 ]
  %504 = getelementptr double, ptr %491, i64 %502
  %505 = load double, ptr %504, align 8
  %506 = getelementptr inbounds nuw double, ptr %113, i64 %502
  %507 = load double, ptr %506, align 8
  %508 = fneg double %505
  %509 = tail call double @llvm.fmuladd.f64(double %508, double %507, double %503)
  %510 = add nuw nsw i64 %502, 1
  %511 = icmp eq i64 %510, %478
  br i1 %511, label %492, label %501

512:
  %513 = phi i64 [ %514, %541 ], [ %11, %492 ]
  %514 = add nsw i64 %513, -1
  %515 = getelementptr inbounds nuw double, ptr %113, i64 %514
  %516 = load double, ptr %515, align 8
  %517 = getelementptr double, ptr %29, i64 %514
  %518 = icmp slt i64 %513, %11
  br i1 %518, label %524, label %519

519:
  %520 = phi double [ %516, %512 ], [ %533, %524 ]
  %521 = getelementptr inbounds nuw i8, ptr %36, i64 %514
  %522 = load i8, ptr %521, align 1
  %523 = icmp eq i8 %522, 0
  br i1 %523, label %536, label %541

524:
  %525 = phi i64 [ %534, %524 ], [ %513, %512 ]
  %526 = phi double [ %533, %524 ], [ %516, %512 ]
  %527 = mul nuw nsw i64 %525, %11
  %528 = getelementptr double, ptr %517, i64 %527
  %529 = load double, ptr %528, align 8
  %530 = getelementptr inbounds nuw double, ptr %113, i64 %525
  %531 = load double, ptr %530, align 8
  %532 = fneg double %529
  %533 = tail call double @llvm.fmuladd.f64(double %532, double %531, double %526)
  %534 = add nuw nsw i64 %525, 1
  %535 = icmp eq i64 %534, %11
  br i1 %535, label %519, label %524

536:
  %537 = mul i64 %514, %20
  %538 = getelementptr inbounds double, ptr %29, i64 %537
  %539 = load double, ptr %538, align 8
  %540 = fmul double %520, %539
  br label %541

541:
  %542 = phi double [ %540, %536 ], [ 0.000000e+00, %519 ]
  store double %542, ptr %515, align 8
  %543 = icmp samesign ugt i64 %513, 1
  br i1 %543, label %512, label %547

544:
  %545 = fadd double %562, 1.000000e+00
  %546 = fmul double %545, 0x3D719799812DEA11
  br label %565

547:
  %548 = phi i64 [ %563, %547 ], [ 0, %541 ]
  %549 = phi double [ %562, %547 ], [ 0.000000e+00, %541 ]
  %550 = phi double [ %555, %547 ], [ 0.000000e+00, %541 ]
  %551 = getelementptr inbounds nuw double, ptr %111, i64 %548
  %552 = load double, ptr %551, align 8
  %553 = getelementptr inbounds nuw double, ptr %113, i64 %548
  %554 = load double, ptr %553, align 8
  %555 = tail call double @llvm.fmuladd.f64(double %552, double %554, double %550)
  %556 = getelementptr inbounds nuw double, ptr %31, i64 %548
  %557 = load double, ptr %556, align 8
  %558 = fcmp olt double %557, 0.000000e+00
  %559 = fneg double %557
  %560 = select i1 %558, double %559, double %557
  %561 = fcmp ogt double %560, %549
  %562 = select i1 %561, double %560, double %549
  %563 = add nuw nsw i64 %548, 1
  %564 = icmp eq i64 %563, %11
  br i1 %564, label %544, label %547

565:
  %566 = phi i64 [ 0, %544 ], [ %632, %631 ]
  %567 = phi double [ 1.000000e+00, %544 ], [ %633, %631 ]
  br label %568

568:
  %569 = phi i64 [ %594, %584 ], [ 0, %565 ]
  %570 = phi double [ %593, %584 ], [ 0.000000e+00, %565 ]
  %571 = getelementptr inbounds nuw double, ptr %31, i64 %569
  %572 = load double, ptr %571, align 8
  %573 = getelementptr inbounds nuw double, ptr %113, i64 %569
  %574 = load double, ptr %573, align 8
  %575 = tail call double @llvm.fmuladd.f64(double %567, double %574, double %572)
  %576 = getelementptr inbounds nuw double, ptr %335, i64 %569
  %577 = load double, ptr %576, align 8
  %578 = fcmp olt double %575, %577
  br i1 %578, label %584, label %579

579:
  %580 = getelementptr inbounds nuw double, ptr %336, i64 %569
  %581 = load double, ptr %580, align 8
  %582 = fcmp ogt double %575, %581
  %583 = select i1 %582, double %581, double %575
  br label %584

584:
  %585 = phi double [ %577, %568 ], [ %583, %579 ]
  %586 = getelementptr inbounds nuw double, ptr %111, i64 %569
  store double %585, ptr %586, align 8
  %587 = load double, ptr %571, align 8
  %588 = fsub double %585, %587
  %589 = fcmp olt double %588, 0.000000e+00
  %590 = fsub double %587, %585
  %591 = select i1 %589, double %590, double %588
  %592 = fcmp ogt double %591, %570
  %593 = select i1 %592, double %591, double %570
  %594 = add nuw nsw i64 %569, 1
  %595 = icmp eq i64 %594, %11
  br i1 %595, label %602, label %568

596:
  %597 = fmul double %567, 1.000000e-01
  %598 = tail call double @llvm.fmuladd.f64(double %597, double %555, double %437)
  %599 = fcmp ugt double %614, %598
  %600 = fcmp ugt double %593, %546
  %601 = select i1 %599, i1 %600, i1 false
  br i1 %601, label %631, label %635

602:
  %603 = phi i64 [ %615, %612 ], [ 0, %584 ]
  %604 = phi double [ %614, %612 ], [ 0.000000e+00, %584 ]
  %605 = mul nsw i64 %603, %13
  %606 = getelementptr inbounds double, ptr %108, i64 %605
  %607 = load double, ptr %606, align 8
  %608 = getelementptr inbounds nuw double, ptr %111, i64 %603
  %609 = load double, ptr %608, align 8
  %610 = fmul double %4, %609
  %611 = tail call double @llvm.fmuladd.f64(double %607, double 2.000000e+00, double %610)
  br label %617

612:
  %613 = fmul double %609, 5.000000e-01
  %614 = tail call double @llvm.fmuladd.f64(double %613, double %628, double %604)
  %615 = add nuw nsw i64 %603, 1
  %616 = icmp eq i64 %615, %11
  br i1 %616, label %596, label %602

617:
  %618 = phi i64 [ 0, %602 ], [ %629, %617 ]
  %619 = phi double [ %611, %602 ], [ %628, %617 ]
  %620 = tail call i64 @llvm.umin.i64(i64 %603, i64 %618)
  %621 = mul nsw i64 %620, %13
  %622 = tail call i64 @llvm.umax.i64(i64 %603, i64 %618)
  %623 = getelementptr double, ptr %25, i64 %621
  %624 = getelementptr double, ptr %623, i64 %622
  %625 = load double, ptr %624, align 8
  %626 = getelementptr inbounds nuw double, ptr %111, i64 %618
  %627 = load double, ptr %626, align 8
  %628 = tail call double @llvm.fmuladd.f64(double %625, double %627, double %619)
  %629 = add nuw nsw i64 %618, 1
  %630 = icmp eq i64 %629, %11
  br i1 %630, label %612, label %617

631:
  %632 = add nuw nsw i64 %566, 1
  %633 = fmul double %567, 5.000000e-01
  %634 = icmp eq i64 %632, 40
  br i1 %634, label %635, label %565

635:
  %636 = phi i1 [ true, %631 ], [ %600, %596 ]
  br label %638

637:
  br i1 %636, label %352, label %645

638:
  %639 = phi i64 [ %643, %638 ], [ 0, %635 ]
  %640 = getelementptr inbounds nuw double, ptr %111, i64 %639
  %641 = load double, ptr %640, align 8
  %642 = getelementptr inbounds nuw double, ptr %31, i64 %639
  store double %641, ptr %642, align 8
  %643 = add nuw nsw i64 %639, 1
  %644 = icmp eq i64 %643, %11
  br i1 %644, label %637, label %638

645:
  %646 = phi i64 [ %705, %704 ], [ 0, %637 ]
  %647 = getelementptr double, ptr %29, i64 %646
  %648 = getelementptr inbounds nuw i8, ptr %36, i64 %646
  %649 = mul nsw i64 %646, %13
  %650 = getelementptr double, ptr %25, i64 %649
  %651 = icmp eq i64 %646, 0
  %652 = mul nuw nsw i64 %646, %11
  %653 = getelementptr double, ptr %29, i64 %652
  %654 = mul i64 %646, %20
  %655 = getelementptr inbounds double, ptr %29, i64 %654
  br label %656

656:
  %657 = phi i64 [ %646, %645 ], [ %702, %701 ]
  %658 = getelementptr inbounds nuw i8, ptr %36, i64 %657
  %659 = load i8, ptr %658, align 1
  %660 = icmp eq i8 %659, 0
  br i1 %660, label %661, label %664

661:
  %662 = load i8, ptr %648, align 1
  %663 = icmp eq i8 %662, 0
  br i1 %663, label %669, label %664

664:
  %665 = icmp eq i64 %657, %646
  %666 = select i1 %665, double 1.000000e+00, double 0.000000e+00
  %667 = mul nuw nsw i64 %657, %11
  %668 = getelementptr double, ptr %647, i64 %667
  store double %666, ptr %668, align 8
  br label %701

669:
  %670 = getelementptr double, ptr %650, i64 %657
  %671 = load double, ptr %670, align 8
  %672 = icmp eq i64 %657, %646
  %673 = fadd double %4, %671
  %674 = select i1 %672, double %673, double %671
  br i1 %651, label %678, label %675

675:
  %676 = mul nuw nsw i64 %657, %11
  %677 = getelementptr double, ptr %29, i64 %676
  br label %680

678:
  %679 = phi double [ %674, %669 ], [ %688, %680 ]
  br i1 %672, label %696, label %691

680:
  %681 = phi i64 [ 0, %675 ], [ %689, %680 ]
  %682 = phi double [ %674, %675 ], [ %688, %680 ]
  %683 = getelementptr double, ptr %677, i64 %681
  %684 = load double, ptr %683, align 8
  %685 = getelementptr double, ptr %653, i64 %681
  %686 = load double, ptr %685, align 8
  %687 = fneg double %684
  %688 = tail call double @llvm.fmuladd.f64(double %687, double %686, double %682)
  %689 = add nuw nsw i64 %681, 1
  %690 = icmp eq i64 %689, %646
  br i1 %690, label %678, label %680

691:
  %692 = load double, ptr %655, align 8
  %693 = fmul double %679, %692
  %694 = mul nuw nsw i64 %657, %11
  %695 = getelementptr double, ptr %647, i64 %694
  store double %693, ptr %695, align 8
  br label %701

696:
  %697 = fcmp ogt double %679, %116
  br i1 %697, label %698, label %993

698:
  %699 = tail call double @llvm.sqrt.f64(double %679)
  %700 = fdiv double 1.000000e+00, %699
  store double %700, ptr %655, align 8
  br label %701

701:
  %702 = add nuw i64 %657, 1
  %703 = icmp eq i64 %702, %11
  br i1 %703, label %704, label %656

704:
  %705 = add nuw nsw i64 %646, 1
  %706 = icmp eq i64 %705, %11
  br i1 %706, label %769, label %645

707:
  %708 = phi i64 [ %767, %766 ], [ 0, %352 ]
  %709 = getelementptr double, ptr %29, i64 %708
  %710 = getelementptr inbounds nuw i8, ptr %36, i64 %708
  %711 = mul nsw i64 %708, %13
  %712 = getelementptr double, ptr %25, i64 %711
  %713 = icmp eq i64 %708, 0
  %714 = mul nuw nsw i64 %708, %11
  %715 = getelementptr double, ptr %29, i64 %714
  %716 = mul i64 %708, %20
  %717 = getelementptr inbounds double, ptr %29, i64 %716
  br label %718

718:
  %719 = phi i64 [ %708, %707 ], [ %764, %763 ]
  %720 = getelementptr inbounds nuw i8, ptr %36, i64 %719
  %721 = load i8, ptr %720, align 1
  %722 = icmp eq i8 %721, 0
  br i1 %722, label %723, label %726

723:
  %724 = load i8, ptr %710, align 1
  %725 = icmp eq i8 %724, 0
  br i1 %725, label %731, label %726

726:
  %727 = icmp eq i64 %719, %708
  %728 = select i1 %727, double 1.000000e+00, double 0.000000e+00
  %729 = mul nuw nsw i64 %719, %11
  %730 = getelementptr double, ptr %709, i64 %729
  store double %728, ptr %730, align 8
  br label %763

731:
  %732 = getelementptr double, ptr %712, i64 %719
  %733 = load double, ptr %732, align 8
  %734 = icmp eq i64 %719, %708
  %735 = fadd double %4, %733
  %736 = select i1 %734, double %735, double %733
  br i1 %713, label %740, label %737

737:
  %738 = mul nuw nsw i64 %719, %11
  %739 = getelementptr double, ptr %29, i64 %738
  br label %742

740:
  %741 = phi double [ %736, %731 ], [ %750, %742 ]
  br i1 %734, label %758, label %753

742:
  %743 = phi i64 [ 0, %737 ], [ %751, %742 ]
  %744 = phi double [ %736, %737 ], [ %750, %742 ]
  %745 = getelementptr double, ptr %739, i64 %743
  %746 = load double, ptr %745, align 8
  %747 = getelementptr double, ptr %715, i64 %743
  %748 = load double, ptr %747, align 8
  %749 = fneg double %746
  %750 = tail call double @llvm.fmuladd.f64(double %749, double %748, double %744)
  %751 = add nuw nsw i64 %743, 1
  %752 = icmp eq i64 %751, %708
  br i1 %752, label %740, label %742

753:
  %754 = load double, ptr %717, align 8
  %755 = fmul double %741, %754
  %756 = mul nuw nsw i64 %719, %11
  %757 = getelementptr double, ptr %709, i64 %756
  store double %755, ptr %757, align 8
  br label %763

758:
  %759 = fcmp ogt double %741, %116
  br i1 %759, label %760, label %993

760:
  %761 = tail call double @llvm.sqrt.f64(double %741)
  %762 = fdiv double 1.000000e+00, %761
  store double %762, ptr %717, align 8
  br label %763

763:
  %764 = add nuw i64 %719, 1
  %765 = icmp eq i64 %764, %11
  br i1 %765, label %766, label %718

766:
  %767 = add nuw nsw i64 %708, 1
  %768 = icmp eq i64 %767, %11
  br i1 %768, label %769, label %707

769:
  br label %770

770:
  %771 = phi i64 [ %803, %802 ], [ 0, %769 ]
  %772 = getelementptr inbounds nuw i8, ptr %36, i64 %771
  %773 = load i8, ptr %772, align 1
  %774 = icmp eq i8 %773, 0
  %775 = select i1 %774, i1 true, i1 %117
  br i1 %775, label %802, label %776

776:
  %777 = mul nsw i64 %771, %13
  %778 = getelementptr double, ptr %25, i64 %777
  %779 = getelementptr inbounds nuw double, ptr %31, i64 %771
  br label %780

780:
  %781 = phi i64 [ 0, %776 ], [ %800, %799 ]
  %782 = icmp slt i64 %781, %11
  br i1 %782, label %783, label %787

783:
  %784 = getelementptr inbounds nuw i8, ptr %36, i64 %781
  %785 = load i8, ptr %784, align 1
  %786 = icmp eq i8 %785, 0
  br i1 %786, label %787, label %799

787:
  %788 = icmp samesign ult i64 %781, %771
  %789 = mul nsw i64 %781, %13
  %790 = getelementptr double, ptr %25, i64 %789
  %791 = getelementptr double, ptr %790, i64 %771
  %792 = getelementptr double, ptr %778, i64 %781
  %793 = select i1 %788, ptr %791, ptr %792
  %794 = load double, ptr %793, align 8
  %795 = load double, ptr %779, align 8
  %796 = getelementptr double, ptr %790, i64 %16
  %797 = load double, ptr %796, align 8
  %798 = tail call double @llvm.fmuladd.f64(double %794, double %795, double %797)
  store double %798, ptr %796, align 8
  br label %799

799:
  %800 = add nuw nsw i64 %781, 1
  %801 = icmp eq i64 %800, %16
  br i1 %801, label %802, label %780

802:
  %803 = add nuw nsw i64 %771, 1
  %804 = icmp eq i64 %803, %11
  br i1 %804, label %868, label %770

805:
  br i1 %114, label %806, label %868

806:
  %807 = phi i64 [ %866, %865 ], [ 0, %805 ]
  %808 = getelementptr double, ptr %29, i64 %807
  %809 = getelementptr inbounds nuw i8, ptr %36, i64 %807
  %810 = mul nsw i64 %807, %13
  %811 = getelementptr double, ptr %25, i64 %810
  %812 = icmp eq i64 %807, 0
  %813 = mul nuw nsw i64 %807, %11
  %814 = getelementptr double, ptr %29, i64 %813
  %815 = mul i64 %807, %20
  %816 = getelementptr inbounds double, ptr %29, i64 %815
  br label %817

817:
  %818 = phi i64 [ %807, %806 ], [ %863, %862 ]
  %819 = getelementptr inbounds nuw i8, ptr %36, i64 %818
  %820 = load i8, ptr %819, align 1
  %821 = icmp eq i8 %820, 0
  br i1 %821, label %822, label %825

822:
  %823 = load i8, ptr %809, align 1
  %824 = icmp eq i8 %823, 0
  br i1 %824, label %830, label %825

825:
  %826 = icmp eq i64 %818, %807
  %827 = select i1 %826, double 1.000000e+00, double 0.000000e+00
  %828 = mul nuw nsw i64 %818, %11
  %829 = getelementptr double, ptr %808, i64 %828
  store double %827, ptr %829, align 8
  br label %862

830:
  %831 = getelementptr double, ptr %811, i64 %818
  %832 = load double, ptr %831, align 8
  %833 = icmp eq i64 %818, %807
  %834 = fadd double %4, %832
  %835 = select i1 %833, double %834, double %832
  br i1 %812, label %839, label %836

836:
  %837 = mul nuw nsw i64 %818, %11
  %838 = getelementptr double, ptr %29, i64 %837
  br label %841

839:
  %840 = phi double [ %835, %830 ], [ %849, %841 ]
  br i1 %833, label %857, label %852

841:
  %842 = phi i64 [ 0, %836 ], [ %850, %841 ]
  %843 = phi double [ %835, %836 ], [ %849, %841 ]
  %844 = getelementptr double, ptr %838, i64 %842
  %845 = load double, ptr %844, align 8
  %846 = getelementptr double, ptr %814, i64 %842
  %847 = load double, ptr %846, align 8
  %848 = fneg double %845
  %849 = tail call double @llvm.fmuladd.f64(double %848, double %847, double %843)
  %850 = add nuw nsw i64 %842, 1
  %851 = icmp eq i64 %850, %807
  br i1 %851, label %839, label %841

852:
  %853 = load double, ptr %816, align 8
  %854 = fmul double %840, %853
  %855 = mul nuw nsw i64 %818, %11
  %856 = getelementptr double, ptr %808, i64 %855
  store double %854, ptr %856, align 8
  br label %862

857:
  %858 = fcmp ogt double %840, %116
  br i1 %858, label %859, label %993

859:
  %860 = tail call double @llvm.sqrt.f64(double %840)
  %861 = fdiv double 1.000000e+00, %860
  store double %861, ptr %816, align 8
  br label %862

862:
  %863 = add nuw i64 %818, 1
  %864 = icmp eq i64 %863, %11
  br i1 %864, label %865, label %817

865:
  %866 = add nuw nsw i64 %807, 1
  %867 = icmp eq i64 %866, %11
  br i1 %867, label %868, label %806

868:
  br i1 %120, label %869, label %873

869:
  %870 = phi i64 [ %921, %920 ], [ %119, %868 ]
  %871 = getelementptr double, ptr %25, i64 %870
  %872 = getelementptr double, ptr %27, i64 %870
  br i1 %114, label %879, label %920

873:
  %874 = mul i64 %24, %126
  %875 = getelementptr inbounds double, ptr %6, i64 %874
  tail call fastcc void @multiply(ptr %875, ptr %107, double -1.000000e+00, ptr %121, i64 1, i64 %13, ptr %27, i64 %9, i64 %11, i64 %13, i64 %11)
  %876 = getelementptr double, ptr %132, i64 %16
  br i1 %114, label %960, label %990

877:
  %878 = getelementptr double, ptr %132, i64 %870
  br label %923

879:
  %880 = phi i64 [ %904, %894 ], [ 0, %869 ]
  %881 = getelementptr inbounds nuw i8, ptr %36, i64 %880
  %882 = load i8, ptr %881, align 1
  %883 = icmp eq i8 %882, 0
  br i1 %883, label %884, label %888

884:
  %885 = mul nsw i64 %880, %13
  %886 = getelementptr double, ptr %871, i64 %885
  %887 = load <8 x double>, ptr %886, align 8
  br label %888

888:
  %889 = phi <8 x double> [ zeroinitializer, %879 ], [ %887, %884 ]
  %890 = icmp eq i64 %880, 0
  br i1 %890, label %894, label %891

891:
  %892 = mul nuw nsw i64 %880, %11
  %893 = getelementptr double, ptr %29, i64 %892
  br label %906

894:
  %895 = phi <8 x double> [ %889, %888 ], [ %917, %906 ]
  %896 = mul i64 %880, %20
  %897 = getelementptr inbounds double, ptr %29, i64 %896
  %898 = load double, ptr %897, align 8
  %899 = insertelement <8 x double> poison, double %898, i64 0
  %900 = shufflevector <8 x double> %899, <8 x double> poison, <8 x i32> zeroinitializer
  %901 = fmul <8 x double> %895, %900
  %902 = mul nsw i64 %880, %13
  %903 = getelementptr double, ptr %872, i64 %902
  store <8 x double> %901, ptr %903, align 8
  %904 = add nuw nsw i64 %880, 1
  %905 = icmp eq i64 %904, %11
  br i1 %905, label %877, label %879

906:
  %907 = phi i64 [ 0, %891 ], [ %918, %906 ]
  %908 = phi <8 x double> [ %889, %891 ], [ %917, %906 ]
  %909 = getelementptr double, ptr %893, i64 %907
  %910 = load double, ptr %909, align 8
  %911 = mul nsw i64 %907, %13
  %912 = getelementptr double, ptr %872, i64 %911
  %913 = load <8 x double>, ptr %912, align 8
  %914 = fneg double %910
  %915 = insertelement <8 x double> poison, double %914, i64 0
  %916 = shufflevector <8 x double> %915, <8 x double> poison, <8 x i32> zeroinitializer
  %917 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %916, <8 x double> %913, <8 x double> %908)
  %918 = add nuw nsw i64 %907, 1
  %919 = icmp eq i64 %918, %880
  br i1 %919, label %894, label %906

920:
  %921 = add nsw i64 %870, 8
  %922 = icmp slt i64 %921, %13
  br i1 %922, label %869, label %873

923:
  %924 = phi i64 [ %925, %932 ], [ %11, %877 ]
  %925 = add nsw i64 %924, -1
  %926 = mul nsw i64 %925, %13
  %927 = getelementptr double, ptr %872, i64 %926
  %928 = load <8 x double>, ptr %927, align 8
  %929 = fneg <8 x double> %928
  %930 = getelementptr double, ptr %29, i64 %925
  %931 = icmp slt i64 %924, %11
  br i1 %931, label %942, label %932

932:
  %933 = phi <8 x double> [ %929, %923 ], [ %954, %942 ]
  %934 = mul i64 %925, %20
  %935 = getelementptr inbounds double, ptr %29, i64 %934
  %936 = load double, ptr %935, align 8
  %937 = insertelement <8 x double> poison, double %936, i64 0
  %938 = shufflevector <8 x double> %937, <8 x double> poison, <8 x i32> zeroinitializer
  %939 = fmul <8 x double> %933, %938
  %940 = getelementptr double, ptr %878, i64 %926
  store <8 x double> %939, ptr %940, align 8
  %941 = icmp samesign ugt i64 %924, 1
  br i1 %941, label %923, label %920

942:
  %943 = phi i64 [ %955, %942 ], [ %924, %923 ]
  %944 = phi <8 x double> [ %954, %942 ], [ %929, %923 ]
  %945 = mul nuw nsw i64 %943, %11
  %946 = getelementptr double, ptr %930, i64 %945
  %947 = load double, ptr %946, align 8
  %948 = mul nsw i64 %943, %13
  %949 = getelementptr double, ptr %878, i64 %948
  %950 = load <8 x double>, ptr %949, align 8
  %951 = fneg double %947
  %952 = insertelement <8 x double> poison, double %951, i64 0
  %953 = shufflevector <8 x double> %952, <8 x double> poison, <8 x i32> zeroinitializer
  %954 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %953, <8 x double> %950, <8 x double> %944)
  %955 = add nuw nsw i64 %943, 1
  %956 = icmp eq i64 %955, %11
  br i1 %956, label %932, label %942

957:
  %958 = add nuw nsw i64 %961, 1
  %959 = icmp eq i64 %958, %11
  br i1 %959, label %990, label %960

960:
  %961 = phi i64 [ %958, %957 ], [ 0, %873 ]
  %962 = mul nsw i64 %961, %13
  %963 = getelementptr double, ptr %132, i64 %962
  br label %965

964:
  br i1 %123, label %977, label %970

965:
  %966 = phi i64 [ 0, %960 ], [ %968, %965 ]
  %967 = getelementptr double, ptr %963, i64 %966
  store double 0.000000e+00, ptr %967, align 8
  %968 = add nuw nsw i64 %966, 1
  %969 = icmp eq i64 %968, %11
  br i1 %969, label %964, label %965

970:
  %971 = getelementptr inbounds nuw i8, ptr %36, i64 %961
  %972 = load i8, ptr %971, align 1
  %973 = icmp eq i8 %972, 0
  br i1 %973, label %974, label %982

974:
  %975 = getelementptr double, ptr %876, i64 %962
  %976 = load double, ptr %975, align 8
  br label %986

977:
  %978 = phi i64 [ %980, %977 ], [ %122, %964 ]
  %979 = getelementptr double, ptr %963, i64 %978
  store double 0.000000e+00, ptr %979, align 8
  %980 = add nsw i64 %978, 1
  %981 = icmp slt i64 %980, %13
  br i1 %981, label %977, label %970

982:
  %983 = getelementptr inbounds nuw double, ptr %31, i64 %961
  %984 = load double, ptr %983, align 8
  %985 = getelementptr double, ptr %876, i64 %962
  store double %984, ptr %985, align 8
  br label %986

986:
  %987 = phi double [ %976, %974 ], [ %984, %982 ]
  %988 = fsub double %987, %987
  %989 = fcmp oeq double %988, 0.000000e+00
  br i1 %989, label %957, label %993

990:
  %991 = add nsw i64 %126, -1
  %992 = icmp slt i64 %126, 1
  br i1 %992, label %993, label %124

993:
  %994 = phi i64 [ %126, %696 ], [ -1, %82 ], [ %126, %986 ], [ %126, %857 ], [ %126, %410 ], [ %126, %758 ], [ -1, %990 ]
  ret i64 %994
}

declare ptr @memcpy(ptr, ptr, i64)

declare ptr @memset(ptr, i32, i64)

define internal fastcc void @multiply(ptr %0, ptr %1, double %2, ptr %3, i64 %4, i64 %5, ptr %6, i64 %7, i64 %8, i64 %9, i64 %10) nounwind {
  %12 = icmp sgt i64 %7, 0
  br i1 %12, label %13, label %23

13:
  %14 = icmp slt i64 %10, 0
  %15 = shl nsw i64 %4, 4
  %16 = mul nsw i64 %4, 24
  %17 = icmp eq ptr %1, null
  %18 = icmp sgt i64 %8, 0
  %19 = insertelement <8 x double> poison, double %2, i64 0
  %20 = shufflevector <8 x double> %19, <8 x double> poison, <8 x i32> zeroinitializer
  %21 = shl nsw i64 %9, 4
  %22 = mul nsw i64 %9, 24
  br label %24

23:
  ret void

24:
  %25 = phi i64 [ 0, %13 ], [ %47, %46 ]
  %26 = sub nsw i64 %7, %25
  %27 = add nuw nsw i64 %25, %10
  %28 = and i64 %27, 9223372036854775800
  %29 = select i1 %14, i64 0, i64 %28
  %30 = mul nsw i64 %25, %4
  %31 = getelementptr inbounds double, ptr %3, i64 %30
  %32 = icmp sgt i64 %26, 1
  %33 = select i1 %32, i64 %4, i64 0
  %34 = getelementptr inbounds double, ptr %31, i64 %33
  %35 = icmp sgt i64 %26, 2
  %36 = select i1 %35, i64 %15, i64 0
  %37 = getelementptr inbounds i8, ptr %31, i64 %36
  %38 = icmp sgt i64 %26, 3
  %39 = select i1 %38, i64 %16, i64 0
  %40 = getelementptr inbounds i8, ptr %31, i64 %39
  %41 = icmp slt i64 %29, %9
  br i1 %41, label %42, label %46

42:
  %43 = mul nsw i64 %25, %9
  %44 = getelementptr inbounds double, ptr %0, i64 %43
  %45 = getelementptr inbounds double, ptr %1, i64 %43
  br label %49

46:
  %47 = add nuw nsw i64 %25, 4
  %48 = icmp slt i64 %47, %7
  br i1 %48, label %24, label %23

49:
  %50 = phi i64 [ %29, %42 ], [ %345, %344 ]
  %51 = getelementptr inbounds double, ptr %44, i64 %50
  %52 = getelementptr inbounds double, ptr %45, i64 %50
  %53 = select i1 %17, ptr null, ptr %52
  %54 = sub nsw i64 %9, %50
  %55 = tail call i64 @llvm.smin.i64(i64 %54, i64 24)
  %56 = icmp sgt i64 %54, 23
  br i1 %56, label %57, label %176

57:
  br i1 %18, label %58, label %60

58:
  %59 = getelementptr inbounds double, ptr %6, i64 %50
  br label %73

60:
  %61 = phi <8 x double> [ zeroinitializer, %57 ], [ %106, %73 ]
  %62 = phi <8 x double> [ zeroinitializer, %57 ], [ %114, %73 ]
  %63 = phi <8 x double> [ zeroinitializer, %57 ], [ %120, %73 ]
  %64 = phi <8 x double> [ zeroinitializer, %57 ], [ %109, %73 ]
  %65 = phi <8 x double> [ zeroinitializer, %57 ], [ %115, %73 ]
  %66 = phi <8 x double> [ zeroinitializer, %57 ], [ %121, %73 ]
  %67 = phi <8 x double> [ zeroinitializer, %57 ], [ %119, %73 ]
  %68 = phi <8 x double> [ zeroinitializer, %57 ], [ %113, %73 ]
  %69 = phi <8 x double> [ zeroinitializer, %57 ], [ %103, %73 ]
  %70 = phi <8 x double> [ zeroinitializer, %57 ], [ %118, %73 ]
  %71 = phi <8 x double> [ zeroinitializer, %57 ], [ %112, %73 ]
  %72 = phi <8 x double> [ zeroinitializer, %57 ], [ %100, %73 ]
  br label %125

73:
  %74 = phi ptr [ %123, %73 ], [ %59, %58 ]
  %75 = phi <8 x double> [ %100, %73 ], [ zeroinitializer, %58 ]
  %76 = phi <8 x double> [ %112, %73 ], [ zeroinitializer, %58 ]
  %77 = phi <8 x double> [ %118, %73 ], [ zeroinitializer, %58 ]
  %78 = phi <8 x double> [ %103, %73 ], [ zeroinitializer, %58 ]
  %79 = phi <8 x double> [ %113, %73 ], [ zeroinitializer, %58 ]
  %80 = phi <8 x double> [ %119, %73 ], [ zeroinitializer, %58 ]
  %81 = phi i64 [ %122, %73 ], [ 0, %58 ]
  %82 = phi <8 x double> [ %121, %73 ], [ zeroinitializer, %58 ]
  %83 = phi <8 x double> [ %115, %73 ], [ zeroinitializer, %58 ]
  %84 = phi <8 x double> [ %109, %73 ], [ zeroinitializer, %58 ]
  %85 = phi <8 x double> [ %120, %73 ], [ zeroinitializer, %58 ]
  %86 = phi <8 x double> [ %114, %73 ], [ zeroinitializer, %58 ]
  %87 = phi <8 x double> [ %106, %73 ], [ zeroinitializer, %58 ]
  %88 = mul nsw i64 %81, %5
  %89 = getelementptr inbounds double, ptr %31, i64 %88
  %90 = load double, ptr %89, align 8
  %91 = getelementptr inbounds double, ptr %34, i64 %88
  %92 = load double, ptr %91, align 8
  %93 = getelementptr inbounds double, ptr %37, i64 %88
  %94 = load double, ptr %93, align 8
  %95 = getelementptr inbounds double, ptr %40, i64 %88
  %96 = load double, ptr %95, align 8
  %97 = load <8 x double>, ptr %74, align 8
  %98 = insertelement <8 x double> poison, double %90, i64 0
  %99 = shufflevector <8 x double> %98, <8 x double> poison, <8 x i32> zeroinitializer
  %100 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %99, <8 x double> %97, <8 x double> %75)
  %101 = insertelement <8 x double> poison, double %92, i64 0
  %102 = shufflevector <8 x double> %101, <8 x double> poison, <8 x i32> zeroinitializer
  %103 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %102, <8 x double> %97, <8 x double> %78)
  %104 = insertelement <8 x double> poison, double %94, i64 0
  %105 = shufflevector <8 x double> %104, <8 x double> poison, <8 x i32> zeroinitializer
  %106 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %105, <8 x double> %97, <8 x double> %87)
  %107 = insertelement <8 x double> poison, double %96, i64 0
  %108 = shufflevector <8 x double> %107, <8 x double> poison, <8 x i32> zeroinitializer
  %109 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %108, <8 x double> %97, <8 x double> %84)
  %110 = getelementptr inbounds nuw i8, ptr %74, i64 64
  %111 = load <8 x double>, ptr %110, align 8
  %112 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %99, <8 x double> %111, <8 x double> %76)
  %113 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %102, <8 x double> %111, <8 x double> %79)
  %114 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %105, <8 x double> %111, <8 x double> %86)
  %115 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %108, <8 x double> %111, <8 x double> %83)
  %116 = getelementptr inbounds nuw i8, ptr %74, i64 128
  %117 = load <8 x double>, ptr %116, align 8
  %118 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %99, <8 x double> %117, <8 x double> %77)
  %119 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %102, <8 x double> %117, <8 x double> %80)
  %120 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %105, <8 x double> %117, <8 x double> %85)
  %121 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %108, <8 x double> %117, <8 x double> %82)
  %122 = add nuw nsw i64 %81, 1
  %123 = getelementptr inbounds nuw double, ptr %74, i64 %9
  %124 = icmp eq i64 %122, %8
  br i1 %124, label %60, label %73

125:
  %126 = phi ptr [ %51, %60 ], [ %174, %170 ]
  %127 = phi ptr [ %53, %60 ], [ %172, %170 ]
  %128 = phi i32 [ 0, %60 ], [ %173, %170 ]
  %129 = icmp eq i32 %128, 0
  br i1 %129, label %136, label %130

130:
  %131 = icmp eq i32 %128, 1
  %132 = select i1 %131, <8 x double> %71, <8 x double> %70
  %133 = select i1 %131, <8 x double> %68, <8 x double> %67
  %134 = select i1 %131, <8 x double> %62, <8 x double> %63
  %135 = select i1 %131, <8 x double> %65, <8 x double> %66
  br label %136

136:
  %137 = phi <8 x double> [ %134, %130 ], [ %61, %125 ]
  %138 = phi <8 x double> [ %132, %130 ], [ %72, %125 ]
  %139 = phi <8 x double> [ %133, %130 ], [ %69, %125 ]
  %140 = phi <8 x double> [ %135, %130 ], [ %64, %125 ]
  %141 = icmp eq ptr %127, null
  br i1 %141, label %142, label %144

142:
  %143 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %138, <8 x double> zeroinitializer)
  store <8 x double> %143, ptr %126, align 8
  br i1 %32, label %147, label %170

144:
  %145 = load <8 x double>, ptr %127, align 8
  %146 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %138, <8 x double> %145)
  store <8 x double> %146, ptr %126, align 8
  br i1 %32, label %150, label %170

147:
  %148 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %139, <8 x double> zeroinitializer)
  %149 = getelementptr inbounds nuw double, ptr %126, i64 %9
  store <8 x double> %148, ptr %149, align 8
  br i1 %35, label %155, label %170

150:
  %151 = getelementptr inbounds nuw double, ptr %127, i64 %9
  %152 = load <8 x double>, ptr %151, align 8
  %153 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %139, <8 x double> %152)
  %154 = getelementptr inbounds nuw double, ptr %126, i64 %9
  store <8 x double> %153, ptr %154, align 8
  br i1 %35, label %158, label %170

155:
  %156 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %137, <8 x double> zeroinitializer)
  %157 = getelementptr inbounds i8, ptr %126, i64 %21
  store <8 x double> %156, ptr %157, align 8
  br i1 %38, label %166, label %170

158:
  %159 = getelementptr inbounds i8, ptr %127, i64 %21
  %160 = load <8 x double>, ptr %159, align 8
  %161 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %137, <8 x double> %160)
  %162 = getelementptr inbounds i8, ptr %126, i64 %21
  store <8 x double> %161, ptr %162, align 8
  br i1 %38, label %163, label %170

163:
  %164 = getelementptr inbounds i8, ptr %127, i64 %22
  %165 = load <8 x double>, ptr %164, align 8
  br label %166

166:
  %167 = phi <8 x double> [ %165, %163 ], [ zeroinitializer, %155 ]
  %168 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %140, <8 x double> %167)
  %169 = getelementptr inbounds i8, ptr %126, i64 %22
  store <8 x double> %168, ptr %169, align 8
  br label %170

170:
  %171 = getelementptr inbounds nuw i8, ptr %127, i64 64
  %172 = select i1 %141, ptr null, ptr %171
  %173 = add nuw nsw i32 %128, 1
  %174 = getelementptr inbounds nuw i8, ptr %126, i64 64
  %175 = icmp eq i32 %173, 3
  br i1 %175, label %344, label %125

176:
  %177 = icmp eq i64 %54, 16
  br i1 %177, label %178, label %275

178:
  br i1 %18, label %179, label %181

179:
  %180 = getelementptr inbounds double, ptr %6, i64 %50
  br label %190

181:
  %182 = phi <8 x double> [ zeroinitializer, %178 ], [ %219, %190 ]
  %183 = phi <8 x double> [ zeroinitializer, %178 ], [ %227, %190 ]
  %184 = phi <8 x double> [ zeroinitializer, %178 ], [ %222, %190 ]
  %185 = phi <8 x double> [ zeroinitializer, %178 ], [ %228, %190 ]
  %186 = phi <8 x double> [ zeroinitializer, %178 ], [ %226, %190 ]
  %187 = phi <8 x double> [ zeroinitializer, %178 ], [ %216, %190 ]
  %188 = phi <8 x double> [ zeroinitializer, %178 ], [ %225, %190 ]
  %189 = phi <8 x double> [ zeroinitializer, %178 ], [ %213, %190 ]
  br label %232

190:
  %191 = phi ptr [ %230, %190 ], [ %180, %179 ]
  %192 = phi <8 x double> [ %213, %190 ], [ zeroinitializer, %179 ]
  %193 = phi <8 x double> [ %225, %190 ], [ zeroinitializer, %179 ]
  %194 = phi <8 x double> [ %216, %190 ], [ zeroinitializer, %179 ]
  %195 = phi <8 x double> [ %226, %190 ], [ zeroinitializer, %179 ]
  %196 = phi i64 [ %229, %190 ], [ 0, %179 ]
  %197 = phi <8 x double> [ %228, %190 ], [ zeroinitializer, %179 ]
  %198 = phi <8 x double> [ %222, %190 ], [ zeroinitializer, %179 ]
  %199 = phi <8 x double> [ %227, %190 ], [ zeroinitializer, %179 ]
  %200 = phi <8 x double> [ %219, %190 ], [ zeroinitializer, %179 ]
  %201 = mul nsw i64 %196, %5
  %202 = getelementptr inbounds double, ptr %31, i64 %201
  %203 = load double, ptr %202, align 8
  %204 = getelementptr inbounds double, ptr %34, i64 %201
  %205 = load double, ptr %204, align 8
  %206 = getelementptr inbounds double, ptr %37, i64 %201
  %207 = load double, ptr %206, align 8
  %208 = getelementptr inbounds double, ptr %40, i64 %201
  %209 = load double, ptr %208, align 8
  %210 = load <8 x double>, ptr %191, align 8
  %211 = insertelement <8 x double> poison, double %203, i64 0
  %212 = shufflevector <8 x double> %211, <8 x double> poison, <8 x i32> zeroinitializer
  %213 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %212, <8 x double> %210, <8 x double> %192)
  %214 = insertelement <8 x double> poison, double %205, i64 0
  %215 = shufflevector <8 x double> %214, <8 x double> poison, <8 x i32> zeroinitializer
  %216 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %215, <8 x double> %210, <8 x double> %194)
  %217 = insertelement <8 x double> poison, double %207, i64 0
  %218 = shufflevector <8 x double> %217, <8 x double> poison, <8 x i32> zeroinitializer
  %219 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %218, <8 x double> %210, <8 x double> %200)
  %220 = insertelement <8 x double> poison, double %209, i64 0
  %221 = shufflevector <8 x double> %220, <8 x double> poison, <8 x i32> zeroinitializer
  %222 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %221, <8 x double> %210, <8 x double> %198)
  %223 = getelementptr inbounds nuw i8, ptr %191, i64 64
  %224 = load <8 x double>, ptr %223, align 8
  %225 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %212, <8 x double> %224, <8 x double> %193)
  %226 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %215, <8 x double> %224, <8 x double> %195)
  %227 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %218, <8 x double> %224, <8 x double> %199)
  %228 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %221, <8 x double> %224, <8 x double> %197)
  %229 = add nuw nsw i64 %196, 1
  %230 = getelementptr inbounds nuw double, ptr %191, i64 %9
  %231 = icmp eq i64 %229, %8
  br i1 %231, label %181, label %190

232:
  %233 = phi ptr [ %51, %181 ], [ %274, %271 ]
  %234 = phi ptr [ %53, %181 ], [ %273, %271 ]
  %235 = phi i1 [ true, %181 ], [ false, %271 ]
  br i1 %235, label %237, label %236

236:
  br label %237

237:
  %238 = phi <8 x double> [ %183, %236 ], [ %182, %232 ]
  %239 = phi <8 x double> [ %188, %236 ], [ %189, %232 ]
  %240 = phi <8 x double> [ %186, %236 ], [ %187, %232 ]
  %241 = phi <8 x double> [ %185, %236 ], [ %184, %232 ]
  %242 = icmp eq ptr %234, null
  br i1 %242, label %243, label %245

243:
  %244 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %239, <8 x double> zeroinitializer)
  store <8 x double> %244, ptr %233, align 8
  br i1 %32, label %248, label %271

245:
  %246 = load <8 x double>, ptr %234, align 8
  %247 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %239, <8 x double> %246)
  store <8 x double> %247, ptr %233, align 8
  br i1 %32, label %251, label %271

248:
  %249 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %240, <8 x double> zeroinitializer)
  %250 = getelementptr inbounds nuw double, ptr %233, i64 %9
  store <8 x double> %249, ptr %250, align 8
  br i1 %35, label %256, label %271

251:
  %252 = getelementptr inbounds nuw double, ptr %234, i64 %9
  %253 = load <8 x double>, ptr %252, align 8
  %254 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %240, <8 x double> %253)
  %255 = getelementptr inbounds nuw double, ptr %233, i64 %9
  store <8 x double> %254, ptr %255, align 8
  br i1 %35, label %259, label %271

256:
  %257 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %238, <8 x double> zeroinitializer)
  %258 = getelementptr inbounds i8, ptr %233, i64 %21
  store <8 x double> %257, ptr %258, align 8
  br i1 %38, label %267, label %271

259:
  %260 = getelementptr inbounds i8, ptr %234, i64 %21
  %261 = load <8 x double>, ptr %260, align 8
  %262 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %238, <8 x double> %261)
  %263 = getelementptr inbounds i8, ptr %233, i64 %21
  store <8 x double> %262, ptr %263, align 8
  br i1 %38, label %264, label %271

264:
  %265 = getelementptr inbounds i8, ptr %234, i64 %22
  %266 = load <8 x double>, ptr %265, align 8
  br label %267

267:
  %268 = phi <8 x double> [ %266, %264 ], [ zeroinitializer, %256 ]
  %269 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %241, <8 x double> %268)
  %270 = getelementptr inbounds i8, ptr %233, i64 %22
  store <8 x double> %269, ptr %270, align 8
  br label %271

271:
  %272 = getelementptr inbounds nuw i8, ptr %234, i64 64
  %273 = select i1 %242, ptr null, ptr %272
  %274 = getelementptr inbounds nuw i8, ptr %233, i64 64
  br i1 %235, label %232, label %344

275:
  br i1 %18, label %276, label %278

276:
  %277 = getelementptr inbounds double, ptr %6, i64 %50
  br label %286

278:
  %279 = phi <8 x double> [ zeroinitializer, %275 ], [ %311, %286 ]
  %280 = phi <8 x double> [ zeroinitializer, %275 ], [ %314, %286 ]
  %281 = phi <8 x double> [ zeroinitializer, %275 ], [ %308, %286 ]
  %282 = phi <8 x double> [ zeroinitializer, %275 ], [ %305, %286 ]
  %283 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %281, <8 x double> zeroinitializer)
  %284 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %279, <8 x double> zeroinitializer)
  %285 = icmp eq ptr %53, null
  br i1 %285, label %318, label %320

286:
  %287 = phi ptr [ %316, %286 ], [ %277, %276 ]
  %288 = phi <8 x double> [ %305, %286 ], [ zeroinitializer, %276 ]
  %289 = phi <8 x double> [ %308, %286 ], [ zeroinitializer, %276 ]
  %290 = phi i64 [ %315, %286 ], [ 0, %276 ]
  %291 = phi <8 x double> [ %314, %286 ], [ zeroinitializer, %276 ]
  %292 = phi <8 x double> [ %311, %286 ], [ zeroinitializer, %276 ]
  %293 = mul nsw i64 %290, %5
  %294 = getelementptr inbounds double, ptr %31, i64 %293
  %295 = load double, ptr %294, align 8
  %296 = getelementptr inbounds double, ptr %34, i64 %293
  %297 = load double, ptr %296, align 8
  %298 = getelementptr inbounds double, ptr %37, i64 %293
  %299 = load double, ptr %298, align 8
  %300 = getelementptr inbounds double, ptr %40, i64 %293
  %301 = load double, ptr %300, align 8
  %302 = load <8 x double>, ptr %287, align 8
  %303 = insertelement <8 x double> poison, double %295, i64 0
  %304 = shufflevector <8 x double> %303, <8 x double> poison, <8 x i32> zeroinitializer
  %305 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %304, <8 x double> %302, <8 x double> %288)
  %306 = insertelement <8 x double> poison, double %297, i64 0
  %307 = shufflevector <8 x double> %306, <8 x double> poison, <8 x i32> zeroinitializer
  %308 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %307, <8 x double> %302, <8 x double> %289)
  %309 = insertelement <8 x double> poison, double %299, i64 0
  %310 = shufflevector <8 x double> %309, <8 x double> poison, <8 x i32> zeroinitializer
  %311 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %310, <8 x double> %302, <8 x double> %292)
  %312 = insertelement <8 x double> poison, double %301, i64 0
  %313 = shufflevector <8 x double> %312, <8 x double> poison, <8 x i32> zeroinitializer
  %314 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %313, <8 x double> %302, <8 x double> %291)
  %315 = add nuw nsw i64 %290, 1
  %316 = getelementptr inbounds nuw double, ptr %287, i64 %9
  %317 = icmp eq i64 %315, %8
  br i1 %317, label %278, label %286

318:
  %319 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %282, <8 x double> zeroinitializer)
  store <8 x double> %319, ptr %51, align 8
  br i1 %32, label %323, label %344

320:
  %321 = load <8 x double>, ptr %52, align 8
  %322 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %282, <8 x double> %321)
  store <8 x double> %322, ptr %51, align 8
  br i1 %32, label %325, label %344

323:
  %324 = getelementptr inbounds nuw double, ptr %51, i64 %9
  store <8 x double> %283, ptr %324, align 8
  br i1 %35, label %330, label %344

325:
  %326 = getelementptr inbounds nuw double, ptr %52, i64 %9
  %327 = load <8 x double>, ptr %326, align 8
  %328 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %281, <8 x double> %327)
  %329 = getelementptr inbounds nuw double, ptr %51, i64 %9
  store <8 x double> %328, ptr %329, align 8
  br i1 %35, label %332, label %344

330:
  %331 = getelementptr inbounds i8, ptr %51, i64 %21
  store <8 x double> %284, ptr %331, align 8
  br i1 %38, label %340, label %344

332:
  %333 = getelementptr inbounds i8, ptr %52, i64 %21
  %334 = load <8 x double>, ptr %333, align 8
  %335 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %279, <8 x double> %334)
  %336 = getelementptr inbounds i8, ptr %51, i64 %21
  store <8 x double> %335, ptr %336, align 8
  br i1 %38, label %337, label %344

337:
  %338 = getelementptr inbounds i8, ptr %52, i64 %22
  %339 = load <8 x double>, ptr %338, align 8
  br label %340

340:
  %341 = phi <8 x double> [ %339, %337 ], [ zeroinitializer, %330 ]
  %342 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %20, <8 x double> %280, <8 x double> %341)
  %343 = getelementptr inbounds i8, ptr %51, i64 %22
  store <8 x double> %342, ptr %343, align 8
  br label %344

344:
  %345 = add nsw i64 %55, %50
  %346 = icmp slt i64 %345, %9
  br i1 %346, label %49, label %46
}

declare double @llvm.fmuladd.f64(double, double, double)

declare <8 x double> @llvm.fmuladd.v8f64(<8 x double>, <8 x double>, <8 x double>)

define void @jounce_riccati_forward(ptr %0, ptr %1, ptr %2, ptr %3, double %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9, ptr %10) nounwind {
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %13 = load i64, ptr %12, align 8
  %14 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %15 = load i64, ptr %14, align 8
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %17 = load i64, ptr %16, align 8
  %18 = load i64, ptr %0, align 8
  %19 = add nsw i64 %18, -1
  %20 = add nsw i64 %15, %13
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %22 = load ptr, ptr %21, align 8
  %23 = getelementptr inbounds double, ptr %22, i64 %17
  %24 = getelementptr inbounds nuw i8, ptr %10, i64 8
  store double 0.000000e+00, ptr %24, align 8
  store double 0.000000e+00, ptr %10, align 8
  %25 = icmp sgt i64 %18, 0
  br i1 %25, label %26, label %44

26:
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %29 = shl i64 %17, 3
  %30 = getelementptr inbounds double, ptr %22, i64 %15
  %31 = shl i64 %13, 3
  %32 = icmp slt i64 %13, 1
  %33 = sdiv i64 %15, 8
  %34 = shl nsw i64 %33, 3
  %35 = icmp slt i64 %34, %17
  %36 = icmp sgt i64 %13, 0
  %37 = getelementptr double, ptr %23, i64 %15
  %38 = getelementptr inbounds double, ptr %22, i64 %20
  %39 = icmp sgt i64 %15, 0
  %40 = icmp eq ptr %2, null
  %41 = shl i64 %15, 3
  %42 = sdiv i64 %13, 2
  %43 = icmp slt i64 %13, 2
  br label %45

44:
  ret void

45:
  %46 = phi i64 [ 0, %26 ], [ %250, %249 ]
  %47 = load ptr, ptr %27, align 8
  %48 = load ptr, ptr %28, align 8
  %49 = getelementptr inbounds nuw i32, ptr %48, i64 %46
  %50 = load i32, ptr %49, align 4
  %51 = sext i32 %50 to i64
  %52 = getelementptr inbounds %struct.Pattern, ptr %47, i64 %51
  %53 = mul nsw i64 %46, %13
  %54 = mul nsw i64 %53, %17
  %55 = getelementptr inbounds double, ptr %6, i64 %54
  %56 = getelementptr inbounds double, ptr %7, i64 %53
  %57 = tail call ptr @memset(ptr %22, i32 0, i64 %29)
  %58 = tail call ptr @memcpy(ptr %30, ptr %56, i64 %31)
  %59 = tail call ptr @memset(ptr %23, i32 0, i64 %29)
  %60 = icmp eq i64 %46, 0
  %61 = select i1 %60, i1 true, i1 %32
  br i1 %61, label %83, label %62

62:
  %63 = phi i64 [ %69, %68 ], [ 0, %45 ]
  br i1 %35, label %64, label %68

64:
  %65 = getelementptr inbounds nuw double, ptr %56, i64 %63
  %66 = mul nsw i64 %63, %17
  %67 = getelementptr inbounds double, ptr %55, i64 %66
  br label %71

68:
  %69 = add nuw nsw i64 %63, 1
  %70 = icmp eq i64 %69, %13
  br i1 %70, label %83, label %62

71:
  %72 = phi i64 [ %34, %64 ], [ %81, %71 ]
  %73 = getelementptr inbounds double, ptr %23, i64 %72
  %74 = load <8 x double>, ptr %73, align 8
  %75 = load double, ptr %65, align 8
  %76 = insertelement <8 x double> poison, double %75, i64 0
  %77 = shufflevector <8 x double> %76, <8 x double> poison, <8 x i32> zeroinitializer
  %78 = getelementptr inbounds double, ptr %67, i64 %72
  %79 = load <8 x double>, ptr %78, align 8
  %80 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %77, <8 x double> %79, <8 x double> %74)
  store <8 x double> %80, ptr %73, align 8
  %81 = add nsw i64 %72, 8
  %82 = icmp slt i64 %81, %17
  br i1 %82, label %71, label %68

83:
  %84 = getelementptr double, ptr %55, i64 %20
  br i1 %36, label %85, label %87

85:
  %86 = getelementptr double, ptr %9, i64 %53
  br label %89

87:
  %88 = icmp slt i64 %46, %19
  br i1 %88, label %100, label %240

89:
  %90 = phi i64 [ 0, %85 ], [ %98, %89 ]
  %91 = mul nsw i64 %90, %17
  %92 = getelementptr double, ptr %84, i64 %91
  %93 = load double, ptr %92, align 8
  %94 = getelementptr double, ptr %37, i64 %90
  %95 = load double, ptr %94, align 8
  %96 = fadd double %93, %95
  %97 = getelementptr double, ptr %86, i64 %90
  store double %96, ptr %97, align 8
  %98 = add nuw nsw i64 %90, 1
  %99 = icmp eq i64 %98, %13
  br i1 %99, label %87, label %89

100:
  store double %4, ptr %38, align 8
  %101 = mul nsw i64 %46, %15
  br i1 %39, label %102, label %104

102:
  %103 = getelementptr double, ptr %8, i64 %101
  br label %110

104:
  store double 1.000000e+00, ptr %38, align 8
  %105 = getelementptr inbounds double, ptr %8, i64 %101
  %106 = tail call ptr @memcpy(ptr %22, ptr %105, i64 %41)
  %107 = add nuw nsw i64 %46, 1
  %108 = mul nsw i64 %107, %13
  %109 = getelementptr inbounds double, ptr %7, i64 %108
  br i1 %36, label %159, label %151

110:
  %111 = phi i64 [ 0, %102 ], [ %149, %146 ]
  br i1 %35, label %112, label %116

112:
  %113 = add nuw nsw i64 %111, %101
  %114 = mul nsw i64 %113, %17
  %115 = getelementptr inbounds double, ptr %5, i64 %114
  br label %118

116:
  %117 = phi <8 x double> [ zeroinitializer, %110 ], [ %125, %118 ]
  br label %129

118:
  %119 = phi i64 [ %34, %112 ], [ %126, %118 ]
  %120 = phi <8 x double> [ zeroinitializer, %112 ], [ %125, %118 ]
  %121 = getelementptr inbounds nuw double, ptr %115, i64 %119
  %122 = load <8 x double>, ptr %121, align 8
  %123 = getelementptr inbounds nuw double, ptr %22, i64 %119
  %124 = load <8 x double>, ptr %123, align 8
  %125 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %122, <8 x double> %124, <8 x double> %120)
  %126 = add nuw nsw i64 %119, 8
  %127 = icmp slt i64 %126, %17
  br i1 %127, label %118, label %116

128:
  br i1 %40, label %146, label %136

129:
  %130 = phi i64 [ 0, %116 ], [ %134, %129 ]
  %131 = phi double [ 0.000000e+00, %116 ], [ %133, %129 ]
  %132 = extractelement <8 x double> %117, i64 %130
  %133 = fadd double %131, %132
  %134 = add nuw nsw i64 %130, 1
  %135 = icmp eq i64 %134, 8
  br i1 %135, label %128, label %129

136:
  %137 = add nuw nsw i64 %111, %101
  %138 = getelementptr inbounds nuw double, ptr %2, i64 %137
  %139 = load double, ptr %138, align 8
  %140 = fcmp olt double %133, %139
  br i1 %140, label %146, label %141

141:
  %142 = getelementptr inbounds nuw double, ptr %3, i64 %137
  %143 = load double, ptr %142, align 8
  %144 = fcmp ogt double %133, %143
  %145 = select i1 %144, double %143, double %133
  br label %146

146:
  %147 = phi double [ %133, %128 ], [ %145, %141 ], [ %139, %136 ]
  %148 = getelementptr double, ptr %103, i64 %111
  store double %147, ptr %148, align 8
  %149 = add nuw nsw i64 %111, 1
  %150 = icmp eq i64 %149, %15
  br i1 %150, label %104, label %110

151:
  %152 = getelementptr inbounds nuw i8, ptr %52, i64 24
  %153 = load i64, ptr %152, align 8
  %154 = icmp sgt i64 %153, 0
  br i1 %154, label %155, label %164

155:
  %156 = getelementptr inbounds nuw i8, ptr %52, i64 72
  %157 = getelementptr inbounds nuw i8, ptr %52, i64 64
  %158 = getelementptr inbounds nuw i8, ptr %52, i64 56
  br label %174

159:
  %160 = phi i64 [ %162, %159 ], [ 0, %104 ]
  %161 = getelementptr inbounds nuw double, ptr %109, i64 %160
  store double 0.000000e+00, ptr %161, align 8
  %162 = add nuw nsw i64 %160, 1
  %163 = icmp eq i64 %162, %13
  br i1 %163, label %151, label %159

164:
  %165 = getelementptr inbounds nuw i8, ptr %52, i64 8
  %166 = load i64, ptr %165, align 8
  %167 = getelementptr inbounds nuw i8, ptr %52, i64 16
  %168 = load i64, ptr %167, align 8
  %169 = icmp slt i64 %166, %168
  br i1 %169, label %170, label %195

170:
  %171 = getelementptr inbounds nuw ptr, ptr %1, i64 %46
  %172 = getelementptr inbounds nuw i8, ptr %52, i64 48
  %173 = getelementptr inbounds nuw i8, ptr %52, i64 40
  br label %203

174:
  %175 = phi i64 [ 0, %155 ], [ %192, %174 ]
  %176 = load ptr, ptr %156, align 8
  %177 = getelementptr inbounds nuw double, ptr %176, i64 %175
  %178 = load double, ptr %177, align 8
  %179 = load ptr, ptr %157, align 8
  %180 = getelementptr inbounds nuw i32, ptr %179, i64 %175
  %181 = load i32, ptr %180, align 4
  %182 = sext i32 %181 to i64
  %183 = getelementptr inbounds double, ptr %22, i64 %182
  %184 = load double, ptr %183, align 8
  %185 = load ptr, ptr %158, align 8
  %186 = getelementptr inbounds nuw i32, ptr %185, i64 %175
  %187 = load i32, ptr %186, align 4
  %188 = sext i32 %187 to i64
  %189 = getelementptr inbounds double, ptr %109, i64 %188
  %190 = load double, ptr %189, align 8
  %191 = tail call double @llvm.fmuladd.f64(double %178, double %184, double %190)
  store double %191, ptr %189, align 8
  %192 = add nuw nsw i64 %175, 1
  %193 = load i64, ptr %152, align 8
  %194 = icmp slt i64 %192, %193
  br i1 %194, label %174, label %164

195:
  %196 = getelementptr inbounds nuw i8, ptr %52, i64 32
  %197 = load i64, ptr %196, align 8
  %198 = icmp slt i64 %197, 0
  %199 = select i1 %198, i1 true, i1 %43
  br i1 %199, label %240, label %200

200:
  %201 = getelementptr inbounds nuw ptr, ptr %1, i64 %46
  %202 = getelementptr double, ptr %109, i64 %42
  br label %224

203:
  %204 = phi i64 [ %166, %170 ], [ %221, %203 ]
  %205 = load ptr, ptr %171, align 8
  %206 = getelementptr inbounds double, ptr %205, i64 %204
  %207 = load double, ptr %206, align 8
  %208 = load ptr, ptr %172, align 8
  %209 = getelementptr inbounds i32, ptr %208, i64 %204
  %210 = load i32, ptr %209, align 4
  %211 = sext i32 %210 to i64
  %212 = getelementptr inbounds double, ptr %22, i64 %211
  %213 = load double, ptr %212, align 8
  %214 = load ptr, ptr %173, align 8
  %215 = getelementptr inbounds i32, ptr %214, i64 %204
  %216 = load i32, ptr %215, align 4
  %217 = sext i32 %216 to i64
  %218 = getelementptr inbounds double, ptr %109, i64 %217
  %219 = load double, ptr %218, align 8
  %220 = tail call double @llvm.fmuladd.f64(double %207, double %213, double %219)
  store double %220, ptr %218, align 8
  %221 = add nsw i64 %204, 1
  %222 = load i64, ptr %167, align 8
  %223 = icmp slt i64 %221, %222
  br i1 %223, label %203, label %195

224:
  %225 = phi i64 [ 0, %200 ], [ %238, %224 ]
  %226 = getelementptr inbounds nuw double, ptr %56, i64 %225
  %227 = load double, ptr %226, align 8
  %228 = load ptr, ptr %201, align 8
  %229 = load i64, ptr %196, align 8
  %230 = getelementptr inbounds double, ptr %228, i64 %229
  %231 = load double, ptr %230, align 8
  %232 = getelementptr double, ptr %202, i64 %225
  %233 = load double, ptr %232, align 8
  %234 = tail call double @llvm.fmuladd.f64(double %231, double %233, double %227)
  %235 = getelementptr inbounds nuw double, ptr %109, i64 %225
  %236 = load double, ptr %235, align 8
  %237 = fadd double %236, %234
  store double %237, ptr %235, align 8
  %238 = add nuw nsw i64 %225, 1
  %239 = icmp eq i64 %238, %42
  br i1 %239, label %240, label %224

240:
  store double 1.000000e+00, ptr %38, align 8
  %241 = getelementptr inbounds nuw i8, ptr %52, i64 16
  %242 = load i64, ptr %241, align 8
  %243 = load i64, ptr %52, align 8
  %244 = icmp slt i64 %242, %243
  br i1 %244, label %245, label %249

245:
  %246 = getelementptr inbounds nuw i8, ptr %52, i64 40
  %247 = getelementptr inbounds nuw i8, ptr %52, i64 48
  %248 = getelementptr inbounds nuw ptr, ptr %1, i64 %46
  br label %252

249:
  %250 = add nuw nsw i64 %46, 1
  %251 = icmp eq i64 %250, %18
  br i1 %251, label %44, label %45

252:
  %253 = phi i64 [ %242, %245 ], [ %283, %282 ]
  %254 = load ptr, ptr %246, align 8
  %255 = getelementptr inbounds i32, ptr %254, i64 %253
  %256 = load i32, ptr %255, align 4
  %257 = sext i32 %256 to i64
  %258 = sub nsw i64 %257, %13
  %259 = load ptr, ptr %247, align 8
  %260 = getelementptr inbounds i32, ptr %259, i64 %253
  %261 = load i32, ptr %260, align 4
  %262 = sext i32 %261 to i64
  %263 = load ptr, ptr %248, align 8
  %264 = getelementptr inbounds double, ptr %263, i64 %253
  %265 = load double, ptr %264, align 8
  %266 = getelementptr inbounds double, ptr %22, i64 %258
  %267 = load double, ptr %266, align 8
  %268 = fmul double %265, %267
  %269 = getelementptr inbounds double, ptr %22, i64 %262
  %270 = load double, ptr %269, align 8
  %271 = fmul double %268, %270
  %272 = icmp eq i64 %20, %262
  br i1 %272, label %273, label %276

273:
  %274 = load double, ptr %10, align 8
  %275 = fadd double %271, %274
  store double %275, ptr %10, align 8
  br label %282

276:
  %277 = icmp eq i64 %258, %262
  %278 = fmul double %271, 5.000000e-01
  %279 = select i1 %277, double %278, double %271
  %280 = load double, ptr %24, align 8
  %281 = fadd double %279, %280
  store double %281, ptr %24, align 8
  br label %282

282:
  %283 = add nsw i64 %253, 1
  %284 = load i64, ptr %52, align 8
  %285 = icmp slt i64 %283, %284
  br i1 %285, label %252, label %249
}

declare double @llvm.sqrt.f64(double)

declare i64 @llvm.smin.i64(i64, i64)

declare i64 @llvm.umin.i64(i64, i64)

declare i64 @llvm.umax.i64(i64, i64)

declare i64 @llvm.smax.i64(i64, i64)
