; riccati.c, by `make native`: source 9900f88dbbdd133fb43fd9ca5f556a8713726cfd34b6ba5912ddb5a4016b509c text ed89e6c3e7826dd01554fea2e13cf546cb19c2d05bd4a8c01e754b3e18b4cb33
%struct.Pattern = type { i64, ptr, ptr, ptr }

define i64 @jounce_riccati_backward(ptr %0, ptr %1, ptr %2, ptr %3, double %4, ptr %5, ptr %6) nounwind {
  %8 = alloca [4 x <8 x double>], align 16
  %9 = alloca [4 x <8 x double>], align 16
  %10 = alloca [4 x <8 x double>], align 16
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %12 = load i64, ptr %11, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %14 = load i64, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %16 = load i64, ptr %15, align 8
  %17 = load i64, ptr %0, align 8
  %18 = add nsw i64 %17, -1
  %19 = add i64 %14, %12
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %21 = load ptr, ptr %20, align 8
  %22 = shl nsw i64 %12, 1
  %23 = add i64 %14, 1
  %24 = add i64 %23, %22
  %25 = mul nsw i64 %24, %16
  %26 = getelementptr inbounds double, ptr %21, i64 %25
  %27 = mul i64 %16, %12
  %28 = getelementptr inbounds double, ptr %26, i64 %27
  %29 = mul nsw i64 %19, %16
  %30 = getelementptr inbounds double, ptr %28, i64 %29
  %31 = mul nsw i64 %23, %16
  %32 = getelementptr inbounds double, ptr %30, i64 %31
  %33 = mul nsw i64 %14, %14
  %34 = getelementptr inbounds nuw double, ptr %32, i64 %33
  %35 = mul nsw i64 %14, 24
  %36 = getelementptr inbounds i8, ptr %34, i64 %35
  %37 = getelementptr inbounds double, ptr %21, i64 %27
  %38 = getelementptr inbounds ptr, ptr %1, i64 %18
  %39 = load ptr, ptr %38, align 8
  %40 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %41 = load ptr, ptr %40, align 8
  %42 = getelementptr inbounds i32, ptr %41, i64 %18
  %43 = load i32, ptr %42, align 4
  %44 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %45 = load ptr, ptr %44, align 8
  %46 = sext i32 %43 to i64
  %47 = getelementptr inbounds %struct.Pattern, ptr %45, i64 %46
  %48 = icmp eq i32 %43, -1
  br i1 %48, label %55, label %49

49:
  %50 = getelementptr inbounds nuw i8, ptr %47, i64 24
  %51 = load ptr, ptr %50, align 8
  %52 = shl i64 %16, 3
  %53 = mul i64 %52, %24
  %54 = tail call ptr @memcpy(ptr %21, ptr %51, i64 %53)
  br label %55

55:
  %56 = load i64, ptr %47, align 8
  %57 = icmp sgt i64 %56, 0
  br i1 %57, label %58, label %80

58:
  %59 = getelementptr inbounds nuw i8, ptr %47, i64 8
  %60 = getelementptr inbounds nuw i8, ptr %47, i64 16
  br label %61

61:
  %62 = phi i64 [ 0, %58 ], [ %77, %61 ]
  %63 = getelementptr inbounds nuw double, ptr %39, i64 %62
  %64 = load double, ptr %63, align 8
  %65 = load ptr, ptr %59, align 8
  %66 = getelementptr inbounds nuw i32, ptr %65, i64 %62
  %67 = load i32, ptr %66, align 4
  %68 = sext i32 %67 to i64
  %69 = load i64, ptr %15, align 8
  %70 = mul nsw i64 %69, %68
  %71 = load ptr, ptr %60, align 8
  %72 = getelementptr inbounds nuw i32, ptr %71, i64 %62
  %73 = load i32, ptr %72, align 4
  %74 = sext i32 %73 to i64
  %75 = getelementptr double, ptr %21, i64 %70
  %76 = getelementptr double, ptr %75, i64 %74
  store double %64, ptr %76, align 8
  %77 = add nuw nsw i64 %62, 1
  %78 = load i64, ptr %47, align 8
  %79 = icmp slt i64 %77, %78
  br i1 %79, label %61, label %80

80:
  %81 = mul i64 %27, %18
  %82 = getelementptr inbounds double, ptr %6, i64 %81
  %83 = mul nsw i64 %16, %14
  %84 = getelementptr inbounds double, ptr %37, i64 %83
  %85 = shl i64 %27, 3
  %86 = tail call ptr @memcpy(ptr %82, ptr %84, i64 %85)
  %87 = tail call ptr @memset(ptr %36, i32 0, i64 %14)
  %88 = icmp slt i64 %17, 2
  br i1 %88, label %1110, label %89

89:
  %90 = add nsw i64 %17, -2
  %91 = icmp sgt i64 %12, 1
  %92 = icmp sgt i64 %12, 0
  %93 = shl nsw i64 %16, 4
  %94 = mul nsw i64 %16, 24
  %95 = getelementptr inbounds nuw i8, ptr %10, i64 64
  %96 = getelementptr inbounds nuw i8, ptr %10, i64 128
  %97 = getelementptr inbounds nuw i8, ptr %10, i64 192
  %98 = icmp sgt i64 %16, 0
  %99 = icmp sgt i64 %19, 0
  %100 = getelementptr inbounds nuw i8, ptr %9, i64 64
  %101 = getelementptr inbounds nuw i8, ptr %9, i64 128
  %102 = getelementptr inbounds nuw i8, ptr %9, i64 192
  %103 = icmp eq ptr %21, null
  %104 = icmp eq ptr %2, null
  %105 = getelementptr inbounds double, ptr %28, i64 %19
  %106 = getelementptr inbounds double, ptr %34, i64 %14
  %107 = shl nsw i64 %14, 4
  %108 = getelementptr inbounds i8, ptr %34, i64 %107
  %109 = icmp sgt i64 %14, 0
  %110 = fadd double %4, 1.000000e+00
  %111 = fmul double %110, 0x3D06849B86A12B9B
  %112 = icmp slt i64 %19, 1
  %113 = sdiv i64 %14, 8
  %114 = shl nsw i64 %113, 3
  %115 = icmp slt i64 %114, %16
  %116 = getelementptr inbounds double, ptr %28, i64 %83
  %117 = getelementptr inbounds double, ptr %30, i64 %14
  %118 = icmp slt i64 %14, 0
  %119 = getelementptr inbounds nuw i8, ptr %8, i64 64
  %120 = getelementptr inbounds nuw i8, ptr %8, i64 128
  %121 = getelementptr inbounds nuw i8, ptr %8, i64 192
  %122 = add nsw i64 %19, 1
  %123 = icmp slt i64 %122, %16
  br label %124

124:
  %125 = phi i32 [ %43, %89 ], [ %144, %1107 ]
  %126 = phi i64 [ %90, %89 ], [ %1108, %1107 ]
  %127 = add nuw nsw i64 %126, 1
  %128 = mul i64 %27, %127
  %129 = getelementptr inbounds double, ptr %6, i64 %128
  %130 = mul nsw i64 %126, %14
  %131 = mul nsw i64 %130, %16
  %132 = getelementptr inbounds double, ptr %5, i64 %131
  %133 = getelementptr double, ptr %129, i64 %14
  br i1 %91, label %134, label %139

134:
  %135 = phi i64 [ %261, %260 ], [ 1, %124 ]
  %136 = getelementptr double, ptr %133, i64 %135
  %137 = mul nsw i64 %135, %16
  %138 = getelementptr double, ptr %133, i64 %137
  br label %263

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
  %150 = getelementptr inbounds nuw i8, ptr %147, i64 24
  %151 = load ptr, ptr %150, align 8
  %152 = load i64, ptr %11, align 8
  %153 = shl nsw i64 %152, 1
  %154 = load i64, ptr %13, align 8
  %155 = add i64 %154, 1
  %156 = add i64 %155, %153
  %157 = load i64, ptr %15, align 8
  %158 = shl i64 %157, 3
  %159 = mul i64 %158, %156
  %160 = tail call ptr @memcpy(ptr %21, ptr %151, i64 %159)
  br label %161

161:
  %162 = load i64, ptr %147, align 8
  %163 = icmp sgt i64 %162, 0
  br i1 %163, label %164, label %186

164:
  %165 = getelementptr inbounds nuw i8, ptr %147, i64 8
  %166 = getelementptr inbounds nuw i8, ptr %147, i64 16
  br label %167

167:
  %168 = phi i64 [ 0, %164 ], [ %183, %167 ]
  %169 = getelementptr inbounds nuw double, ptr %141, i64 %168
  %170 = load double, ptr %169, align 8
  %171 = load ptr, ptr %165, align 8
  %172 = getelementptr inbounds nuw i32, ptr %171, i64 %168
  %173 = load i32, ptr %172, align 4
  %174 = sext i32 %173 to i64
  %175 = load i64, ptr %15, align 8
  %176 = mul nsw i64 %175, %174
  %177 = load ptr, ptr %166, align 8
  %178 = getelementptr inbounds nuw i32, ptr %177, i64 %168
  %179 = load i32, ptr %178, align 4
  %180 = sext i32 %179 to i64
  %181 = getelementptr double, ptr %21, i64 %176
  %182 = getelementptr double, ptr %181, i64 %180
  store double %170, ptr %182, align 8
  %183 = add nuw nsw i64 %168, 1
  %184 = load i64, ptr %147, align 8
  %185 = icmp slt i64 %183, %184
  br i1 %185, label %167, label %186

186:
  br i1 %92, label %187, label %271

187:
  %188 = phi i64 [ %212, %209 ], [ %12, %186 ]
  %189 = phi i64 [ %210, %209 ], [ 0, %186 ]
  %190 = tail call i64 @llvm.smax.i64(i64 %188, i64 1)
  %191 = tail call i64 @llvm.umin.i64(i64 %190, i64 4)
  %192 = sub nsw i64 %12, %189
  %193 = mul nsw i64 %189, %16
  %194 = getelementptr inbounds double, ptr %133, i64 %193
  %195 = icmp sgt i64 %192, 1
  %196 = select i1 %195, i64 %16, i64 0
  %197 = getelementptr inbounds double, ptr %194, i64 %196
  %198 = icmp sgt i64 %192, 2
  %199 = select i1 %198, i64 %93, i64 0
  %200 = getelementptr inbounds i8, ptr %194, i64 %199
  %201 = icmp sgt i64 %192, 3
  %202 = select i1 %201, i64 %94, i64 0
  %203 = getelementptr inbounds i8, ptr %194, i64 %202
  br i1 %98, label %204, label %209

204:
  %205 = icmp sgt i64 %192, 0
  br label %206

206:
  %207 = phi i64 [ 0, %204 ], [ %248, %247 ]
  %208 = getelementptr double, ptr %21, i64 %207
  br label %216

209:
  %210 = add nuw nsw i64 %189, 4
  %211 = icmp slt i64 %210, %12
  %212 = add i64 %188, -4
  br i1 %211, label %187, label %355

213:
  store <8 x double> %229, ptr %10, align 16
  store <8 x double> %234, ptr %95, align 16
  store <8 x double> %239, ptr %96, align 16
  store <8 x double> %244, ptr %97, align 16
  br i1 %205, label %214, label %247

214:
  %215 = getelementptr double, ptr %26, i64 %207
  br label %250

216:
  %217 = phi i64 [ %245, %216 ], [ 0, %206 ]
  %218 = phi <8 x double> [ %244, %216 ], [ zeroinitializer, %206 ]
  %219 = phi <8 x double> [ %239, %216 ], [ zeroinitializer, %206 ]
  %220 = phi <8 x double> [ %234, %216 ], [ zeroinitializer, %206 ]
  %221 = phi <8 x double> [ %229, %216 ], [ zeroinitializer, %206 ]
  %222 = mul nuw nsw i64 %217, %16
  %223 = getelementptr double, ptr %208, i64 %222
  %224 = load <8 x double>, ptr %223, align 8
  %225 = getelementptr inbounds nuw double, ptr %194, i64 %217
  %226 = load double, ptr %225, align 8
  %227 = insertelement <8 x double> poison, double %226, i64 0
  %228 = shufflevector <8 x double> %227, <8 x double> poison, <8 x i32> zeroinitializer
  %229 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %228, <8 x double> %224, <8 x double> %221)
  %230 = getelementptr inbounds nuw double, ptr %197, i64 %217
  %231 = load double, ptr %230, align 8
  %232 = insertelement <8 x double> poison, double %231, i64 0
  %233 = shufflevector <8 x double> %232, <8 x double> poison, <8 x i32> zeroinitializer
  %234 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %233, <8 x double> %224, <8 x double> %220)
  %235 = getelementptr inbounds nuw double, ptr %200, i64 %217
  %236 = load double, ptr %235, align 8
  %237 = insertelement <8 x double> poison, double %236, i64 0
  %238 = shufflevector <8 x double> %237, <8 x double> poison, <8 x i32> zeroinitializer
  %239 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %238, <8 x double> %224, <8 x double> %219)
  %240 = getelementptr inbounds nuw double, ptr %203, i64 %217
  %241 = load double, ptr %240, align 8
  %242 = insertelement <8 x double> poison, double %241, i64 0
  %243 = shufflevector <8 x double> %242, <8 x double> poison, <8 x i32> zeroinitializer
  %244 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %243, <8 x double> %224, <8 x double> %218)
  %245 = add nuw nsw i64 %217, 1
  %246 = icmp eq i64 %245, %12
  br i1 %246, label %213, label %216

