; riccati.c, by `make native`: source 6ca745af461bd33c547b083fd9fc782198de26b19bcf87143bba56078a7218b9 text bb3f865605a18b61d36d0db4b9182b51ca1df5ad837190c64ebb9a0f2c435497
%struct.Pattern = type { i64, i64, i64, i64, ptr, ptr, ptr, ptr, ptr, ptr }

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
  %34 = getelementptr inbounds double, ptr %18, i64 %24
  %35 = getelementptr inbounds ptr, ptr %1, i64 %15
  %36 = load ptr, ptr %35, align 8
  %37 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %38 = load ptr, ptr %37, align 8
  %39 = getelementptr inbounds i32, ptr %38, i64 %15
  %40 = load i32, ptr %39, align 4
  %41 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %42 = load ptr, ptr %41, align 8
  %43 = sext i32 %40 to i64
  %44 = getelementptr inbounds %struct.Pattern, ptr %42, i64 %43
  %45 = icmp eq i32 %40, -1
  br i1 %45, label %52, label %46

46:
  %47 = getelementptr inbounds nuw i8, ptr %44, i64 72
  %48 = load ptr, ptr %47, align 8
  %49 = shl i64 %13, 3
  %50 = mul i64 %49, %21
  %51 = tail call ptr @memcpy(ptr %18, ptr %48, i64 %50)
  br label %52

52:
  %53 = getelementptr inbounds nuw i8, ptr %44, i64 8
  %54 = load i64, ptr %53, align 8
  %55 = load i64, ptr %44, align 8
  %56 = icmp slt i64 %54, %55
  br i1 %56, label %57, label %79

57:
  %58 = getelementptr inbounds nuw i8, ptr %44, i64 32
  %59 = getelementptr inbounds nuw i8, ptr %44, i64 40
  br label %60

60:
  %61 = phi i64 [ %54, %57 ], [ %76, %60 ]
  %62 = getelementptr inbounds double, ptr %36, i64 %61
  %63 = load double, ptr %62, align 8
  %64 = load ptr, ptr %58, align 8
  %65 = getelementptr inbounds i32, ptr %64, i64 %61
  %66 = load i32, ptr %65, align 4
  %67 = sext i32 %66 to i64
  %68 = load i64, ptr %12, align 8
  %69 = mul nsw i64 %68, %67
  %70 = load ptr, ptr %59, align 8
  %71 = getelementptr inbounds i32, ptr %70, i64 %61
  %72 = load i32, ptr %71, align 4
  %73 = sext i32 %72 to i64
  %74 = getelementptr double, ptr %18, i64 %69
  %75 = getelementptr double, ptr %74, i64 %73
  store double %63, ptr %75, align 8
  %76 = add nsw i64 %61, 1
  %77 = load i64, ptr %44, align 8
  %78 = icmp slt i64 %76, %77
  br i1 %78, label %60, label %79

79:
  %80 = mul i64 %24, %15
  %81 = getelementptr inbounds double, ptr %6, i64 %80
  %82 = mul nsw i64 %13, %11
  %83 = getelementptr inbounds double, ptr %34, i64 %82
  %84 = shl i64 %24, 3
  %85 = tail call ptr @memcpy(ptr %81, ptr %83, i64 %84)
  %86 = tail call ptr @memset(ptr %33, i32 0, i64 %11)
  %87 = icmp slt i64 %14, 2
  br i1 %87, label %855, label %88

88:
  %89 = add nsw i64 %14, -2
  %90 = icmp sgt i64 %9, 1
  %91 = icmp sgt i64 %9, 0
  %92 = icmp eq ptr %2, null
  %93 = getelementptr inbounds double, ptr %25, i64 %16
  %94 = getelementptr inbounds double, ptr %31, i64 %11
  %95 = shl nsw i64 %11, 4
  %96 = getelementptr inbounds i8, ptr %31, i64 %95
  %97 = icmp sgt i64 %11, 0
  %98 = fadd double %4, 1.000000e+00
  %99 = fmul double %98, 0x3D06849B86A12B9B
  %100 = icmp slt i64 %16, 1
  %101 = sdiv i64 %11, 8
  %102 = shl nsw i64 %101, 3
  %103 = icmp slt i64 %102, %13
  %104 = getelementptr inbounds double, ptr %25, i64 %82
  %105 = getelementptr inbounds double, ptr %27, i64 %11
  %106 = add nsw i64 %16, 1
  %107 = icmp slt i64 %106, %13
  br label %108

108:
  %109 = phi i32 [ %40, %88 ], [ %128, %852 ]
  %110 = phi i64 [ %89, %88 ], [ %853, %852 ]
  %111 = add nuw nsw i64 %110, 1
  %112 = mul i64 %24, %111
  %113 = getelementptr inbounds double, ptr %6, i64 %112
  %114 = mul nsw i64 %110, %11
  %115 = mul nsw i64 %114, %13
  %116 = getelementptr inbounds double, ptr %5, i64 %115
  %117 = getelementptr double, ptr %113, i64 %11
  br i1 %90, label %118, label %123

118:
  %119 = phi i64 [ %174, %173 ], [ 1, %108 ]
  %120 = getelementptr double, ptr %117, i64 %119
  %121 = mul nsw i64 %119, %13
  %122 = getelementptr double, ptr %117, i64 %121
  br label %176

123:
  %124 = getelementptr inbounds nuw ptr, ptr %1, i64 %110
  %125 = load ptr, ptr %124, align 8
  %126 = load ptr, ptr %37, align 8
  %127 = getelementptr inbounds nuw i32, ptr %126, i64 %110
  %128 = load i32, ptr %127, align 4
  %129 = load ptr, ptr %41, align 8
  %130 = sext i32 %128 to i64
  %131 = getelementptr inbounds %struct.Pattern, ptr %129, i64 %130
  %132 = icmp eq i32 %128, %109
  br i1 %132, label %145, label %133

133:
  %134 = getelementptr inbounds nuw i8, ptr %131, i64 72
  %135 = load ptr, ptr %134, align 8
  %136 = load i64, ptr %8, align 8
  %137 = shl nsw i64 %136, 1
  %138 = load i64, ptr %10, align 8
  %139 = add i64 %138, 1
  %140 = add i64 %139, %137
  %141 = load i64, ptr %12, align 8
  %142 = shl i64 %141, 3
  %143 = mul i64 %142, %140
  %144 = tail call ptr @memcpy(ptr %18, ptr %135, i64 %143)
  br label %145

145:
  %146 = getelementptr inbounds nuw i8, ptr %131, i64 8
  %147 = load i64, ptr %146, align 8
  %148 = load i64, ptr %131, align 8
  %149 = icmp slt i64 %147, %148
  br i1 %149, label %150, label %172

150:
  %151 = getelementptr inbounds nuw i8, ptr %131, i64 32
  %152 = getelementptr inbounds nuw i8, ptr %131, i64 40
  br label %153

153:
  %154 = phi i64 [ %147, %150 ], [ %169, %153 ]
  %155 = getelementptr inbounds double, ptr %125, i64 %154
  %156 = load double, ptr %155, align 8
  %157 = load ptr, ptr %151, align 8
  %158 = getelementptr inbounds i32, ptr %157, i64 %154
  %159 = load i32, ptr %158, align 4
  %160 = sext i32 %159 to i64
  %161 = load i64, ptr %12, align 8
  %162 = mul nsw i64 %161, %160
  %163 = load ptr, ptr %152, align 8
  %164 = getelementptr inbounds i32, ptr %163, i64 %154
  %165 = load i32, ptr %164, align 4
  %166 = sext i32 %165 to i64
  %167 = getelementptr double, ptr %18, i64 %162
  %168 = getelementptr double, ptr %167, i64 %166
  store double %156, ptr %168, align 8
  %169 = add nsw i64 %154, 1
  %170 = load i64, ptr %131, align 8
  %171 = icmp slt i64 %169, %170
  br i1 %171, label %153, label %172

