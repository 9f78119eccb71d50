; riccati.c, by `make native`: source 9185e144a6291e6eae5d3d447c11dca1f88fe246e9d3d91932bd427bbbf91d03 text 3576eacc93d8ceb351834c13fa8628fe9cb573f8520be21945860f2eaf341948
%struct.Pattern = type { i64, i64, i64, i64, i64, ptr, ptr, ptr, ptr, ptr, ptr }

define i64 @jounce_riccati_backward(ptr %0, ptr %1, ptr %2, ptr %3, double %4, ptr %5, ptr %6, ptr %7) nounwind {
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %10 = load i64, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %12 = load i64, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %14 = load i64, ptr %13, align 8
  %15 = load i64, ptr %0, align 8
  %16 = add nsw i64 %15, -1
  %17 = add i64 %12, %10
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %19 = load ptr, ptr %18, align 8
  %20 = shl nsw i64 %10, 1
  %21 = add i64 %12, 1
  %22 = add i64 %21, %20
  %23 = mul nsw i64 %22, %14
  %24 = getelementptr inbounds double, ptr %19, i64 %23
  %25 = mul i64 %14, %10
  %26 = getelementptr inbounds double, ptr %24, i64 %25
  %27 = mul nsw i64 %17, %14
  %28 = getelementptr inbounds double, ptr %26, i64 %27
  %29 = mul nsw i64 %21, %14
  %30 = getelementptr inbounds double, ptr %28, i64 %29
  %31 = mul nsw i64 %12, %12
  %32 = getelementptr inbounds nuw double, ptr %30, i64 %31
  %33 = mul nsw i64 %12, 24
  %34 = getelementptr inbounds i8, ptr %32, i64 %33
  %35 = add nsw i64 %10, 1
  %36 = mul nsw i64 %35, %10
  %37 = getelementptr inbounds double, ptr %34, i64 %36
  %38 = getelementptr inbounds double, ptr %19, i64 %25
  %39 = getelementptr inbounds ptr, ptr %1, i64 %16
  %40 = load ptr, ptr %39, align 8
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %42 = load ptr, ptr %41, align 8
  %43 = getelementptr inbounds i32, ptr %42, i64 %16
  %44 = load i32, ptr %43, align 4
  %45 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %46 = load ptr, ptr %45, align 8
  %47 = sext i32 %44 to i64
  %48 = getelementptr inbounds %struct.Pattern, ptr %46, i64 %47
  %49 = icmp eq i32 %44, -1
  br i1 %49, label %56, label %50

50:
  %51 = getelementptr inbounds nuw i8, ptr %48, i64 80
  %52 = load ptr, ptr %51, align 8
  %53 = shl i64 %14, 3
  %54 = mul i64 %53, %22
  %55 = tail call ptr @memcpy(ptr %19, ptr %52, i64 %54)
  br label %56

56:
  %57 = getelementptr inbounds nuw i8, ptr %48, i64 8
  %58 = load i64, ptr %57, align 8
  %59 = load i64, ptr %48, align 8
  %60 = icmp slt i64 %58, %59
  br i1 %60, label %61, label %83

61:
  %62 = getelementptr inbounds nuw i8, ptr %48, i64 40
  %63 = getelementptr inbounds nuw i8, ptr %48, i64 48
  br label %64

64:
  %65 = phi i64 [ %58, %61 ], [ %80, %64 ]
  %66 = getelementptr inbounds double, ptr %40, i64 %65
  %67 = load double, ptr %66, align 8
  %68 = load ptr, ptr %62, align 8
  %69 = getelementptr inbounds i32, ptr %68, i64 %65
  %70 = load i32, ptr %69, align 4
  %71 = sext i32 %70 to i64
  %72 = load i64, ptr %13, align 8
  %73 = mul nsw i64 %72, %71
  %74 = load ptr, ptr %63, align 8
  %75 = getelementptr inbounds i32, ptr %74, i64 %65
  %76 = load i32, ptr %75, align 4
  %77 = sext i32 %76 to i64
  %78 = getelementptr double, ptr %19, i64 %73
  %79 = getelementptr double, ptr %78, i64 %77
  store double %67, ptr %79, align 8
  %80 = add nsw i64 %65, 1
  %81 = load i64, ptr %48, align 8
  %82 = icmp slt i64 %80, %81
  br i1 %82, label %64, label %83

83:
  %84 = mul i64 %25, %16
  %85 = getelementptr inbounds double, ptr %6, i64 %84
  %86 = mul nsw i64 %14, %12
  %87 = getelementptr inbounds double, ptr %38, i64 %86
  %88 = shl i64 %25, 3
  %89 = tail call ptr @memcpy(ptr %85, ptr %87, i64 %88)
  %90 = tail call ptr @memset(ptr %37, i32 0, i64 %12)
  %91 = getelementptr inbounds nuw i8, ptr %7, i64 8
  store double 0.000000e+00, ptr %91, align 8
  store double 0.000000e+00, ptr %7, align 8
  %92 = icmp slt i64 %15, 2
  br i1 %92, label %1039, label %93

93:
  %94 = add nsw i64 %15, -2
  %95 = icmp sgt i64 %10, 0
  %96 = icmp sgt i64 %10, 1
  %97 = sdiv i64 %10, 2
  %98 = mul nsw i64 %14, %97
  %99 = getelementptr inbounds double, ptr %19, i64 %98
  %100 = mul nsw i64 %97, %97
  %101 = getelementptr inbounds nuw double, ptr %34, i64 %100
  %102 = getelementptr inbounds nuw double, ptr %101, i64 %100
  %103 = getelementptr double, ptr %19, i64 %17
  %104 = icmp eq i64 %10, 1
  %105 = tail call i64 @llvm.smax.i64(i64 %97, i64 1)
  %106 = getelementptr double, ptr %24, i64 %17
  %107 = getelementptr double, ptr %24, i64 %12
  %108 = getelementptr double, ptr %102, i64 %97
  %109 = getelementptr inbounds double, ptr %26, i64 %86
  %110 = getelementptr double, ptr %26, i64 %17
  %111 = getelementptr double, ptr %26, i64 %12
  %112 = shl nsw i64 %12, 4
  %113 = getelementptr inbounds i8, ptr %32, i64 %112
  %114 = icmp eq ptr %2, null
  %115 = getelementptr inbounds double, ptr %32, i64 %12
  %116 = icmp sgt i64 %12, 0
  %117 = fadd double %4, 1.000000e+00
  %118 = fmul double %117, 0x3D06849B86A12B9B
  %119 = icmp slt i64 %17, 1
  %120 = sdiv i64 %12, 8
  %121 = shl nsw i64 %120, 3
  %122 = icmp slt i64 %121, %14
  %123 = getelementptr inbounds double, ptr %28, i64 %12
  %124 = add nsw i64 %17, 1
  %125 = icmp slt i64 %124, %14
  br label %126

126:
  %127 = phi i32 [ %44, %93 ], [ %156, %1036 ]
  %128 = phi i64 [ %94, %93 ], [ %1037, %1036 ]
  %129 = add nuw nsw i64 %128, 1
  %130 = mul i64 %25, %129
  %131 = getelementptr inbounds double, ptr %6, i64 %130
  %132 = mul nsw i64 %128, %12
  %133 = mul nsw i64 %132, %14
  %134 = getelementptr inbounds double, ptr %5, i64 %133
  %135 = getelementptr double, ptr %131, i64 %12
  br i1 %95, label %137, label %151

136:
  br i1 %96, label %146, label %151

137:
  %138 = phi i64 [ %144, %137 ], [ 0, %126 ]
  %139 = mul nsw i64 %138, %14
  %140 = getelementptr double, ptr %135, i64 %139
  %141 = getelementptr double, ptr %140, i64 %138
  %142 = load double, ptr %141, align 8
  %143 = fadd double %4, %142
  store double %143, ptr %141, align 8
  %144 = add nuw nsw i64 %138, 1
  %145 = icmp eq i64 %144, %10
  br i1 %145, label %136, label %137

146:
  %147 = phi i64 [ %207, %206 ], [ 1, %136 ]
  %148 = getelementptr double, ptr %135, i64 %147
  %149 = mul nsw i64 %147, %14
  %150 = getelementptr double, ptr %135, i64 %149
  br label %209

151:
  %152 = getelementptr inbounds nuw ptr, ptr %1, i64 %128
  %153 = load ptr, ptr %152, align 8
  %154 = load ptr, ptr %41, align 8
  %155 = getelementptr inbounds nuw i32, ptr %154, i64 %128
  %156 = load i32, ptr %155, align 4
  %157 = load ptr, ptr %45, align 8
  %158 = sext i32 %156 to i64
  %159 = getelementptr inbounds %struct.Pattern, ptr %157, i64 %158
  %160 = icmp eq i32 %156, %127
  br i1 %160, label %173, label %161

161:
  %162 = getelementptr inbounds nuw i8, ptr %159, i64 80
  %163 = load ptr, ptr %162, align 8
  %164 = load i64, ptr %9, align 8
  %165 = shl nsw i64 %164, 1
  %166 = load i64, ptr %11, align 8
  %167 = add i64 %166, 1
  %168 = add i64 %167, %165
  %169 = load i64, ptr %13, align 8
  %170 = shl i64 %169, 3
  %171 = mul i64 %170, %168
  %172 = tail call ptr @memcpy(ptr %19, ptr %163, i64 %171)
  br label %173

173:
  %174 = getelementptr inbounds nuw i8, ptr %159, i64 8
  %175 = load i64, ptr %174, align 8
  %176 = load i64, ptr %159, align 8
  %177 = icmp slt i64 %175, %176
  br i1 %177, label %178, label %200

178:
  %179 = getelementptr inbounds nuw i8, ptr %159, i64 40
  %180 = getelementptr inbounds nuw i8, ptr %159, i64 48
  br label %181

181:
  %182 = phi i64 [ %175, %178 ], [ %197, %181 ]
  %183 = getelementptr inbounds double, ptr %153, i64 %182
  %184 = load double, ptr %183, align 8
  %185 = load ptr, ptr %179, align 8
  %186 = getelementptr inbounds i32, ptr %185, i64 %182
  %187 = load i32, ptr %186, align 4
  %188 = sext i32 %187 to i64
  %189 = load i64, ptr %13, align 8
  %190 = mul nsw i64 %189, %188
  %191 = load ptr, ptr %180, align 8
  %192 = getelementptr inbounds i32, ptr %191, i64 %182
  %193 = load i32, ptr %192, align 4
  %194 = sext i32 %193 to i64
  %195 = getelementptr double, ptr %19, i64 %190
  %196 = getelementptr double, ptr %195, i64 %194
  store double %184, ptr %196, align 8
  %197 = add nsw i64 %182, 1
  %198 = load i64, ptr %159, align 8
  %199 = icmp slt i64 %197, %198
  br i1 %199, label %181, label %200

200:
  %201 = load ptr, ptr %45, align 8
  %202 = getelementptr inbounds %struct.Pattern, ptr %201, i64 %158
  %203 = getelementptr inbounds nuw i8, ptr %202, i64 32
  %204 = load i64, ptr %203, align 8
  %205 = icmp sgt i64 %204, -1
  br i1 %205, label %217, label %332

206:
  %207 = add nuw nsw i64 %147, 1
  %208 = icmp eq i64 %207, %10
  br i1 %208, label %151, label %146

209:
  %210 = phi i64 [ 0, %146 ], [ %215, %209 ]
  %211 = mul nsw i64 %210, %14
  %212 = getelementptr double, ptr %148, i64 %211
  %213 = load double, ptr %212, align 8
  %214 = getelementptr double, ptr %150, i64 %210
  store double %213, ptr %214, align 8
  %215 = add nuw nsw i64 %210, 1
  %216 = icmp eq i64 %215, %147
  br i1 %216, label %206, label %209

217:
  %218 = load ptr, ptr %152, align 8
  %219 = getelementptr inbounds nuw double, ptr %218, i64 %204
  %220 = load double, ptr %219, align 8
  br i1 %95, label %221, label %285

221:
  %222 = phi i64 [ %237, %236 ], [ 0, %217 ]
  %223 = mul nsw i64 %222, %14
  %224 = getelementptr double, ptr %131, i64 %223
  %225 = getelementptr double, ptr %224, i64 %17
  %226 = load double, ptr %225, align 8
  %227 = getelementptr inbounds nuw double, ptr %102, i64 %222
  store double %226, ptr %227, align 8
  br i1 %104, label %233, label %228

228:
  %229 = getelementptr double, ptr %224, i64 %12
  br label %238

230:
  %231 = add nuw nsw i64 %222, 1
  %232 = icmp eq i64 %231, %10
  br i1 %232, label %250, label %236

233:
  %234 = add nuw nsw i64 %222, 1
  %235 = icmp eq i64 %222, 0
  br i1 %235, label %285, label %236

236:
  %237 = phi i64 [ %234, %233 ], [ %231, %230 ]
  br label %221

238:
  %239 = phi double [ %226, %228 ], [ %246, %238 ]
  %240 = phi i64 [ 0, %228 ], [ %247, %238 ]
  %241 = getelementptr double, ptr %229, i64 %240
  %242 = load double, ptr %241, align 8
  %243 = mul nsw i64 %240, %14
  %244 = getelementptr double, ptr %103, i64 %243
  %245 = load double, ptr %244, align 8
  %246 = tail call double @llvm.fmuladd.f64(double %242, double %245, double %239)
  store double %246, ptr %227, align 8
  %247 = add nuw nsw i64 %240, 1
  %248 = icmp eq i64 %247, %105
  br i1 %248, label %230, label %238

249:
  tail call fastcc void @multiply(ptr %24, ptr null, double 1.000000e+00, ptr %101, i64 %97, i64 1, ptr %99, i64 %97, i64 %97, i64 %14, i64 -1)
  br label %280

250:
  %251 = phi i64 [ %259, %258 ], [ 0, %230 ]
  %252 = mul nsw i64 %251, %14
  %253 = getelementptr double, ptr %135, i64 %252
  %254 = add nuw nsw i64 %251, %97
  %255 = mul nsw i64 %254, %14
  %256 = getelementptr double, ptr %135, i64 %255
  %257 = mul nuw nsw i64 %251, %97
  br label %261

258:
  %259 = add nuw nsw i64 %251, 1
  %260 = icmp eq i64 %259, %97
  br i1 %260, label %249, label %250

261:
  %262 = phi i64 [ 0, %250 ], [ %278, %261 ]
  %263 = add nuw nsw i64 %262, %97
  %264 = getelementptr inbounds nuw double, ptr %253, i64 %263
  %265 = load double, ptr %264, align 8
  %266 = getelementptr inbounds nuw double, ptr %253, i64 %262
  %267 = load double, ptr %266, align 8
  %268 = tail call double @llvm.fmuladd.f64(double %220, double %267, double %265)
  %269 = add nuw nsw i64 %262, %257
  %270 = getelementptr inbounds nuw double, ptr %34, i64 %269
  store double %268, ptr %270, align 8
  %271 = getelementptr inbounds nuw double, ptr %256, i64 %263
  %272 = load double, ptr %271, align 8
  %273 = getelementptr inbounds nuw double, ptr %256, i64 %262
  %274 = load double, ptr %273, align 8
  %275 = tail call double @llvm.fmuladd.f64(double %220, double %274, double %272)
  %276 = tail call double @llvm.fmuladd.f64(double %220, double %268, double %275)
  %277 = getelementptr inbounds nuw double, ptr %101, i64 %269
  store double %276, ptr %277, align 8
  %278 = add nuw nsw i64 %262, 1
  %279 = icmp eq i64 %278, %97
  br i1 %279, label %258, label %261

280:
  %281 = phi i64 [ 0, %249 ], [ %296, %287 ]
  %282 = getelementptr double, ptr %34, i64 %281
  %283 = mul nsw i64 %281, %14
  %284 = getelementptr double, ptr %107, i64 %283
  br label %298

285:
  tail call fastcc void @multiply(ptr %24, ptr null, double 1.000000e+00, ptr %101, i64 %97, i64 1, ptr %99, i64 %97, i64 %97, i64 %14, i64 -1)
  tail call fastcc void @multiply(ptr %26, ptr %38, double 1.000000e+00, ptr %99, i64 1, i64 %14, ptr %24, i64 %17, i64 %97, i64 %14, i64 0)
  tail call fastcc void @multiply(ptr %109, ptr %109, double 1.000000e+00, ptr %34, i64 %97, i64 1, ptr %99, i64 %97, i64 %97, i64 %14, i64 %12)
  br label %345

286:
  tail call fastcc void @multiply(ptr %26, ptr %38, double 1.000000e+00, ptr %99, i64 1, i64 %14, ptr %24, i64 %17, i64 %97, i64 %14, i64 0)
  tail call fastcc void @multiply(ptr %109, ptr %109, double 1.000000e+00, ptr %34, i64 %97, i64 1, ptr %99, i64 %97, i64 %97, i64 %14, i64 %12)
  br label %308

287:
  %288 = getelementptr double, ptr %106, i64 %283
  %289 = load double, ptr %288, align 8
  %290 = getelementptr double, ptr %108, i64 %281
  %291 = load double, ptr %290, align 8
  %292 = getelementptr inbounds nuw double, ptr %102, i64 %281
  %293 = load double, ptr %292, align 8
  %294 = tail call double @llvm.fmuladd.f64(double %220, double %293, double %291)
  %295 = fadd double %289, %294
  store double %295, ptr %288, align 8
  %296 = add nuw nsw i64 %281, 1
  %297 = icmp eq i64 %296, %97
  br i1 %297, label %286, label %280

298:
  %299 = phi i64 [ 0, %280 ], [ %306, %298 ]
  %300 = mul nuw nsw i64 %299, %97
  %301 = getelementptr double, ptr %282, i64 %300
  %302 = load double, ptr %301, align 8
  %303 = getelementptr double, ptr %284, i64 %299
  %304 = load double, ptr %303, align 8
  %305 = fadd double %302, %304
  store double %305, ptr %303, align 8
  %306 = add nuw nsw i64 %299, 1
  %307 = icmp eq i64 %306, %97
  br i1 %307, label %287, label %298

308:
  %309 = phi i64 [ 0, %286 ], [ %321, %315 ]
  %310 = mul nsw i64 %309, %14
  %311 = getelementptr double, ptr %135, i64 %310
  %312 = add nsw i64 %309, %12
  %313 = mul nsw i64 %312, %14
  %314 = getelementptr double, ptr %111, i64 %313
  br label %323

315:
  %316 = getelementptr inbounds nuw double, ptr %102, i64 %309
  %317 = load double, ptr %316, align 8
  %318 = getelementptr double, ptr %110, i64 %313
  %319 = load double, ptr %318, align 8
  %320 = fadd double %317, %319
  store double %320, ptr %318, align 8
  %321 = add nuw nsw i64 %309, 1
  %322 = icmp eq i64 %321, %97
  br i1 %322, label %345, label %308

323:
  %324 = phi i64 [ 0, %308 ], [ %330, %323 ]
  %325 = getelementptr double, ptr %311, i64 %324
  %326 = load double, ptr %325, align 8
  %327 = getelementptr double, ptr %314, i64 %324
  %328 = load double, ptr %327, align 8
  %329 = fadd double %326, %328
  store double %329, ptr %327, align 8
  %330 = add nuw nsw i64 %324, 1
  %331 = icmp eq i64 %330, %97
  br i1 %331, label %315, label %323

332:
  tail call fastcc void @multiply(ptr %24, ptr null, double 1.000000e+00, ptr %135, i64 %14, i64 1, ptr %19, i64 %10, i64 %10, i64 %14, i64 -1)
  br i1 %95, label %334, label %333

333:
  tail call fastcc void @multiply(ptr %26, ptr %38, double 1.000000e+00, ptr %19, i64 1, i64 %14, ptr %24, i64 %17, i64 %10, i64 %14, i64 0)
  br label %345

334:
  %335 = phi i64 [ %343, %334 ], [ 0, %332 ]
  %336 = mul nsw i64 %335, %14
  %337 = add nsw i64 %336, %17
  %338 = getelementptr inbounds double, ptr %131, i64 %337
  %339 = load double, ptr %338, align 8
  %340 = getelementptr inbounds double, ptr %24, i64 %337
  %341 = load double, ptr %340, align 8
  %342 = fadd double %339, %341
  store double %342, ptr %340, align 8
  %343 = add nuw nsw i64 %335, 1
  %344 = icmp eq i64 %343, %10
  br i1 %344, label %333, label %334

345:
  br i1 %114, label %781, label %346

346:
  %347 = getelementptr inbounds double, ptr %2, i64 %132
  %348 = getelementptr inbounds double, ptr %3, i64 %132
  br i1 %116, label %349, label %853

349:
  %350 = phi i64 [ %362, %359 ], [ 0, %346 ]
  %351 = getelementptr inbounds nuw double, ptr %347, i64 %350
  %352 = load double, ptr %351, align 8
  %353 = fcmp ogt double %352, 0.000000e+00
  br i1 %353, label %359, label %354

354:
  %355 = getelementptr inbounds nuw double, ptr %348, i64 %350
  %356 = load double, ptr %355, align 8
  %357 = fcmp olt double %356, 0.000000e+00
  br i1 %357, label %358, label %359

358:
  br label %359

359:
  %360 = phi double [ 0.000000e+00, %354 ], [ %356, %358 ], [ %352, %349 ]
  %361 = getelementptr inbounds nuw double, ptr %32, i64 %350
  store double %360, ptr %361, align 8
  %362 = add nuw nsw i64 %350, 1
  %363 = icmp eq i64 %362, %12
  br i1 %363, label %367, label %349

364:
  %365 = add nuw nsw i64 %368, 1
  %366 = icmp eq i64 %365, 100
  br i1 %366, label %719, label %367

367:
  %368 = phi i64 [ %365, %364 ], [ 0, %359 ]
  br label %433

369:
  %370 = fcmp ogt double %485, 0.000000e+00
  br label %371

371:
  %372 = phi i64 [ %431, %430 ], [ 0, %369 ]
  %373 = getelementptr double, ptr %30, i64 %372
  %374 = getelementptr inbounds nuw i8, ptr %37, i64 %372
  %375 = mul nsw i64 %372, %14
  %376 = getelementptr double, ptr %26, i64 %375
  %377 = icmp eq i64 %372, 0
  %378 = mul nuw nsw i64 %372, %12
  %379 = getelementptr double, ptr %30, i64 %378
  %380 = mul i64 %372, %21
  %381 = getelementptr inbounds double, ptr %30, i64 %380
  br label %382

382:
  %383 = phi i64 [ %372, %371 ], [ %428, %427 ]
  %384 = getelementptr inbounds nuw i8, ptr %37, i64 %383
  %385 = load i8, ptr %384, align 1
  %386 = icmp eq i8 %385, 0
  br i1 %386, label %387, label %390

387:
  %388 = load i8, ptr %374, align 1
  %389 = icmp eq i8 %388, 0
  br i1 %389, label %395, label %390

390:
  %391 = icmp eq i64 %383, %372
  %392 = select i1 %391, double 1.000000e+00, double 0.000000e+00
  %393 = mul nuw nsw i64 %383, %12
  %394 = getelementptr double, ptr %373, i64 %393
  store double %392, ptr %394, align 8
  br label %427

395:
  %396 = getelementptr double, ptr %376, i64 %383
  %397 = load double, ptr %396, align 8
  %398 = icmp eq i64 %383, %372
  %399 = fadd double %4, %397
  %400 = select i1 %398, double %399, double %397
  br i1 %377, label %404, label %401

401:
  %402 = mul nuw nsw i64 %383, %12
  %403 = getelementptr double, ptr %30, i64 %402
  br label %406

404:
  %405 = phi double [ %400, %395 ], [ %414, %406 ]
  br i1 %398, label %422, label %417

406:
  %407 = phi i64 [ 0, %401 ], [ %415, %406 ]
  %408 = phi double [ %400, %401 ], [ %414, %406 ]
  %409 = getelementptr double, ptr %403, i64 %407
  %410 = load double, ptr %409, align 8
  %411 = getelementptr double, ptr %379, i64 %407
  %412 = load double, ptr %411, align 8
  %413 = fneg double %410
  %414 = tail call double @llvm.fmuladd.f64(double %413, double %412, double %408)
  %415 = add nuw nsw i64 %407, 1
  %416 = icmp eq i64 %415, %372
  br i1 %416, label %404, label %406

417:
  %418 = load double, ptr %381, align 8
  %419 = fmul double %405, %418
  %420 = mul nuw nsw i64 %383, %12
  %421 = getelementptr double, ptr %373, i64 %420
  store double %419, ptr %421, align 8
  br label %427

422:
  %423 = fcmp ogt double %405, %118
  br i1 %423, label %424, label %1039

424:
  %425 = tail call double @llvm.sqrt.f64(double %405)
  %426 = fdiv double 1.000000e+00, %425
  store double %426, ptr %381, align 8
  br label %427

427:
  %428 = add nuw i64 %383, 1
  %429 = icmp eq i64 %428, %12
  br i1 %429, label %430, label %382

430:
  %431 = add nuw nsw i64 %372, 1
  %432 = icmp eq i64 %431, %12
  br i1 %432, label %488, label %371

433:
  %434 = phi i64 [ %486, %476 ], [ 0, %367 ]
  %435 = phi double [ %485, %476 ], [ 0.000000e+00, %367 ]
  %436 = phi double [ %449, %476 ], [ 0.000000e+00, %367 ]
  %437 = mul nsw i64 %434, %14
  %438 = getelementptr inbounds double, ptr %110, i64 %437
  %439 = load double, ptr %438, align 8
  %440 = getelementptr inbounds nuw double, ptr %32, i64 %434
  %441 = load double, ptr %440, align 8
  %442 = tail call double @llvm.fmuladd.f64(double %4, double %441, double %439)
  br label %455

443:
  %444 = getelementptr inbounds nuw double, ptr %115, i64 %434
  store double %466, ptr %444, align 8
  %445 = load double, ptr %440, align 8
  %446 = fmul double %445, 5.000000e-01
  %447 = load double, ptr %438, align 8
  %448 = fadd double %466, %447
  %449 = tail call double @llvm.fmuladd.f64(double %446, double %448, double %436)
  %450 = getelementptr inbounds nuw double, ptr %347, i64 %434
  %451 = load double, ptr %450, align 8
  %452 = fcmp ole double %445, %451
  %453 = fcmp ogt double %466, 0.000000e+00
  %454 = select i1 %452, i1 %453, i1 false
  br i1 %454, label %476, label %469

455:
  %456 = phi i64 [ 0, %433 ], [ %467, %455 ]
  %457 = phi double [ %442, %433 ], [ %466, %455 ]
  %458 = tail call i64 @llvm.umin.i64(i64 %434, i64 %456)
  %459 = mul nsw i64 %458, %14
  %460 = tail call i64 @llvm.umax.i64(i64 %434, i64 %456)
  %461 = getelementptr double, ptr %26, i64 %459
  %462 = getelementptr double, ptr %461, i64 %460
  %463 = load double, ptr %462, align 8
  %464 = getelementptr inbounds nuw double, ptr %32, i64 %456
  %465 = load double, ptr %464, align 8
  %466 = tail call double @llvm.fmuladd.f64(double %463, double %465, double %457)
  %467 = add nuw nsw i64 %456, 1
  %468 = icmp eq i64 %467, %12
  br i1 %468, label %443, label %455

469:
  %470 = getelementptr inbounds nuw double, ptr %348, i64 %434
  %471 = load double, ptr %470, align 8
  %472 = fcmp oge double %445, %471
  %473 = fcmp olt double %466, 0.000000e+00
  %474 = select i1 %472, i1 %473, i1 false
  %475 = zext i1 %474 to i8
  br label %476

476:
  %477 = phi i8 [ 1, %443 ], [ %475, %469 ]
  %478 = getelementptr inbounds nuw i8, ptr %37, i64 %434
  store i8 %477, ptr %478, align 1
  %479 = fcmp olt double %466, 0.000000e+00
  %480 = fneg double %466
  %481 = select i1 %479, double %480, double %466
  %482 = icmp eq i8 %477, 0
  %483 = fcmp ogt double %481, %435
  %484 = select i1 %482, i1 %483, i1 false
  %485 = select i1 %484, double %481, double %435
  %486 = add nuw nsw i64 %434, 1
  %487 = icmp eq i64 %486, %12
  br i1 %487, label %369, label %433

488:
  br i1 %370, label %489, label %844

489:
  %490 = phi i64 [ %511, %504 ], [ 0, %488 ]
  %491 = getelementptr inbounds nuw i8, ptr %37, i64 %490
  %492 = load i8, ptr %491, align 1
  %493 = icmp eq i8 %492, 0
  br i1 %493, label %494, label %498

494:
  %495 = getelementptr inbounds nuw double, ptr %115, i64 %490
  %496 = load double, ptr %495, align 8
  %497 = fneg double %496
  br label %498

498:
  %499 = phi double [ %497, %494 ], [ 0.000000e+00, %489 ]
  %500 = icmp eq i64 %490, 0
  br i1 %500, label %504, label %501

501:
  %502 = mul nuw nsw i64 %490, %12
  %503 = getelementptr double, ptr %30, i64 %502
  br label %513

504:
  %505 = phi double [ %499, %498 ], [ %521, %513 ]
  %506 = mul i64 %490, %21
  %507 = getelementptr inbounds double, ptr %30, i64 %506
  %508 = load double, ptr %507, align 8
  %509 = fmul double %505, %508
  %510 = getelementptr inbounds nuw double, ptr %113, i64 %490
  store double %509, ptr %510, align 8
  %511 = add nuw nsw i64 %490, 1
  %512 = icmp eq i64 %511, %12
  br i1 %512, label %524, label %489

513:
  %514 = phi i64 [ 0, %501 ], [ %522, %513 ]
  %515 = phi double [ %499, %501 ], [ %521, %513 ]
  %516 = getelementptr double, ptr %503, i64 %514
  %517 = load double, ptr %516, align 8
  %518 = getelementptr inbounds nuw double, ptr %113, i64 %514
  %519 = load double, ptr %518, align 8
  %520 = fneg double %517
  %521 = tail call double @llvm.fmuladd.f64(double %520, double %519, double %515)
  %522 = add nuw nsw i64 %514, 1
  %523 = icmp eq i64 %522, %490
  br i1 %523, label %504, label %513

524:
  %525 = phi i64 [ %526, %553 ], [ %12, %504 ]
  %526 = add nsw i64 %525, -1
  %527 = getelementptr inbounds nuw double, ptr %113, i64 %526
  %528 = load double, ptr %527, align 8
  %529 = getelementptr double, ptr %30, i64 %526
  %530 = icmp slt i64 %525, %12
  br i1 %530, label %536, label %531

531:
  %532 = phi double [ %528, %524 ], [ %545, %536 ]
  %533 = getelementptr inbounds nuw i8, ptr %37, i64 %526
  %534 = load i8, ptr %533, align 1
  %535 = icmp eq i8 %534, 0
  br i1 %535, label %548, label %553

536:
  %537 = phi i64 [ %546, %536 ], [ %525, %524 ]
  %538 = phi double [ %545, %536 ], [ %528, %524 ]
  %539 = mul nuw nsw i64 %537, %12
  %540 = getelementptr double, ptr %529, i64 %539
  %541 = load double, ptr %540, align 8
  %542 = getelementptr inbounds nuw double, ptr %113, i64 %537
  %543 = load double, ptr %542, align 8
  %544 = fneg double %541
  %545 = tail call double @llvm.fmuladd.f64(double %544, double %543, double %538)
  %546 = add nuw nsw i64 %537, 1
  %547 = icmp eq i64 %546, %12
  br i1 %547, label %531, label %536

548:
  %549 = mul i64 %526, %21
  %550 = getelementptr inbounds double, ptr %30, i64 %549
  %551 = load double, ptr %550, align 8
  %552 = fmul double %532, %551
  br label %553

553:
  %554 = phi double [ %552, %548 ], [ 0.000000e+00, %531 ]
  store double %554, ptr %527, align 8
  %555 = icmp samesign ugt i64 %525, 1
  br i1 %555, label %524, label %559

556:
  %557 = fadd double %574, 1.000000e+00
  %558 = fmul double %557, 0x3D719799812DEA11
  br label %577

559:
  %560 = phi i64 [ %575, %559 ], [ 0, %553 ]
  %561 = phi double [ %574, %559 ], [ 0.000000e+00, %553 ]
  %562 = phi double [ %567, %559 ], [ 0.000000e+00, %553 ]
  %563 = getelementptr inbounds nuw double, ptr %115, i64 %560
  %564 = load double, ptr %563, align 8
  %565 = getelementptr inbounds nuw double, ptr %113, i64 %560
  %566 = load double, ptr %565, align 8
  %567 = tail call double @llvm.fmuladd.f64(double %564, double %566, double %562)
  %568 = getelementptr inbounds nuw double, ptr %32, i64 %560
  %569 = load double, ptr %568, align 8
  %570 = fcmp olt double %569, 0.000000e+00
  %571 = fneg double %569
  %572 = select i1 %570, double %571, double %569
  %573 = fcmp ogt double %572, %561
  %574 = select i1 %573, double %572, double %561
  %575 = add nuw nsw i64 %560, 1
  %576 = icmp eq i64 %575, %12
  br i1 %576, label %556, label %559

577:
  %578 = phi i64 [ 0, %556 ], [ %644, %643 ]
  %579 = phi double [ 1.000000e+00, %556 ], [ %645, %643 ]
  br label %580

580:
  %581 = phi i64 [ %606, %596 ], [ 0, %577 ]
  %582 = phi double [ %605, %596 ], [ 0.000000e+00, %577 ]
  %583 = getelementptr inbounds nuw double, ptr %32, i64 %581
  %584 = load double, ptr %583, align 8
  %585 = getelementptr inbounds nuw double, ptr %113, i64 %581
  %586 = load double, ptr %585, align 8
  %587 = tail call double @llvm.fmuladd.f64(double %579, double %586, double %584)
  %588 = getelementptr inbounds nuw double, ptr %347, i64 %581
  %589 = load double, ptr %588, align 8
  %590 = fcmp olt double %587, %589
  br i1 %590, label %596, label %591

591:
  %592 = getelementptr inbounds nuw double, ptr %348, i64 %581
  %593 = load double, ptr %592, align 8
  %594 = fcmp ogt double %587, %593
  %595 = select i1 %594, double %593, double %587
  br label %596

596:
  %597 = phi double [ %589, %580 ], [ %595, %591 ]
  %598 = getelementptr inbounds nuw double, ptr %115, i64 %581
  store double %597, ptr %598, align 8
  %599 = load double, ptr %583, align 8
  %600 = fsub double %597, %599
  %601 = fcmp olt double %600, 0.000000e+00
  %602 = fsub double %599, %597
  %603 = select i1 %601, double %602, double %600
  %604 = fcmp ogt double %603, %582
  %605 = select i1 %604, double %603, double %582
  %606 = add nuw nsw i64 %581, 1
  %607 = icmp eq i64 %606, %12
  br i1 %607, label %614, label %580

608:
  %609 = fmul double %579, 1.000000e-01
  %610 = tail call double @llvm.fmuladd.f64(double %609, double %567, double %449)
  %611 = fcmp ugt double %626, %610
  %612 = fcmp ugt double %605, %558
  %613 = select i1 %611, i1 %612, i1 false
  br i1 %613, label %643, label %647

614:
  %615 = phi i64 [ %627, %624 ], [ 0, %596 ]
  %616 = phi double [ %626, %624 ], [ 0.000000e+00, %596 ]
  %617 = mul nsw i64 %615, %14
  %618 = getelementptr inbounds double, ptr %110, i64 %617
  %619 = load double, ptr %618, align 8
  %620 = getelementptr inbounds nuw double, ptr %115, i64 %615
  %621 = load double, ptr %620, align 8
  %622 = fmul double %4, %621
  %623 = tail call double @llvm.fmuladd.f64(double %619, double 2.000000e+00, double %622)
  br label %629

624:
  %625 = fmul double %621, 5.000000e-01
  %626 = tail call double @llvm.fmuladd.f64(double %625, double %640, double %616)
  %627 = add nuw nsw i64 %615, 1
  %628 = icmp eq i64 %627, %12
  br i1 %628, label %608, label %614

629:
  %630 = phi i64 [ 0, %614 ], [ %641, %629 ]
  %631 = phi double [ %623, %614 ], [ %640, %629 ]
  %632 = tail call i64 @llvm.umin.i64(i64 %615, i64 %630)
  %633 = mul nsw i64 %632, %14
  %634 = tail call i64 @llvm.umax.i64(i64 %615, i64 %630)
  %635 = getelementptr double, ptr %26, i64 %633
  %636 = getelementptr double, ptr %635, i64 %634
  %637 = load double, ptr %636, align 8
  %638 = getelementptr inbounds nuw double, ptr %115, i64 %630
  %639 = load double, ptr %638, align 8
  %640 = tail call double @llvm.fmuladd.f64(double %637, double %639, double %631)
  %641 = add nuw nsw i64 %630, 1
  %642 = icmp eq i64 %641, %12
  br i1 %642, label %624, label %629

643:
  %644 = add nuw nsw i64 %578, 1
  %645 = fmul double %579, 5.000000e-01
  %646 = icmp eq i64 %644, 40
  br i1 %646, label %647, label %577

647:
  %648 = phi i1 [ true, %643 ], [ %612, %608 ]
  br label %650

649:
  br i1 %648, label %364, label %657

650:
  %651 = phi i64 [ %655, %650 ], [ 0, %647 ]
  %652 = getelementptr inbounds nuw double, ptr %115, i64 %651
  %653 = load double, ptr %652, align 8
  %654 = getelementptr inbounds nuw double, ptr %32, i64 %651
  store double %653, ptr %654, align 8
  %655 = add nuw nsw i64 %651, 1
  %656 = icmp eq i64 %655, %12
  br i1 %656, label %649, label %650

657:
  %658 = phi i64 [ %717, %716 ], [ 0, %649 ]
  %659 = getelementptr double, ptr %30, i64 %658
  %660 = getelementptr inbounds nuw i8, ptr %37, i64 %658
  %661 = mul nsw i64 %658, %14
  %662 = getelementptr double, ptr %26, i64 %661
  %663 = icmp eq i64 %658, 0
  %664 = mul nuw nsw i64 %658, %12
  %665 = getelementptr double, ptr %30, i64 %664
  %666 = mul i64 %658, %21
  %667 = getelementptr inbounds double, ptr %30, i64 %666
  br label %668

668:
  %669 = phi i64 [ %658, %657 ], [ %714, %713 ]
  %670 = getelementptr inbounds nuw i8, ptr %37, i64 %669
  %671 = load i8, ptr %670, align 1
  %672 = icmp eq i8 %671, 0
  br i1 %672, label %673, label %676

673:
  %674 = load i8, ptr %660, align 1
  %675 = icmp eq i8 %674, 0
  br i1 %675, label %681, label %676

676:
  %677 = icmp eq i64 %669, %658
  %678 = select i1 %677, double 1.000000e+00, double 0.000000e+00
  %679 = mul nuw nsw i64 %669, %12
  %680 = getelementptr double, ptr %659, i64 %679
  store double %678, ptr %680, align 8
  br label %713

681:
  %682 = getelementptr double, ptr %662, i64 %669
  %683 = load double, ptr %682, align 8
  %684 = icmp eq i64 %669, %658
  %685 = fadd double %4, %683
  %686 = select i1 %684, double %685, double %683
  br i1 %663, label %690, label %687

687:
  %688 = mul nuw nsw i64 %669, %12
  %689 = getelementptr double, ptr %30, i64 %688
  br label %692

690:
  %691 = phi double [ %686, %681 ], [ %700, %692 ]
  br i1 %684, label %708, label %703

692:
  %693 = phi i64 [ 0, %687 ], [ %701, %692 ]
  %694 = phi double [ %686, %687 ], [ %700, %692 ]
  %695 = getelementptr double, ptr %689, i64 %693
  %696 = load double, ptr %695, align 8
  %697 = getelementptr double, ptr %665, i64 %693
  %698 = load double, ptr %697, align 8
  %699 = fneg double %696
  %700 = tail call double @llvm.fmuladd.f64(double %699, double %698, double %694)
  %701 = add nuw nsw i64 %693, 1
  %702 = icmp eq i64 %701, %658
  br i1 %702, label %690, label %692

703:
  %704 = load double, ptr %667, align 8
  %705 = fmul double %691, %704
  %706 = mul nuw nsw i64 %669, %12
  %707 = getelementptr double, ptr %659, i64 %706
  store double %705, ptr %707, align 8
  br label %713

708:
  %709 = fcmp ogt double %691, %118
  br i1 %709, label %710, label %1039

710:
  %711 = tail call double @llvm.sqrt.f64(double %691)
  %712 = fdiv double 1.000000e+00, %711
  store double %712, ptr %667, align 8
  br label %713

713:
  %714 = add nuw i64 %669, 1
  %715 = icmp eq i64 %714, %12
  br i1 %715, label %716, label %668

716:
  %717 = add nuw nsw i64 %658, 1
  %718 = icmp eq i64 %717, %12
  br i1 %718, label %844, label %657

719:
  %720 = phi i64 [ %779, %778 ], [ 0, %364 ]
  %721 = getelementptr double, ptr %30, i64 %720
  %722 = getelementptr inbounds nuw i8, ptr %37, i64 %720
  %723 = mul nsw i64 %720, %14
  %724 = getelementptr double, ptr %26, i64 %723
  %725 = icmp eq i64 %720, 0
  %726 = mul nuw nsw i64 %720, %12
  %727 = getelementptr double, ptr %30, i64 %726
  %728 = mul i64 %720, %21
  %729 = getelementptr inbounds double, ptr %30, i64 %728
  br label %730

730:
  %731 = phi i64 [ %720, %719 ], [ %776, %775 ]
  %732 = getelementptr inbounds nuw i8, ptr %37, i64 %731
  %733 = load i8, ptr %732, align 1
  %734 = icmp eq i8 %733, 0
  br i1 %734, label %735, label %738

735:
  %736 = load i8, ptr %722, align 1
  %737 = icmp eq i8 %736, 0
  br i1 %737, label %743, label %738

738:
  %739 = icmp eq i64 %731, %720
  %740 = select i1 %739, double 1.000000e+00, double 0.000000e+00
  %741 = mul nuw nsw i64 %731, %12
  %742 = getelementptr double, ptr %721, i64 %741
  store double %740, ptr %742, align 8
  br label %775

743:
  %744 = getelementptr double, ptr %724, i64 %731
  %745 = load double, ptr %744, align 8
  %746 = icmp eq i64 %731, %720
  %747 = fadd double %4, %745
  %748 = select i1 %746, double %747, double %745
  br i1 %725, label %752, label %749

749:
  %750 = mul nuw nsw i64 %731, %12
  %751 = getelementptr double, ptr %30, i64 %750
  br label %754

752:
  %753 = phi double [ %748, %743 ], [ %762, %754 ]
  br i1 %746, label %770, label %765

754:
  %755 = phi i64 [ 0, %749 ], [ %763, %754 ]
  %756 = phi double [ %748, %749 ], [ %762, %754 ]
  %757 = getelementptr double, ptr %751, i64 %755
  %758 = load double, ptr %757, align 8
  %759 = getelementptr double, ptr %727, i64 %755
  %760 = load double, ptr %759, align 8
  %761 = fneg double %758
  %762 = tail call double @llvm.fmuladd.f64(double %761, double %760, double %756)
  %763 = add nuw nsw i64 %755, 1
  %764 = icmp eq i64 %763, %720
  br i1 %764, label %752, label %754

765:
  %766 = load double, ptr %729, align 8
  %767 = fmul double %753, %766
  %768 = mul nuw nsw i64 %731, %12
  %769 = getelementptr double, ptr %721, i64 %768
  store double %767, ptr %769, align 8
  br label %775

770:
  %771 = fcmp ogt double %753, %118
  br i1 %771, label %772, label %1039

772:
  %773 = tail call double @llvm.sqrt.f64(double %753)
  %774 = fdiv double 1.000000e+00, %773
  store double %774, ptr %729, align 8
  br label %775

775:
  %776 = add nuw i64 %731, 1
  %777 = icmp eq i64 %776, %12
  br i1 %777, label %778, label %730

778:
  %779 = add nuw nsw i64 %720, 1
  %780 = icmp eq i64 %779, %12
  br i1 %780, label %844, label %719

781:
  br i1 %116, label %782, label %853

782:
  %783 = phi i64 [ %842, %841 ], [ 0, %781 ]
  %784 = getelementptr double, ptr %30, i64 %783
  %785 = getelementptr inbounds nuw i8, ptr %37, i64 %783
  %786 = mul nsw i64 %783, %14
  %787 = getelementptr double, ptr %26, i64 %786
  %788 = icmp eq i64 %783, 0
  %789 = mul nuw nsw i64 %783, %12
  %790 = getelementptr double, ptr %30, i64 %789
  %791 = mul i64 %783, %21
  %792 = getelementptr inbounds double, ptr %30, i64 %791
  br label %793

793:
  %794 = phi i64 [ %783, %782 ], [ %839, %838 ]
  %795 = getelementptr inbounds nuw i8, ptr %37, i64 %794
  %796 = load i8, ptr %795, align 1
  %797 = icmp eq i8 %796, 0
  br i1 %797, label %798, label %801

798:
  %799 = load i8, ptr %785, align 1
  %800 = icmp eq i8 %799, 0
  br i1 %800, label %806, label %801

801:
  %802 = icmp eq i64 %794, %783
  %803 = select i1 %802, double 1.000000e+00, double 0.000000e+00
  %804 = mul nuw nsw i64 %794, %12
  %805 = getelementptr double, ptr %784, i64 %804
  store double %803, ptr %805, align 8
  br label %838

806:
  %807 = getelementptr double, ptr %787, i64 %794
  %808 = load double, ptr %807, align 8
  %809 = icmp eq i64 %794, %783
  %810 = fadd double %4, %808
  %811 = select i1 %809, double %810, double %808
  br i1 %788, label %815, label %812

812:
  %813 = mul nuw nsw i64 %794, %12
  %814 = getelementptr double, ptr %30, i64 %813
  br label %817

815:
  %816 = phi double [ %811, %806 ], [ %825, %817 ]
  br i1 %809, label %833, label %828

817:
  %818 = phi i64 [ 0, %812 ], [ %826, %817 ]
  %819 = phi double [ %811, %812 ], [ %825, %817 ]
  %820 = getelementptr double, ptr %814, i64 %818
  %821 = load double, ptr %820, align 8
  %822 = getelementptr double, ptr %790, i64 %818
  %823 = load double, ptr %822, align 8
  %824 = fneg double %821
  %825 = tail call double @llvm.fmuladd.f64(double %824, double %823, double %819)
  %826 = add nuw nsw i64 %818, 1
  %827 = icmp eq i64 %826, %783
  br i1 %827, label %815, label %817

828:
  %829 = load double, ptr %792, align 8
  %830 = fmul double %816, %829
  %831 = mul nuw nsw i64 %794, %12
  %832 = getelementptr double, ptr %784, i64 %831
  store double %830, ptr %832, align 8
  br label %838

833:
  %834 = fcmp ogt double %816, %118
  br i1 %834, label %835, label %1039

835:
  %836 = tail call double @llvm.sqrt.f64(double %816)
  %837 = fdiv double 1.000000e+00, %836
  store double %837, ptr %792, align 8
  br label %838

838:
  %839 = add nuw i64 %794, 1
  %840 = icmp eq i64 %839, %12
  br i1 %840, label %841, label %793

841:
  %842 = add nuw nsw i64 %783, 1
  %843 = icmp eq i64 %842, %12
  br i1 %843, label %844, label %782

844:
  br i1 %116, label %845, label %853

845:
  %846 = phi i64 [ %851, %845 ], [ 0, %844 ]
  %847 = mul nsw i64 %846, %14
  %848 = getelementptr double, ptr %110, i64 %847
  %849 = load double, ptr %848, align 8
  %850 = getelementptr inbounds nuw double, ptr %113, i64 %846
  store double %849, ptr %850, align 8
  %851 = add nuw nsw i64 %846, 1
  %852 = icmp eq i64 %851, %12
  br i1 %852, label %854, label %845

853:
  br i1 %122, label %889, label %893

854:
  %855 = phi i64 [ %887, %886 ], [ 0, %845 ]
  %856 = getelementptr inbounds nuw i8, ptr %37, i64 %855
  %857 = load i8, ptr %856, align 1
  %858 = icmp eq i8 %857, 0
  %859 = select i1 %858, i1 true, i1 %119
  br i1 %859, label %886, label %860

860:
  %861 = mul nsw i64 %855, %14
  %862 = getelementptr double, ptr %26, i64 %861
  %863 = getelementptr inbounds nuw double, ptr %32, i64 %855
  br label %864

864:
  %865 = phi i64 [ 0, %860 ], [ %884, %883 ]
  %866 = icmp slt i64 %865, %12
  br i1 %866, label %867, label %871

867:
  %868 = getelementptr inbounds nuw i8, ptr %37, i64 %865
  %869 = load i8, ptr %868, align 1
  %870 = icmp eq i8 %869, 0
  br i1 %870, label %871, label %883

871:
  %872 = icmp samesign ult i64 %865, %855
  %873 = mul nsw i64 %865, %14
  %874 = getelementptr double, ptr %26, i64 %873
  %875 = getelementptr double, ptr %874, i64 %855
  %876 = getelementptr double, ptr %862, i64 %865
  %877 = select i1 %872, ptr %875, ptr %876
  %878 = load double, ptr %877, align 8
  %879 = load double, ptr %863, align 8
  %880 = getelementptr double, ptr %874, i64 %17
  %881 = load double, ptr %880, align 8
  %882 = tail call double @llvm.fmuladd.f64(double %878, double %879, double %881)
  store double %882, ptr %880, align 8
  br label %883

883:
  %884 = add nuw nsw i64 %865, 1
  %885 = icmp eq i64 %884, %17
  br i1 %885, label %886, label %864

886:
  %887 = add nuw nsw i64 %855, 1
  %888 = icmp eq i64 %887, %12
  br i1 %888, label %853, label %854

889:
  %890 = phi i64 [ %941, %940 ], [ %121, %853 ]
  %891 = getelementptr double, ptr %26, i64 %890
  %892 = getelementptr double, ptr %28, i64 %890
  br i1 %116, label %899, label %940

893:
  %894 = mul i64 %25, %128
  %895 = getelementptr inbounds double, ptr %6, i64 %894
  tail call fastcc void @multiply(ptr %895, ptr %109, double -1.000000e+00, ptr %123, i64 1, i64 %14, ptr %28, i64 %10, i64 %12, i64 %14, i64 %12)
  %896 = getelementptr double, ptr %134, i64 %17
  br i1 %116, label %977, label %1036

897:
  %898 = getelementptr double, ptr %134, i64 %890
  br label %943

899:
  %900 = phi i64 [ %924, %914 ], [ 0, %889 ]
  %901 = getelementptr inbounds nuw i8, ptr %37, i64 %900
  %902 = load i8, ptr %901, align 1
  %903 = icmp eq i8 %902, 0
  br i1 %903, label %904, label %908

904:
  %905 = mul nsw i64 %900, %14
  %906 = getelementptr double, ptr %891, i64 %905
  %907 = load <8 x double>, ptr %906, align 8
  br label %908

908:
  %909 = phi <8 x double> [ zeroinitializer, %899 ], [ %907, %904 ]
  %910 = icmp eq i64 %900, 0
  br i1 %910, label %914, label %911

911:
  %912 = mul nuw nsw i64 %900, %12
  %913 = getelementptr double, ptr %30, i64 %912
  br label %926

914:
  %915 = phi <8 x double> [ %909, %908 ], [ %937, %926 ]
  %916 = mul i64 %900, %21
  %917 = getelementptr inbounds double, ptr %30, i64 %916
  %918 = load double, ptr %917, align 8
  %919 = insertelement <8 x double> poison, double %918, i64 0
  %920 = shufflevector <8 x double> %919, <8 x double> poison, <8 x i32> zeroinitializer
  %921 = fmul <8 x double> %915, %920
  %922 = mul nsw i64 %900, %14
  %923 = getelementptr double, ptr %892, i64 %922
  store <8 x double> %921, ptr %923, align 8
  %924 = add nuw nsw i64 %900, 1
  %925 = icmp eq i64 %924, %12
  br i1 %925, label %897, label %899

926:
  %927 = phi i64 [ 0, %911 ], [ %938, %926 ]
  %928 = phi <8 x double> [ %909, %911 ], [ %937, %926 ]
  %929 = getelementptr double, ptr %913, i64 %927
  %930 = load double, ptr %929, align 8
  %931 = mul nsw i64 %927, %14
  %932 = getelementptr double, ptr %892, i64 %931
  %933 = load <8 x double>, ptr %932, align 8
  %934 = fneg double %930
  %935 = insertelement <8 x double> poison, double %934, i64 0
  %936 = shufflevector <8 x double> %935, <8 x double> poison, <8 x i32> zeroinitializer
  %937 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %936, <8 x double> %933, <8 x double> %928)
  %938 = add nuw nsw i64 %927, 1
  %939 = icmp eq i64 %938, %900
  br i1 %939, label %914, label %926