247:
  %248 = add nuw nsw i64 %207, 8
  %249 = icmp slt i64 %248, %16
  br i1 %249, label %206, label %209

250:
  %251 = phi i64 [ %258, %250 ], [ 0, %214 ]
  %252 = add nuw nsw i64 %251, %189
  %253 = mul nuw nsw i64 %252, %16
  %254 = getelementptr inbounds nuw <8 x double>, ptr %10, i64 %251
  %255 = load <8 x double>, ptr %254, align 16
  %256 = fadd <8 x double> %255, zeroinitializer
  %257 = getelementptr double, ptr %215, i64 %253
  store <8 x double> %256, ptr %257, align 8
  %258 = add nuw nsw i64 %251, 1
  %259 = icmp eq i64 %258, %191
  br i1 %259, label %247, label %250

260:
  %261 = add nuw nsw i64 %135, 1
  %262 = icmp eq i64 %261, %12
  br i1 %262, label %139, label %134

263:
  %264 = phi i64 [ 0, %134 ], [ %269, %263 ]
  %265 = mul nsw i64 %264, %16
  %266 = getelementptr double, ptr %136, i64 %265
  %267 = load double, ptr %266, align 8
  %268 = getelementptr double, ptr %138, i64 %264
  store double %267, ptr %268, align 8
  %269 = add nuw nsw i64 %264, 1
  %270 = icmp eq i64 %269, %135
  br i1 %270, label %260, label %263

271:
  br i1 %99, label %272, label %354

272:
  %273 = phi i64 [ %298, %295 ], [ %19, %271 ]
  %274 = phi i64 [ %296, %295 ], [ 0, %271 ]
  %275 = tail call i64 @llvm.smax.i64(i64 %273, i64 1)
  %276 = tail call i64 @llvm.umin.i64(i64 %275, i64 4)
  %277 = sub nsw i64 %19, %274
  %278 = getelementptr inbounds nuw double, ptr %21, i64 %274
  %279 = icmp sgt i64 %277, 1
  %280 = zext i1 %279 to i64
  %281 = getelementptr inbounds nuw double, ptr %278, i64 %280
  %282 = icmp sgt i64 %277, 2
  %283 = select i1 %282, i64 16, i64 0
  %284 = getelementptr inbounds nuw i8, ptr %278, i64 %283
  %285 = icmp sgt i64 %277, 3
  %286 = select i1 %285, i64 24, i64 0
  %287 = getelementptr inbounds nuw i8, ptr %278, i64 %286
  %288 = and i64 %274, 9223372036854775800
  %289 = icmp slt i64 %288, %16
  br i1 %289, label %290, label %295

290:
  %291 = icmp sgt i64 %277, 0
  br label %292

292:
  %293 = phi i64 [ %288, %290 ], [ %336, %335 ]
  %294 = getelementptr double, ptr %26, i64 %293
  br i1 %92, label %304, label %299

295:
  %296 = add nuw nsw i64 %274, 4
  %297 = icmp slt i64 %296, %19
  %298 = add i64 %273, -4
  br i1 %297, label %272, label %354

299:
  %300 = phi <8 x double> [ zeroinitializer, %292 ], [ %317, %304 ]
  %301 = phi <8 x double> [ zeroinitializer, %292 ], [ %322, %304 ]
  %302 = phi <8 x double> [ zeroinitializer, %292 ], [ %327, %304 ]
  %303 = phi <8 x double> [ zeroinitializer, %292 ], [ %332, %304 ]
  store <8 x double> %300, ptr %9, align 16
  store <8 x double> %301, ptr %100, align 16
  store <8 x double> %302, ptr %101, align 16
  store <8 x double> %303, ptr %102, align 16
  br i1 %291, label %338, label %335

304:
  %305 = phi i64 [ %333, %304 ], [ 0, %292 ]
  %306 = phi <8 x double> [ %332, %304 ], [ zeroinitializer, %292 ]
  %307 = phi <8 x double> [ %327, %304 ], [ zeroinitializer, %292 ]
  %308 = phi <8 x double> [ %322, %304 ], [ zeroinitializer, %292 ]
  %309 = phi <8 x double> [ %317, %304 ], [ zeroinitializer, %292 ]
  %310 = mul nsw i64 %305, %16
  %311 = getelementptr double, ptr %294, i64 %310
  %312 = load <8 x double>, ptr %311, align 8
  %313 = getelementptr inbounds double, ptr %278, i64 %310
  %314 = load double, ptr %313, align 8
  %315 = insertelement <8 x double> poison, double %314, i64 0
  %316 = shufflevector <8 x double> %315, <8 x double> poison, <8 x i32> zeroinitializer
  %317 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %316, <8 x double> %312, <8 x double> %309)
  %318 = getelementptr inbounds double, ptr %281, i64 %310
  %319 = load double, ptr %318, align 8
  %320 = insertelement <8 x double> poison, double %319, i64 0
  %321 = shufflevector <8 x double> %320, <8 x double> poison, <8 x i32> zeroinitializer
  %322 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %321, <8 x double> %312, <8 x double> %308)
  %323 = getelementptr inbounds double, ptr %284, i64 %310
  %324 = load double, ptr %323, align 8
  %325 = insertelement <8 x double> poison, double %324, i64 0
  %326 = shufflevector <8 x double> %325, <8 x double> poison, <8 x i32> zeroinitializer
  %327 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %326, <8 x double> %312, <8 x double> %307)
  %328 = getelementptr inbounds double, ptr %287, i64 %310
  %329 = load double, ptr %328, align 8
  %330 = insertelement <8 x double> poison, double %329, i64 0
  %331 = shufflevector <8 x double> %330, <8 x double> poison, <8 x i32> zeroinitializer
  %332 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %331, <8 x double> %312, <8 x double> %306)
  %333 = add nuw nsw i64 %305, 1
  %334 = icmp eq i64 %333, %12
  br i1 %334, label %299, label %304

335:
  %336 = add nuw nsw i64 %293, 8
  %337 = icmp slt i64 %336, %16
  br i1 %337, label %292, label %295