172:
  tail call fastcc void @multiply(ptr %23, ptr null, double 1.000000e+00, ptr %117, i64 %13, i64 1, ptr %18, i64 %9, i64 %9, i64 %13, i64 -1)
  br i1 %91, label %185, label %184

173:
  %174 = add nuw nsw i64 %119, 1
  %175 = icmp eq i64 %174, %9
  br i1 %175, label %123, label %118

176:
  %177 = phi i64 [ 0, %118 ], [ %182, %176 ]
  %178 = mul nsw i64 %177, %13
  %179 = getelementptr double, ptr %120, i64 %178
  %180 = load double, ptr %179, align 8
  %181 = getelementptr double, ptr %122, i64 %177
  store double %180, ptr %181, align 8
  %182 = add nuw nsw i64 %177, 1
  %183 = icmp eq i64 %182, %119
  br i1 %183, label %173, label %176

184:
  tail call fastcc void @multiply(ptr %25, ptr %34, double 1.000000e+00, ptr %18, i64 1, i64 %13, ptr %23, i64 %16, i64 %9, i64 %13, i64 0)
  br i1 %92, label %667, label %196

185:
  %186 = phi i64 [ %194, %185 ], [ 0, %172 ]
  %187 = mul nsw i64 %186, %13
  %188 = add nsw i64 %187, %16
  %189 = getelementptr inbounds double, ptr %113, i64 %188
  %190 = load double, ptr %189, align 8
  %191 = getelementptr inbounds double, ptr %23, i64 %188
  %192 = load double, ptr %191, align 8
  %193 = fadd double %190, %192
  store double %193, ptr %191, align 8
  %194 = add nuw nsw i64 %186, 1
  %195 = icmp eq i64 %194, %9
  br i1 %195, label %184, label %185

196:
  %197 = getelementptr inbounds double, ptr %2, i64 %114
  %198 = getelementptr inbounds double, ptr %3, i64 %114
  br i1 %97, label %199, label %730

199:
  %200 = phi i64 [ %212, %209 ], [ 0, %196 ]
  %201 = getelementptr inbounds nuw double, ptr %197, i64 %200
  %202 = load double, ptr %201, align 8
  %203 = fcmp ogt double %202, 0.000000e+00
  br i1 %203, label %209, label %204

204:
  %205 = getelementptr inbounds nuw double, ptr %198, i64 %200
  %206 = load double, ptr %205, align 8
  %207 = fcmp olt double %206, 0.000000e+00
  br i1 %207, label %208, label %209

208:
  br label %209

209:
  %210 = phi double [ 0.000000e+00, %204 ], [ %206, %208 ], [ %202, %199 ]
  %211 = getelementptr inbounds nuw double, ptr %31, i64 %200
  store double %210, ptr %211, align 8
  %212 = add nuw nsw i64 %200, 1
  %213 = icmp eq i64 %212, %11
  br i1 %213, label %217, label %199

214:
  %215 = add nuw nsw i64 %218, 1
  %216 = icmp eq i64 %215, 100
  br i1 %216, label %569, label %217

217:
  %218 = phi i64 [ %215, %214 ], [ 0, %209 ]
  br label %283

219:
  %220 = fcmp ogt double %335, 0.000000e+00
  br label %221

221:
  %222 = phi i64 [ %281, %280 ], [ 0, %219 ]
  %223 = getelementptr double, ptr %29, i64 %222
  %224 = getelementptr inbounds nuw i8, ptr %33, i64 %222
  %225 = mul nsw i64 %222, %13
  %226 = getelementptr double, ptr %25, i64 %225
  %227 = icmp eq i64 %222, 0
  %228 = mul nuw nsw i64 %222, %11
  %229 = getelementptr double, ptr %29, i64 %228
  %230 = mul i64 %222, %20
  %231 = getelementptr inbounds double, ptr %29, i64 %230
  br label %232

232:
  %233 = phi i64 [ %222, %221 ], [ %278, %277 ]
  %234 = getelementptr inbounds nuw i8, ptr %33, i64 %233
  %235 = load i8, ptr %234, align 1
  %236 = icmp eq i8 %235, 0
  br i1 %236, label %237, label %240

237:
  %238 = load i8, ptr %224, align 1
  %239 = icmp eq i8 %238, 0
  br i1 %239, label %245, label %240

240:
  %241 = icmp eq i64 %233, %222
  %242 = select i1 %241, double 1.000000e+00, double 0.000000e+00
  %243 = mul nuw nsw i64 %233, %11
  %244 = getelementptr double, ptr %223, i64 %243
  store double %242, ptr %244, align 8
  br label %277

245:
  %246 = getelementptr double, ptr %226, i64 %233
  %247 = load double, ptr %246, align 8
  %248 = icmp eq i64 %233, %222
  %249 = fadd double %4, %247
  %250 = select i1 %248, double %249, double %247
  br i1 %227, label %254, label %251

251:
  %252 = mul nuw nsw i64 %233, %11
  %253 = getelementptr double, ptr %29, i64 %252
  br label %256

254:
  %255 = phi double [ %250, %245 ], [ %264, %256 ]
  br i1 %248, label %272, label %267

256:
  %257 = phi i64 [ 0, %251 ], [ %265, %256 ]
  %258 = phi double [ %250, %251 ], [ %264, %256 ]
  %259 = getelementptr double, ptr %253, i64 %257
  %260 = load double, ptr %259, align 8
  %261 = getelementptr double, ptr %229, i64 %257
  %262 = load double, ptr %261, align 8
  %263 = fneg double %260
  %264 = tail call double @llvm.fmuladd.f64(double %263, double %262, double %258)
  %265 = add nuw nsw i64 %257, 1
  %266 = icmp eq i64 %265, %222
  br i1 %266, label %254, label %256

267:
  %268 = load double, ptr %231, align 8
  %269 = fmul double %255, %268
  %270 = mul nuw nsw i64 %233, %11
  %271 = getelementptr double, ptr %223, i64 %270
  store double %269, ptr %271, align 8
  br label %277

272:
  %273 = fcmp ogt double %255, %99
  br i1 %273, label %274, label %855

274:
  %275 = tail call double @llvm.sqrt.f64(double %255)
  %276 = fdiv double 1.000000e+00, %275
  store double %276, ptr %231, align 8
  br label %277

277:
  %278 = add nuw i64 %233, 1
  %279 = icmp eq i64 %278, %11
  br i1 %279, label %280, label %232

280:
  %281 = add nuw nsw i64 %222, 1
  %282 = icmp eq i64 %281, %11
  br i1 %282, label %338, label %221

283:
  %284 = phi i64 [ %336, %326 ], [ 0, %217 ]
  %285 = phi double [ %335, %326 ], [ 0.000000e+00, %217 ]
  %286 = phi double [ %299, %326 ], [ 0.000000e+00, %217 ]
  %287 = mul nsw i64 %284, %13
  %288 = getelementptr inbounds double, ptr %93, i64 %287
  %289 = load double, ptr %288, align 8
  %290 = getelementptr inbounds nuw double, ptr %31, i64 %284
  %291 = load double, ptr %290, align 8
  %292 = tail call double @llvm.fmuladd.f64(double %4, double %291, double %289)
  br label %305