940:
  %941 = add nsw i64 %890, 8
  %942 = icmp slt i64 %941, %14
  br i1 %942, label %889, label %893

943:
  %944 = phi i64 [ %945, %952 ], [ %12, %897 ]
  %945 = add nsw i64 %944, -1
  %946 = mul nsw i64 %945, %14
  %947 = getelementptr double, ptr %892, i64 %946
  %948 = load <8 x double>, ptr %947, align 8
  %949 = fneg <8 x double> %948
  %950 = getelementptr double, ptr %30, i64 %945
  %951 = icmp slt i64 %944, %12
  br i1 %951, label %962, label %952

952:
  %953 = phi <8 x double> [ %949, %943 ], [ %974, %962 ]
  %954 = mul i64 %945, %21
  %955 = getelementptr inbounds double, ptr %30, i64 %954
  %956 = load double, ptr %955, align 8
  %957 = insertelement <8 x double> poison, double %956, i64 0
  %958 = shufflevector <8 x double> %957, <8 x double> poison, <8 x i32> zeroinitializer
  %959 = fmul <8 x double> %953, %958
  %960 = getelementptr double, ptr %898, i64 %946
  store <8 x double> %959, ptr %960, align 8
  %961 = icmp samesign ugt i64 %944, 1
  br i1 %961, label %943, label %940