338:
  %339 = phi i64 [ %352, %346 ], [ 0, %299 ]
  %340 = add nuw nsw i64 %339, %274
  %341 = mul nsw i64 %340, %16
  %342 = add nsw i64 %341, %293
  br i1 %103, label %346, label %343

343:
  %344 = getelementptr inbounds double, ptr %37, i64 %342
  %345 = load <8 x double>, ptr %344, align 8
  br label %346

346:
  %347 = phi <8 x double> [ %345, %343 ], [ zeroinitializer, %338 ]
  %348 = getelementptr inbounds nuw <8 x double>, ptr %9, i64 %339
  %349 = load <8 x double>, ptr %348, align 16
  %350 = fadd <8 x double> %347, %349
  %351 = getelementptr inbounds double, ptr %28, i64 %342
  store <8 x double> %350, ptr %351, align 8
  %352 = add nuw nsw i64 %339, 1
  %353 = icmp eq i64 %352, %276
  br i1 %353, label %335, label %338

354:
  br i1 %104, label %837, label %366

355:
  %356 = phi i64 [ %364, %355 ], [ 0, %209 ]
  %357 = mul nsw i64 %356, %16
  %358 = add nsw i64 %357, %19
  %359 = getelementptr inbounds double, ptr %129, i64 %358
  %360 = load double, ptr %359, align 8
  %361 = getelementptr inbounds double, ptr %26, i64 %358
  %362 = load double, ptr %361, align 8
  %363 = fadd double %360, %362
  store double %363, ptr %361, align 8
  %364 = add nuw nsw i64 %356, 1
  %365 = icmp eq i64 %364, %12
  br i1 %365, label %271, label %355

366:
  %367 = getelementptr inbounds double, ptr %2, i64 %130
  %368 = getelementptr inbounds double, ptr %3, i64 %130
  br i1 %109, label %369, label %900

369:
  %370 = phi i64 [ %382, %379 ], [ 0, %366 ]
  %371 = getelementptr inbounds nuw double, ptr %367, i64 %370
  %372 = load double, ptr %371, align 8
  %373 = fcmp ogt double %372, 0.000000e+00
  br i1 %373, label %379, label %374

374:
  %375 = getelementptr inbounds nuw double, ptr %368, i64 %370
  %376 = load double, ptr %375, align 8
  %377 = fcmp olt double %376, 0.000000e+00
  br i1 %377, label %378, label %379

378:
  br label %379

379:
  %380 = phi double [ 0.000000e+00, %374 ], [ %376, %378 ], [ %372, %369 ]
  %381 = getelementptr inbounds nuw double, ptr %34, i64 %370
  store double %380, ptr %381, align 8
  %382 = add nuw nsw i64 %370, 1
  %383 = icmp eq i64 %382, %14
  br i1 %383, label %387, label %369

384:
  %385 = add nuw nsw i64 %388, 1
  %386 = icmp eq i64 %385, 100
  br i1 %386, label %739, label %387

387:
  %388 = phi i64 [ %385, %384 ], [ 0, %379 ]
  br label %453

389:
  %390 = fcmp ogt double %505, 0.000000e+00
  br label %391

391:
  %392 = phi i64 [ %451, %450 ], [ 0, %389 ]
  %393 = getelementptr double, ptr %32, i64 %392
  %394 = getelementptr inbounds nuw i8, ptr %36, i64 %392
  %395 = mul nsw i64 %392, %16
  %396 = getelementptr double, ptr %28, i64 %395
  %397 = icmp eq i64 %392, 0
  %398 = mul nuw nsw i64 %392, %14
  %399 = getelementptr double, ptr %32, i64 %398
  %400 = mul i64 %392, %23
  %401 = getelementptr inbounds double, ptr %32, i64 %400
  br label %402

402:
  %403 = phi i64 [ %392, %391 ], [ %448, %447 ]
  %404 = getelementptr inbounds nuw i8, ptr %36, i64 %403
  %405 = load i8, ptr %404, align 1
  %406 = icmp eq i8 %405, 0
  br i1 %406, label %407, label %410

407:
  %408 = load i8, ptr %394, align 1
  %409 = icmp eq i8 %408, 0
  br i1 %409, label %415, label %410

410:
  %411 = icmp eq i64 %403, %392
  %412 = select i1 %411, double 1.000000e+00, double 0.000000e+00
  %413 = mul nuw nsw i64 %403, %14
  %414 = getelementptr double, ptr %393, i64 %413
  store double %412, ptr %414, align 8
  br label %447

415:
  %416 = getelementptr double, ptr %396, i64 %403
  %417 = load double, ptr %416, align 8
  %418 = icmp eq i64 %403, %392
  %419 = fadd double %4, %417
  %420 = select i1 %418, double %419, double %417
  br i1 %397, label %424, label %421

421:
  %422 = mul nuw nsw i64 %403, %14
  %423 = getelementptr double, ptr %32, i64 %422
  br label %426

424:
  %425 = phi double [ %420, %415 ], [ %434, %426 ]
  br i1 %418, label %442, label %437

426:
  %427 = phi i64 [ 0, %421 ], [ %435, %426 ]
  %428 = phi double [ %420, %421 ], [ %434, %426 ]
  %429 = getelementptr double, ptr %423, i64 %427
  %430 = load double, ptr %429, align 8
  %431 = getelementptr double, ptr %399, i64 %427
  %432 = load double, ptr %431, align 8
  %433 = fneg double %430
  %434 = tail call double @llvm.fmuladd.f64(double %433, double %432, double %428)
  %435 = add nuw nsw i64 %427, 1
  %436 = icmp eq i64 %435, %392
  br i1 %436, label %424, label %426

437:
  %438 = load double, ptr %401, align 8
  %439 = fmul double %425, %438
  %440 = mul nuw nsw i64 %403, %14
  %441 = getelementptr double, ptr %393, i64 %440
  store double %439, ptr %441, align 8
  br label %447

442:
  %443 = fcmp ogt double %425, %111
  br i1 %443, label %444, label %1110

444:
  %445 = tail call double @sqrt(double %425)
  %446 = fdiv double 1.000000e+00, %445
  store double %446, ptr %401, align 8
  br label %447

447:
  %448 = add nuw i64 %403, 1
  %449 = icmp eq i64 %448, %14
  br i1 %449, label %450, label %402

450:
  %451 = add nuw nsw i64 %392, 1
  %452 = icmp eq i64 %451, %14
  br i1 %452, label %508, label %391

453:
  %454 = phi i64 [ %506, %496 ], [ 0, %387 ]
  %455 = phi double [ %505, %496 ], [ 0.000000e+00, %387 ]
  %456 = phi double [ %469, %496 ], [ 0.000000e+00, %387 ]
  %457 = mul nsw i64 %454, %16
  %458 = getelementptr inbounds double, ptr %105, i64 %457
  %459 = load double, ptr %458, align 8
  %460 = getelementptr inbounds nuw double, ptr %34, i64 %454
  %461 = load double, ptr %460, align 8
  %462 = tail call double @llvm.fmuladd.f64(double %4, double %461, double %459)
  br label %475

463:
  %464 = getelementptr inbounds nuw double, ptr %106, i64 %454
  store double %486, ptr %464, align 8
  %465 = load double, ptr %460, align 8
  %466 = fmul double %465, 5.000000e-01
  %467 = load double, ptr %458, align 8
  %468 = fadd double %486, %467
  %469 = tail call double @llvm.fmuladd.f64(double %466, double %468, double %456)
  %470 = getelementptr inbounds nuw double, ptr %367, i64 %454
  %471 = load double, ptr %470, align 8
  %472 = fcmp ole double %465, %471
  %473 = fcmp ogt double %486, 0.000000e+00
  %474 = select i1 %472, i1 %473, i1 false
  br i1 %474, label %496, label %489

475:
  %476 = phi i64 [ 0, %453 ], [ %487, %475 ]
  %477 = phi double [ %462, %453 ], [ %486, %475 ]
  %478 = tail call i64 @llvm.umin.i64(i64 %454, i64 %476)
  %479 = mul nsw i64 %478, %16
  %480 = tail call i64 @llvm.umax.i64(i64 %454, i64 %476)
  %481 = getelementptr double, ptr %28, i64 %479
  %482 = getelementptr double, ptr %481, i64 %480
  %483 = load double, ptr %482, align 8
  %484 = getelementptr inbounds nuw double, ptr %34, i64 %476
  %485 = load double, ptr %484, align 8
  %486 = tail call double @llvm.fmuladd.f64(double %483, double %485, double %477)
  %487 = add nuw nsw i64 %476, 1
  %488 = icmp eq i64 %487, %14
  br i1 %488, label %463, label %475

489:
  %490 = getelementptr inbounds nuw double, ptr %368, i64 %454
  %491 = load double, ptr %490, align 8
  %492 = fcmp oge double %465, %491
  %493 = fcmp olt double %486, 0.000000e+00
  %494 = select i1 %492, i1 %493, i1 false
  %495 = zext i1 %494 to i8
  br label %496

496:
  %497 = phi i8 [ 1, %463 ], [ %495, %489 ]
  %498 = getelementptr inbounds nuw i8, ptr %36, i64 %454
  store i8 %497, ptr %498, align 1
  %499 = fcmp olt double %486, 0.000000e+00
  %500 = fneg double %486
  %501 = select i1 %499, double %500, double %486
  %502 = icmp eq i8 %497, 0
  %503 = fcmp ogt double %501, %455
  %504 = select i1 %502, i1 %503, i1 false
  %505 = select i1 %504, double %501, double %455
  %506 = add nuw nsw i64 %454, 1
  %507 = icmp eq i64 %506, %14
  br i1 %507, label %389, label %453

508:
  br i1 %390, label %509, label %801

509:
  %510 = phi i64 [ %531, %524 ], [ 0, %508 ]
  %511 = getelementptr inbounds nuw i8, ptr %36, i64 %510
  %512 = load i8, ptr %511, align 1
  %513 = icmp eq i8 %512, 0
  br i1 %513, label %514, label %518

