; fastcall.c, by `make native`: source 8bcbcef1fc9f39ba9e17f86a9646fad8ee5cb74a41bc81f7107f27d2885a7e89 text 4b39fdb0ba32818c24e5966e3c0066cc4c5c474c71f48f27cd4bfc8d4a3618df
%struct.Batch = type { i64, ptr }
%struct.Call = type { ptr, ptr, i64, ptr }
%struct.Core = type { i64, [6 x i64] }

@jounce_signature_bytes = local_unnamed_addr constant i64 216, align 8

define ptr @jounce_call(ptr %0, ptr %1, i64 %2, ptr %3) nounwind {
  %5 = alloca [64 x ptr], align 16
  %6 = alloca [64 x ptr], align 16
  %7 = alloca [64 x ptr], align 16
  %8 = alloca [64 x double], align 16
  %9 = alloca [64 x i64], align 16
  %10 = alloca i64, align 8
  %11 = alloca %struct.Batch, align 8
  %12 = alloca %struct.Call, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %14 = load ptr, ptr %13, align 8
  store i64 1, ptr %10, align 8
  call void @llvm.memset.p0.i64(ptr align 8 %11, i8 0, i64 16, i1 false)
  %15 = getelementptr inbounds nuw i8, ptr %14, i64 112
  %16 = load i64, ptr %15, align 8
  %17 = getelementptr inbounds nuw i8, ptr %14, i64 168
  store ptr %1, ptr %12, align 8
  %18 = getelementptr inbounds nuw i8, ptr %12, i64 8
  store ptr null, ptr %18, align 8
  %19 = getelementptr inbounds nuw i8, ptr %12, i64 16
  store i64 %16, ptr %19, align 8
  %20 = getelementptr inbounds nuw i8, ptr %12, i64 24
  store ptr %17, ptr %20, align 8
  %21 = icmp eq i64 %2, %16
  %22 = icmp ne ptr %3, null
  %23 = and i1 %22, %21
  br i1 %23, label %24, label %37

24:
  %25 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %26 = load i64, ptr %25, align 8
  %27 = icmp eq i64 %26, 1
  br i1 %27, label %28, label %38, !prof !6

28:
  %29 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %30 = load ptr, ptr %29, align 8
  %31 = getelementptr inbounds nuw i8, ptr %14, i64 56
  %32 = load ptr, ptr %31, align 8
  %33 = icmp eq ptr %30, %32
  br i1 %33, label %34, label %38

34:
  %35 = getelementptr inbounds ptr, ptr %1, i64 %2
  %36 = load ptr, ptr %35, align 8
  store ptr %36, ptr %18, align 8
  br label %128

37:
  br i1 %21, label %128, label %38, !prof !7

38:
  %39 = getelementptr inbounds nuw i8, ptr %14, i64 120
  %40 = load i64, ptr %39, align 8
  %41 = icmp sgt i64 %2, %40
  br i1 %41, label %429, label %42

42:
  %43 = icmp sgt i64 %40, 0
  br i1 %43, label %57, label %44

44:
  %45 = icmp eq ptr %3, null
  br i1 %45, label %98, label %46

46:
  %47 = getelementptr inbounds nuw i8, ptr %3, i64 16
  %48 = getelementptr inbounds nuw i8, ptr %3, i64 24
  %49 = getelementptr ptr, ptr %1, i64 %2
  %50 = getelementptr inbounds nuw i8, ptr %14, i64 144
  %51 = load i64, ptr %47, align 8
  %52 = icmp sgt i64 %51, 0
  br i1 %52, label %53, label %96

53:
  %54 = getelementptr inbounds nuw i8, ptr %14, i64 56
  %55 = load ptr, ptr %54, align 8
  %56 = icmp slt i64 %2, %40
  br label %68

57:
  %58 = phi i64 [ %66, %63 ], [ 0, %42 ]
  %59 = icmp slt i64 %58, %2
  br i1 %59, label %60, label %63

60:
  %61 = getelementptr inbounds nuw ptr, ptr %1, i64 %58
  %62 = load ptr, ptr %61, align 8
  br label %63

63:
  %64 = phi ptr [ %62, %60 ], [ null, %57 ]
  %65 = getelementptr inbounds nuw ptr, ptr %5, i64 %58
  store ptr %64, ptr %65, align 8
  %66 = add nuw nsw i64 %58, 1
  %67 = icmp slt i64 %66, %40
  br i1 %67, label %57, label %44

68:
  %69 = phi i64 [ %94, %92 ], [ 0, %53 ]
  %70 = phi ptr [ %93, %92 ], [ null, %53 ]
  %71 = getelementptr inbounds nuw ptr, ptr %48, i64 %69
  %72 = load ptr, ptr %71, align 8
  %73 = getelementptr ptr, ptr %49, i64 %69
  %74 = load ptr, ptr %73, align 8
  %75 = icmp eq ptr %72, %55
  br i1 %75, label %92, label %76

76:
  br i1 %56, label %77, label %87

77:
  %78 = load ptr, ptr %50, align 8
  br label %79

79:
  %80 = phi i64 [ %2, %77 ], [ %85, %84 ]
  %81 = getelementptr inbounds ptr, ptr %78, i64 %80
  %82 = load ptr, ptr %81, align 8
  %83 = icmp eq ptr %82, %72
  br i1 %83, label %87, label %84

84:
  %85 = add i64 %80, 1
  %86 = icmp eq i64 %85, %40
  br i1 %86, label %429, label %79

87:
  %88 = phi i64 [ %2, %76 ], [ %80, %79 ]
  %89 = icmp eq i64 %88, %40
  br i1 %89, label %429, label %90

90:
  %91 = getelementptr inbounds ptr, ptr %5, i64 %88
  store ptr %74, ptr %91, align 8
  br label %92

92:
  %93 = phi ptr [ %70, %90 ], [ %74, %68 ]
  %94 = add nuw nsw i64 %69, 1
  %95 = icmp eq i64 %94, %51
  br i1 %95, label %96, label %68

96:
  %97 = phi ptr [ null, %46 ], [ %93, %92 ]
  store ptr %97, ptr %18, align 8
  br label %98

98:
  %99 = phi ptr [ %97, %96 ], [ null, %44 ]
  %100 = icmp slt i64 %16, %40
  br i1 %100, label %102, label %101

101:
  store ptr %5, ptr %12, align 8
  br label %125

102:
  %103 = getelementptr inbounds nuw i8, ptr %14, i64 48
  %104 = load ptr, ptr %103, align 8
  br label %110

105:
  %106 = icmp eq i32 %122, 0
  store ptr %5, ptr %12, align 8
  %107 = getelementptr inbounds nuw i8, ptr %14, i64 192
  %108 = select i1 %106, ptr %17, ptr %107
  %109 = select i1 %106, i64 %16, i64 %40
  br label %125

110:
  %111 = phi i64 [ %16, %102 ], [ %123, %117 ]
  %112 = phi i32 [ 0, %102 ], [ %122, %117 ]
  %113 = getelementptr inbounds ptr, ptr %5, i64 %111
  %114 = load ptr, ptr %113, align 8
  %115 = icmp eq ptr %114, %104
  br i1 %115, label %116, label %117

116:
  store ptr null, ptr %113, align 8
  br label %117

117:
  %118 = phi ptr [ null, %116 ], [ %114, %110 ]
  %119 = freeze ptr %118
  %120 = icmp ne ptr %119, null
  %121 = zext i1 %120 to i32
  %122 = or i32 %112, %121
  %123 = add nsw i64 %111, 1
  %124 = icmp slt i64 %123, %40
  br i1 %124, label %110, label %105

125:
  %126 = phi ptr [ %17, %101 ], [ %108, %105 ]
  %127 = phi i64 [ %16, %101 ], [ %109, %105 ]
  store ptr %126, ptr %20, align 8
  store i64 %127, ptr %19, align 8
  br label %128

128:
  %129 = phi ptr [ %126, %125 ], [ %17, %34 ], [ %17, %37 ]
  %130 = phi ptr [ %99, %125 ], [ %36, %34 ], [ null, %37 ]
  %131 = getelementptr inbounds nuw i8, ptr %14, i64 48
  %132 = load ptr, ptr %131, align 8
  %133 = icmp eq ptr %130, %132
  br i1 %133, label %134, label %135

134:
  store ptr null, ptr %18, align 8
  br label %135

135:
  %136 = load ptr, ptr %129, align 8
  %137 = icmp eq ptr %136, null
  br i1 %137, label %429, label %138

138:
  %139 = load atomic i64, ptr %136 acquire, align 8
  %140 = inttoptr i64 %139 to ptr
  %141 = icmp eq i64 %139, 0
  br i1 %141, label %429, label %142

142:
  %143 = load i64, ptr %19, align 8
  %144 = load i64, ptr %11, align 8
  %145 = icmp sgt i64 %143, 0
  br i1 %145, label %146, label %254

146:
  %147 = load ptr, ptr %12, align 8
  %148 = getelementptr inbounds nuw i8, ptr %14, i64 160
  %149 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %150 = getelementptr inbounds nuw i8, ptr %14, i64 32
  %151 = getelementptr inbounds nuw i8, ptr %14, i64 40
  %152 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %153 = getelementptr inbounds nuw i8, ptr %11, i64 8
  %154 = getelementptr inbounds nuw i8, ptr %14, i64 152
  %155 = load ptr, ptr %153, align 8
  %156 = load ptr, ptr %148, align 8
  br label %157

157:
  %158 = phi ptr [ %155, %146 ], [ %249, %248 ]
  %159 = phi i64 [ 0, %146 ], [ %251, %248 ]
  %160 = phi i64 [ %144, %146 ], [ %250, %248 ]
  %161 = getelementptr inbounds nuw ptr, ptr %147, i64 %159
  %162 = load ptr, ptr %161, align 8
  %163 = getelementptr inbounds nuw i64, ptr %9, i64 %159
  %164 = getelementptr inbounds nuw %struct.Core, ptr %156, i64 %159
  store i64 0, ptr %163, align 8
  %165 = icmp eq ptr %162, null
  br i1 %165, label %166, label %169

166:
  %167 = load ptr, ptr %154, align 8
  %168 = getelementptr inbounds nuw ptr, ptr %167, i64 %159
  br label %241

169:
  %170 = getelementptr inbounds nuw i8, ptr %162, i64 8
  %171 = load ptr, ptr %170, align 8
  %172 = load ptr, ptr %149, align 8
  %173 = icmp eq ptr %171, %172
  br i1 %173, label %183, label %174, !prof !13

174:
  %175 = load ptr, ptr %150, align 8
  %176 = icmp eq ptr %171, %175
  br i1 %176, label %180, label %177

177:
  %178 = load ptr, ptr %151, align 8
  %179 = icmp eq ptr %171, %178
  br i1 %179, label %180, label %239

180:
  %181 = load i64, ptr %164, align 8
  %182 = icmp eq i64 %181, 0
  br i1 %182, label %236, label %239

183:
  %184 = getelementptr inbounds nuw i8, ptr %162, i64 56
  %185 = load ptr, ptr %184, align 8
  %186 = load ptr, ptr %152, align 8
  %187 = icmp eq ptr %185, %186
  br i1 %187, label %188, label %239

188:
  %189 = getelementptr inbounds nuw i8, ptr %162, i64 64
  %190 = load i32, ptr %189, align 8
  %191 = and i32 %190, 257
  %192 = icmp eq i32 %191, 257
  br i1 %192, label %193, label %239

193:
  %194 = getelementptr inbounds nuw i8, ptr %162, i64 24
  %195 = load i32, ptr %194, align 8
  %196 = sext i32 %195 to i64
  %197 = load i64, ptr %164, align 8
  %198 = sub nsw i64 %196, %197
  %199 = icmp ugt i64 %198, 4
  br i1 %199, label %239, label %200

200:
  %201 = getelementptr inbounds nuw i8, ptr %162, i64 32
  %202 = load ptr, ptr %201, align 8
  %203 = getelementptr inbounds nuw i64, ptr %202, i64 %198
  %204 = getelementptr inbounds nuw i8, ptr %164, i64 8
  %205 = icmp sgt i64 %197, 0
  br i1 %205, label %209, label %216

206:
  %207 = add nuw nsw i64 %210, 1
  %208 = icmp eq i64 %207, %197
  br i1 %208, label %216, label %209

209:
  %210 = phi i64 [ %207, %206 ], [ 0, %200 ]
  %211 = getelementptr inbounds nuw i64, ptr %203, i64 %210
  %212 = load i64, ptr %211, align 8
  %213 = getelementptr inbounds nuw i64, ptr %204, i64 %210
  %214 = load i64, ptr %213, align 8
  %215 = icmp eq i64 %212, %214
  br i1 %215, label %206, label %239

216:
  %217 = icmp eq i64 %197, %196
  br i1 %217, label %232, label %218

218:
  store i64 1, ptr %163, align 8
  %219 = icmp eq i64 %160, 0
  br i1 %219, label %232, label %220

220:
  %221 = icmp eq i64 %198, %160
  br i1 %221, label %225, label %239

222:
  %223 = add nuw nsw i64 %226, 1
  %224 = icmp eq i64 %223, %160
  br i1 %224, label %232, label %225

225:
  %226 = phi i64 [ %223, %222 ], [ 0, %220 ]
  %227 = getelementptr inbounds nuw i64, ptr %202, i64 %226
  %228 = load i64, ptr %227, align 8
  %229 = getelementptr inbounds nuw i64, ptr %158, i64 %226
  %230 = load i64, ptr %229, align 8
  %231 = icmp eq i64 %228, %230
  br i1 %231, label %222, label %239

232:
  %233 = phi ptr [ %202, %218 ], [ %158, %216 ], [ %158, %222 ]
  %234 = phi i64 [ %198, %218 ], [ %160, %216 ], [ %160, %222 ]
  %235 = getelementptr inbounds nuw i8, ptr %162, i64 16
  br label %241

236:
  %237 = getelementptr inbounds nuw i8, ptr %162, i64 16
  %238 = getelementptr inbounds nuw ptr, ptr %7, i64 %159
  store ptr %237, ptr %238, align 8
  br label %248

239:
  %240 = getelementptr inbounds nuw ptr, ptr %7, i64 %159
  store ptr null, ptr %240, align 8
  br label %429

241:
  %242 = phi ptr [ %233, %232 ], [ %158, %166 ]
  %243 = phi i64 [ %234, %232 ], [ %160, %166 ]
  %244 = phi ptr [ %235, %232 ], [ %168, %166 ]
  %245 = load ptr, ptr %244, align 8
  %246 = getelementptr inbounds nuw ptr, ptr %7, i64 %159
  store ptr %245, ptr %246, align 8
  %247 = icmp eq ptr %245, null
  br i1 %247, label %429, label %248, !prof !15

248:
  %249 = phi ptr [ %158, %236 ], [ %242, %241 ]
  %250 = phi i64 [ %160, %236 ], [ %243, %241 ]
  %251 = add nuw nsw i64 %159, 1
  %252 = icmp eq i64 %251, %143
  br i1 %252, label %253, label %157

253:
  store ptr %249, ptr %153, align 8
  br label %254

254:
  %255 = phi i64 [ %250, %253 ], [ %144, %142 ]
  store i64 %255, ptr %11, align 8
  %256 = load ptr, ptr %18, align 8
  %257 = icmp eq ptr %256, null
  br i1 %257, label %361, label %258

258:
  %259 = getelementptr inbounds nuw i8, ptr %14, i64 136
  %260 = load i64, ptr %259, align 8
  %261 = icmp eq i64 %260, 0
  br i1 %261, label %262, label %265

262:
  %263 = getelementptr inbounds nuw i8, ptr %14, i64 128
  %264 = load i64, ptr %263, align 8
  br label %278

265:
  %266 = getelementptr inbounds nuw i8, ptr %256, i64 8
  %267 = load ptr, ptr %266, align 8
  %268 = getelementptr inbounds nuw i8, ptr %14, i64 24
  %269 = load ptr, ptr %268, align 8
  %270 = icmp eq ptr %267, %269
  br i1 %270, label %271, label %429

271:
  %272 = getelementptr inbounds nuw i8, ptr %256, i64 16
  %273 = load i64, ptr %272, align 8
  %274 = getelementptr inbounds nuw i8, ptr %14, i64 128
  %275 = load i64, ptr %274, align 8
  %276 = icmp eq i64 %273, %275
  %277 = getelementptr inbounds nuw i8, ptr %256, i64 24
  br i1 %276, label %278, label %429

278:
  %279 = phi i64 [ %264, %262 ], [ %273, %271 ]
  %280 = phi ptr [ %18, %262 ], [ %277, %271 ]
  %281 = icmp sgt i64 %279, 0
  br i1 %281, label %282, label %359

282:
  %283 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %284 = getelementptr inbounds nuw i8, ptr %14, i64 160
  %285 = getelementptr inbounds nuw i8, ptr %14, i64 120
  %286 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %287 = getelementptr inbounds nuw i8, ptr %11, i64 8
  %288 = load ptr, ptr %287, align 8
  %289 = getelementptr ptr, ptr %7, i64 %143
  %290 = load ptr, ptr %283, align 8
  br label %291

291:
  %292 = phi i64 [ 0, %282 ], [ %357, %356 ]
  %293 = getelementptr inbounds nuw ptr, ptr %280, i64 %292
  %294 = load ptr, ptr %293, align 8
  %295 = getelementptr inbounds nuw i8, ptr %294, i64 8
  %296 = load ptr, ptr %295, align 8
  %297 = icmp eq ptr %296, %290
  br i1 %297, label %298, label %349

298:
  %299 = load ptr, ptr %284, align 8
  %300 = load i64, ptr %285, align 8
  %301 = getelementptr inbounds %struct.Core, ptr %299, i64 %300
  %302 = getelementptr inbounds nuw %struct.Core, ptr %301, i64 %292
  %303 = getelementptr inbounds nuw i8, ptr %294, i64 56
  %304 = load ptr, ptr %303, align 8
  %305 = load ptr, ptr %286, align 8
  %306 = icmp eq ptr %304, %305
  br i1 %306, label %307, label %349

307:
  %308 = getelementptr inbounds nuw i8, ptr %294, i64 64
  %309 = load i32, ptr %308, align 8
  %310 = and i32 %309, 1281
  %311 = icmp eq i32 %310, 1281
  br i1 %311, label %312, label %349

312:
  %313 = getelementptr inbounds nuw i8, ptr %294, i64 24
  %314 = load i32, ptr %313, align 8
  %315 = sext i32 %314 to i64
  %316 = load i64, ptr %302, align 8
  %317 = sub nsw i64 %315, %316
  %318 = icmp ugt i64 %317, 4
  br i1 %318, label %349, label %319

319:
  %320 = getelementptr inbounds nuw i8, ptr %294, i64 32
  %321 = load ptr, ptr %320, align 8
  %322 = getelementptr inbounds nuw i64, ptr %321, i64 %317
  %323 = getelementptr inbounds nuw i8, ptr %302, i64 8
  %324 = icmp sgt i64 %316, 0
  br i1 %324, label %328, label %335

325:
  %326 = add nuw nsw i64 %329, 1
  %327 = icmp eq i64 %326, %316
  br i1 %327, label %335, label %328

328:
  %329 = phi i64 [ %326, %325 ], [ 0, %319 ]
  %330 = getelementptr inbounds nuw i64, ptr %322, i64 %329
  %331 = load i64, ptr %330, align 8
  %332 = getelementptr inbounds nuw i64, ptr %323, i64 %329
  %333 = load i64, ptr %332, align 8
  %334 = icmp eq i64 %331, %333
  br i1 %334, label %325, label %349

335:
  %336 = icmp eq i64 %317, %255
  br i1 %336, label %337, label %349

337:
  %338 = icmp eq i64 %316, %315
  br i1 %338, label %351, label %342

339:
  %340 = add nuw nsw i64 %343, 1
  %341 = icmp eq i64 %340, %255
  br i1 %341, label %351, label %342

342:
  %343 = phi i64 [ %340, %339 ], [ 0, %337 ]
  %344 = getelementptr inbounds nuw i64, ptr %321, i64 %343
  %345 = load i64, ptr %344, align 8
  %346 = getelementptr inbounds nuw i64, ptr %288, i64 %343
  %347 = load i64, ptr %346, align 8
  %348 = icmp eq i64 %345, %347
  br i1 %348, label %339, label %349

349:
  %350 = getelementptr ptr, ptr %289, i64 %292
  store ptr null, ptr %350, align 8
  br label %429

351:
  %352 = getelementptr inbounds nuw i8, ptr %294, i64 16
  %353 = load ptr, ptr %352, align 8
  %354 = getelementptr ptr, ptr %289, i64 %292
  store ptr %353, ptr %354, align 8
  %355 = icmp eq ptr %353, null
  br i1 %355, label %429, label %356

356:
  %357 = add nuw nsw i64 %292, 1
  %358 = icmp slt i64 %357, %279
  br i1 %358, label %291, label %359

359:
  %360 = add nsw i64 %279, %143
  br label %361

361:
  %362 = phi i64 [ %360, %359 ], [ %143, %254 ]
  %363 = icmp eq i64 %255, 0
  br i1 %363, label %390, label %364

364:
  %365 = icmp sgt i64 %255, 0
  %366 = load i64, ptr %10, align 8
  br i1 %365, label %367, label %370

367:
  %368 = getelementptr inbounds nuw i8, ptr %11, i64 8
  %369 = load ptr, ptr %368, align 8
  br label %373

370:
  %371 = phi i64 [ %366, %364 ], [ %378, %373 ]
  %372 = icmp eq i64 %371, 0
  br i1 %372, label %429, label %381

373:
  %374 = phi i64 [ 0, %367 ], [ %379, %373 ]
  %375 = phi i64 [ %366, %367 ], [ %378, %373 ]
  %376 = getelementptr inbounds nuw i64, ptr %369, i64 %374
  %377 = load i64, ptr %376, align 8
  %378 = mul nsw i64 %375, %377
  store i64 %378, ptr %10, align 8
  %379 = add nuw nsw i64 %374, 1
  %380 = icmp eq i64 %379, %255
  br i1 %380, label %370, label %373

381:
  %382 = getelementptr inbounds nuw i8, ptr %136, i64 40
  %383 = load i64, ptr %382, align 8
  %384 = icmp slt i64 %371, %383
  br i1 %384, label %385, label %429

385:
  %386 = getelementptr inbounds nuw i8, ptr %129, i64 8
  %387 = load ptr, ptr %386, align 8
  %388 = call fastcc i32 @are_disjoint(ptr %7, ptr %387, i64 %143, i64 %362, i64 %371)
  %389 = icmp eq i32 %388, 0
  br i1 %389, label %429, label %390

390:
  br i1 %257, label %391, label %396

391:
  %392 = load i64, ptr %10, align 8
  %393 = getelementptr inbounds ptr, ptr %7, i64 %143
  %394 = call fastcc i32 @make_results(ptr %14, ptr %11, i64 %392, ptr %6, ptr %8, ptr %393)
  %395 = icmp eq i32 %394, 0
  br i1 %395, label %432, label %396

396:
  br i1 %363, label %400, label %397

397:
  %398 = load i64, ptr %10, align 8
  %399 = call fastcc i32 @run_batch(ptr %14, ptr %140, ptr %12, ptr %7, ptr %9, i64 %398)
  br label %404

400:
  %401 = getelementptr inbounds nuw i8, ptr %129, i64 8
  %402 = load ptr, ptr %401, align 8
  %403 = call i32 %140(ptr %7, ptr %10, ptr %402, ptr %136)
  br label %404

404:
  %405 = phi i32 [ %399, %397 ], [ %403, %400 ]
  %406 = icmp eq i32 %405, 0
  br i1 %406, label %425, label %407, !prof !13

407:
  br i1 %257, label %408, label %421

408:
  %409 = getelementptr inbounds nuw i8, ptr %14, i64 128
  %410 = load i64, ptr %409, align 8
  %411 = icmp sgt i64 %410, 0
  br i1 %411, label %412, label %421

412:
  %413 = phi i64 [ %419, %418 ], [ 0, %408 ]
  %414 = getelementptr inbounds nuw ptr, ptr %6, i64 %413
  %415 = load ptr, ptr %414, align 8
  %416 = icmp eq ptr %415, null
  br i1 %416, label %418, label %417

417:
  call void @Py_DecRef(ptr %415)
  br label %418

418:
  %419 = add nuw nsw i64 %413, 1
  %420 = icmp eq i64 %419, %410
  br i1 %420, label %421, label %412

421:
  %422 = icmp eq i32 %405, 2
  br i1 %422, label %429, label %423

423:
  %424 = call ptr @PyErr_NoMemory()
  br label %432

425:
  br i1 %257, label %426, label %428

426:
  %427 = call fastcc ptr @return_results(ptr %14, ptr %6, ptr %8)
  br label %432

428:
  call void @Py_IncRef(ptr %256)
  br label %432

429:
  %430 = load ptr, ptr %14, align 8
  %431 = call ptr @PyObject_Vectorcall(ptr %430, ptr %1, i64 %2, ptr %3)
  br label %432

432:
  %433 = phi ptr [ %424, %423 ], [ null, %391 ], [ %431, %429 ], [ %256, %428 ], [ %427, %426 ]
  ret ptr %433
}

declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)

define internal fastcc i32 @are_disjoint(ptr %0, ptr %1, i64 %2, i64 %3, i64 %4) nounwind {
  %6 = icmp slt i64 %2, %3
  br i1 %6, label %7, label %36

7:
  %8 = phi i64 [ %34, %33 ], [ %2, %5 ]
  %9 = icmp sgt i64 %8, 0
  br i1 %9, label %10, label %33

10:
  %11 = getelementptr inbounds nuw ptr, ptr %0, i64 %8
  %12 = load ptr, ptr %11, align 8
  %13 = ptrtoint ptr %12 to i64
  %14 = getelementptr inbounds nuw i64, ptr %1, i64 %8
  %15 = load i64, ptr %14, align 8
  %16 = mul nsw i64 %15, %4
  %17 = add i64 %16, %13
  br label %18

18:
  %19 = phi i64 [ 0, %10 ], [ %31, %30 ]
  %20 = getelementptr inbounds nuw ptr, ptr %0, i64 %19
  %21 = load ptr, ptr %20, align 8
  %22 = ptrtoint ptr %21 to i64
  %23 = icmp ugt i64 %17, %22
  br i1 %23, label %24, label %30

24:
  %25 = getelementptr inbounds nuw i64, ptr %1, i64 %19
  %26 = load i64, ptr %25, align 8
  %27 = mul nsw i64 %26, %4
  %28 = add i64 %27, %22
  %29 = icmp ugt i64 %28, %13
  br i1 %29, label %36, label %30

30:
  %31 = add nuw nsw i64 %19, 1
  %32 = icmp eq i64 %31, %8
  br i1 %32, label %33, label %18

33:
  %34 = add i64 %8, 1
  %35 = icmp eq i64 %34, %3
  br i1 %35, label %36, label %7

36:
  %37 = phi i32 [ 1, %5 ], [ 0, %24 ], [ 1, %33 ]
  ret i32 %37
}