962:
  %963 = phi i64 [ %975, %962 ], [ %944, %943 ]
  %964 = phi <8 x double> [ %974, %962 ], [ %949, %943 ]
  %965 = mul nuw nsw i64 %963, %12
  %966 = getelementptr double, ptr %950, i64 %965
  %967 = load double, ptr %966, align 8
  %968 = mul nsw i64 %963, %14
  %969 = getelementptr double, ptr %898, i64 %968
  %970 = load <8 x double>, ptr %969, align 8
  %971 = fneg double %967
  %972 = insertelement <8 x double> poison, double %971, i64 0
  %973 = shufflevector <8 x double> %972, <8 x double> poison, <8 x i32> zeroinitializer
  %974 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %973, <8 x double> %970, <8 x double> %964)
  %975 = add nuw nsw i64 %963, 1
  %976 = icmp eq i64 %975, %12
  br i1 %976, label %952, label %962

977:
  %978 = phi i64 [ %1022, %1021 ], [ 0, %893 ]
  %979 = mul nsw i64 %978, %14
  %980 = getelementptr double, ptr %134, i64 %979
  br label %982

981:
  br i1 %125, label %994, label %987

982:
  %983 = phi i64 [ 0, %977 ], [ %985, %982 ]
  %984 = getelementptr double, ptr %980, i64 %983
  store double 0.000000e+00, ptr %984, align 8
  %985 = add nuw nsw i64 %983, 1
  %986 = icmp eq i64 %985, %12
  br i1 %986, label %981, label %982