514:
  %515 = getelementptr inbounds nuw double, ptr %106, i64 %510
  %516 = load double, ptr %515, align 8
  %517 = fneg double %516
  br label %518

518:
  %519 = phi double [ %517, %514 ], [ 0.000000e+00, %509 ]
  %520 = icmp eq i64 %510, 0
  br i1 %520, label %524, label %521

521:
  %522 = mul nuw nsw i64 %510, %14
  %523 = getelementptr double, ptr %32, i64 %522
  br label %533

524:
  %525 = phi double [ %519, %518 ], [ %541, %533 ]
  %526 = mul i64 %510, %23
  %527 = getelementptr inbounds double, ptr %32, i64 %526
  %528 = load double, ptr %527, align 8
  %529 = fmul double %525, %528
  %530 = getelementptr inbounds nuw double, ptr %108, i64 %510
  store double %529, ptr %530, align 8
  %531 = add nuw nsw i64 %510, 1
  %532 = icmp eq i64 %531, %14
  br i1 %532, label %544, label %509

533:
  %534 = phi i64 [ 0, %521 ], [ %542, %533 ]
  %535 = phi double [ %519, %521 ], [ %541, %533 ]
  %536 = getelementptr double, ptr %523, i64 %534
  %537 = load double, ptr %536, align 8
  %538 = getelementptr inbounds nuw double, ptr %108, i64 %534
  %539 = load double, ptr %538, align 8
  %540 = fneg double %537
  %541 = tail call double @llvm.fmuladd.f64(double %540, double %539, double %535)
  %542 = add nuw nsw i64 %534, 1
  %543 = icmp eq i64 %542, %510
  br i1 %543, label %524, label %533

544:
  %545 = phi i64 [ %546, %573 ], [ %14, %524 ]
  %546 = add nsw i64 %545, -1
  %547 = getelementptr inbounds nuw double, ptr %108, i64 %546
  %548 = load double, ptr %547, align 8
  %549 = getelementptr double, ptr %32, i64 %546
  %550 = icmp slt i64 %545, %14
  br i1 %550, label %556, label %551

551:
  %552 = phi double [ %548, %544 ], [ %565, %556 ]
  %553 = getelementptr inbounds nuw i8, ptr %36, i64 %546
  %554 = load i8, ptr %553, align 1
  %555 = icmp eq i8 %554, 0
  br i1 %555, label %568, label %573

556:
  %557 = phi i64 [ %566, %556 ], [ %545, %544 ]
  %558 = phi double [ %565, %556 ], [ %548, %544 ]
  %559 = mul nuw nsw i64 %557, %14
  %560 = getelementptr double, ptr %549, i64 %559
  %561 = load double, ptr %560, align 8
  %562 = getelementptr inbounds nuw double, ptr %108, i64 %557
  %563 = load double, ptr %562, align 8
  %564 = fneg double %561
  %565 = tail call double @llvm.fmuladd.f64(double %564, double %563, double %558)
  %566 = add nuw nsw i64 %557, 1
  %567 = icmp eq i64 %566, %14
  br i1 %567, label %551, label %556

568:
  %569 = mul i64 %546, %23
  %570 = getelementptr inbounds double, ptr %32, i64 %569
  %571 = load double, ptr %570, align 8
  %572 = fmul double %552, %571
  br label %573

573:
  %574 = phi double [ %572, %568 ], [ 0.000000e+00, %551 ]
  store double %574, ptr %547, align 8
  %575 = icmp samesign ugt i64 %545, 1
  br i1 %575, label %544, label %579

576:
  %577 = fadd double %594, 1.000000e+00
  %578 = fmul double %577, 0x3D719799812DEA11
  br label %597

579:
  %580 = phi i64 [ %595, %579 ], [ 0, %573 ]
  %581 = phi double [ %594, %579 ], [ 0.000000e+00, %573 ]
  %582 = phi double [ %587, %579 ], [ 0.000000e+00, %573 ]
  %583 = getelementptr inbounds nuw double, ptr %106, i64 %580
  %584 = load double, ptr %583, align 8
  %585 = getelementptr inbounds nuw double, ptr %108, i64 %580
  %586 = load double, ptr %585, align 8
  %587 = tail call double @llvm.fmuladd.f64(double %584, double %586, double %582)
  %588 = getelementptr inbounds nuw double, ptr %34, i64 %580
  %589 = load double, ptr %588, align 8
  %590 = fcmp olt double %589, 0.000000e+00
  %591 = fneg double %589
  %592 = select i1 %590, double %591, double %589
  %593 = fcmp ogt double %592, %581
  %594 = select i1 %593, double %592, double %581
  %595 = add nuw nsw i64 %580, 1
  %596 = icmp eq i64 %595, %14
  br i1 %596, label %576, label %579

597:
  %598 = phi i64 [ 0, %576 ], [ %664, %663 ]
  %599 = phi double [ 1.000000e+00, %576 ], [ %665, %663 ]
  br label %600

600:
  %601 = phi i64 [ %626, %616 ], [ 0, %597 ]
  %602 = phi double [ %625, %616 ], [ 0.000000e+00, %597 ]
  %603 = getelementptr inbounds nuw double, ptr %34, i64 %601
  %604 = load double, ptr %603, align 8
  %605 = getelementptr inbounds nuw double, ptr %108, i64 %601
  %606 = load double, ptr %605, align 8
  %607 = tail call double @llvm.fmuladd.f64(double %599, double %606, double %604)
  %608 = getelementptr inbounds nuw double, ptr %367, i64 %601
  %609 = load double, ptr %608, align 8
  %610 = fcmp olt double %607, %609
  br i1 %610, label %616, label %611

611:
  %612 = getelementptr inbounds nuw double, ptr %368, i64 %601
  %613 = load double, ptr %612, align 8
  %614 = fcmp ogt double %607, %613
  %615 = select i1 %614, double %613, double %607
  br label %616

616:
  %617 = phi double [ %609, %600 ], [ %615, %611 ]
  %618 = getelementptr inbounds nuw double, ptr %106, i64 %601
  store double %617, ptr %618, align 8
  %619 = load double, ptr %603, align 8
  %620 = fsub double %617, %619
  %621 = fcmp olt double %620, 0.000000e+00
  %622 = fsub double %619, %617
  %623 = select i1 %621, double %622, double %620
  %624 = fcmp ogt double %623, %602
  %625 = select i1 %624, double %623, double %602
  %626 = add nuw nsw i64 %601, 1
  %627 = icmp eq i64 %626, %14
  br i1 %627, label %634, label %600

628:
  %629 = fmul double %599, 1.000000e-01
  %630 = tail call double @llvm.fmuladd.f64(double %629, double %587, double %469)
  %631 = fcmp ugt double %646, %630
  %632 = fcmp ugt double %625, %578
  %633 = select i1 %631, i1 %632, i1 false
  br i1 %633, label %663, label %667

634:
  %635 = phi i64 [ %647, %644 ], [ 0, %616 ]
  %636 = phi double [ %646, %644 ], [ 0.000000e+00, %616 ]
  %637 = mul nsw i64 %635, %16
  %638 = getelementptr inbounds double, ptr %105, i64 %637
  %639 = load double, ptr %638, align 8
  %640 = getelementptr inbounds nuw double, ptr %106, i64 %635
  %641 = load double, ptr %640, align 8
  %642 = fmul double %4, %641
  %643 = tail call double @llvm.fmuladd.f64(double %639, double 2.000000e+00, double %642)
  br label %649

644:
  %645 = fmul double %641, 5.000000e-01
  %646 = tail call double @llvm.fmuladd.f64(double %645, double %660, double %636)
  %647 = add nuw nsw i64 %635, 1
  %648 = icmp eq i64 %647, %14
  br i1 %648, label %628, label %634

649:
  %650 = phi i64 [ 0, %634 ], [ %661, %649 ]
  %651 = phi double [ %643, %634 ], [ %660, %649 ]
  %652 = tail call i64 @llvm.umin.i64(i64 %635, i64 %650)
  %653 = mul nsw i64 %652, %16
  %654 = tail call i64 @llvm.umax.i64(i64 %635, i64 %650)
  %655 = getelementptr double, ptr %28, i64 %653
  %656 = getelementptr double, ptr %655, i64 %654
  %657 = load double, ptr %656, align 8
  %658 = getelementptr inbounds nuw double, ptr %106, i64 %650
  %659 = load double, ptr %658, align 8
  %660 = tail call double @llvm.fmuladd.f64(double %657, double %659, double %651)
  %661 = add nuw nsw i64 %650, 1
  %662 = icmp eq i64 %661, %14
  br i1 %662, label %644, label %649

663:
  %664 = add nuw nsw i64 %598, 1
  %665 = fmul double %599, 5.000000e-01
  %666 = icmp eq i64 %664, 40
  br i1 %666, label %667, label %597

667:
  %668 = phi i1 [ true, %663 ], [ %632, %628 ]
  br label %670

669:
  br i1 %668, label %384, label %677

670:
  %671 = phi i64 [ %675, %670 ], [ 0, %667 ]
  %672 = getelementptr inbounds nuw double, ptr %106, i64 %671
  %673 = load double, ptr %672, align 8
  %674 = getelementptr inbounds nuw double, ptr %34, i64 %671
  store double %673, ptr %674, align 8
  %675 = add nuw nsw i64 %671, 1
  %676 = icmp eq i64 %675, %14
  br i1 %676, label %669, label %670

677:
  %678 = phi i64 [ %737, %736 ], [ 0, %669 ]
  %679 = getelementptr double, ptr %32, i64 %678
  %680 = getelementptr inbounds nuw i8, ptr %36, i64 %678
  %681 = mul nsw i64 %678, %16
  %682 = getelementptr double, ptr %28, i64 %681
  %683 = icmp eq i64 %678, 0
  %684 = mul nuw nsw i64 %678, %14
  %685 = getelementptr double, ptr %32, i64 %684
  %686 = mul i64 %678, %23
  %687 = getelementptr inbounds double, ptr %32, i64 %686
  br label %688