293:
  %294 = getelementptr inbounds nuw double, ptr %94, i64 %284
  store double %316, ptr %294, align 8
  %295 = load double, ptr %290, align 8
  %296 = fmul double %295, 5.000000e-01
  %297 = load double, ptr %288, align 8
  %298 = fadd double %316, %297
  %299 = tail call double @llvm.fmuladd.f64(double %296, double %298, double %286)
  %300 = getelementptr inbounds nuw double, ptr %197, i64 %284
  %301 = load double, ptr %300, align 8
  %302 = fcmp ole double %295, %301
  %303 = fcmp ogt double %316, 0.000000e+00
  %304 = select i1 %302, i1 %303, i1 false
  br i1 %304, label %326, label %319

305:
  %306 = phi i64 [ 0, %283 ], [ %317, %305 ]
  %307 = phi double [ %292, %283 ], [ %316, %305 ]
  %308 = tail call i64 @llvm.umin.i64(i64 %284, i64 %306)
  %309 = mul nsw i64 %308, %13
  %310 = tail call i64 @llvm.umax.i64(i64 %284, i64 %306)
  %311 = getelementptr double, ptr %25, i64 %309
  %312 = getelementptr double, ptr %311, i64 %310
  %313 = load double, ptr %312, align 8
  %314 = getelementptr inbounds nuw double, ptr %31, i64 %306
  %315 = load double, ptr %314, align 8
  %316 = tail call double @llvm.fmuladd.f64(double %313, double %315, double %307)
  %317 = add nuw nsw i64 %306, 1
  %318 = icmp eq i64 %317, %11
  br i1 %318, label %293, label %305

319:
  %320 = getelementptr inbounds nuw double, ptr %198, i64 %284
  %321 = load double, ptr %320, align 8
  %322 = fcmp oge double %295, %321
  %323 = fcmp olt double %316, 0.000000e+00
  %324 = select i1 %322, i1 %323, i1 false
  %325 = zext i1 %324 to i8
  br label %326

326:
  %327 = phi i8 [ 1, %293 ], [ %325, %319 ]
  %328 = getelementptr inbounds nuw i8, ptr %33, i64 %284
  store i8 %327, ptr %328, align 1
  %329 = fcmp olt double %316, 0.000000e+00
  %330 = fneg double %316
  %331 = select i1 %329, double %330, double %316
  %332 = icmp eq i8 %327, 0
  %333 = fcmp ogt double %331, %285
  %334 = select i1 %332, i1 %333, i1 false
  %335 = select i1 %334, double %331, double %285
  %336 = add nuw nsw i64 %284, 1
  %337 = icmp eq i64 %336, %11
  br i1 %337, label %219, label %283

338:
  br i1 %220, label %339, label %631

339:
  %340 = phi i64 [ %361, %354 ], [ 0, %338 ]
  %341 = getelementptr inbounds nuw i8, ptr %33, i64 %340
  %342 = load i8, ptr %341, align 1
  %343 = icmp eq i8 %342, 0
  br i1 %343, label %344, label %348

344:
  %345 = getelementptr inbounds nuw double, ptr %94, i64 %340
  %346 = load double, ptr %345, align 8
  %347 = fneg double %346
  br label %348

348:
  %349 = phi double [ %347, %344 ], [ 0.000000e+00, %339 ]
  %350 = icmp eq i64 %340, 0
  br i1 %350, label %354, label %351

351:
  %352 = mul nuw nsw i64 %340, %11
  %353 = getelementptr double, ptr %29, i64 %352
  br label %363

354:
  %355 = phi double [ %349, %348 ], [ %371, %363 ]
  %356 = mul i64 %340, %20
  %357 = getelementptr inbounds double, ptr %29, i64 %356
  %358 = load double, ptr %357, align 8
  %359 = fmul double %355, %358
  %360 = getelementptr inbounds nuw double, ptr %96, i64 %340
  store double %359, ptr %360, align 8
  %361 = add nuw nsw i64 %340, 1
  %362 = icmp eq i64 %361, %11
  br i1 %362, label %374, label %339

363:
  %364 = phi i64 [ 0, %351 ], [ %372, %363 ]
  %365 = phi double [ %349, %351 ], [ %371, %363 ]
  %366 = getelementptr double, ptr %353, i64 %364
  %367 = load double, ptr %366, align 8
  %368 = getelementptr inbounds nuw double, ptr %96, i64 %364
  %369 = load double, ptr %368, align 8
  %370 = fneg double %367
  %371 = tail call double @llvm.fmuladd.f64(double %370, double %369, double %365)
  %372 = add nuw nsw i64 %364, 1
  %373 = icmp eq i64 %372, %340
  br i1 %373, label %354, label %363

374:
  %375 = phi i64 [ %376, %403 ], [ %11, %354 ]
  %376 = add nsw i64 %375, -1
  %377 = getelementptr inbounds nuw double, ptr %96, i64 %376
  %378 = load double, ptr %377, align 8
  %379 = getelementptr double, ptr %29, i64 %376
  %380 = icmp slt i64 %375, %11
  br i1 %380, label %386, label %381

381:
  %382 = phi double [ %378, %374 ], [ %395, %386 ]
  %383 = getelementptr inbounds nuw i8, ptr %33, i64 %376
  %384 = load i8, ptr %383, align 1
  %385 = icmp eq i8 %384, 0
  br i1 %385, label %398, label %403

386:
  %387 = phi i64 [ %396, %386 ], [ %375, %374 ]
  %388 = phi double [ %395, %386 ], [ %378, %374 ]
  %389 = mul nuw nsw i64 %387, %11
  %390 = getelementptr double, ptr %379, i64 %389
  %391 = load double, ptr %390, align 8
  %392 = getelementptr inbounds nuw double, ptr %96, i64 %387
  %393 = load double, ptr %392, align 8
  %394 = fneg double %391
  %395 = tail call double @llvm.fmuladd.f64(double %394, double %393, double %388)
  %396 = add nuw nsw i64 %387, 1
  %397 = icmp eq i64 %396, %11
  br i1 %397, label %381, label %386

398:
  %399 = mul i64 %376, %20
  %400 = getelementptr inbounds double, ptr %29, i64 %399
  %401 = load double, ptr %400, align 8
  %402 = fmul double %382, %401
  br label %403

403:
  %404 = phi double [ %402, %398 ], [ 0.000000e+00, %381 ]
  store double %404, ptr %377, align 8
  %405 = icmp samesign ugt i64 %375, 1
  br i1 %405, label %374, label %409

406:
  %407 = fadd double %424, 1.000000e+00
  %408 = fmul double %407, 0x3D719799812DEA11
  br label %427

409:
  %410 = phi i64 [ %425, %409 ], [ 0, %403 ]
  %411 = phi double [ %424, %409 ], [ 0.000000e+00, %403 ]
  %412 = phi double [ %417, %409 ], [ 0.000000e+00, %403 ]
  %413 = getelementptr inbounds nuw double, ptr %94, i64 %410
  %414 = load double, ptr %413, align 8
  %415 = getelementptr inbounds nuw double, ptr %96, i64 %410
  %416 = load double, ptr %415, align 8
  %417 = tail call double @llvm.fmuladd.f64(double %414, double %416, double %412)
  %418 = getelementptr inbounds nuw double, ptr %31, i64 %410
  %419 = load double, ptr %418, align 8
  %420 = fcmp olt double %419, 0.000000e+00
  %421 = fneg double %419
  %422 = select i1 %420, double %421, double %419
  %423 = fcmp ogt double %422, %411
  %424 = select i1 %423, double %422, double %411
  %425 = add nuw nsw i64 %410, 1
  %426 = icmp eq i64 %425, %11
  br i1 %426, label %406, label %409