987:
  %988 = getelementptr inbounds nuw i8, ptr %37, i64 %978
  %989 = load i8, ptr %988, align 1
  %990 = icmp eq i8 %989, 0
  br i1 %990, label %991, label %999

991:
  %992 = getelementptr double, ptr %896, i64 %979
  %993 = load double, ptr %992, align 8
  br label %1003

994:
  %995 = phi i64 [ %997, %994 ], [ %124, %981 ]
  %996 = getelementptr double, ptr %980, i64 %995
  store double 0.000000e+00, ptr %996, align 8
  %997 = add nsw i64 %995, 1
  %998 = icmp slt i64 %997, %14
  br i1 %998, label %994, label %987

999:
  %1000 = getelementptr inbounds nuw double, ptr %32, i64 %978
  %1001 = load double, ptr %1000, align 8
  %1002 = getelementptr double, ptr %896, i64 %979
  store double %1001, ptr %1002, align 8
  br label %1003

1003:
  %1004 = phi double [ %993, %991 ], [ %1001, %999 ]
  %1005 = fsub double %1004, %1004
  %1006 = fcmp oeq double %1005, 0.000000e+00
  br i1 %1006, label %1007, label %1039

1007:
  %1008 = getelementptr inbounds nuw double, ptr %113, i64 %978
  %1009 = load double, ptr %1008, align 8
  %1010 = load double, ptr %7, align 8
  %1011 = tail call double @llvm.fmuladd.f64(double %1009, double %1004, double %1010)
  store double %1011, ptr %7, align 8
  %1012 = getelementptr double, ptr %26, i64 %979
  %1013 = getelementptr double, ptr %1012, i64 %978
  %1014 = load double, ptr %1013, align 8
  %1015 = fmul double %1014, 5.000000e-01
  %1016 = fmul double %1004, %1015
  %1017 = load double, ptr %91, align 8
  %1018 = tail call double @llvm.fmuladd.f64(double %1016, double %1004, double %1017)
  store double %1018, ptr %91, align 8
  %1019 = getelementptr double, ptr %26, i64 %978
  %1020 = icmp eq i64 %978, 0
  br i1 %1020, label %1021, label %1024