688:
  %689 = phi i64 [ %678, %677 ], [ %734, %733 ]
  %690 = getelementptr inbounds nuw i8, ptr %36, i64 %689
  %691 = load i8, ptr %690, align 1
  %692 = icmp eq i8 %691, 0
  br i1 %692, label %693, label %696

693:
  %694 = load i8, ptr %680, align 1
  %695 = icmp eq i8 %694, 0
  br i1 %695, label %701, label %696

696:
  %697 = icmp eq i64 %689, %678
  %698 = select i1 %697, double 1.000000e+00, double 0.000000e+00
  %699 = mul nuw nsw i64 %689, %14
  %700 = getelementptr double, ptr %679, i64 %699
  store double %698, ptr %700, align 8
  br label %733

701:
  %702 = getelementptr double, ptr %682, i64 %689
  %703 = load double, ptr %702, align 8
  %704 = icmp eq i64 %689, %678
  %705 = fadd double %4, %703
  %706 = select i1 %704, double %705, double %703
  br i1 %683, label %710, label %707

707:
  %708 = mul nuw nsw i64 %689, %14
  %709 = getelementptr double, ptr %32, i64 %708
  br label %712

710:
  %711 = phi double [ %706, %701 ], [ %720, %712 ]
  br i1 %704, label %728, label %723

712:
  %713 = phi i64 [ 0, %707 ], [ %721, %712 ]
  %714 = phi double [ %706, %707 ], [ %720, %712 ]
  %715 = getelementptr double, ptr %709, i64 %713
  %716 = load double, ptr %715, align 8
  %717 = getelementptr double, ptr %685, i64 %713
  %718 = load double, ptr %717, align 8
  %719 = fneg double %716
  %720 = tail call double @llvm.fmuladd.f64(double %719, double %718, double %714)
  %721 = add nuw nsw i64 %713, 1
  %722 = icmp eq i64 %721, %678
  br i1 %722, label %710, label %712

723:
  %724 = load double, ptr %687, align 8
  %725 = fmul double %711, %724
  %726 = mul nuw nsw i64 %689, %14
  %727 = getelementptr double, ptr %679, i64 %726
  store double %725, ptr %727, align 8
  br label %733

728:
  %729 = fcmp ogt double %711, %111
  br i1 %729, label %730, label %1110

730:
  %731 = tail call double @sqrt(double %711)
  %732 = fdiv double 1.000000e+00, %731
  store double %732, ptr %687, align 8
  br label %733

733:
  %734 = add nuw i64 %689, 1
  %735 = icmp eq i64 %734, %14
  br i1 %735, label %736, label %688

736:
  %737 = add nuw nsw i64 %678, 1
  %738 = icmp eq i64 %737, %14
  br i1 %738, label %801, label %677

739:
  %740 = phi i64 [ %799, %798 ], [ 0, %384 ]
  %741 = getelementptr double, ptr %32, i64 %740
  %742 = getelementptr inbounds nuw i8, ptr %36, i64 %740
  %743 = mul nsw i64 %740, %16
  %744 = getelementptr double, ptr %28, i64 %743
  %745 = icmp eq i64 %740, 0
  %746 = mul nuw nsw i64 %740, %14
  %747 = getelementptr double, ptr %32, i64 %746
  %748 = mul i64 %740, %23
  %749 = getelementptr inbounds double, ptr %32, i64 %748
  br label %750

750:
  %751 = phi i64 [ %740, %739 ], [ %796, %795 ]
  %752 = getelementptr inbounds nuw i8, ptr %36, i64 %751
  %753 = load i8, ptr %752, align 1
  %754 = icmp eq i8 %753, 0
  br i1 %754, label %755, label %758

755:
  %756 = load i8, ptr %742, align 1
  %757 = icmp eq i8 %756, 0
  br i1 %757, label %763, label %758

758:
  %759 = icmp eq i64 %751, %740
  %760 = select i1 %759, double 1.000000e+00, double 0.000000e+00
  %761 = mul nuw nsw i64 %751, %14
  %762 = getelementptr double, ptr %741, i64 %761
  store double %760, ptr %762, align 8
  br label %795

763:
  %764 = getelementptr double, ptr %744, i64 %751
  %765 = load double, ptr %764, align 8
  %766 = icmp eq i64 %751, %740
  %767 = fadd double %4, %765
  %768 = select i1 %766, double %767, double %765
  br i1 %745, label %772, label %769

769:
  %770 = mul nuw nsw i64 %751, %14
  %771 = getelementptr double, ptr %32, i64 %770
  br label %774

772:
  %773 = phi double [ %768, %763 ], [ %782, %774 ]
  br i1 %766, label %790, label %785

774:
  %775 = phi i64 [ 0, %769 ], [ %783, %774 ]
  %776 = phi double [ %768, %769 ], [ %782, %774 ]
  %777 = getelementptr double, ptr %771, i64 %775
  %778 = load double, ptr %777, align 8
  %779 = getelementptr double, ptr %747, i64 %775
  %780 = load double, ptr %779, align 8
  %781 = fneg double %778
  %782 = tail call double @llvm.fmuladd.f64(double %781, double %780, double %776)
  %783 = add nuw nsw i64 %775, 1
  %784 = icmp eq i64 %783, %740
  br i1 %784, label %772, label %774

785:
  %786 = load double, ptr %749, align 8
  %787 = fmul double %773, %786
  %788 = mul nuw nsw i64 %751, %14
  %789 = getelementptr double, ptr %741, i64 %788
  store double %787, ptr %789, align 8
  br label %795

790:
  %791 = fcmp ogt double %773, %111
  br i1 %791, label %792, label %1110

792:
  %793 = tail call double @sqrt(double %773)
  %794 = fdiv double 1.000000e+00, %793
  store double %794, ptr %749, align 8
  br label %795

795:
  %796 = add nuw i64 %751, 1
  %797 = icmp eq i64 %796, %14
  br i1 %797, label %798, label %750

798:
  %799 = add nuw nsw i64 %740, 1
  %800 = icmp eq i64 %799, %14
  br i1 %800, label %801, label %739

801:
  br label %802

802:
  %803 = phi i64 [ %835, %834 ], [ 0, %801 ]
  %804 = getelementptr inbounds nuw i8, ptr %36, i64 %803
  %805 = load i8, ptr %804, align 1
  %806 = icmp eq i8 %805, 0
  %807 = select i1 %806, i1 true, i1 %112
  br i1 %807, label %834, label %808

808:
  %809 = mul nsw i64 %803, %16
  %810 = getelementptr double, ptr %28, i64 %809
  %811 = getelementptr inbounds nuw double, ptr %34, i64 %803
  br label %812

812:
  %813 = phi i64 [ 0, %808 ], [ %832, %831 ]
  %814 = icmp slt i64 %813, %14
  br i1 %814, label %815, label %819

815:
  %816 = getelementptr inbounds nuw i8, ptr %36, i64 %813
  %817 = load i8, ptr %816, align 1
  %818 = icmp eq i8 %817, 0
  br i1 %818, label %819, label %831

819:
  %820 = icmp samesign ult i64 %813, %803
  %821 = mul nsw i64 %813, %16
  %822 = getelementptr double, ptr %28, i64 %821
  %823 = getelementptr double, ptr %822, i64 %803
  %824 = getelementptr double, ptr %810, i64 %813
  %825 = select i1 %820, ptr %823, ptr %824
  %826 = load double, ptr %825, align 8
  %827 = load double, ptr %811, align 8
  %828 = getelementptr double, ptr %822, i64 %19
  %829 = load double, ptr %828, align 8
  %830 = tail call double @llvm.fmuladd.f64(double %826, double %827, double %829)
  store double %830, ptr %828, align 8
  br label %831

831:
  %832 = add nuw nsw i64 %813, 1
  %833 = icmp eq i64 %832, %19
  br i1 %833, label %834, label %812

834:
  %835 = add nuw nsw i64 %803, 1
  %836 = icmp eq i64 %835, %14
  br i1 %836, label %900, label %802

837:
  br i1 %109, label %838, label %900

838:
  %839 = phi i64 [ %898, %897 ], [ 0, %837 ]
  %840 = getelementptr double, ptr %32, i64 %839
  %841 = getelementptr inbounds nuw i8, ptr %36, i64 %839
  %842 = mul nsw i64 %839, %16
  %843 = getelementptr double, ptr %28, i64 %842
  %844 = icmp eq i64 %839, 0
  %845 = mul nuw nsw i64 %839, %14
  %846 = getelementptr double, ptr %32, i64 %845
  %847 = mul i64 %839, %23
  %848 = getelementptr inbounds double, ptr %32, i64 %847
  br label %849

849:
  %850 = phi i64 [ %839, %838 ], [ %895, %894 ]
  %851 = getelementptr inbounds nuw i8, ptr %36, i64 %850
  %852 = load i8, ptr %851, align 1
  %853 = icmp eq i8 %852, 0
  br i1 %853, label %854, label %857

854:
  %855 = load i8, ptr %841, align 1
  %856 = icmp eq i8 %855, 0
  br i1 %856, label %862, label %857

857:
  %858 = icmp eq i64 %850, %839
  %859 = select i1 %858, double 1.000000e+00, double 0.000000e+00
  %860 = mul nuw nsw i64 %850, %14
  %861 = getelementptr double, ptr %840, i64 %860
  store double %859, ptr %861, align 8
  br label %894

862:
  %863 = getelementptr double, ptr %843, i64 %850
  %864 = load double, ptr %863, align 8
  %865 = icmp eq i64 %850, %839
  %866 = fadd double %4, %864
  %867 = select i1 %865, double %866, double %864
  br i1 %844, label %871, label %868

