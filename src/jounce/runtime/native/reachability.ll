; reachability.c, by `make native`: source dfdca51064a14c3a8b99aeba6374420924affa9a7414051443525edba4967d68 text 94e349770c1c9587b1a8f0d77a535989364403eaefc33d74b9dbf9f28fef5889
define i32 @jounce_fastest_profile(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, ptr %5, ptr %6, ptr %7, i64 %8, i64 %9, ptr %10, ptr %11, ptr %12, ptr %13) nounwind {
  %15 = getelementptr inbounds nuw i8, ptr %7, i64 8
  %16 = load double, ptr %15, align 8
  %17 = shl i64 %8, 4
  %18 = getelementptr i8, ptr %10, i64 %17
  %19 = getelementptr i8, ptr %18, i64 8
  store double %16, ptr %19, align 8
  store double %16, ptr %18, align 8
  %20 = icmp sgt i64 %9, -32
  %21 = icmp sgt i64 %9, 0
  %22 = shl nsw i64 %9, 1
  %23 = add nsw i64 %22, 63
  br label %24

24:
  %25 = phi i64 [ %8, %14 ], [ %26, %291 ]
  %26 = add nsw i64 %25, -1
  %27 = icmp slt i64 %25, 1
  br i1 %27, label %294, label %28

28:
  %29 = shl nuw nsw i64 %26, 4
  %30 = getelementptr inbounds nuw i8, ptr %10, i64 %29
  br i1 %20, label %31, label %158

31:
  %32 = getelementptr inbounds nuw i8, ptr %30, i64 16
  %33 = getelementptr inbounds nuw double, ptr %6, i64 %26
  %34 = load double, ptr %33, align 8
  %35 = getelementptr inbounds double, ptr %0, i64 %26
  %36 = load double, ptr %35, align 8
  %37 = fmul double %36, 2.000000e+00
  %38 = load double, ptr %32, align 8
  %39 = getelementptr inbounds nuw i8, ptr %30, i64 24
  %40 = load double, ptr %39, align 8
  %41 = fcmp oeq double %37, 0.000000e+00
  %42 = select i1 %41, double 0x20B0000000000000, double %37
  %43 = fdiv double -1.000000e+00, %42
  %44 = fdiv double %38, %42
  %45 = fdiv double %40, %42
  %46 = fcmp ogt double %42, 0.000000e+00
  %47 = select i1 %46, double %44, double %45
  %48 = select i1 %46, double %45, double %44
  br label %49

49:
  %50 = phi double [ %151, %153 ], [ %34, %31 ]
  %51 = phi i64 [ %155, %153 ], [ 0, %31 ]
  %52 = tail call double @llvm.fmuladd.f64(double %43, double %50, double %47)
  %53 = fcmp ueq double %52, 0xFFF0000000000000
  br i1 %53, label %55, label %54

54:
  br label %55

55:
  %56 = phi double [ %43, %54 ], [ 0.000000e+00, %49 ]
  %57 = phi double [ %47, %54 ], [ 0.000000e+00, %49 ]
  %58 = phi i64 [ %9, %54 ], [ -1, %49 ]
  %59 = phi double [ %52, %54 ], [ 0xFFF0000000000000, %49 ]
  %60 = tail call double @llvm.fmuladd.f64(double %43, double %50, double %48)
  %61 = fcmp ueq double %60, 0x7FF0000000000000
  br i1 %61, label %63, label %62

62:
  br label %63

63:
  %64 = phi double [ %43, %62 ], [ 0.000000e+00, %55 ]
  %65 = phi double [ %48, %62 ], [ 0.000000e+00, %55 ]
  %66 = phi double [ %60, %62 ], [ 0x7FF0000000000000, %55 ]
  %67 = phi i64 [ %9, %62 ], [ -1, %55 ]
  br label %68

68:
  %69 = phi double [ %83, %82 ], [ %64, %63 ]
  %70 = phi double [ %84, %82 ], [ %65, %63 ]
  %71 = phi double [ %85, %82 ], [ %56, %63 ]
  %72 = phi double [ %86, %82 ], [ %57, %63 ]
  %73 = phi i1 [ false, %82 ], [ true, %63 ]
  %74 = phi i64 [ 1, %82 ], [ 0, %63 ]
  %75 = phi double [ %90, %82 ], [ %59, %63 ]
  %76 = phi i64 [ %89, %82 ], [ %58, %63 ]
  %77 = phi double [ %88, %82 ], [ %66, %63 ]
  %78 = phi i64 [ %87, %82 ], [ %67, %63 ]
  br i1 %21, label %79, label %82

79:
  %80 = add nsw i64 %74, %26
  %81 = mul nsw i64 %80, %9
  br label %91

82:
  %83 = phi double [ %69, %68 ], [ %137, %136 ]
  %84 = phi double [ %70, %68 ], [ %138, %136 ]
  %85 = phi double [ %71, %68 ], [ %129, %136 ]
  %86 = phi double [ %72, %68 ], [ %130, %136 ]
  %87 = phi i64 [ %78, %68 ], [ %139, %136 ]
  %88 = phi double [ %77, %68 ], [ %140, %136 ]
  %89 = phi i64 [ %76, %68 ], [ %131, %136 ]
  %90 = phi double [ %75, %68 ], [ %132, %136 ]
  br i1 %73, label %68, label %144

91:
  %92 = phi double [ %69, %79 ], [ %137, %136 ]
  %93 = phi double [ %70, %79 ], [ %138, %136 ]
  %94 = phi double [ %71, %79 ], [ %129, %136 ]
  %95 = phi double [ %72, %79 ], [ %130, %136 ]
  %96 = phi i64 [ 0, %79 ], [ %141, %136 ]
  %97 = phi i64 [ %81, %79 ], [ %142, %136 ]
  %98 = phi double [ %75, %79 ], [ %132, %136 ]
  %99 = phi i64 [ %76, %79 ], [ %131, %136 ]
  %100 = phi double [ %77, %79 ], [ %140, %136 ]
  %101 = phi i64 [ %78, %79 ], [ %139, %136 ]
  %102 = getelementptr inbounds double, ptr %1, i64 %97
  %103 = load double, ptr %102, align 8
  %104 = getelementptr inbounds double, ptr %2, i64 %97
  %105 = load double, ptr %104, align 8
  %106 = tail call double @llvm.fmuladd.f64(double %37, double %105, double %103)
  %107 = select i1 %73, double %103, double %106
  %108 = getelementptr inbounds double, ptr %3, i64 %97
  %109 = load double, ptr %108, align 8
  %110 = getelementptr inbounds nuw double, ptr %4, i64 %96
  %111 = load double, ptr %110, align 8
  %112 = getelementptr inbounds nuw double, ptr %5, i64 %96
  %113 = load double, ptr %112, align 8
  %114 = fcmp oeq double %107, 0.000000e+00
  %115 = select i1 %114, double 0x20B0000000000000, double %107
  %116 = fneg double %105
  %117 = fdiv double %116, %115
  %118 = fsub double %111, %109
  %119 = fdiv double %118, %115
  %120 = fsub double %113, %109
  %121 = fdiv double %120, %115
  %122 = fcmp ogt double %115, 0.000000e+00
  %123 = select i1 %122, double %119, double %121
  %124 = select i1 %122, double %121, double %119
  %125 = tail call double @llvm.fmuladd.f64(double %117, double %50, double %123)
  %126 = fcmp ogt double %125, %98
  br i1 %126, label %127, label %128

127:
  br label %128

128:
  %129 = phi double [ %117, %127 ], [ %94, %91 ]
  %130 = phi double [ %123, %127 ], [ %95, %91 ]
  %131 = phi i64 [ %96, %127 ], [ %99, %91 ]
  %132 = phi double [ %125, %127 ], [ %98, %91 ]
  %133 = tail call double @llvm.fmuladd.f64(double %117, double %50, double %124)
  %134 = fcmp olt double %133, %100
  br i1 %134, label %135, label %136

135:
  br label %136

136:
  %137 = phi double [ %92, %128 ], [ %117, %135 ]
  %138 = phi double [ %93, %128 ], [ %124, %135 ]
  %139 = phi i64 [ %101, %128 ], [ %96, %135 ]
  %140 = phi double [ %100, %128 ], [ %133, %135 ]
  %141 = add nuw nsw i64 %96, 1
  %142 = add nsw i64 %97, 1
  %143 = icmp eq i64 %141, %9
  br i1 %143, label %82, label %91

144:
  %145 = fsub double %83, %85
  %146 = fcmp ult double %88, %90
  br i1 %146, label %147, label %162

147:
  %148 = fcmp olt double %145, 0.000000e+00
  br i1 %148, label %149, label %158

149:
  %150 = fsub double %86, %84
  %151 = fdiv double %150, %145
  %152 = fcmp olt double %151, %50
  br i1 %152, label %153, label %162

153:
  %154 = fcmp uge double %151, 0.000000e+00
  %155 = add nuw nsw i64 %51, 1
  %156 = icmp slt i64 %51, %23
  %157 = select i1 %154, i1 %156, i1 false
  br i1 %157, label %49, label %158

158:
  %159 = phi i64 [ %89, %153 ], [ %89, %147 ], [ undef, %28 ]
  %160 = phi i64 [ %87, %153 ], [ %87, %147 ], [ undef, %28 ]
  %161 = getelementptr inbounds nuw i8, ptr %30, i64 8
  store double 0x7FF8000000000000, ptr %161, align 8
  br label %463

162:
  %163 = getelementptr inbounds nuw i8, ptr %30, i64 8
  store double %50, ptr %163, align 8
  %164 = fcmp ord double %50, 0.000000e+00
  br i1 %164, label %165, label %287

165:
  %166 = load double, ptr %35, align 8
  %167 = fmul double %166, 2.000000e+00
  %168 = fcmp oeq double %167, 0.000000e+00
  %169 = select i1 %168, double 0x20B0000000000000, double %167
  %170 = fdiv double -1.000000e+00, %169
  %171 = fdiv double %38, %169
  %172 = fdiv double %40, %169
  %173 = fcmp ogt double %169, 0.000000e+00
  %174 = select i1 %173, double %171, double %172
  %175 = select i1 %173, double %172, double %171
  br label %176

176:
  %177 = phi double [ %278, %280 ], [ 0.000000e+00, %165 ]
  %178 = phi i64 [ %282, %280 ], [ 0, %165 ]
  %179 = tail call double @llvm.fmuladd.f64(double %170, double %177, double %174)
  %180 = fcmp ueq double %179, 0xFFF0000000000000
  br i1 %180, label %182, label %181

181:
  br label %182

182:
  %183 = phi double [ %170, %181 ], [ 0.000000e+00, %176 ]
  %184 = phi double [ %174, %181 ], [ 0.000000e+00, %176 ]
  %185 = phi i64 [ %9, %181 ], [ -1, %176 ]
  %186 = phi double [ %179, %181 ], [ 0xFFF0000000000000, %176 ]
  %187 = tail call double @llvm.fmuladd.f64(double %170, double %177, double %175)
  %188 = fcmp ueq double %187, 0x7FF0000000000000
  br i1 %188, label %190, label %189

189:
  br label %190

190:
  %191 = phi double [ %170, %189 ], [ 0.000000e+00, %182 ]
  %192 = phi double [ %175, %189 ], [ 0.000000e+00, %182 ]
  %193 = phi double [ %187, %189 ], [ 0x7FF0000000000000, %182 ]
  %194 = phi i64 [ %9, %189 ], [ -1, %182 ]
  br label %195

195:
  %196 = phi double [ %210, %209 ], [ %191, %190 ]
  %197 = phi double [ %211, %209 ], [ %192, %190 ]
  %198 = phi double [ %212, %209 ], [ %183, %190 ]
  %199 = phi double [ %213, %209 ], [ %184, %190 ]
  %200 = phi i1 [ false, %209 ], [ true, %190 ]
  %201 = phi i64 [ 1, %209 ], [ 0, %190 ]
  %202 = phi double [ %217, %209 ], [ %186, %190 ]
  %203 = phi i64 [ %216, %209 ], [ %185, %190 ]
  %204 = phi double [ %215, %209 ], [ %193, %190 ]
  %205 = phi i64 [ %214, %209 ], [ %194, %190 ]
  br i1 %21, label %206, label %209

206:
  %207 = add nsw i64 %201, %26
  %208 = mul nsw i64 %207, %9
  br label %218

209:
  %210 = phi double [ %196, %195 ], [ %264, %263 ]
  %211 = phi double [ %197, %195 ], [ %265, %263 ]
  %212 = phi double [ %198, %195 ], [ %256, %263 ]
  %213 = phi double [ %199, %195 ], [ %257, %263 ]
  %214 = phi i64 [ %205, %195 ], [ %266, %263 ]
  %215 = phi double [ %204, %195 ], [ %267, %263 ]
  %216 = phi i64 [ %203, %195 ], [ %258, %263 ]
  %217 = phi double [ %202, %195 ], [ %259, %263 ]
  br i1 %200, label %195, label %271

218:
  %219 = phi double [ %196, %206 ], [ %264, %263 ]
  %220 = phi double [ %197, %206 ], [ %265, %263 ]
  %221 = phi double [ %198, %206 ], [ %256, %263 ]
  %222 = phi double [ %199, %206 ], [ %257, %263 ]
  %223 = phi i64 [ 0, %206 ], [ %268, %263 ]
  %224 = phi i64 [ %208, %206 ], [ %269, %263 ]
  %225 = phi double [ %202, %206 ], [ %259, %263 ]
  %226 = phi i64 [ %203, %206 ], [ %258, %263 ]
  %227 = phi double [ %204, %206 ], [ %267, %263 ]
  %228 = phi i64 [ %205, %206 ], [ %266, %263 ]
  %229 = getelementptr inbounds double, ptr %1, i64 %224
  %230 = load double, ptr %229, align 8
  %231 = getelementptr inbounds double, ptr %2, i64 %224
  %232 = load double, ptr %231, align 8
  %233 = tail call double @llvm.fmuladd.f64(double %167, double %232, double %230)
  %234 = select i1 %200, double %230, double %233
  %235 = getelementptr inbounds double, ptr %3, i64 %224
  %236 = load double, ptr %235, align 8
  %237 = getelementptr inbounds nuw double, ptr %4, i64 %223
  %238 = load double, ptr %237, align 8
  %239 = getelementptr inbounds nuw double, ptr %5, i64 %223
  %240 = load double, ptr %239, align 8
  %241 = fcmp oeq double %234, 0.000000e+00
  %242 = select i1 %241, double 0x20B0000000000000, double %234
  %243 = fneg double %232
  %244 = fdiv double %243, %242
  %245 = fsub double %238, %236
  %246 = fdiv double %245, %242
  %247 = fsub double %240, %236
  %248 = fdiv double %247, %242
  %249 = fcmp ogt double %242, 0.000000e+00
  %250 = select i1 %249, double %246, double %248
  %251 = select i1 %249, double %248, double %246
  %252 = tail call double @llvm.fmuladd.f64(double %244, double %177, double %250)
  %253 = fcmp ogt double %252, %225
  br i1 %253, label %254, label %255

254:
  br label %255

255:
  %256 = phi double [ %244, %254 ], [ %221, %218 ]
  %257 = phi double [ %250, %254 ], [ %222, %218 ]
  %258 = phi i64 [ %223, %254 ], [ %226, %218 ]
  %259 = phi double [ %252, %254 ], [ %225, %218 ]
  %260 = tail call double @llvm.fmuladd.f64(double %244, double %177, double %251)
  %261 = fcmp olt double %260, %227
  br i1 %261, label %262, label %263

262:
  br label %263

263:
  %264 = phi double [ %219, %255 ], [ %244, %262 ]
  %265 = phi double [ %220, %255 ], [ %251, %262 ]
  %266 = phi i64 [ %228, %255 ], [ %223, %262 ]
  %267 = phi double [ %227, %255 ], [ %260, %262 ]
  %268 = add nuw nsw i64 %223, 1
  %269 = add nsw i64 %224, 1
  %270 = icmp eq i64 %268, %9
  br i1 %270, label %209, label %218

271:
  %272 = fsub double %210, %212
  %273 = fcmp ult double %215, %217
  br i1 %273, label %274, label %285

274:
  %275 = fcmp ogt double %272, 0.000000e+00
  br i1 %275, label %276, label %285

276:
  %277 = fsub double %213, %211
  %278 = fdiv double %277, %272
  %279 = fcmp ogt double %278, %177
  br i1 %279, label %280, label %285

280:
  %281 = fcmp ule double %278, %50
  %282 = add nuw nsw i64 %178, 1
  %283 = icmp slt i64 %178, %23
  %284 = select i1 %281, i1 %283, i1 false
  br i1 %284, label %176, label %285

285:
  %286 = phi double [ 0x7FF8000000000000, %280 ], [ %177, %271 ], [ %177, %276 ], [ 0x7FF8000000000000, %274 ]
  store double %286, ptr %30, align 8
  br label %287

287:
  %288 = phi i64 [ %89, %162 ], [ %216, %285 ]
  %289 = phi i64 [ %87, %162 ], [ %214, %285 ]
  %290 = fcmp uno double %50, 0.000000e+00
  br i1 %290, label %463, label %291

291:
  %292 = load double, ptr %30, align 8
  %293 = fcmp uno double %292, 0.000000e+00
  br i1 %293, label %463, label %24

294:
  %295 = load double, ptr %7, align 8
  store double %295, ptr %11, align 8
  %296 = fadd double %295, 1.000000e+00
  %297 = fmul double %296, 1.000000e-09
  %298 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %299 = load double, ptr %298, align 8
  %300 = fadd double %299, %297
  %301 = fcmp ogt double %295, %300
  br i1 %301, label %308, label %302

302:
  %303 = load double, ptr %10, align 8
  %304 = fsub double %303, %297
  %305 = fcmp olt double %295, %304
  br i1 %305, label %308, label %306

306:
  %307 = icmp sgt i64 %8, 0
  br i1 %307, label %384, label %470

308:
  %309 = getelementptr inbounds nuw i8, ptr %10, i64 16
  %310 = load double, ptr %0, align 8
  %311 = fmul double %310, 2.000000e+00
  %312 = load double, ptr %309, align 8
  %313 = getelementptr inbounds nuw i8, ptr %10, i64 24
  %314 = load double, ptr %313, align 8
  %315 = fcmp oeq double %311, 0.000000e+00
  %316 = select i1 %315, double 0x20B0000000000000, double %311
  %317 = fdiv double -1.000000e+00, %316
  %318 = fdiv double %312, %316
  %319 = fdiv double %314, %316
  %320 = fcmp ogt double %316, 0.000000e+00
  %321 = select i1 %320, double %318, double %319
  %322 = select i1 %320, double %319, double %318
  %323 = tail call double @llvm.fmuladd.f64(double %317, double %295, double %321)
  %324 = fcmp ueq double %323, 0xFFF0000000000000
  %325 = select i1 %324, i64 -1, i64 %9
  %326 = select i1 %324, double 0xFFF0000000000000, double %323
  %327 = tail call double @llvm.fmuladd.f64(double %317, double %295, double %322)
  %328 = fcmp ueq double %327, 0x7FF0000000000000
  %329 = select i1 %328, i64 -1, i64 %9
  %330 = select i1 %328, double 0x7FF0000000000000, double %327
  br label %331

331:
  %332 = phi i1 [ true, %308 ], [ false, %338 ]
  %333 = phi i64 [ 0, %308 ], [ %9, %338 ]
  %334 = phi double [ %326, %308 ], [ %342, %338 ]
  %335 = phi i64 [ %325, %308 ], [ %341, %338 ]
  %336 = phi double [ %330, %308 ], [ %340, %338 ]
  %337 = phi i64 [ %329, %308 ], [ %339, %338 ]
  br i1 %21, label %343, label %338

338:
  %339 = phi i64 [ %337, %331 ], [ %379, %343 ]
  %340 = phi double [ %336, %331 ], [ %380, %343 ]
  %341 = phi i64 [ %335, %331 ], [ %375, %343 ]
  %342 = phi double [ %334, %331 ], [ %376, %343 ]
  br i1 %332, label %331, label %463

343:
  %344 = phi i64 [ %381, %343 ], [ 0, %331 ]
  %345 = phi i64 [ %382, %343 ], [ %333, %331 ]
  %346 = phi double [ %376, %343 ], [ %334, %331 ]
  %347 = phi i64 [ %375, %343 ], [ %335, %331 ]
  %348 = phi double [ %380, %343 ], [ %336, %331 ]
  %349 = phi i64 [ %379, %343 ], [ %337, %331 ]
  %350 = getelementptr inbounds double, ptr %1, i64 %345
  %351 = load double, ptr %350, align 8
  %352 = getelementptr inbounds double, ptr %2, i64 %345
  %353 = load double, ptr %352, align 8
  %354 = tail call double @llvm.fmuladd.f64(double %311, double %353, double %351)
  %355 = select i1 %332, double %351, double %354
  %356 = getelementptr inbounds double, ptr %3, i64 %345
  %357 = load double, ptr %356, align 8
  %358 = getelementptr inbounds nuw double, ptr %4, i64 %344
  %359 = load double, ptr %358, align 8
  %360 = getelementptr inbounds nuw double, ptr %5, i64 %344
  %361 = load double, ptr %360, align 8
  %362 = fcmp oeq double %355, 0.000000e+00
  %363 = select i1 %362, double 0x20B0000000000000, double %355
  %364 = fneg double %353
  %365 = fdiv double %364, %363
  %366 = fsub double %359, %357
  %367 = fdiv double %366, %363
  %368 = fsub double %361, %357
  %369 = fdiv double %368, %363
  %370 = fcmp ogt double %363, 0.000000e+00
  %371 = select i1 %370, double %367, double %369
  %372 = select i1 %370, double %369, double %367
  %373 = tail call double @llvm.fmuladd.f64(double %365, double %295, double %371)
  %374 = fcmp ogt double %373, %346
  %375 = select i1 %374, i64 %344, i64 %347
  %376 = select i1 %374, double %373, double %346
  %377 = tail call double @llvm.fmuladd.f64(double %365, double %295, double %372)
  %378 = fcmp olt double %377, %348
  %379 = select i1 %378, i64 %344, i64 %349
  %380 = select i1 %378, double %377, double %348
  %381 = add nuw nsw i64 %344, 1
  %382 = add nsw i64 %345, 1
  %383 = icmp eq i64 %381, %9
  br i1 %383, label %338, label %343

384:
  %385 = phi double [ %459, %452 ], [ %295, %306 ]
  %386 = phi i64 [ %460, %452 ], [ 0, %306 ]
  %387 = getelementptr inbounds nuw double, ptr %11, i64 %386
  %388 = shl nuw nsw i64 %386, 4
  %389 = getelementptr inbounds nuw i8, ptr %10, i64 %388
  %390 = load double, ptr %389, align 8
  %391 = fcmp olt double %385, %390
  %392 = select i1 %391, double %390, double %385
  %393 = getelementptr inbounds nuw i8, ptr %389, i64 8
  %394 = load double, ptr %393, align 8
  %395 = fcmp ogt double %392, %394
  %396 = select i1 %395, double %394, double %392
  store double %396, ptr %387, align 8
  %397 = getelementptr inbounds nuw i8, ptr %389, i64 16
  %398 = getelementptr inbounds nuw double, ptr %0, i64 %386
  %399 = load double, ptr %398, align 8
  %400 = fmul double %399, 2.000000e+00
  %401 = load double, ptr %397, align 8
  %402 = getelementptr inbounds nuw i8, ptr %389, i64 24
  %403 = load double, ptr %402, align 8
  %404 = fcmp oeq double %400, 0.000000e+00
  %405 = select i1 %404, double 0x20B0000000000000, double %400
  %406 = fdiv double -1.000000e+00, %405
  %407 = fcmp ogt double %405, 0.000000e+00
  %408 = select i1 %407, double %403, double %401
  %409 = fdiv double %408, %405
  %410 = tail call double @llvm.fmuladd.f64(double %406, double %396, double %409)
  %411 = fcmp one double %410, 0x7FF0000000000000
  %412 = select i1 %411, double %410, double 0x7FF0000000000000
  br label %413

413:
  %414 = phi i1 [ true, %384 ], [ false, %420 ]
  %415 = phi i64 [ 0, %384 ], [ 1, %420 ]
  %416 = phi double [ %412, %384 ], [ %421, %420 ]
  br i1 %21, label %417, label %420

417:
  %418 = add nuw nsw i64 %415, %386
  %419 = mul nuw nsw i64 %418, %9
  br label %422

420:
  %421 = phi double [ %416, %413 ], [ %448, %422 ]
  br i1 %414, label %413, label %452

422:
  %423 = phi i64 [ 0, %417 ], [ %449, %422 ]
  %424 = phi i64 [ %419, %417 ], [ %450, %422 ]
  %425 = phi double [ %416, %417 ], [ %448, %422 ]
  %426 = getelementptr inbounds nuw double, ptr %1, i64 %424
  %427 = load double, ptr %426, align 8
  %428 = getelementptr inbounds nuw double, ptr %2, i64 %424
  %429 = load double, ptr %428, align 8
  %430 = tail call double @llvm.fmuladd.f64(double %400, double %429, double %427)
  %431 = select i1 %414, double %427, double %430
  %432 = getelementptr inbounds nuw double, ptr %3, i64 %424
  %433 = load double, ptr %432, align 8
  %434 = getelementptr inbounds nuw double, ptr %4, i64 %423
  %435 = load double, ptr %434, align 8
  %436 = getelementptr inbounds nuw double, ptr %5, i64 %423
  %437 = load double, ptr %436, align 8
  %438 = fcmp oeq double %431, 0.000000e+00
  %439 = select i1 %438, double 0x20B0000000000000, double %431
  %440 = fneg double %429
  %441 = fdiv double %440, %439
  %442 = fcmp ogt double %439, 0.000000e+00
  %443 = select i1 %442, double %437, double %435
  %444 = fsub double %443, %433
  %445 = fdiv double %444, %439
  %446 = tail call double @llvm.fmuladd.f64(double %441, double %396, double %445)
  %447 = fcmp olt double %446, %425
  %448 = select i1 %447, double %446, double %425
  %449 = add nuw nsw i64 %423, 1
  %450 = add nuw nsw i64 %424, 1
  %451 = icmp eq i64 %449, %9
  br i1 %451, label %420, label %422

452:
  %453 = getelementptr inbounds nuw double, ptr %12, i64 %386
  store double %421, ptr %453, align 8
  %454 = load double, ptr %387, align 8
  %455 = load double, ptr %398, align 8
  %456 = fmul double %455, 2.000000e+00
  %457 = tail call double @llvm.fmuladd.f64(double %456, double %421, double %454)
  %458 = fcmp ogt double %457, 0.000000e+00
  %459 = select i1 %458, double %457, double 0.000000e+00
  %460 = add nuw nsw i64 %386, 1
  %461 = getelementptr inbounds nuw double, ptr %11, i64 %460
  store double %459, ptr %461, align 8
  %462 = icmp eq i64 %460, %8
  br i1 %462, label %470, label %384

463:
  %464 = phi i64 [ 0, %338 ], [ %26, %158 ], [ %26, %291 ], [ %26, %287 ]
  %465 = phi i64 [ %341, %338 ], [ %159, %158 ], [ %288, %291 ], [ %288, %287 ]
  %466 = phi i64 [ %339, %338 ], [ %160, %158 ], [ %289, %291 ], [ %289, %287 ]
  %467 = phi i32 [ 2, %338 ], [ 1, %158 ], [ 1, %291 ], [ 1, %287 ]
  store i64 %464, ptr %13, align 8
  %468 = getelementptr inbounds nuw i8, ptr %13, i64 8
  store i64 %465, ptr %468, align 8
  %469 = getelementptr inbounds nuw i8, ptr %13, i64 16
  store i64 %466, ptr %469, align 8
  br label %470

470:
  %471 = phi i32 [ 0, %306 ], [ %467, %463 ], [ 0, %452 ]
  ret i32 %471
}

declare double @llvm.fmuladd.f64(double, double, double)