1021:
  %1022 = add nuw nsw i64 %978, 1
  %1023 = icmp eq i64 %1022, %12
  br i1 %1023, label %1036, label %977

1024:
  %1025 = phi double [ %1033, %1024 ], [ %1018, %1007 ]
  %1026 = phi i64 [ %1034, %1024 ], [ 0, %1007 ]
  %1027 = mul nsw i64 %1026, %14
  %1028 = getelementptr double, ptr %1019, i64 %1027
  %1029 = load double, ptr %1028, align 8
  %1030 = fmul double %1004, %1029
  %1031 = getelementptr double, ptr %896, i64 %1027
  %1032 = load double, ptr %1031, align 8
  %1033 = tail call double @llvm.fmuladd.f64(double %1030, double %1032, double %1025)
  store double %1033, ptr %91, align 8
  %1034 = add nuw nsw i64 %1026, 1
  %1035 = icmp eq i64 %1034, %978
  br i1 %1035, label %1021, label %1024

1036:
  %1037 = add nsw i64 %128, -1
  %1038 = icmp slt i64 %128, 1
  br i1 %1038, label %1039, label %126

1039:
  %1040 = phi i64 [ %128, %833 ], [ -1, %83 ], [ %128, %422 ], [ %128, %1003 ], [ %128, %708 ], [ %128, %770 ], [ -1, %1036 ]
  ret i64 %1040
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