427:
  %428 = phi i64 [ 0, %406 ], [ %494, %493 ]
  %429 = phi double [ 1.000000e+00, %406 ], [ %495, %493 ]
  br label %430

430:
  %431 = phi i64 [ %456, %446 ], [ 0, %427 ]
  %432 = phi double [ %455, %446 ], [ 0.000000e+00, %427 ]
  %433 = getelementptr inbounds nuw double, ptr %31, i64 %431
  %434 = load double, ptr %433, align 8
  %435 = getelementptr inbounds nuw double, ptr %96, i64 %431
  %436 = load double, ptr %435, align 8
  %437 = tail call double @llvm.fmuladd.f64(double %429, double %436, double %434)
  %438 = getelementptr inbounds nuw double, ptr %197, i64 %431
  %439 = load double, ptr %438, align 8
  %440 = fcmp olt double %437, %439
  br i1 %440, label %446, label %441

441:
  %442 = getelementptr inbounds nuw double, ptr %198, i64 %431
  %443 = load double, ptr %442, align 8
  %444 = fcmp ogt double %437, %443
  %445 = select i1 %444, double %443, double %437
  br label %446

446:
  %447 = phi double [ %439, %430 ], [ %445, %441 ]
  %448 = getelementptr inbounds nuw double, ptr %94, i64 %431
  store double %447, ptr %448, align 8
  %449 = load double, ptr %433, align 8
  %450 = fsub double %447, %449
  %451 = fcmp olt double %450, 0.000000e+00
  %452 = fsub double %449, %447
  %453 = select i1 %451, double %452, double %450
  %454 = fcmp ogt double %453, %432
  %455 = select i1 %454, double %453, double %432
  %456 = add nuw nsw i64 %431, 1
  %457 = icmp eq i64 %456, %11
  br i1 %457, label %464, label %430

458:
  %459 = fmul double %429, 1.000000e-01
  %460 = tail call double @llvm.fmuladd.f64(double %459, double %417, double %299)
  %461 = fcmp ugt double %476, %460
  %462 = fcmp ugt double %455, %408
  %463 = select i1 %461, i1 %462, i1 false
  br i1 %463, label %493, label %497

464:
  %465 = phi i64 [ %477, %474 ], [ 0, %446 ]
  %466 = phi double [ %476, %474 ], [ 0.000000e+00, %446 ]
  %467 = mul nsw i64 %465, %13
  %468 = getelementptr inbounds double, ptr %93, i64 %467
  %469 = load double, ptr %468, align 8
  %470 = getelementptr inbounds nuw double, ptr %94, i64 %465
  %471 = load double, ptr %470, align 8
  %472 = fmul double %4, %471
  %473 = tail call double @llvm.fmuladd.f64(double %469, double 2.000000e+00, double %472)
  br label %479

474:
  %475 = fmul double %471, 5.000000e-01
  %476 = tail call double @llvm.fmuladd.f64(double %475, double %490, double %466)
  %477 = add nuw nsw i64 %465, 1
  %478 = icmp eq i64 %477, %11
  br i1 %478, label %458, label %464

479:
  %480 = phi i64 [ 0, %464 ], [ %491, %479 ]
  %481 = phi double [ %473, %464 ], [ %490, %479 ]
  %482 = tail call i64 @llvm.umin.i64(i64 %465, i64 %480)
  %483 = mul nsw i64 %482, %13
  %484 = tail call i64 @llvm.umax.i64(i64 %465, i64 %480)
  %485 = getelementptr double, ptr %25, i64 %483
  %486 = getelementptr double, ptr %485, i64 %484
  %487 = load double, ptr %486, align 8
  %488 = getelementptr inbounds nuw double, ptr %94, i64 %480
  %489 = load double, ptr %488, align 8
  %490 = tail call double @llvm.fmuladd.f64(double %487, double %489, double %481)
  %491 = add nuw nsw i64 %480, 1
  %492 = icmp eq i64 %491, %11
  br i1 %492, label %474, label %479

493:
  %494 = add nuw nsw i64 %428, 1
  %495 = fmul double %429, 5.000000e-01
  %496 = icmp eq i64 %494, 40
  br i1 %496, label %497, label %427

497:
  %498 = phi i1 [ true, %493 ], [ %462, %458 ]
  br label %500

499:
  br i1 %498, label %214, label %507

500:
  %501 = phi i64 [ %505, %500 ], [ 0, %497 ]
  %502 = getelementptr inbounds nuw double, ptr %94, i64 %501
  %503 = load double, ptr %502, align 8
  %504 = getelementptr inbounds nuw double, ptr %31, i64 %501
  store double %503, ptr %504, align 8
  %505 = add nuw nsw i64 %501, 1
  %506 = icmp eq i64 %505, %11
  br i1 %506, label %499, label %500

507:
  %508 = phi i64 [ %567, %566 ], [ 0, %499 ]
  %509 = getelementptr double, ptr %29, i64 %508
  %510 = getelementptr inbounds nuw i8, ptr %33, i64 %508
  %511 = mul nsw i64 %508, %13
  %512 = getelementptr double, ptr %25, i64 %511
  %513 = icmp eq i64 %508, 0
  %514 = mul nuw nsw i64 %508, %11
  %515 = getelementptr double, ptr %29, i64 %514
  %516 = mul i64 %508, %20
  %517 = getelementptr inbounds double, ptr %29, i64 %516
  br label %518

518:
  %519 = phi i64 [ %508, %507 ], [ %564, %563 ]
  %520 = getelementptr inbounds nuw i8, ptr %33, i64 %519
  %521 = load i8, ptr %520, align 1
  %522 = icmp eq i8 %521, 0
  br i1 %522, label %523, label %526

523:
  %524 = load i8, ptr %510, align 1
  %525 = icmp eq i8 %524, 0
  br i1 %525, label %531, label %526

526:
  %527 = icmp eq i64 %519, %508
  %528 = select i1 %527, double 1.000000e+00, double 0.000000e+00
  %529 = mul nuw nsw i64 %519, %11
  %530 = getelementptr double, ptr %509, i64 %529
  store double %528, ptr %530, align 8
  br label %563

531:
  %532 = getelementptr double, ptr %512, i64 %519
  %533 = load double, ptr %532, align 8
  %534 = icmp eq i64 %519, %508
  %535 = fadd double %4, %533
  %536 = select i1 %534, double %535, double %533
  br i1 %513, label %540, label %537

537:
  %538 = mul nuw nsw i64 %519, %11
  %539 = getelementptr double, ptr %29, i64 %538
  br label %542

540:
  %541 = phi double [ %536, %531 ], [ %550, %542 ]
  br i1 %534, label %558, label %553

542:
  %543 = phi i64 [ 0, %537 ], [ %551, %542 ]
  %544 = phi double [ %536, %537 ], [ %550, %542 ]
  %545 = getelementptr double, ptr %539, i64 %543
  %546 = load double, ptr %545, align 8
  %547 = getelementptr double, ptr %515, i64 %543
  %548 = load double, ptr %547, align 8
  %549 = fneg double %546
  %550 = tail call double @llvm.fmuladd.f64(double %549, double %548, double %544)
  %551 = add nuw nsw i64 %543, 1
  %552 = icmp eq i64 %551, %508
  br i1 %552, label %540, label %542