868:
  %869 = mul nuw nsw i64 %850, %14
  %870 = getelementptr double, ptr %32, i64 %869
  br label %873

871:
  %872 = phi double [ %867, %862 ], [ %881, %873 ]
  br i1 %865, label %889, label %884

873:
  %874 = phi i64 [ 0, %868 ], [ %882, %873 ]
  %875 = phi double [ %867, %868 ], [ %881, %873 ]
  %876 = getelementptr double, ptr %870, i64 %874
  %877 = load double, ptr %876, align 8
  %878 = getelementptr double, ptr %846, i64 %874
  %879 = load double, ptr %878, align 8
  %880 = fneg double %877
  %881 = tail call double @llvm.fmuladd.f64(double %880, double %879, double %875)
  %882 = add nuw nsw i64 %874, 1
  %883 = icmp eq i64 %882, %839
  br i1 %883, label %871, label %873

884:
  %885 = load double, ptr %848, align 8
  %886 = fmul double %872, %885
  %887 = mul nuw nsw i64 %850, %14
  %888 = getelementptr double, ptr %840, i64 %887
  store double %886, ptr %888, align 8
  br label %894

889:
  %890 = fcmp ogt double %872, %111
  br i1 %890, label %891, label %1110

891:
  %892 = tail call double @sqrt(double %872)
  %893 = fdiv double 1.000000e+00, %892
  store double %893, ptr %848, align 8
  br label %894

894:
  %895 = add nuw i64 %850, 1
  %896 = icmp eq i64 %895, %14
  br i1 %896, label %897, label %849

897:
  %898 = add nuw nsw i64 %839, 1
  %899 = icmp eq i64 %898, %14
  br i1 %899, label %900, label %838

900:
  br i1 %115, label %901, label %905

901:
  %902 = phi i64 [ %1038, %1037 ], [ %114, %900 ]
  %903 = getelementptr double, ptr %28, i64 %902
  %904 = getelementptr double, ptr %30, i64 %902
  br i1 %109, label %996, label %1037

905:
  %906 = mul i64 %27, %126
  %907 = getelementptr inbounds double, ptr %6, i64 %906
  br i1 %92, label %908, label %992

908:
  %909 = phi i64 [ %936, %933 ], [ %12, %905 ]
  %910 = phi i64 [ %934, %933 ], [ 0, %905 ]
  %911 = tail call i64 @llvm.smax.i64(i64 %909, i64 1)
  %912 = tail call i64 @llvm.umin.i64(i64 %911, i64 4)
  %913 = sub nsw i64 %12, %910
  %914 = getelementptr inbounds nuw double, ptr %117, i64 %910
  %915 = icmp sgt i64 %913, 1
  %916 = zext i1 %915 to i64
  %917 = getelementptr inbounds nuw double, ptr %914, i64 %916
  %918 = icmp sgt i64 %913, 2
  %919 = select i1 %918, i64 16, i64 0
  %920 = getelementptr inbounds nuw i8, ptr %914, i64 %919
  %921 = icmp sgt i64 %913, 3
  %922 = select i1 %921, i64 24, i64 0
  %923 = getelementptr inbounds nuw i8, ptr %914, i64 %922
  %924 = add nuw nsw i64 %910, %14
  %925 = and i64 %924, 9223372036854775800
  %926 = select i1 %118, i64 0, i64 %925
  %927 = icmp slt i64 %926, %16
  br i1 %927, label %928, label %933

928:
  %929 = icmp sgt i64 %913, 0
  br label %930

930:
  %931 = phi i64 [ %926, %928 ], [ %974, %973 ]
  %932 = getelementptr double, ptr %30, i64 %931
  br i1 %109, label %942, label %937

933:
  %934 = add nuw nsw i64 %910, 4
  %935 = icmp slt i64 %934, %12
  %936 = add i64 %909, -4
  br i1 %935, label %908, label %992

937:
  %938 = phi <8 x double> [ zeroinitializer, %930 ], [ %955, %942 ]
  %939 = phi <8 x double> [ zeroinitializer, %930 ], [ %960, %942 ]
  %940 = phi <8 x double> [ zeroinitializer, %930 ], [ %965, %942 ]
  %941 = phi <8 x double> [ zeroinitializer, %930 ], [ %970, %942 ]
  store <8 x double> %938, ptr %8, align 16
  store <8 x double> %939, ptr %119, align 16
  store <8 x double> %940, ptr %120, align 16
  store <8 x double> %941, ptr %121, align 16
  br i1 %929, label %976, label %973

942:
  %943 = phi i64 [ %971, %942 ], [ 0, %930 ]
  %944 = phi <8 x double> [ %970, %942 ], [ zeroinitializer, %930 ]
  %945 = phi <8 x double> [ %965, %942 ], [ zeroinitializer, %930 ]
  %946 = phi <8 x double> [ %960, %942 ], [ zeroinitializer, %930 ]
  %947 = phi <8 x double> [ %955, %942 ], [ zeroinitializer, %930 ]
  %948 = mul nsw i64 %943, %16
  %949 = getelementptr double, ptr %932, i64 %948
  %950 = load <8 x double>, ptr %949, align 8
  %951 = getelementptr inbounds double, ptr %914, i64 %948
  %952 = load double, ptr %951, align 8
  %953 = insertelement <8 x double> poison, double %952, i64 0
  %954 = shufflevector <8 x double> %953, <8 x double> poison, <8 x i32> zeroinitializer
  %955 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %954, <8 x double> %950, <8 x double> %947)
  %956 = getelementptr inbounds double, ptr %917, i64 %948
  %957 = load double, ptr %956, align 8
  %958 = insertelement <8 x double> poison, double %957, i64 0
  %959 = shufflevector <8 x double> %958, <8 x double> poison, <8 x i32> zeroinitializer
  %960 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %959, <8 x double> %950, <8 x double> %946)
  %961 = getelementptr inbounds double, ptr %920, i64 %948
  %962 = load double, ptr %961, align 8
  %963 = insertelement <8 x double> poison, double %962, i64 0
  %964 = shufflevector <8 x double> %963, <8 x double> poison, <8 x i32> zeroinitializer
  %965 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %964, <8 x double> %950, <8 x double> %945)
  %966 = getelementptr inbounds double, ptr %923, i64 %948
  %967 = load double, ptr %966, align 8
  %968 = insertelement <8 x double> poison, double %967, i64 0
  %969 = shufflevector <8 x double> %968, <8 x double> poison, <8 x i32> zeroinitializer
  %970 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %969, <8 x double> %950, <8 x double> %944)
  %971 = add nuw nsw i64 %943, 1
  %972 = icmp eq i64 %971, %14
  br i1 %972, label %937, label %942

973:
  %974 = add nuw nsw i64 %931, 8
  %975 = icmp slt i64 %974, %16
  br i1 %975, label %930, label %933

976:
  %977 = phi i64 [ %990, %984 ], [ 0, %937 ]
  %978 = add nuw nsw i64 %977, %910
  %979 = mul nsw i64 %978, %16
  %980 = add nsw i64 %979, %931
  br i1 %103, label %984, label %981

981:
  %982 = getelementptr inbounds double, ptr %116, i64 %980
  %983 = load <8 x double>, ptr %982, align 8
  br label %984

984:
  %985 = phi <8 x double> [ %983, %981 ], [ zeroinitializer, %976 ]
  %986 = getelementptr inbounds nuw <8 x double>, ptr %8, i64 %977
  %987 = load <8 x double>, ptr %986, align 16
  %988 = fsub <8 x double> %985, %987
  %989 = getelementptr inbounds double, ptr %907, i64 %980
  store <8 x double> %988, ptr %989, align 8
  %990 = add nuw nsw i64 %977, 1
  %991 = icmp eq i64 %990, %912
  br i1 %991, label %973, label %976

992:
  %993 = getelementptr double, ptr %132, i64 %19
  br i1 %109, label %1077, label %1107

994:
  %995 = getelementptr double, ptr %132, i64 %902
  br label %1040

996:
  %997 = phi i64 [ %1021, %1011 ], [ 0, %901 ]
  %998 = getelementptr inbounds nuw i8, ptr %36, i64 %997
  %999 = load i8, ptr %998, align 1
  %1000 = icmp eq i8 %999, 0
  br i1 %1000, label %1001, label %1005

1001:
  %1002 = mul nsw i64 %997, %16
  %1003 = getelementptr double, ptr %903, i64 %1002
  %1004 = load <8 x double>, ptr %1003, align 8
  br label %1005

1005:
  %1006 = phi <8 x double> [ zeroinitializer, %996 ], [ %1004, %1001 ]
  %1007 = icmp eq i64 %997, 0
  br i1 %1007, label %1011, label %1008

1008:
  %1009 = mul nuw nsw i64 %997, %14
  %1010 = getelementptr double, ptr %32, i64 %1009
  br label %1023

1011:
  %1012 = phi <8 x double> [ %1006, %1005 ], [ %1034, %1023 ]
  %1013 = mul i64 %997, %23
  %1014 = getelementptr inbounds double, ptr %32, i64 %1013
  %1015 = load double, ptr %1014, align 8
  %1016 = insertelement <8 x double> poison, double %1015, i64 0
  %1017 = shufflevector <8 x double> %1016, <8 x double> poison, <8 x i32> zeroinitializer
  %1018 = fmul <8 x double> %1012, %1017
  %1019 = mul nsw i64 %997, %16
  %1020 = getelementptr double, ptr %904, i64 %1019
  store <8 x double> %1018, ptr %1020, align 8
  %1021 = add nuw nsw i64 %997, 1
  %1022 = icmp eq i64 %1021, %14
  br i1 %1022, label %994, label %996