define void @jounce_riccati_forward(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, ptr %8, ptr %9) nounwind {
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %12 = load i64, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %14 = load i64, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %16 = load i64, ptr %15, align 8
  %17 = load i64, ptr %0, align 8
  %18 = add nsw i64 %17, -1
  %19 = add nsw i64 %14, %12
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %21 = load ptr, ptr %20, align 8
  %22 = getelementptr inbounds double, ptr %21, i64 %16
  %23 = getelementptr inbounds nuw i8, ptr %9, i64 8
  store double 0.000000e+00, ptr %23, align 8
  store double 0.000000e+00, ptr %9, align 8
  %24 = icmp sgt i64 %17, 0
  br i1 %24, label %25, label %43

25:
  %26 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %27 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %28 = shl i64 %16, 3
  %29 = getelementptr inbounds double, ptr %21, i64 %14
  %30 = shl i64 %12, 3
  %31 = icmp slt i64 %12, 1
  %32 = sdiv i64 %14, 8
  %33 = shl nsw i64 %32, 3
  %34 = icmp slt i64 %33, %16
  %35 = icmp sgt i64 %12, 0
  %36 = getelementptr double, ptr %22, i64 %14
  %37 = getelementptr inbounds double, ptr %21, i64 %19
  %38 = icmp sgt i64 %14, 0
  %39 = icmp eq ptr %2, null
  %40 = shl i64 %14, 3
  %41 = sdiv i64 %12, 2
  %42 = icmp slt i64 %12, 2
  br label %44

43:
  ret void

44:
  %45 = phi i64 [ 0, %25 ], [ %249, %248 ]
  %46 = load ptr, ptr %26, align 8
  %47 = load ptr, ptr %27, align 8
  %48 = getelementptr inbounds nuw i32, ptr %47, i64 %45
  %49 = load i32, ptr %48, align 4
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds %struct.Pattern, ptr %46, i64 %50
  %52 = mul nsw i64 %45, %12
  %53 = mul nsw i64 %52, %16
  %54 = getelementptr inbounds double, ptr %5, i64 %53
  %55 = getelementptr inbounds double, ptr %6, i64 %52
  %56 = tail call ptr @memset(ptr %21, i32 0, i64 %28)
  %57 = tail call ptr @memcpy(ptr %29, ptr %55, i64 %30)
  %58 = tail call ptr @memset(ptr %22, i32 0, i64 %28)
  %59 = icmp eq i64 %45, 0
  %60 = select i1 %59, i1 true, i1 %31
  br i1 %60, label %82, label %61

61:
  %62 = phi i64 [ %68, %67 ], [ 0, %44 ]
  br i1 %34, label %63, label %67

63:
  %64 = getelementptr inbounds nuw double, ptr %55, i64 %62
  %65 = mul nsw i64 %62, %16
  %66 = getelementptr inbounds double, ptr %54, i64 %65
  br label %70

67:
  %68 = add nuw nsw i64 %62, 1
  %69 = icmp eq i64 %68, %12
  br i1 %69, label %82, label %61

70:
  %71 = phi i64 [ %33, %63 ], [ %80, %70 ]
  %72 = getelementptr inbounds double, ptr %22, i64 %71
  %73 = load <8 x double>, ptr %72, align 8
  %74 = load double, ptr %64, align 8
  %75 = insertelement <8 x double> poison, double %74, i64 0
  %76 = shufflevector <8 x double> %75, <8 x double> poison, <8 x i32> zeroinitializer
  %77 = getelementptr inbounds double, ptr %66, i64 %71
  %78 = load <8 x double>, ptr %77, align 8
  %79 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %76, <8 x double> %78, <8 x double> %73)
  store <8 x double> %79, ptr %72, align 8
  %80 = add nsw i64 %71, 8
  %81 = icmp slt i64 %80, %16
  br i1 %81, label %70, label %67