553:
  %554 = load double, ptr %517, align 8
  %555 = fmul double %541, %554
  %556 = mul nuw nsw i64 %519, %11
  %557 = getelementptr double, ptr %509, i64 %556
  store double %555, ptr %557, align 8
  br label %563

558:
  %559 = fcmp ogt double %541, %99
  br i1 %559, label %560, label %855

560:
  %561 = tail call double @llvm.sqrt.f64(double %541)
  %562 = fdiv double 1.000000e+00, %561
  store double %562, ptr %517, align 8
  br label %563

563:
  %564 = add nuw i64 %519, 1
  %565 = icmp eq i64 %564, %11
  br i1 %565, label %566, label %518

566:
  %567 = add nuw nsw i64 %508, 1
  %568 = icmp eq i64 %567, %11
  br i1 %568, label %631, label %507

569:
  %570 = phi i64 [ %629, %628 ], [ 0, %214 ]
  %571 = getelementptr double, ptr %29, i64 %570
  %572 = getelementptr inbounds nuw i8, ptr %33, i64 %570
  %573 = mul nsw i64 %570, %13
  %574 = getelementptr double, ptr %25, i64 %573
  %575 = icmp eq i64 %570, 0
  %576 = mul nuw nsw i64 %570, %11
  %577 = getelementptr double, ptr %29, i64 %576
  %578 = mul i64 %570, %20
  %579 = getelementptr inbounds double, ptr %29, i64 %578
  br label %580

580:
  %581 = phi i64 [ %570, %569 ], [ %626, %625 ]
  %582 = getelementptr inbounds nuw i8, ptr %33, i64 %581
  %583 = load i8, ptr %582, align 1
  %584 = icmp eq i8 %583, 0
  br i1 %584, label %585, label %588

585:
  %586 = load i8, ptr %572, align 1
  %587 = icmp eq i8 %586, 0
  br i1 %587, label %593, label %588

588:
  %589 = icmp eq i64 %581, %570
  %590 = select i1 %589, double 1.000000e+00, double 0.000000e+00
  %591 = mul nuw nsw i64 %581, %11
  %592 = getelementptr double, ptr %571, i64 %591
  store double %590, ptr %592, align 8
  br label %625

593:
  %594 = getelementptr double, ptr %574, i64 %581
  %595 = load double, ptr %594, align 8
  %596 = icmp eq i64 %581, %570
  %597 = fadd double %4, %595
  %598 = select i1 %596, double %597, double %595
  br i1 %575, label %602, label %599

599:
  %600 = mul nuw nsw i64 %581, %11
  %601 = getelementptr double, ptr %29, i64 %600
  br label %604

602:
  %603 = phi double [ %598, %593 ], [ %612, %604 ]
  br i1 %596, label %620, label %615

604:
  %605 = phi i64 [ 0, %599 ], [ %613, %604 ]
  %606 = phi double [ %598, %599 ], [ %612, %604 ]
  %607 = getelementptr double, ptr %601, i64 %605
  %608 = load double, ptr %607, align 8
  %609 = getelementptr double, ptr %577, i64 %605
  %610 = load double, ptr %609, align 8
  %611 = fneg double %608
  %612 = tail call double @llvm.fmuladd.f64(double %611, double %610, double %606)
  %613 = add nuw nsw i64 %605, 1
  %614 = icmp eq i64 %613, %570
  br i1 %614, label %602, label %604

615:
  %616 = load double, ptr %579, align 8
  %617 = fmul double %603, %616
  %618 = mul nuw nsw i64 %581, %11
  %619 = getelementptr double, ptr %571, i64 %618
  store double %617, ptr %619, align 8
  br label %625

620:
  %621 = fcmp ogt double %603, %99
  br i1 %621, label %622, label %855

622:
  %623 = tail call double @llvm.sqrt.f64(double %603)
  %624 = fdiv double 1.000000e+00, %623
  store double %624, ptr %579, align 8
  br label %625

625:
  %626 = add nuw i64 %581, 1
  %627 = icmp eq i64 %626, %11
  br i1 %627, label %628, label %580

628:
  %629 = add nuw nsw i64 %570, 1
  %630 = icmp eq i64 %629, %11
  br i1 %630, label %631, label %569

631:
  br label %632

632:
  %633 = phi i64 [ %665, %664 ], [ 0, %631 ]
  %634 = getelementptr inbounds nuw i8, ptr %33, i64 %633
  %635 = load i8, ptr %634, align 1
  %636 = icmp eq i8 %635, 0
  %637 = select i1 %636, i1 true, i1 %100
  br i1 %637, label %664, label %638

638:
  %639 = mul nsw i64 %633, %13
  %640 = getelementptr double, ptr %25, i64 %639
  %641 = getelementptr inbounds nuw double, ptr %31, i64 %633
  br label %642

642:
  %643 = phi i64 [ 0, %638 ], [ %662, %661 ]
  %644 = icmp slt i64 %643, %11
  br i1 %644, label %645, label %649

645:
  %646 = getelementptr inbounds nuw i8, ptr %33, i64 %643
  %647 = load i8, ptr %646, align 1
  %648 = icmp eq i8 %647, 0
  br i1 %648, label %649, label %661

649:
  %650 = icmp samesign ult i64 %643, %633
  %651 = mul nsw i64 %643, %13
  %652 = getelementptr double, ptr %25, i64 %651
  %653 = getelementptr double, ptr %652, i64 %633
  %654 = getelementptr double, ptr %640, i64 %643
  %655 = select i1 %650, ptr %653, ptr %654
  %656 = load double, ptr %655, align 8
  %657 = load double, ptr %641, align 8
  %658 = getelementptr double, ptr %652, i64 %16
  %659 = load double, ptr %658, align 8
  %660 = tail call double @llvm.fmuladd.f64(double %656, double %657, double %659)
  store double %660, ptr %658, align 8
  br label %661

661:
  %662 = add nuw nsw i64 %643, 1
  %663 = icmp eq i64 %662, %16
  br i1 %663, label %664, label %642

664:
  %665 = add nuw nsw i64 %633, 1
  %666 = icmp eq i64 %665, %11
  br i1 %666, label %730, label %632

667:
  br i1 %97, label %668, label %730

668:
  %669 = phi i64 [ %728, %727 ], [ 0, %667 ]
  %670 = getelementptr double, ptr %29, i64 %669
  %671 = getelementptr inbounds nuw i8, ptr %33, i64 %669
  %672 = mul nsw i64 %669, %13
  %673 = getelementptr double, ptr %25, i64 %672
  %674 = icmp eq i64 %669, 0
  %675 = mul nuw nsw i64 %669, %11
  %676 = getelementptr double, ptr %29, i64 %675
  %677 = mul i64 %669, %20
  %678 = getelementptr inbounds double, ptr %29, i64 %677
  br label %679

679:
  %680 = phi i64 [ %669, %668 ], [ %725, %724 ]
  %681 = getelementptr inbounds nuw i8, ptr %33, i64 %680
  %682 = load i8, ptr %681, align 1
  %683 = icmp eq i8 %682, 0
  br i1 %683, label %684, label %687

684:
  %685 = load i8, ptr %671, align 1
  %686 = icmp eq i8 %685, 0
  br i1 %686, label %692, label %687

687:
  %688 = icmp eq i64 %680, %669
  %689 = select i1 %688, double 1.000000e+00, double 0.000000e+00
  %690 = mul nuw nsw i64 %680, %11
  %691 = getelementptr double, ptr %670, i64 %690
  store double %689, ptr %691, align 8
  br label %724