define internal fastcc i32 @make_results(ptr %0, ptr %1, i64 %2, ptr %3, ptr %4, ptr %5) nounwind {
  %7 = alloca [10 x i64], align 16
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %9 = load ptr, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 120
  %11 = load i64, ptr %10, align 8
  %12 = getelementptr inbounds %struct.Core, ptr %9, i64 %11
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 104
  %14 = load i64, ptr %13, align 8
  %15 = icmp slt i64 %2, %14
  br i1 %15, label %23, label %16

16:
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %18 = load ptr, ptr %17, align 8
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %20 = load ptr, ptr %19, align 8
  %21 = tail call ptr %18(ptr %20)
  %22 = icmp eq ptr %21, null
  br i1 %22, label %102, label %23

23:
  %24 = phi ptr [ %21, %16 ], [ null, %6 ]
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %26 = load i64, ptr %25, align 8
  %27 = icmp sgt i64 %26, 0
  br i1 %27, label %28, label %79

28:
  %29 = getelementptr inbounds nuw i8, ptr %1, i64 8
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %31 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %32

32:
  %33 = phi i64 [ 0, %28 ], [ %76, %75 ]
  %34 = getelementptr inbounds nuw ptr, ptr %3, i64 %33
  store ptr null, ptr %34, align 8
  %35 = getelementptr inbounds nuw double, ptr %4, i64 %33
  %36 = getelementptr inbounds nuw ptr, ptr %5, i64 %33
  store ptr %35, ptr %36, align 8
  %37 = load i64, ptr %1, align 8
  %38 = getelementptr inbounds nuw %struct.Core, ptr %12, i64 %33
  %39 = load i64, ptr %38, align 8
  %40 = sub i64 0, %39
  %41 = icmp eq i64 %37, %40
  br i1 %41, label %75, label %42

42:
  %43 = icmp sgt i64 %37, 0
  br i1 %43, label %44, label %46

44:
  %45 = load ptr, ptr %29, align 8
  br label %51

46:
  %47 = icmp sgt i64 %39, 0
  br i1 %47, label %48, label %65

48:
  %49 = getelementptr inbounds nuw i8, ptr %38, i64 8
  %50 = getelementptr i64, ptr %7, i64 %37
  br label %58

51:
  %52 = phi i64 [ 0, %44 ], [ %56, %51 ]
  %53 = getelementptr inbounds nuw i64, ptr %45, i64 %52
  %54 = load i64, ptr %53, align 8
  %55 = getelementptr inbounds nuw i64, ptr %7, i64 %52
  store i64 %54, ptr %55, align 8
  %56 = add nuw nsw i64 %52, 1
  %57 = icmp eq i64 %56, %37
  br i1 %57, label %46, label %51

58:
  %59 = phi i64 [ 0, %48 ], [ %63, %58 ]
  %60 = getelementptr inbounds nuw i64, ptr %49, i64 %59
  %61 = load i64, ptr %60, align 8
  %62 = getelementptr i64, ptr %50, i64 %59
  store i64 %61, ptr %62, align 8
  %63 = add nuw nsw i64 %59, 1
  %64 = icmp eq i64 %63, %39
  br i1 %64, label %65, label %58

65:
  %66 = load ptr, ptr %30, align 8
  %67 = load ptr, ptr %31, align 8
  %68 = add nsw i64 %39, %37
  %69 = trunc i64 %68 to i32
  %70 = call ptr %66(ptr %67, i32 %69, ptr %7, i32 12, ptr null, ptr null, i32 0, i32 0, ptr null)
  store ptr %70, ptr %34, align 8
  %71 = icmp eq ptr %70, null
  br i1 %71, label %79, label %72

72:
  %73 = getelementptr inbounds nuw i8, ptr %70, i64 16
  %74 = load ptr, ptr %73, align 8
  store ptr %74, ptr %36, align 8
  br label %75

75:
  %76 = add nuw nsw i64 %33, 1
  %77 = load i64, ptr %25, align 8
  %78 = icmp slt i64 %76, %77
  br i1 %78, label %32, label %79

79:
  %80 = phi i64 [ 0, %23 ], [ %33, %65 ], [ %76, %75 ]
  %81 = icmp eq ptr %24, null
  br i1 %81, label %88, label %82

82:
  %83 = getelementptr inbounds nuw i8, ptr %0, i64 80
  %84 = load ptr, ptr %83, align 8
  %85 = call ptr %84(ptr %24)
  call void @Py_DecRef(ptr %24)
  %86 = icmp eq ptr %85, null
  br i1 %86, label %91, label %87

87:
  call void @Py_DecRef(ptr %85)
  br label %88

88:
  %89 = load i64, ptr %25, align 8
  %90 = icmp eq i64 %80, %89
  br i1 %90, label %102, label %91, !prof !13

91:
  %92 = icmp eq i64 %80, 0
  br i1 %92, label %102, label %93

93:
  %94 = phi i64 [ %100, %99 ], [ 0, %91 ]
  %95 = getelementptr inbounds nuw ptr, ptr %3, i64 %94
  %96 = load ptr, ptr %95, align 8
  %97 = icmp eq ptr %96, null
  br i1 %97, label %99, label %98

98:
  call void @Py_DecRef(ptr %96)
  br label %99

99:
  %100 = add nuw nsw i64 %94, 1
  %101 = icmp eq i64 %100, %80
  br i1 %101, label %102, label %93

102:
  %103 = phi i32 [ 0, %16 ], [ 1, %88 ], [ 0, %91 ], [ 0, %99 ]
  ret i32 %103
}