82:
  %83 = getelementptr double, ptr %54, i64 %19
  br i1 %35, label %84, label %86

84:
  %85 = getelementptr double, ptr %8, i64 %52
  br label %88

86:
  %87 = icmp slt i64 %45, %18
  br i1 %87, label %99, label %239

88:
  %89 = phi i64 [ 0, %84 ], [ %97, %88 ]
  %90 = mul nsw i64 %89, %16
  %91 = getelementptr double, ptr %83, i64 %90
  %92 = load double, ptr %91, align 8
  %93 = getelementptr double, ptr %36, i64 %89
  %94 = load double, ptr %93, align 8
  %95 = fadd double %92, %94
  %96 = getelementptr double, ptr %85, i64 %89
  store double %95, ptr %96, align 8
  %97 = add nuw nsw i64 %89, 1
  %98 = icmp eq i64 %97, %12
  br i1 %98, label %86, label %88

99:
  store double 1.000000e+00, ptr %37, align 8
  %100 = mul nsw i64 %45, %14
  br i1 %38, label %101, label %103

101:
  %102 = getelementptr double, ptr %7, i64 %100
  br label %109

103:
  %104 = getelementptr inbounds double, ptr %7, i64 %100
  %105 = tail call ptr @memcpy(ptr %21, ptr %104, i64 %40)
  %106 = add nuw nsw i64 %45, 1
  %107 = mul nsw i64 %106, %12
  %108 = getelementptr inbounds double, ptr %6, i64 %107
  br i1 %35, label %158, label %150

109:
  %110 = phi i64 [ 0, %101 ], [ %148, %145 ]
  br i1 %34, label %111, label %115

111:
  %112 = add nuw nsw i64 %110, %100
  %113 = mul nsw i64 %112, %16
  %114 = getelementptr inbounds double, ptr %4, i64 %113
  br label %117

115:
  %116 = phi <8 x double> [ zeroinitializer, %109 ], [ %124, %117 ]
  br label %128

117:
  %118 = phi i64 [ %33, %111 ], [ %125, %117 ]
  %119 = phi <8 x double> [ zeroinitializer, %111 ], [ %124, %117 ]
  %120 = getelementptr inbounds nuw double, ptr %114, i64 %118
  %121 = load <8 x double>, ptr %120, align 8
  %122 = getelementptr inbounds nuw double, ptr %21, i64 %118
  %123 = load <8 x double>, ptr %122, align 8
  %124 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %121, <8 x double> %123, <8 x double> %119)
  %125 = add nuw nsw i64 %118, 8
  %126 = icmp slt i64 %125, %16
  br i1 %126, label %117, label %115