692:
  %693 = getelementptr double, ptr %673, i64 %680
  %694 = load double, ptr %693, align 8
  %695 = icmp eq i64 %680, %669
  %696 = fadd double %4, %694
  %697 = select i1 %695, double %696, double %694
  br i1 %674, label %701, label %698

698:
  %699 = mul nuw nsw i64 %680, %11
  %700 = getelementptr double, ptr %29, i64 %699
  br label %703

701:
  %702 = phi double [ %697, %692 ], [ %711, %703 ]
  br i1 %695, label %719, label %714

703:
  %704 = phi i64 [ 0, %698 ], [ %712, %703 ]
  %705 = phi double [ %697, %698 ], [ %711, %703 ]
  %706 = getelementptr double, ptr %700, i64 %704
  %707 = load double, ptr %706, align 8
  %708 = getelementptr double, ptr %676, i64 %704
  %709 = load double, ptr %708, align 8
  %710 = fneg double %707
  %711 = tail call double @llvm.fmuladd.f64(double %710, double %709, double %705)
  %712 = add nuw nsw i64 %704, 1
  %713 = icmp eq i64 %712, %669
  br i1 %713, label %701, label %703

714:
  %715 = load double, ptr %678, align 8
  %716 = fmul double %702, %715
  %717 = mul nuw nsw i64 %680, %11
  %718 = getelementptr double, ptr %670, i64 %717
  store double %716, ptr %718, align 8
  br label %724

719:
  %720 = fcmp ogt double %702, %99
  br i1 %720, label %721, label %855

721:
  %722 = tail call double @llvm.sqrt.f64(double %702)
  %723 = fdiv double 1.000000e+00, %722
  store double %723, ptr %678, align 8
  br label %724

724:
  %725 = add nuw i64 %680, 1
  %726 = icmp eq i64 %725, %11
  br i1 %726, label %727, label %679

727:
  %728 = add nuw nsw i64 %669, 1
  %729 = icmp eq i64 %728, %11
  br i1 %729, label %730, label %668

730:
  br i1 %103, label %731, label %735

731:
  %732 = phi i64 [ %783, %782 ], [ %102, %730 ]
  %733 = getelementptr double, ptr %25, i64 %732
  %734 = getelementptr double, ptr %27, i64 %732
  br i1 %97, label %741, label %782

735:
  %736 = mul i64 %24, %110
  %737 = getelementptr inbounds double, ptr %6, i64 %736
  tail call fastcc void @multiply(ptr %737, ptr %104, double -1.000000e+00, ptr %105, i64 1, i64 %13, ptr %27, i64 %9, i64 %11, i64 %13, i64 %11)
  %738 = getelementptr double, ptr %116, i64 %16
  br i1 %97, label %822, label %852

739:
  %740 = getelementptr double, ptr %116, i64 %732
  br label %785

741:
  %742 = phi i64 [ %766, %756 ], [ 0, %731 ]
  %743 = getelementptr inbounds nuw i8, ptr %33, i64 %742
  %744 = load i8, ptr %743, align 1
  %745 = icmp eq i8 %744, 0
  br i1 %745, label %746, label %750

746:
  %747 = mul nsw i64 %742, %13
  %748 = getelementptr double, ptr %733, i64 %747
  %749 = load <8 x double>, ptr %748, align 8
  br label %750

750:
  %751 = phi <8 x double> [ zeroinitializer, %741 ], [ %749, %746 ]
  %752 = icmp eq i64 %742, 0
  br i1 %752, label %756, label %753

753:
  %754 = mul nuw nsw i64 %742, %11
  %755 = getelementptr double, ptr %29, i64 %754
  br label %768

756:
  %757 = phi <8 x double> [ %751, %750 ], [ %779, %768 ]
  %758 = mul i64 %742, %20
  %759 = getelementptr inbounds double, ptr %29, i64 %758
  %760 = load double, ptr %759, align 8
  %761 = insertelement <8 x double> poison, double %760, i64 0
  %762 = shufflevector <8 x double> %761, <8 x double> poison, <8 x i32> zeroinitializer
  %763 = fmul <8 x double> %757, %762
  %764 = mul nsw i64 %742, %13
  %765 = getelementptr double, ptr %734, i64 %764
  store <8 x double> %763, ptr %765, align 8
  %766 = add nuw nsw i64 %742, 1
  %767 = icmp eq i64 %766, %11
  br i1 %767, label %739, label %741

768:
  %769 = phi i64 [ 0, %753 ], [ %780, %768 ]
  %770 = phi <8 x double> [ %751, %753 ], [ %779, %768 ]
  %771 = getelementptr double, ptr %755, i64 %769
  %772 = load double, ptr %771, align 8
  %773 = mul nsw i64 %769, %13
  %774 = getelementptr double, ptr %734, i64 %773
  %775 = load <8 x double>, ptr %774, align 8
  %776 = fneg double %772
  %777 = insertelement <8 x double> poison, double %776, i64 0
  %778 = shufflevector <8 x double> %777, <8 x double> poison, <8 x i32> zeroinitializer
  %779 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %778, <8 x double> %775, <8 x double> %770)
  %780 = add nuw nsw i64 %769, 1
  %781 = icmp eq i64 %780, %742
  br i1 %781, label %756, label %768

782:
  %783 = add nsw i64 %732, 8
  %784 = icmp slt i64 %783, %13
  br i1 %784, label %731, label %735

785:
  %786 = phi i64 [ %787, %794 ], [ %11, %739 ]
  %787 = add nsw i64 %786, -1
  %788 = mul nsw i64 %787, %13
  %789 = getelementptr double, ptr %734, i64 %788
  %790 = load <8 x double>, ptr %789, align 8
  %791 = fneg <8 x double> %790
  %792 = getelementptr double, ptr %29, i64 %787
  %793 = icmp slt i64 %786, %11
  br i1 %793, label %804, label %794

794:
  %795 = phi <8 x double> [ %791, %785 ], [ %816, %804 ]
  %796 = mul i64 %787, %20
  %797 = getelementptr inbounds double, ptr %29, i64 %796
  %798 = load double, ptr %797, align 8
  %799 = insertelement <8 x double> poison, double %798, i64 0
  %800 = shufflevector <8 x double> %799, <8 x double> poison, <8 x i32> zeroinitializer
  %801 = fmul <8 x double> %795, %800
  %802 = getelementptr double, ptr %740, i64 %788
  store <8 x double> %801, ptr %802, align 8
  %803 = icmp samesign ugt i64 %786, 1
  br i1 %803, label %785, label %782

804:
  %805 = phi i64 [ %817, %804 ], [ %786, %785 ]
  %806 = phi <8 x double> [ %816, %804 ], [ %791, %785 ]
  %807 = mul nuw nsw i64 %805, %11
  %808 = getelementptr double, ptr %792, i64 %807
  %809 = load double, ptr %808, align 8
  %810 = mul nsw i64 %805, %13
  %811 = getelementptr double, ptr %740, i64 %810
  %812 = load <8 x double>, ptr %811, align 8
  %813 = fneg double %809
  %814 = insertelement <8 x double> poison, double %813, i64 0
  %815 = shufflevector <8 x double> %814, <8 x double> poison, <8 x i32> zeroinitializer
  %816 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %815, <8 x double> %812, <8 x double> %806)
  %817 = add nuw nsw i64 %805, 1
  %818 = icmp eq i64 %817, %11
  br i1 %818, label %794, label %804

819:
  %820 = add nuw nsw i64 %823, 1
  %821 = icmp eq i64 %820, %11
  br i1 %821, label %852, label %822