define internal fastcc i32 @run_batch(ptr %0, ptr %1, ptr %2, ptr %3, ptr %4, i64 %5) nounwind {
  %7 = alloca i64, align 8
  %8 = alloca [448 x i64], align 16
  store i64 %5, ptr %7, align 8
  %9 = getelementptr inbounds nuw i8, ptr %2, i64 24
  %10 = load ptr, ptr %9, align 8
  %11 = getelementptr inbounds nuw i8, ptr %10, i64 16
  %12 = load i64, ptr %11, align 8
  %13 = icmp sgt i64 %12, 0
  br i1 %13, label %14, label %17

14:
  %15 = getelementptr inbounds nuw i8, ptr %10, i64 8
  %16 = load ptr, ptr %15, align 8
  br label %21

17:
  %18 = getelementptr inbounds nuw i8, ptr %2, i64 16
  %19 = load i64, ptr %18, align 8
  %20 = icmp sgt i64 %19, 0
  br i1 %20, label %38, label %28

21:
  %22 = phi i64 [ 0, %14 ], [ %26, %21 ]
  %23 = getelementptr inbounds nuw i64, ptr %16, i64 %22
  %24 = load i64, ptr %23, align 8
  %25 = getelementptr inbounds nuw i64, ptr %8, i64 %22
  store i64 %24, ptr %25, align 8
  %26 = add nuw nsw i64 %22, 1
  %27 = icmp slt i64 %26, %12
  br i1 %27, label %21, label %17

28:
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 88
  %30 = load ptr, ptr %29, align 8
  %31 = tail call i32 %30()
  %32 = load ptr, ptr %10, align 8
  %33 = getelementptr inbounds nuw i8, ptr %32, i64 48
  %34 = load i64, ptr %33, align 8
  %35 = icmp slt i64 %5, %34
  br i1 %35, label %36, label %47

36:
  %37 = call i32 %1(ptr %3, ptr %7, ptr %8, ptr %32)
  br label %53

38:
  %39 = phi i64 [ %45, %38 ], [ 0, %17 ]
  %40 = getelementptr inbounds nuw i64, ptr %4, i64 %39
  %41 = load i64, ptr %40, align 8
  %42 = getelementptr inbounds nuw i64, ptr %8, i64 %39
  %43 = load i64, ptr %42, align 8
  %44 = mul nsw i64 %43, %41
  store i64 %44, ptr %42, align 8
  %45 = add nuw nsw i64 %39, 1
  %46 = icmp eq i64 %45, %19
  br i1 %46, label %28, label %38

47:
  %48 = tail call ptr @PyEval_SaveThread()
  %49 = load ptr, ptr %10, align 8
  %50 = call i32 %1(ptr %3, ptr %7, ptr %8, ptr %49)
  %51 = icmp eq ptr %48, null
  br i1 %51, label %53, label %52

52:
  call void @PyEval_RestoreThread(ptr %48)
  br label %53

53:
  %54 = phi i32 [ %37, %36 ], [ %50, %52 ], [ %50, %47 ]
  %55 = load ptr, ptr %29, align 8
  %56 = call i32 %55()
  %57 = icmp eq i32 %54, 0
  %58 = icmp eq i32 %56, 0
  %59 = select i1 %58, i32 0, i32 2
  %60 = select i1 %57, i32 %59, i32 1
  ret i32 %60
}