1023:
  %1024 = phi i64 [ 0, %1008 ], [ %1035, %1023 ]
  %1025 = phi <8 x double> [ %1006, %1008 ], [ %1034, %1023 ]
  %1026 = getelementptr double, ptr %1010, i64 %1024
  %1027 = load double, ptr %1026, align 8
  %1028 = mul nsw i64 %1024, %16
  %1029 = getelementptr double, ptr %904, i64 %1028
  %1030 = load <8 x double>, ptr %1029, align 8
  %1031 = fneg double %1027
  %1032 = insertelement <8 x double> poison, double %1031, i64 0
  %1033 = shufflevector <8 x double> %1032, <8 x double> poison, <8 x i32> zeroinitializer
  %1034 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %1033, <8 x double> %1030, <8 x double> %1025)
  %1035 = add nuw nsw i64 %1024, 1
  %1036 = icmp eq i64 %1035, %997
  br i1 %1036, label %1011, label %1023

1037:
  %1038 = add nsw i64 %902, 8
  %1039 = icmp slt i64 %1038, %16
  br i1 %1039, label %901, label %905

1040:
  %1041 = phi i64 [ %1042, %1049 ], [ %14, %994 ]
  %1042 = add nsw i64 %1041, -1
  %1043 = mul nsw i64 %1042, %16
  %1044 = getelementptr double, ptr %904, i64 %1043
  %1045 = load <8 x double>, ptr %1044, align 8
  %1046 = fneg <8 x double> %1045
  %1047 = getelementptr double, ptr %32, i64 %1042
  %1048 = icmp slt i64 %1041, %14
  br i1 %1048, label %1059, label %1049

1049:
  %1050 = phi <8 x double> [ %1046, %1040 ], [ %1071, %1059 ]
  %1051 = mul i64 %1042, %23
  %1052 = getelementptr inbounds double, ptr %32, i64 %1051
  %1053 = load double, ptr %1052, align 8
  %1054 = insertelement <8 x double> poison, double %1053, i64 0
  %1055 = shufflevector <8 x double> %1054, <8 x double> poison, <8 x i32> zeroinitializer
  %1056 = fmul <8 x double> %1050, %1055
  %1057 = getelementptr double, ptr %995, i64 %1043
  store <8 x double> %1056, ptr %1057, align 8
  %1058 = icmp samesign ugt i64 %1041, 1
  br i1 %1058, label %1040, label %1037

1059:
  %1060 = phi i64 [ %1072, %1059 ], [ %1041, %1040 ]
  %1061 = phi <8 x double> [ %1071, %1059 ], [ %1046, %1040 ]
  %1062 = mul nuw nsw i64 %1060, %14
  %1063 = getelementptr double, ptr %1047, i64 %1062
  %1064 = load double, ptr %1063, align 8
  %1065 = mul nsw i64 %1060, %16
  %1066 = getelementptr double, ptr %995, i64 %1065
  %1067 = load <8 x double>, ptr %1066, align 8
  %1068 = fneg double %1064
  %1069 = insertelement <8 x double> poison, double %1068, i64 0
  %1070 = shufflevector <8 x double> %1069, <8 x double> poison, <8 x i32> zeroinitializer
  %1071 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %1070, <8 x double> %1067, <8 x double> %1061)
  %1072 = add nuw nsw i64 %1060, 1
  %1073 = icmp eq i64 %1072, %14
  br i1 %1073, label %1049, label %1059

1074:
  %1075 = add nuw nsw i64 %1078, 1
  %1076 = icmp eq i64 %1075, %14
  br i1 %1076, label %1107, label %1077

1077:
  %1078 = phi i64 [ %1075, %1074 ], [ 0, %992 ]
  %1079 = mul nsw i64 %1078, %16
  %1080 = getelementptr double, ptr %132, i64 %1079
  br label %1082

1081:
  br i1 %123, label %1094, label %1087

1082:
  %1083 = phi i64 [ 0, %1077 ], [ %1085, %1082 ]
  %1084 = getelementptr double, ptr %1080, i64 %1083
  store double 0.000000e+00, ptr %1084, align 8
  %1085 = add nuw nsw i64 %1083, 1
  %1086 = icmp eq i64 %1085, %14
  br i1 %1086, label %1081, label %1082

1087:
  %1088 = getelementptr inbounds nuw i8, ptr %36, i64 %1078
  %1089 = load i8, ptr %1088, align 1
  %1090 = icmp eq i8 %1089, 0
  br i1 %1090, label %1091, label %1099

1091:
  %1092 = getelementptr double, ptr %993, i64 %1079
  %1093 = load double, ptr %1092, align 8
  br label %1103

1094:
  %1095 = phi i64 [ %1097, %1094 ], [ %122, %1081 ]
  %1096 = getelementptr double, ptr %1080, i64 %1095
  store double 0.000000e+00, ptr %1096, align 8
  %1097 = add nsw i64 %1095, 1
  %1098 = icmp slt i64 %1097, %16
  br i1 %1098, label %1094, label %1087

1099:
  %1100 = getelementptr inbounds nuw double, ptr %34, i64 %1078
  %1101 = load double, ptr %1100, align 8
  %1102 = getelementptr double, ptr %993, i64 %1079
  store double %1101, ptr %1102, align 8
  br label %1103

1103:
  %1104 = phi double [ %1093, %1091 ], [ %1101, %1099 ]
  %1105 = fsub double %1104, %1104
  %1106 = fcmp oeq double %1105, 0.000000e+00
  br i1 %1106, label %1074, label %1110

1107:
  %1108 = add nsw i64 %126, -1
  %1109 = icmp slt i64 %126, 1
  br i1 %1109, label %1110, label %124

1110:
  %1111 = phi i64 [ %126, %728 ], [ -1, %80 ], [ %126, %1103 ], [ %126, %889 ], [ %126, %442 ], [ %126, %790 ], [ -1, %1107 ]
  ret i64 %1111
}

declare ptr @memcpy(ptr, ptr, i64)

declare ptr @memset(ptr, i32, i64)

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
  %23 = shl nsw i64 %13, 1
  %24 = add i64 %15, 1
  %25 = add i64 %24, %23
  %26 = mul nsw i64 %25, %17
  %27 = getelementptr inbounds double, ptr %22, i64 %26
  %28 = getelementptr inbounds nuw i8, ptr %10, i64 8
  store double 0.000000e+00, ptr %28, align 8
  store double 0.000000e+00, ptr %10, align 8
  %29 = icmp sgt i64 %18, 0
  br i1 %29, label %30, label %42

30:
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %33 = shl i64 %17, 3
  %34 = getelementptr inbounds double, ptr %27, i64 %15
  %35 = shl i64 %13, 3
  %36 = getelementptr inbounds double, ptr %27, i64 %20
  %37 = icmp sgt i64 %13, 0
  %38 = icmp sgt i64 %15, 0
  %39 = icmp sgt i64 %17, 0
  %40 = icmp eq ptr %2, null
  %41 = shl i64 %15, 3
  br label %43

42:
  ret void

43:
  %44 = phi i32 [ -1, %30 ], [ %215, %222 ]
  %45 = phi i64 [ 0, %30 ], [ %223, %222 ]
  %46 = load ptr, ptr %31, align 8
  %47 = load ptr, ptr %32, align 8
  %48 = getelementptr inbounds nuw i32, ptr %47, i64 %45
  %49 = load i32, ptr %48, align 4
  %50 = sext i32 %49 to i64
  %51 = getelementptr inbounds %struct.Pattern, ptr %46, i64 %50
  %52 = mul nsw i64 %45, %13
  %53 = mul nsw i64 %52, %17
  %54 = getelementptr inbounds double, ptr %6, i64 %53
  %55 = getelementptr inbounds double, ptr %7, i64 %52
  %56 = tail call ptr @memset(ptr %27, i32 0, i64 %33)
  %57 = tail call ptr @memcpy(ptr %34, ptr %55, i64 %35)
  store double 1.000000e+00, ptr %36, align 8
  %58 = getelementptr double, ptr %54, i64 %20
  br i1 %37, label %59, label %62

59:
  %60 = getelementptr double, ptr %54, i64 %15
  %61 = getelementptr double, ptr %9, i64 %52
  br label %64

62:
  %63 = icmp slt i64 %45, %19
  br i1 %63, label %87, label %214

64:
  %65 = phi i64 [ 0, %59 ], [ %71, %69 ]
  %66 = mul nsw i64 %65, %17
  %67 = getelementptr double, ptr %58, i64 %66
  %68 = load double, ptr %67, align 8
  br label %73

69:
  %70 = getelementptr double, ptr %61, i64 %65
  store double %84, ptr %70, align 8
  %71 = add nuw nsw i64 %65, 1
  %72 = icmp eq i64 %71, %13
  br i1 %72, label %62, label %64

73:
  %74 = phi double [ %68, %64 ], [ %84, %73 ]
  %75 = phi i64 [ 0, %64 ], [ %85, %73 ]
  %76 = tail call i64 @llvm.umin.i64(i64 %65, i64 %75)
  %77 = mul nsw i64 %76, %17
  %78 = tail call i64 @llvm.umax.i64(i64 %65, i64 %75)
  %79 = getelementptr double, ptr %60, i64 %77
  %80 = getelementptr double, ptr %79, i64 %78
  %81 = load double, ptr %80, align 8
  %82 = getelementptr inbounds nuw double, ptr %55, i64 %75
  %83 = load double, ptr %82, align 8
  %84 = tail call double @llvm.fmuladd.f64(double %81, double %83, double %74)
  %85 = add nuw nsw i64 %75, 1
  %86 = icmp eq i64 %85, %13
  br i1 %86, label %69, label %73

87:
  store double %4, ptr %36, align 8
  %88 = mul nsw i64 %45, %15
  br i1 %38, label %89, label %97

89:
  %90 = getelementptr double, ptr %8, i64 %88
  br label %91

91:
  %92 = phi i64 [ 0, %89 ], [ %184, %181 ]
  br i1 %39, label %93, label %151