822:
  %823 = phi i64 [ %820, %819 ], [ 0, %735 ]
  %824 = mul nsw i64 %823, %13
  %825 = getelementptr double, ptr %116, i64 %824
  br label %827

826:
  br i1 %107, label %839, label %832

827:
  %828 = phi i64 [ 0, %822 ], [ %830, %827 ]
  %829 = getelementptr double, ptr %825, i64 %828
  store double 0.000000e+00, ptr %829, align 8
  %830 = add nuw nsw i64 %828, 1
  %831 = icmp eq i64 %830, %11
  br i1 %831, label %826, label %827

832:
  %833 = getelementptr inbounds nuw i8, ptr %33, i64 %823
  %834 = load i8, ptr %833, align 1
  %835 = icmp eq i8 %834, 0
  br i1 %835, label %836, label %844

836:
  %837 = getelementptr double, ptr %738, i64 %824
  %838 = load double, ptr %837, align 8
  br label %848

839:
  %840 = phi i64 [ %842, %839 ], [ %106, %826 ]
  %841 = getelementptr double, ptr %825, i64 %840
  store double 0.000000e+00, ptr %841, align 8
  %842 = add nsw i64 %840, 1
  %843 = icmp slt i64 %842, %13
  br i1 %843, label %839, label %832

844:
  %845 = getelementptr inbounds nuw double, ptr %31, i64 %823
  %846 = load double, ptr %845, align 8
  %847 = getelementptr double, ptr %738, i64 %824
  store double %846, ptr %847, align 8
  br label %848

848:
  %849 = phi double [ %838, %836 ], [ %846, %844 ]
  %850 = fsub double %849, %849
  %851 = fcmp oeq double %850, 0.000000e+00
  br i1 %851, label %819, label %855

852:
  %853 = add nsw i64 %110, -1
  %854 = icmp slt i64 %110, 1
  br i1 %854, label %855, label %108

855:
  %856 = phi i64 [ %110, %558 ], [ -1, %79 ], [ %110, %848 ], [ %110, %719 ], [ %110, %272 ], [ %110, %620 ], [ -1, %852 ]
  ret i64 %856
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
  br i1 %25, label %26, label %42

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
  br label %43

42:
  ret void

43:
  %44 = phi i64 [ 0, %26 ], [ %224, %223 ]
  %45 = load ptr, ptr %27, align 8
  %46 = load ptr, ptr %28, align 8
  %47 = getelementptr inbounds nuw i32, ptr %46, i64 %44
  %48 = load i32, ptr %47, align 4
  %49 = sext i32 %48 to i64
  %50 = getelementptr inbounds %struct.Pattern, ptr %45, i64 %49
  %51 = mul nsw i64 %44, %13
  %52 = mul nsw i64 %51, %17
  %53 = getelementptr inbounds double, ptr %6, i64 %52
  %54 = getelementptr inbounds double, ptr %7, i64 %51
  %55 = tail call ptr @memset(ptr %22, i32 0, i64 %29)
  %56 = tail call ptr @memcpy(ptr %30, ptr %54, i64 %31)
  %57 = tail call ptr @memset(ptr %23, i32 0, i64 %29)
  %58 = icmp eq i64 %44, 0
  %59 = select i1 %58, i1 true, i1 %32
  br i1 %59, label %81, label %60

60:
  %61 = phi i64 [ %67, %66 ], [ 0, %43 ]
  br i1 %35, label %62, label %66

62:
  %63 = getelementptr inbounds nuw double, ptr %54, i64 %61
  %64 = mul nsw i64 %61, %17
  %65 = getelementptr inbounds double, ptr %53, i64 %64
  br label %69

66:
  %67 = add nuw nsw i64 %61, 1
  %68 = icmp eq i64 %67, %13
  br i1 %68, label %81, label %60

69:
  %70 = phi i64 [ %34, %62 ], [ %79, %69 ]
  %71 = getelementptr inbounds double, ptr %23, i64 %70
  %72 = load <8 x double>, ptr %71, align 8
  %73 = load double, ptr %63, align 8
  %74 = insertelement <8 x double> poison, double %73, i64 0
  %75 = shufflevector <8 x double> %74, <8 x double> poison, <8 x i32> zeroinitializer
  %76 = getelementptr inbounds double, ptr %65, i64 %70
  %77 = load <8 x double>, ptr %76, align 8
  %78 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %75, <8 x double> %77, <8 x double> %72)
  store <8 x double> %78, ptr %71, align 8
  %79 = add nsw i64 %70, 8
  %80 = icmp slt i64 %79, %17
  br i1 %80, label %69, label %66

81:
  %82 = getelementptr double, ptr %53, i64 %20
  br i1 %36, label %83, label %85

83:
  %84 = getelementptr double, ptr %9, i64 %51
  br label %87

85:
  %86 = icmp slt i64 %44, %19
  br i1 %86, label %98, label %214

87:
  %88 = phi i64 [ 0, %83 ], [ %96, %87 ]
  %89 = mul nsw i64 %88, %17
  %90 = getelementptr double, ptr %82, i64 %89
  %91 = load double, ptr %90, align 8
  %92 = getelementptr double, ptr %37, i64 %88
  %93 = load double, ptr %92, align 8
  %94 = fadd double %91, %93
  %95 = getelementptr double, ptr %84, i64 %88
  store double %94, ptr %95, align 8
  %96 = add nuw nsw i64 %88, 1
  %97 = icmp eq i64 %96, %13
  br i1 %97, label %85, label %87

98:
  store double %4, ptr %38, align 8
  %99 = mul nsw i64 %44, %15
  br i1 %39, label %100, label %102

100:
  %101 = getelementptr double, ptr %8, i64 %99
  br label %108

102:
  store double 1.000000e+00, ptr %38, align 8
  %103 = getelementptr inbounds double, ptr %8, i64 %99
  %104 = tail call ptr @memcpy(ptr %22, ptr %103, i64 %41)
  %105 = add nuw nsw i64 %44, 1
  %106 = mul nsw i64 %105, %13
  %107 = getelementptr inbounds double, ptr %7, i64 %106
  br i1 %36, label %157, label %149

108:
  %109 = phi i64 [ 0, %100 ], [ %147, %144 ]
  br i1 %35, label %110, label %114

110:
  %111 = add nuw nsw i64 %109, %99
  %112 = mul nsw i64 %111, %17
  %113 = getelementptr inbounds double, ptr %5, i64 %112
  br label %116

114:
  %115 = phi <8 x double> [ zeroinitializer, %108 ], [ %123, %116 ]
  br label %127

116:
  %117 = phi i64 [ %34, %110 ], [ %124, %116 ]
  %118 = phi <8 x double> [ zeroinitializer, %110 ], [ %123, %116 ]
  %119 = getelementptr inbounds nuw double, ptr %113, i64 %117
  %120 = load <8 x double>, ptr %119, align 8
  %121 = getelementptr inbounds nuw double, ptr %22, i64 %117
  %122 = load <8 x double>, ptr %121, align 8
  %123 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %120, <8 x double> %122, <8 x double> %118)
  %124 = add nuw nsw i64 %117, 8
  %125 = icmp slt i64 %124, %17
  br i1 %125, label %116, label %114

126:
  br i1 %40, label %144, label %134

127:
  %128 = phi i64 [ 0, %114 ], [ %132, %127 ]
  %129 = phi double [ 0.000000e+00, %114 ], [ %131, %127 ]
  %130 = extractelement <8 x double> %115, i64 %128
  %131 = fadd double %129, %130
  %132 = add nuw nsw i64 %128, 1
  %133 = icmp eq i64 %132, 8
  br i1 %133, label %126, label %127