declare ptr @PyErr_NoMemory()

define internal fastcc ptr @return_results(ptr %0, ptr %1, ptr %2) nounwind {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 128
  %5 = load i64, ptr %4, align 8
  %6 = icmp sgt i64 %5, 0
  br i1 %6, label %7, label %28

7:
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 16
  br label %10

10:
  %11 = phi i64 [ %5, %7 ], [ %25, %24 ]
  %12 = phi i64 [ 0, %7 ], [ %26, %24 ]
  %13 = getelementptr inbounds nuw ptr, ptr %1, i64 %12
  %14 = load ptr, ptr %13, align 8
  %15 = icmp eq ptr %14, null
  br i1 %15, label %16, label %24

16:
  %17 = load ptr, ptr %8, align 8
  %18 = getelementptr inbounds nuw double, ptr %2, i64 %12
  %19 = load ptr, ptr %9, align 8
  %20 = tail call ptr %17(ptr %18, ptr %19, ptr null)
  store ptr %20, ptr %13, align 8
  %21 = icmp eq ptr %20, null
  br i1 %21, label %49, label %22

22:
  %23 = load i64, ptr %4, align 8
  br label %24

24:
  %25 = phi i64 [ %23, %22 ], [ %11, %10 ]
  %26 = add nuw nsw i64 %12, 1
  %27 = icmp slt i64 %26, %25
  br i1 %27, label %10, label %28

28:
  %29 = phi i64 [ %5, %3 ], [ %25, %24 ]
  %30 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %31 = load i64, ptr %30, align 8
  %32 = icmp eq i64 %31, 0
  br i1 %32, label %33, label %35

33:
  %34 = load ptr, ptr %1, align 8
  br label %61

35:
  %36 = tail call ptr @PyTuple_New(i64 %29)
  %37 = icmp eq ptr %36, null
  br i1 %37, label %49, label %38

38:
  %39 = load i64, ptr %4, align 8
  %40 = icmp sgt i64 %39, 0
  br i1 %40, label %41, label %61

41:
  %42 = phi i64 [ %46, %41 ], [ 0, %38 ]
  %43 = getelementptr inbounds nuw ptr, ptr %1, i64 %42
  %44 = load ptr, ptr %43, align 8
  %45 = tail call i32 @PyTuple_SetItem(ptr %36, i64 %42, ptr %44)
  %46 = add nuw nsw i64 %42, 1
  %47 = load i64, ptr %4, align 8
  %48 = icmp slt i64 %46, %47
  br i1 %48, label %41, label %61

49:
  %50 = load i64, ptr %4, align 8
  %51 = icmp sgt i64 %50, 0
  br i1 %51, label %52, label %61

52:
  %53 = phi i64 [ %59, %58 ], [ 0, %49 ]
  %54 = getelementptr inbounds nuw ptr, ptr %1, i64 %53
  %55 = load ptr, ptr %54, align 8
  %56 = icmp eq ptr %55, null
  br i1 %56, label %58, label %57

57:
  tail call void @Py_DecRef(ptr %55)
  br label %58

58:
  %59 = add nuw nsw i64 %53, 1
  %60 = icmp eq i64 %59, %50
  br i1 %60, label %61, label %52

61:
  %62 = phi ptr [ %34, %33 ], [ %36, %38 ], [ null, %49 ], [ null, %58 ], [ %36, %41 ]
  ret ptr %62
}

declare void @Py_IncRef(ptr)

declare ptr @PyObject_Vectorcall(ptr, ptr, i64, ptr)

declare void @Py_DecRef(ptr)

declare ptr @PyEval_SaveThread()

declare void @PyEval_RestoreThread(ptr)

declare ptr @PyTuple_New(i64)

declare i32 @PyTuple_SetItem(ptr, i64, ptr)

!6 = !{!"branch_weights", i32 2146410443, i32 1073205}
!7 = !{!"branch_weights", !"expected", i32 -2147483648, i32 0}
!13 = !{!"branch_weights", !"expected", i32 2000, i32 1}
!15 = !{!"branch_weights", !"expected", i32 0, i32 -2147483648}