93:
  %94 = add nuw nsw i64 %92, %88
  %95 = mul nuw nsw i64 %94, %17
  %96 = getelementptr inbounds nuw double, ptr %5, i64 %95
  br label %153

97:
  store double 1.000000e+00, ptr %36, align 8
  %98 = getelementptr inbounds double, ptr %8, i64 %88
  %99 = tail call ptr @memcpy(ptr %27, ptr %98, i64 %41)
  %100 = getelementptr inbounds nuw ptr, ptr %1, i64 %45
  %101 = load ptr, ptr %100, align 8
  %102 = load ptr, ptr %32, align 8
  %103 = getelementptr inbounds nuw i32, ptr %102, i64 %45
  %104 = load i32, ptr %103, align 4
  %105 = load ptr, ptr %31, align 8
  %106 = sext i32 %104 to i64
  %107 = getelementptr inbounds %struct.Pattern, ptr %105, i64 %106
  %108 = icmp eq i32 %104, %44
  br i1 %108, label %121, label %109

109:
  %110 = getelementptr inbounds nuw i8, ptr %107, i64 24
  %111 = load ptr, ptr %110, align 8
  %112 = load i64, ptr %12, align 8
  %113 = shl nsw i64 %112, 1
  %114 = load i64, ptr %14, align 8
  %115 = add i64 %114, 1
  %116 = add i64 %115, %113
  %117 = load i64, ptr %16, align 8
  %118 = shl i64 %117, 3
  %119 = mul i64 %118, %116
  %120 = tail call ptr @memcpy(ptr %22, ptr %111, i64 %119)
  br label %121

121:
  %122 = load i64, ptr %107, align 8
  %123 = icmp sgt i64 %122, 0
  br i1 %123, label %124, label %146

124:
  %125 = getelementptr inbounds nuw i8, ptr %107, i64 8
  %126 = getelementptr inbounds nuw i8, ptr %107, i64 16
  br label %127

127:
  %128 = phi i64 [ 0, %124 ], [ %143, %127 ]
  %129 = getelementptr inbounds nuw double, ptr %101, i64 %128
  %130 = load double, ptr %129, align 8
  %131 = load ptr, ptr %125, align 8
  %132 = getelementptr inbounds nuw i32, ptr %131, i64 %128
  %133 = load i32, ptr %132, align 4
  %134 = sext i32 %133 to i64
  %135 = load i64, ptr %16, align 8
  %136 = mul nsw i64 %135, %134
  %137 = load ptr, ptr %126, align 8
  %138 = getelementptr inbounds nuw i32, ptr %137, i64 %128
  %139 = load i32, ptr %138, align 4
  %140 = sext i32 %139 to i64
  %141 = getelementptr double, ptr %22, i64 %136
  %142 = getelementptr double, ptr %141, i64 %140
  store double %130, ptr %142, align 8
  %143 = add nuw nsw i64 %128, 1
  %144 = load i64, ptr %107, align 8
  %145 = icmp slt i64 %143, %144
  br i1 %145, label %127, label %146

146:
  br i1 %37, label %147, label %214

147:
  %148 = add nuw nsw i64 %45, 1
  %149 = mul nuw nsw i64 %148, %13
  %150 = getelementptr double, ptr %7, i64 %149
  br label %186

151:
  %152 = phi <8 x double> [ zeroinitializer, %91 ], [ %160, %153 ]
  br label %164

153:
  %154 = phi i64 [ 0, %93 ], [ %161, %153 ]
  %155 = phi <8 x double> [ zeroinitializer, %93 ], [ %160, %153 ]
  %156 = getelementptr inbounds nuw double, ptr %96, i64 %154
  %157 = load <8 x double>, ptr %156, align 8
  %158 = getelementptr inbounds nuw double, ptr %27, i64 %154
  %159 = load <8 x double>, ptr %158, align 8
  %160 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %157, <8 x double> %159, <8 x double> %155)
  %161 = add nuw nsw i64 %154, 8
  %162 = icmp slt i64 %161, %17
  br i1 %162, label %153, label %151

163:
  br i1 %40, label %181, label %171

164:
  %165 = phi i64 [ 0, %151 ], [ %169, %164 ]
  %166 = phi double [ 0.000000e+00, %151 ], [ %168, %164 ]
  %167 = extractelement <8 x double> %152, i64 %165
  %168 = fadd double %166, %167
  %169 = add nuw nsw i64 %165, 1
  %170 = icmp eq i64 %169, 8
  br i1 %170, label %163, label %164

171:
  %172 = add nuw nsw i64 %92, %88
  %173 = getelementptr inbounds nuw double, ptr %2, i64 %172
  %174 = load double, ptr %173, align 8
  %175 = fcmp olt double %168, %174
  br i1 %175, label %181, label %176

176:
  %177 = getelementptr inbounds nuw double, ptr %3, i64 %172
  %178 = load double, ptr %177, align 8
  %179 = fcmp ogt double %168, %178
  %180 = select i1 %179, double %178, double %168
  br label %181

181:
  %182 = phi double [ %168, %163 ], [ %180, %176 ], [ %174, %171 ]
  %183 = getelementptr double, ptr %90, i64 %92
  store double %182, ptr %183, align 8
  %184 = add nuw nsw i64 %92, 1
  %185 = icmp eq i64 %184, %15
  br i1 %185, label %97, label %91

186:
  %187 = phi i64 [ 0, %147 ], [ %205, %203 ]
  br i1 %39, label %188, label %191

188:
  %189 = mul nuw nsw i64 %187, %17
  %190 = getelementptr inbounds nuw double, ptr %22, i64 %189
  br label %193

191:
  %192 = phi <8 x double> [ zeroinitializer, %186 ], [ %200, %193 ]
  br label %207

193:
  %194 = phi i64 [ 0, %188 ], [ %201, %193 ]
  %195 = phi <8 x double> [ zeroinitializer, %188 ], [ %200, %193 ]
  %196 = getelementptr inbounds nuw double, ptr %190, i64 %194
  %197 = load <8 x double>, ptr %196, align 8
  %198 = getelementptr inbounds nuw double, ptr %27, i64 %194
  %199 = load <8 x double>, ptr %198, align 8
  %200 = tail call <8 x double> @llvm.fmuladd.v8f64(<8 x double> %197, <8 x double> %199, <8 x double> %195)
  %201 = add nuw nsw i64 %194, 8
  %202 = icmp slt i64 %201, %17
  br i1 %202, label %193, label %191

203:
  %204 = getelementptr double, ptr %150, i64 %187
  store double %211, ptr %204, align 8
  %205 = add nuw nsw i64 %187, 1
  %206 = icmp eq i64 %205, %13
  br i1 %206, label %214, label %186

207:
  %208 = phi i64 [ 0, %191 ], [ %212, %207 ]
  %209 = phi double [ 0.000000e+00, %191 ], [ %211, %207 ]
  %210 = extractelement <8 x double> %192, i64 %208
  %211 = fadd double %209, %210
  %212 = add nuw nsw i64 %208, 1
  %213 = icmp eq i64 %212, 8
  br i1 %213, label %203, label %207

214:
  %215 = phi i32 [ %44, %62 ], [ %104, %146 ], [ %104, %203 ]
  %216 = load i64, ptr %51, align 8
  %217 = icmp sgt i64 %216, 0
  br i1 %217, label %218, label %222

218:
  %219 = getelementptr inbounds nuw i8, ptr %51, i64 8
  %220 = getelementptr inbounds nuw i8, ptr %51, i64 16
  %221 = getelementptr inbounds nuw ptr, ptr %1, i64 %45
  br label %225

222:
  %223 = add nuw nsw i64 %45, 1
  %224 = icmp eq i64 %223, %18
  br i1 %224, label %42, label %43

225:
  %226 = phi i64 [ 0, %218 ], [ %260, %259 ]
  %227 = load ptr, ptr %219, align 8
  %228 = getelementptr inbounds nuw i32, ptr %227, i64 %226
  %229 = load i32, ptr %228, align 4
  %230 = sext i32 %229 to i64
  %231 = sub nsw i64 %230, %13
  %232 = load ptr, ptr %220, align 8
  %233 = getelementptr inbounds nuw i32, ptr %232, i64 %226
  %234 = load i32, ptr %233, align 4
  %235 = sext i32 %234 to i64
  %236 = icmp sgt i64 %231, -1
  %237 = icmp slt i64 %231, %20
  %238 = select i1 %236, i1 %237, i1 false
  br i1 %238, label %239, label %259

239:
  %240 = load ptr, ptr %221, align 8
  %241 = getelementptr inbounds nuw double, ptr %240, i64 %226
  %242 = load double, ptr %241, align 8
  %243 = getelementptr inbounds nuw double, ptr %27, i64 %231
  %244 = load double, ptr %243, align 8
  %245 = fmul double %242, %244
  %246 = getelementptr inbounds double, ptr %27, i64 %235
  %247 = load double, ptr %246, align 8
  %248 = fmul double %245, %247
  %249 = icmp eq i64 %20, %235
  br i1 %249, label %250, label %253

250:
  %251 = load double, ptr %10, align 8
  %252 = fadd double %248, %251
  store double %252, ptr %10, align 8
  br label %259

253:
  %254 = icmp eq i64 %231, %235
  %255 = fmul double %248, 5.000000e-01
  %256 = select i1 %254, double %255, double %248
  %257 = load double, ptr %28, align 8
  %258 = fadd double %256, %257
  store double %258, ptr %28, align 8
  br label %259

259:
  %260 = add nuw nsw i64 %226, 1
  %261 = load i64, ptr %51, align 8
  %262 = icmp slt i64 %260, %261
  br i1 %262, label %225, label %222
}

declare double @sqrt(double)

declare i64 @llvm.umin.i64(i64, i64)

declare i64 @llvm.umax.i64(i64, i64)

declare i64 @llvm.smax.i64(i64, i64)