127:
  br i1 %39, label %145, label %135

128:
  %129 = phi i64 [ 0, %115 ], [ %133, %128 ]
  %130 = phi double [ 0.000000e+00, %115 ], [ %132, %128 ]
  %131 = extractelement <8 x double> %116, i64 %129
  %132 = fadd double %130, %131
  %133 = add nuw nsw i64 %129, 1
  %134 = icmp eq i64 %133, 8
  br i1 %134, label %127, label %128

135:
  %136 = add nuw nsw i64 %110, %100
  %137 = getelementptr inbounds nuw double, ptr %2, i64 %136
  %138 = load double, ptr %137, align 8
  %139 = fcmp olt double %132, %138
  br i1 %139, label %145, label %140

140:
  %141 = getelementptr inbounds nuw double, ptr %3, i64 %136
  %142 = load double, ptr %141, align 8
  %143 = fcmp ogt double %132, %142
  %144 = select i1 %143, double %142, double %132
  br label %145

145:
  %146 = phi double [ %132, %127 ], [ %144, %140 ], [ %138, %135 ]
  %147 = getelementptr double, ptr %102, i64 %110
  store double %146, ptr %147, align 8
  %148 = add nuw nsw i64 %110, 1
  %149 = icmp eq i64 %148, %14
  br i1 %149, label %103, label %109

150:
  %151 = getelementptr inbounds nuw i8, ptr %51, i64 24
  %152 = load i64, ptr %151, align 8
  %153 = icmp sgt i64 %152, 0
  br i1 %153, label %154, label %163

154:
  %155 = getelementptr inbounds nuw i8, ptr %51, i64 72
  %156 = getelementptr inbounds nuw i8, ptr %51, i64 64
  %157 = getelementptr inbounds nuw i8, ptr %51, i64 56
  br label %173

158:
  %159 = phi i64 [ %161, %158 ], [ 0, %103 ]
  %160 = getelementptr inbounds nuw double, ptr %108, i64 %159
  store double 0.000000e+00, ptr %160, align 8
  %161 = add nuw nsw i64 %159, 1
  %162 = icmp eq i64 %161, %12
  br i1 %162, label %150, label %158

163:
  %164 = getelementptr inbounds nuw i8, ptr %51, i64 8
  %165 = load i64, ptr %164, align 8
  %166 = getelementptr inbounds nuw i8, ptr %51, i64 16
  %167 = load i64, ptr %166, align 8
  %168 = icmp slt i64 %165, %167
  br i1 %168, label %169, label %194

169:
  %170 = getelementptr inbounds nuw ptr, ptr %1, i64 %45
  %171 = getelementptr inbounds nuw i8, ptr %51, i64 48
  %172 = getelementptr inbounds nuw i8, ptr %51, i64 40
  br label %202

173:
  %174 = phi i64 [ 0, %154 ], [ %191, %173 ]
  %175 = load ptr, ptr %155, align 8
  %176 = getelementptr inbounds nuw double, ptr %175, i64 %174
  %177 = load double, ptr %176, align 8
  %178 = load ptr, ptr %156, align 8
  %179 = getelementptr inbounds nuw i32, ptr %178, i64 %174
  %180 = load i32, ptr %179, align 4
  %181 = sext i32 %180 to i64
  %182 = getelementptr inbounds double, ptr %21, i64 %181
  %183 = load double, ptr %182, align 8
  %184 = load ptr, ptr %157, align 8
  %185 = getelementptr inbounds nuw i32, ptr %184, i64 %174
  %186 = load i32, ptr %185, align 4
  %187 = sext i32 %186 to i64
  %188 = getelementptr inbounds double, ptr %108, i64 %187
  %189 = load double, ptr %188, align 8
  %190 = tail call double @llvm.fmuladd.f64(double %177, double %183, double %189)
  store double %190, ptr %188, align 8
  %191 = add nuw nsw i64 %174, 1
  %192 = load i64, ptr %151, align 8
  %193 = icmp slt i64 %191, %192
  br i1 %193, label %173, label %163

194:
  %195 = getelementptr inbounds nuw i8, ptr %51, i64 32
  %196 = load i64, ptr %195, align 8
  %197 = icmp slt i64 %196, 0
  %198 = select i1 %197, i1 true, i1 %42
  br i1 %198, label %239, label %199

199:
  %200 = getelementptr inbounds nuw ptr, ptr %1, i64 %45
  %201 = getelementptr double, ptr %108, i64 %41
  br label %223

202:
  %203 = phi i64 [ %165, %169 ], [ %220, %202 ]
  %204 = load ptr, ptr %170, align 8
  %205 = getelementptr inbounds double, ptr %204, i64 %203
  %206 = load double, ptr %205, align 8
  %207 = load ptr, ptr %171, align 8
  %208 = getelementptr inbounds i32, ptr %207, i64 %203
  %209 = load i32, ptr %208, align 4
  %210 = sext i32 %209 to i64
  %211 = getelementptr inbounds double, ptr %21, i64 %210
  %212 = load double, ptr %211, align 8
  %213 = load ptr, ptr %172, align 8
  %214 = getelementptr inbounds i32, ptr %213, i64 %203
  %215 = load i32, ptr %214, align 4
  %216 = sext i32 %215 to i64
  %217 = getelementptr inbounds double, ptr %108, i64 %216
  %218 = load double, ptr %217, align 8
  %219 = tail call double @llvm.fmuladd.f64(double %206, double %212, double %218)
  store double %219, ptr %217, align 8
  %220 = add nsw i64 %203, 1
  %221 = load i64, ptr %166, align 8
  %222 = icmp slt i64 %220, %221
  br i1 %222, label %202, label %194

223:
  %224 = phi i64 [ 0, %199 ], [ %237, %223 ]
  %225 = getelementptr inbounds nuw double, ptr %55, i64 %224
  %226 = load double, ptr %225, align 8
  %227 = load ptr, ptr %200, align 8
  %228 = load i64, ptr %195, align 8
  %229 = getelementptr inbounds double, ptr %227, i64 %228
  %230 = load double, ptr %229, align 8
  %231 = getelementptr double, ptr %201, i64 %224
  %232 = load double, ptr %231, align 8
  %233 = tail call double @llvm.fmuladd.f64(double %230, double %232, double %226)
  %234 = getelementptr inbounds nuw double, ptr %108, i64 %224
  %235 = load double, ptr %234, align 8
  %236 = fadd double %235, %233
  store double %236, ptr %234, align 8
  %237 = add nuw nsw i64 %224, 1
  %238 = icmp eq i64 %237, %41
  br i1 %238, label %239, label %223

239:
  store double 1.000000e+00, ptr %37, align 8
  %240 = getelementptr inbounds nuw i8, ptr %51, i64 16
  %241 = load i64, ptr %240, align 8
  %242 = load i64, ptr %51, align 8
  %243 = icmp slt i64 %241, %242
  br i1 %243, label %244, label %248

244:
  %245 = getelementptr inbounds nuw i8, ptr %51, i64 40
  %246 = getelementptr inbounds nuw i8, ptr %51, i64 48
  %247 = getelementptr inbounds nuw ptr, ptr %1, i64 %45
  br label %251

248:
  %249 = add nuw nsw i64 %45, 1
  %250 = icmp eq i64 %249, %17
  br i1 %250, label %43, label %44

251:
  %252 = phi i64 [ %241, %244 ], [ %282, %281 ]
  %253 = load ptr, ptr %245, align 8
  %254 = getelementptr inbounds i32, ptr %253, i64 %252
  %255 = load i32, ptr %254, align 4
  %256 = sext i32 %255 to i64
  %257 = sub nsw i64 %256, %12
  %258 = load ptr, ptr %246, align 8
  %259 = getelementptr inbounds i32, ptr %258, i64 %252
  %260 = load i32, ptr %259, align 4
  %261 = sext i32 %260 to i64
  %262 = load ptr, ptr %247, align 8
  %263 = getelementptr inbounds double, ptr %262, i64 %252
  %264 = load double, ptr %263, align 8
  %265 = getelementptr inbounds double, ptr %21, i64 %257
  %266 = load double, ptr %265, align 8
  %267 = fmul double %264, %266
  %268 = getelementptr inbounds double, ptr %21, i64 %261
  %269 = load double, ptr %268, align 8
  %270 = fmul double %267, %269
  %271 = icmp eq i64 %19, %261
  br i1 %271, label %272, label %275

272:
  %273 = load double, ptr %9, align 8
  %274 = fadd double %270, %273
  store double %274, ptr %9, align 8
  br label %281

275:
  %276 = icmp eq i64 %257, %261
  %277 = fmul double %270, 5.000000e-01
  %278 = select i1 %276, double %277, double %270
  %279 = load double, ptr %23, align 8
  %280 = fadd double %278, %279
  store double %280, ptr %23, align 8
  br label %281

281:
  %282 = add nsw i64 %252, 1
  %283 = load i64, ptr %51, align 8
  %284 = icmp slt i64 %282, %283
  br i1 %284, label %251, label %248
}

declare double @llvm.sqrt.f64(double)

declare i64 @llvm.smin.i64(i64, i64)

declare i64 @llvm.umin.i64(i64, i64)

declare i64 @llvm.umax.i64(i64, i64)

declare i64 @llvm.smax.i64(i64, i64)