134:
  %135 = add nuw nsw i64 %109, %99
  %136 = getelementptr inbounds nuw double, ptr %2, i64 %135
  %137 = load double, ptr %136, align 8
  %138 = fcmp olt double %131, %137
  br i1 %138, label %144, label %139

139:
  %140 = getelementptr inbounds nuw double, ptr %3, i64 %135
  %141 = load double, ptr %140, align 8
  %142 = fcmp ogt double %131, %141
  %143 = select i1 %142, double %141, double %131
  br label %144

144:
  %145 = phi double [ %131, %126 ], [ %143, %139 ], [ %137, %134 ]
  %146 = getelementptr double, ptr %101, i64 %109
  store double %145, ptr %146, align 8
  %147 = add nuw nsw i64 %109, 1
  %148 = icmp eq i64 %147, %15
  br i1 %148, label %102, label %108

149:
  %150 = getelementptr inbounds nuw i8, ptr %50, i64 24
  %151 = load i64, ptr %150, align 8
  %152 = icmp sgt i64 %151, 0
  br i1 %152, label %153, label %162

153:
  %154 = getelementptr inbounds nuw i8, ptr %50, i64 64
  %155 = getelementptr inbounds nuw i8, ptr %50, i64 56
  %156 = getelementptr inbounds nuw i8, ptr %50, i64 48
  br label %172

157:
  %158 = phi i64 [ %160, %157 ], [ 0, %102 ]
  %159 = getelementptr inbounds nuw double, ptr %107, i64 %158
  store double 0.000000e+00, ptr %159, align 8
  %160 = add nuw nsw i64 %158, 1
  %161 = icmp eq i64 %160, %13
  br i1 %161, label %149, label %157

162:
  %163 = getelementptr inbounds nuw i8, ptr %50, i64 8
  %164 = load i64, ptr %163, align 8
  %165 = getelementptr inbounds nuw i8, ptr %50, i64 16
  %166 = load i64, ptr %165, align 8
  %167 = icmp slt i64 %164, %166
  br i1 %167, label %168, label %214

168:
  %169 = getelementptr inbounds nuw ptr, ptr %1, i64 %44
  %170 = getelementptr inbounds nuw i8, ptr %50, i64 40
  %171 = getelementptr inbounds nuw i8, ptr %50, i64 32
  br label %193

172:
  %173 = phi i64 [ 0, %153 ], [ %190, %172 ]
  %174 = load ptr, ptr %154, align 8
  %175 = getelementptr inbounds nuw double, ptr %174, i64 %173
  %176 = load double, ptr %175, align 8
  %177 = load ptr, ptr %155, align 8
  %178 = getelementptr inbounds nuw i32, ptr %177, i64 %173
  %179 = load i32, ptr %178, align 4
  %180 = sext i32 %179 to i64
  %181 = getelementptr inbounds double, ptr %22, i64 %180
  %182 = load double, ptr %181, align 8
  %183 = load ptr, ptr %156, align 8
  %184 = getelementptr inbounds nuw i32, ptr %183, i64 %173
  %185 = load i32, ptr %184, align 4
  %186 = sext i32 %185 to i64
  %187 = getelementptr inbounds double, ptr %107, i64 %186
  %188 = load double, ptr %187, align 8
  %189 = tail call double @llvm.fmuladd.f64(double %176, double %182, double %188)
  store double %189, ptr %187, align 8
  %190 = add nuw nsw i64 %173, 1
  %191 = load i64, ptr %150, align 8
  %192 = icmp slt i64 %190, %191
  br i1 %192, label %172, label %162

193:
  %194 = phi i64 [ %164, %168 ], [ %211, %193 ]
  %195 = load ptr, ptr %169, align 8
  %196 = getelementptr inbounds double, ptr %195, i64 %194
  %197 = load double, ptr %196, align 8
  %198 = load ptr, ptr %170, align 8
  %199 = getelementptr inbounds i32, ptr %198, i64 %194
  %200 = load i32, ptr %199, align 4
  %201 = sext i32 %200 to i64
  %202 = getelementptr inbounds double, ptr %22, i64 %201
  %203 = load double, ptr %202, align 8
  %204 = load ptr, ptr %171, align 8
  %205 = getelementptr inbounds i32, ptr %204, i64 %194
  %206 = load i32, ptr %205, align 4
  %207 = sext i32 %206 to i64
  %208 = getelementptr inbounds double, ptr %107, i64 %207
  %209 = load double, ptr %208, align 8
  %210 = tail call double @llvm.fmuladd.f64(double %197, double %203, double %209)
  store double %210, ptr %208, align 8
  %211 = add nsw i64 %194, 1
  %212 = load i64, ptr %165, align 8
  %213 = icmp slt i64 %211, %212
  br i1 %213, label %193, label %214

214:
  store double 1.000000e+00, ptr %38, align 8
  %215 = getelementptr inbounds nuw i8, ptr %50, i64 16
  %216 = load i64, ptr %215, align 8
  %217 = load i64, ptr %50, align 8
  %218 = icmp slt i64 %216, %217
  br i1 %218, label %219, label %223

219:
  %220 = getelementptr inbounds nuw i8, ptr %50, i64 32
  %221 = getelementptr inbounds nuw i8, ptr %50, i64 40
  %222 = getelementptr inbounds nuw ptr, ptr %1, i64 %44
  br label %226

223:
  %224 = add nuw nsw i64 %44, 1
  %225 = icmp eq i64 %224, %18
  br i1 %225, label %42, label %43

226:
  %227 = phi i64 [ %216, %219 ], [ %257, %256 ]
  %228 = load ptr, ptr %220, align 8
  %229 = getelementptr inbounds i32, ptr %228, i64 %227
  %230 = load i32, ptr %229, align 4
  %231 = sext i32 %230 to i64
  %232 = sub nsw i64 %231, %13
  %233 = load ptr, ptr %221, align 8
  %234 = getelementptr inbounds i32, ptr %233, i64 %227
  %235 = load i32, ptr %234, align 4
  %236 = sext i32 %235 to i64
  %237 = load ptr, ptr %222, align 8
  %238 = getelementptr inbounds double, ptr %237, i64 %227
  %239 = load double, ptr %238, align 8
  %240 = getelementptr inbounds double, ptr %22, i64 %232
  %241 = load double, ptr %240, align 8
  %242 = fmul double %239, %241
  %243 = getelementptr inbounds double, ptr %22, i64 %236
  %244 = load double, ptr %243, align 8
  %245 = fmul double %242, %244
  %246 = icmp eq i64 %20, %236
  br i1 %246, label %247, label %250

247:
  %248 = load double, ptr %10, align 8
  %249 = fadd double %245, %248
  store double %249, ptr %10, align 8
  br label %256

250:
  %251 = icmp eq i64 %232, %236
  %252 = fmul double %245, 5.000000e-01
  %253 = select i1 %251, double %252, double %245
  %254 = load double, ptr %24, align 8
  %255 = fadd double %253, %254
  store double %255, ptr %24, align 8
  br label %256

256:
  %257 = add nsw i64 %227, 1
  %258 = load i64, ptr %50, align 8
  %259 = icmp slt i64 %257, %258
  br i1 %259, label %226, label %223
}

declare double @llvm.sqrt.f64(double)

declare i64 @llvm.smin.i64(i64, i64)

declare i64 @llvm.umin.i64(i64, i64)

declare i64 @llvm.umax.i64(i64, i64)
