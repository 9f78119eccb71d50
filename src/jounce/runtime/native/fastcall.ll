; fastcall.c, by `make native`: source 228193cbd2b807cf9e2803e54ade6459383eb5bed7a8f5c711c132e52a01c765 text cbaec00d8dcbd6f5f01b9f618b283ea6131f809a5d82d86b2848f63ac09718c2
%struct.Call = type { ptr, ptr, i64, ptr }
%struct.Core = type { i64, [6 x i64] }

@jounce_signature_bytes = local_unnamed_addr constant i64 216, align 8

define ptr @jounce_call(ptr %0, ptr %1, i64 %2, ptr %3) nounwind {
  %5 = alloca [10 x i64], align 16
  %6 = alloca [64 x ptr], align 16
  %7 = alloca [64 x ptr], align 16
  %8 = alloca [64 x ptr], align 16
  %9 = alloca [64 x double], align 16
  %10 = alloca [64 x i64], align 16
  %11 = alloca i64, align 8
  %12 = alloca %struct.Call, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %14 = load ptr, ptr %13, align 8
  store i64 1, ptr %11, align 8
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
  br i1 %41, label %531, label %42

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
  %65 = getelementptr inbounds nuw ptr, ptr %6, i64 %58
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
  br i1 %86, label %531, label %79

87:
  %88 = phi i64 [ %2, %76 ], [ %80, %79 ]
  %89 = icmp eq i64 %88, %40
  br i1 %89, label %531, label %90

90:
  %91 = getelementptr inbounds ptr, ptr %6, i64 %88
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
  store ptr %6, ptr %12, align 8
  br label %125

102:
  %103 = getelementptr inbounds nuw i8, ptr %14, i64 48
  %104 = load ptr, ptr %103, align 8
  br label %110

105:
  %106 = icmp eq i32 %122, 0
  store ptr %6, ptr %12, align 8
  %107 = getelementptr inbounds nuw i8, ptr %14, i64 192
  %108 = select i1 %106, ptr %17, ptr %107
  %109 = select i1 %106, i64 %16, i64 %40
  br label %125

110:
  %111 = phi i64 [ %16, %102 ], [ %123, %117 ]
  %112 = phi i32 [ 0, %102 ], [ %122, %117 ]
  %113 = getelementptr inbounds ptr, ptr %6, i64 %111
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
  %129 = phi ptr [ %6, %125 ], [ %1, %34 ], [ %1, %37 ]
  %130 = phi i64 [ %127, %125 ], [ %2, %34 ], [ %2, %37 ]
  %131 = phi ptr [ %126, %125 ], [ %17, %34 ], [ %17, %37 ]
  %132 = phi ptr [ %99, %125 ], [ %36, %34 ], [ null, %37 ]
  %133 = getelementptr inbounds nuw i8, ptr %14, i64 48
  %134 = load ptr, ptr %133, align 8
  %135 = icmp eq ptr %132, %134
  br i1 %135, label %136, label %137

136:
  store ptr null, ptr %18, align 8
  br label %137

137:
  %138 = phi ptr [ null, %136 ], [ %132, %128 ]
  %139 = load ptr, ptr %131, align 8
  %140 = icmp eq ptr %139, null
  br i1 %140, label %531, label %141

141:
  %142 = load ptr, ptr %139, align 8
  %143 = icmp sgt i64 %130, 0
  br i1 %143, label %144, label %248

144:
  %145 = getelementptr inbounds nuw i8, ptr %14, i64 160
  %146 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %147 = getelementptr inbounds nuw i8, ptr %14, i64 32
  %148 = getelementptr inbounds nuw i8, ptr %14, i64 40
  %149 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %150 = getelementptr inbounds nuw i8, ptr %14, i64 152
  %151 = load ptr, ptr %145, align 8
  br label %152

152:
  %153 = phi i64 [ 0, %144 ], [ %246, %243 ]
  %154 = phi ptr [ null, %144 ], [ %244, %243 ]
  %155 = phi i64 [ 0, %144 ], [ %245, %243 ]
  %156 = getelementptr inbounds nuw ptr, ptr %129, i64 %153
  %157 = load ptr, ptr %156, align 8
  %158 = getelementptr inbounds nuw i64, ptr %10, i64 %153
  %159 = getelementptr inbounds nuw %struct.Core, ptr %151, i64 %153
  store i64 0, ptr %158, align 8
  %160 = icmp eq ptr %157, null
  br i1 %160, label %161, label %164

161:
  %162 = load ptr, ptr %150, align 8
  %163 = getelementptr inbounds nuw ptr, ptr %162, i64 %153
  br label %236

164:
  %165 = getelementptr inbounds nuw i8, ptr %157, i64 8
  %166 = load ptr, ptr %165, align 8
  %167 = load ptr, ptr %146, align 8
  %168 = icmp eq ptr %166, %167
  br i1 %168, label %178, label %169, !prof !13

169:
  %170 = load ptr, ptr %147, align 8
  %171 = icmp eq ptr %166, %170
  br i1 %171, label %175, label %172

172:
  %173 = load ptr, ptr %148, align 8
  %174 = icmp eq ptr %166, %173
  br i1 %174, label %175, label %234

175:
  %176 = load i64, ptr %159, align 8
  %177 = icmp eq i64 %176, 0
  br i1 %177, label %231, label %234

178:
  %179 = getelementptr inbounds nuw i8, ptr %157, i64 56
  %180 = load ptr, ptr %179, align 8
  %181 = load ptr, ptr %149, align 8
  %182 = icmp eq ptr %180, %181
  br i1 %182, label %183, label %234

183:
  %184 = getelementptr inbounds nuw i8, ptr %157, i64 64
  %185 = load i32, ptr %184, align 8
  %186 = and i32 %185, 257
  %187 = icmp eq i32 %186, 257
  br i1 %187, label %188, label %234

188:
  %189 = getelementptr inbounds nuw i8, ptr %157, i64 24
  %190 = load i32, ptr %189, align 8
  %191 = sext i32 %190 to i64
  %192 = load i64, ptr %159, align 8
  %193 = sub nsw i64 %191, %192
  %194 = icmp ugt i64 %193, 4
  br i1 %194, label %234, label %195

195:
  %196 = getelementptr inbounds nuw i8, ptr %157, i64 32
  %197 = load ptr, ptr %196, align 8
  %198 = getelementptr inbounds nuw i64, ptr %197, i64 %193
  %199 = getelementptr inbounds nuw i8, ptr %159, i64 8
  %200 = icmp sgt i64 %192, 0
  br i1 %200, label %204, label %211

201:
  %202 = add nuw nsw i64 %205, 1
  %203 = icmp eq i64 %202, %192
  br i1 %203, label %211, label %204

204:
  %205 = phi i64 [ %202, %201 ], [ 0, %195 ]
  %206 = getelementptr inbounds nuw i64, ptr %198, i64 %205
  %207 = load i64, ptr %206, align 8
  %208 = getelementptr inbounds nuw i64, ptr %199, i64 %205
  %209 = load i64, ptr %208, align 8
  %210 = icmp eq i64 %207, %209
  br i1 %210, label %201, label %234

211:
  %212 = icmp eq i64 %192, %191
  br i1 %212, label %227, label %213

213:
  store i64 1, ptr %158, align 8
  %214 = icmp eq i64 %155, 0
  br i1 %214, label %227, label %215

215:
  %216 = icmp eq i64 %193, %155
  br i1 %216, label %220, label %234

217:
  %218 = add nuw nsw i64 %221, 1
  %219 = icmp eq i64 %218, %155
  br i1 %219, label %227, label %220

220:
  %221 = phi i64 [ %218, %217 ], [ 0, %215 ]
  %222 = getelementptr inbounds nuw i64, ptr %197, i64 %221
  %223 = load i64, ptr %222, align 8
  %224 = getelementptr inbounds nuw i64, ptr %154, i64 %221
  %225 = load i64, ptr %224, align 8
  %226 = icmp eq i64 %223, %225
  br i1 %226, label %217, label %234

227:
  %228 = phi i64 [ %155, %211 ], [ %193, %213 ], [ %155, %217 ]
  %229 = phi ptr [ %154, %211 ], [ %197, %213 ], [ %154, %217 ]
  %230 = getelementptr inbounds nuw i8, ptr %157, i64 16
  br label %236

231:
  %232 = getelementptr inbounds nuw i8, ptr %157, i64 16
  %233 = getelementptr inbounds nuw ptr, ptr %8, i64 %153
  store ptr %232, ptr %233, align 8
  br label %243

234:
  %235 = getelementptr inbounds nuw ptr, ptr %8, i64 %153
  store ptr null, ptr %235, align 8
  br label %531

236:
  %237 = phi i64 [ %155, %161 ], [ %228, %227 ]
  %238 = phi ptr [ %154, %161 ], [ %229, %227 ]
  %239 = phi ptr [ %163, %161 ], [ %230, %227 ]
  %240 = load ptr, ptr %239, align 8
  %241 = getelementptr inbounds nuw ptr, ptr %8, i64 %153
  store ptr %240, ptr %241, align 8
  %242 = icmp eq ptr %240, null
  br i1 %242, label %531, label %243, !prof !15

243:
  %244 = phi ptr [ %154, %231 ], [ %238, %236 ]
  %245 = phi i64 [ %155, %231 ], [ %237, %236 ]
  %246 = add nuw nsw i64 %153, 1
  %247 = icmp eq i64 %246, %130
  br i1 %247, label %248, label %152

248:
  %249 = phi i64 [ 0, %141 ], [ %245, %243 ]
  %250 = phi ptr [ null, %141 ], [ %244, %243 ]
  %251 = icmp eq ptr %138, null
  br i1 %251, label %353, label %252

252:
  %253 = getelementptr inbounds nuw i8, ptr %14, i64 136
  %254 = load i64, ptr %253, align 8
  %255 = icmp eq i64 %254, 0
  br i1 %255, label %256, label %259

256:
  %257 = getelementptr inbounds nuw i8, ptr %14, i64 128
  %258 = load i64, ptr %257, align 8
  br label %272

259:
  %260 = getelementptr inbounds nuw i8, ptr %138, i64 8
  %261 = load ptr, ptr %260, align 8
  %262 = getelementptr inbounds nuw i8, ptr %14, i64 24
  %263 = load ptr, ptr %262, align 8
  %264 = icmp eq ptr %261, %263
  br i1 %264, label %265, label %531

265:
  %266 = getelementptr inbounds nuw i8, ptr %138, i64 16
  %267 = load i64, ptr %266, align 8
  %268 = getelementptr inbounds nuw i8, ptr %14, i64 128
  %269 = load i64, ptr %268, align 8
  %270 = icmp eq i64 %267, %269
  %271 = getelementptr inbounds nuw i8, ptr %138, i64 24
  br i1 %270, label %272, label %531

272:
  %273 = phi i64 [ %258, %256 ], [ %267, %265 ]
  %274 = phi ptr [ %18, %256 ], [ %271, %265 ]
  %275 = icmp sgt i64 %273, 0
  br i1 %275, label %276, label %351

276:
  %277 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %278 = getelementptr inbounds nuw i8, ptr %14, i64 160
  %279 = getelementptr inbounds nuw i8, ptr %14, i64 120
  %280 = getelementptr inbounds nuw i8, ptr %14, i64 16
  %281 = getelementptr ptr, ptr %8, i64 %130
  %282 = load ptr, ptr %277, align 8
  br label %283

283:
  %284 = phi i64 [ 0, %276 ], [ %349, %348 ]
  %285 = getelementptr inbounds nuw ptr, ptr %274, i64 %284
  %286 = load ptr, ptr %285, align 8
  %287 = getelementptr inbounds nuw i8, ptr %286, i64 8
  %288 = load ptr, ptr %287, align 8
  %289 = icmp eq ptr %288, %282
  br i1 %289, label %290, label %341

290:
  %291 = load ptr, ptr %278, align 8
  %292 = load i64, ptr %279, align 8
  %293 = getelementptr inbounds %struct.Core, ptr %291, i64 %292
  %294 = getelementptr inbounds nuw %struct.Core, ptr %293, i64 %284
  %295 = getelementptr inbounds nuw i8, ptr %286, i64 56
  %296 = load ptr, ptr %295, align 8
  %297 = load ptr, ptr %280, align 8
  %298 = icmp eq ptr %296, %297
  br i1 %298, label %299, label %341

299:
  %300 = getelementptr inbounds nuw i8, ptr %286, i64 64
  %301 = load i32, ptr %300, align 8
  %302 = and i32 %301, 1281
  %303 = icmp eq i32 %302, 1281
  br i1 %303, label %304, label %341

304:
  %305 = getelementptr inbounds nuw i8, ptr %286, i64 24
  %306 = load i32, ptr %305, align 8
  %307 = sext i32 %306 to i64
  %308 = load i64, ptr %294, align 8
  %309 = sub nsw i64 %307, %308
  %310 = icmp ugt i64 %309, 4
  br i1 %310, label %341, label %311

311:
  %312 = getelementptr inbounds nuw i8, ptr %286, i64 32
  %313 = load ptr, ptr %312, align 8
  %314 = getelementptr inbounds nuw i64, ptr %313, i64 %309
  %315 = getelementptr inbounds nuw i8, ptr %294, i64 8
  %316 = icmp sgt i64 %308, 0
  br i1 %316, label %320, label %327

317:
  %318 = add nuw nsw i64 %321, 1
  %319 = icmp eq i64 %318, %308
  br i1 %319, label %327, label %320

320:
  %321 = phi i64 [ %318, %317 ], [ 0, %311 ]
  %322 = getelementptr inbounds nuw i64, ptr %314, i64 %321
  %323 = load i64, ptr %322, align 8
  %324 = getelementptr inbounds nuw i64, ptr %315, i64 %321
  %325 = load i64, ptr %324, align 8
  %326 = icmp eq i64 %323, %325
  br i1 %326, label %317, label %341

327:
  %328 = icmp eq i64 %309, %249
  br i1 %328, label %329, label %341

329:
  %330 = icmp eq i64 %308, %307
  br i1 %330, label %343, label %334

331:
  %332 = add nuw nsw i64 %335, 1
  %333 = icmp eq i64 %332, %249
  br i1 %333, label %343, label %334

334:
  %335 = phi i64 [ %332, %331 ], [ 0, %329 ]
  %336 = getelementptr inbounds nuw i64, ptr %313, i64 %335
  %337 = load i64, ptr %336, align 8
  %338 = getelementptr inbounds nuw i64, ptr %250, i64 %335
  %339 = load i64, ptr %338, align 8
  %340 = icmp eq i64 %337, %339
  br i1 %340, label %331, label %341

341:
  %342 = getelementptr ptr, ptr %281, i64 %284
  store ptr null, ptr %342, align 8
  br label %531

343:
  %344 = getelementptr inbounds nuw i8, ptr %286, i64 16
  %345 = load ptr, ptr %344, align 8
  %346 = getelementptr ptr, ptr %281, i64 %284
  store ptr %345, ptr %346, align 8
  %347 = icmp eq ptr %345, null
  br i1 %347, label %531, label %348

348:
  %349 = add nuw nsw i64 %284, 1
  %350 = icmp slt i64 %349, %273
  br i1 %350, label %283, label %351

351:
  %352 = add nsw i64 %273, %130
  br label %353

353:
  %354 = phi i64 [ %352, %351 ], [ %130, %248 ]
  %355 = icmp eq i64 %249, 0
  br i1 %355, label %403, label %358

356:
  %357 = icmp eq i64 %363, 0
  br i1 %357, label %531, label %366

358:
  %359 = phi i64 [ %364, %358 ], [ 0, %353 ]
  %360 = phi i64 [ %363, %358 ], [ 1, %353 ]
  %361 = getelementptr inbounds nuw i64, ptr %250, i64 %359
  %362 = load i64, ptr %361, align 8
  %363 = mul nsw i64 %360, %362
  store i64 %363, ptr %11, align 8
  %364 = add nuw nsw i64 %359, 1
  %365 = icmp eq i64 %364, %249
  br i1 %365, label %356, label %358

366:
  %367 = getelementptr inbounds nuw i8, ptr %139, i64 24
  %368 = load i64, ptr %367, align 8
  %369 = icmp slt i64 %363, %368
  br i1 %369, label %370, label %531

370:
  %371 = getelementptr inbounds nuw i8, ptr %131, i64 8
  %372 = load ptr, ptr %371, align 8
  %373 = icmp slt i64 %130, %354
  br i1 %373, label %374, label %403

374:
  %375 = phi i64 [ %401, %400 ], [ %130, %370 ]
  %376 = icmp sgt i64 %375, 0
  br i1 %376, label %377, label %400

377:
  %378 = getelementptr inbounds nuw ptr, ptr %8, i64 %375
  %379 = load ptr, ptr %378, align 8
  %380 = ptrtoint ptr %379 to i64
  %381 = getelementptr inbounds nuw i64, ptr %372, i64 %375
  %382 = load i64, ptr %381, align 8
  %383 = mul nsw i64 %382, %363
  %384 = add i64 %383, %380
  br label %385

385:
  %386 = phi i64 [ 0, %377 ], [ %398, %397 ]
  %387 = getelementptr inbounds nuw ptr, ptr %8, i64 %386
  %388 = load ptr, ptr %387, align 8
  %389 = ptrtoint ptr %388 to i64
  %390 = icmp ugt i64 %384, %389
  br i1 %390, label %391, label %397

391:
  %392 = getelementptr inbounds nuw i64, ptr %372, i64 %386
  %393 = load i64, ptr %392, align 8
  %394 = mul nsw i64 %393, %363
  %395 = add i64 %394, %389
  %396 = icmp ugt i64 %395, %380
  br i1 %396, label %531, label %397

397:
  %398 = add nuw nsw i64 %386, 1
  %399 = icmp eq i64 %398, %375
  br i1 %399, label %400, label %385

400:
  %401 = add i64 %375, 1
  %402 = icmp eq i64 %401, %354
  br i1 %402, label %403, label %374

403:
  %404 = phi i64 [ 1, %353 ], [ %363, %370 ], [ %363, %400 ]
  br i1 %251, label %405, label %499

405:
  %406 = getelementptr inbounds ptr, ptr %8, i64 %130
  %407 = getelementptr inbounds nuw i8, ptr %14, i64 160
  %408 = load ptr, ptr %407, align 8
  %409 = getelementptr inbounds nuw i8, ptr %14, i64 120
  %410 = load i64, ptr %409, align 8
  %411 = getelementptr inbounds %struct.Core, ptr %408, i64 %410
  %412 = getelementptr inbounds nuw i8, ptr %14, i64 104
  %413 = load i64, ptr %412, align 8
  %414 = icmp slt i64 %404, %413
  br i1 %414, label %422, label %415

415:
  %416 = getelementptr inbounds nuw i8, ptr %14, i64 80
  %417 = load ptr, ptr %416, align 8
  %418 = getelementptr inbounds nuw i8, ptr %14, i64 96
  %419 = load ptr, ptr %418, align 8
  %420 = call ptr %417(ptr %419)
  %421 = icmp eq ptr %420, null
  br i1 %421, label %534, label %422

422:
  %423 = phi ptr [ %420, %415 ], [ null, %405 ]
  %424 = getelementptr inbounds nuw i8, ptr %14, i64 128
  %425 = load i64, ptr %424, align 8
  %426 = icmp sgt i64 %425, 0
  br i1 %426, label %427, label %476

427:
  %428 = getelementptr inbounds nuw i8, ptr %14, i64 64
  %429 = getelementptr inbounds nuw i8, ptr %14, i64 8
  %430 = icmp sgt i64 %249, 0
  %431 = getelementptr i64, ptr %5, i64 %249
  br label %432

432:
  %433 = phi i64 [ %425, %427 ], [ %473, %472 ]
  %434 = phi i64 [ 0, %427 ], [ %474, %472 ]
  %435 = getelementptr inbounds nuw ptr, ptr %7, i64 %434
  store ptr null, ptr %435, align 8
  %436 = getelementptr inbounds nuw double, ptr %9, i64 %434
  %437 = getelementptr inbounds nuw ptr, ptr %406, i64 %434
  store ptr %436, ptr %437, align 8
  %438 = getelementptr inbounds nuw %struct.Core, ptr %411, i64 %434
  %439 = load i64, ptr %438, align 8
  %440 = sub i64 0, %439
  %441 = icmp eq i64 %249, %440
  br i1 %441, label %472, label %442

442:
  br i1 %430, label %447, label %443

443:
  %444 = icmp sgt i64 %439, 0
  br i1 %444, label %445, label %461

445:
  %446 = getelementptr inbounds nuw i8, ptr %438, i64 8
  br label %454

447:
  %448 = phi i64 [ %452, %447 ], [ 0, %442 ]
  %449 = getelementptr inbounds nuw i64, ptr %250, i64 %448
  %450 = load i64, ptr %449, align 8
  %451 = getelementptr inbounds nuw i64, ptr %5, i64 %448
  store i64 %450, ptr %451, align 8
  %452 = add nuw nsw i64 %448, 1
  %453 = icmp eq i64 %452, %249
  br i1 %453, label %443, label %447

454:
  %455 = phi i64 [ 0, %445 ], [ %459, %454 ]
  %456 = getelementptr inbounds nuw i64, ptr %446, i64 %455
  %457 = load i64, ptr %456, align 8
  %458 = getelementptr i64, ptr %431, i64 %455
  store i64 %457, ptr %458, align 8
  %459 = add nuw nsw i64 %455, 1
  %460 = icmp eq i64 %459, %439
  br i1 %460, label %461, label %454

461:
  %462 = load ptr, ptr %428, align 8
  %463 = load ptr, ptr %429, align 8
  %464 = add nsw i64 %439, %249
  %465 = trunc i64 %464 to i32
  %466 = call ptr %462(ptr %463, i32 %465, ptr %5, i32 12, ptr null, ptr null, i32 0, i32 0, ptr null)
  store ptr %466, ptr %435, align 8
  %467 = icmp eq ptr %466, null
  br i1 %467, label %476, label %468

468:
  %469 = getelementptr inbounds nuw i8, ptr %466, i64 16
  %470 = load ptr, ptr %469, align 8
  store ptr %470, ptr %437, align 8
  %471 = load i64, ptr %424, align 8
  br label %472

472:
  %473 = phi i64 [ %471, %468 ], [ %433, %432 ]
  %474 = add nuw nsw i64 %434, 1
  %475 = icmp slt i64 %474, %473
  br i1 %475, label %432, label %476

476:
  %477 = phi i64 [ 0, %422 ], [ %474, %472 ], [ %434, %461 ]
  %478 = icmp eq ptr %423, null
  br i1 %478, label %485, label %479

479:
  %480 = getelementptr inbounds nuw i8, ptr %14, i64 80
  %481 = load ptr, ptr %480, align 8
  %482 = call ptr %481(ptr %423)
  call void @Py_DecRef(ptr %423)
  %483 = icmp eq ptr %482, null
  br i1 %483, label %488, label %484

484:
  call void @Py_DecRef(ptr %482)
  br label %485

485:
  %486 = load i64, ptr %424, align 8
  %487 = icmp eq i64 %477, %486
  br i1 %487, label %499, label %488, !prof !13

488:
  %489 = icmp eq i64 %477, 0
  br i1 %489, label %534, label %490

490:
  %491 = phi i64 [ %497, %496 ], [ 0, %488 ]
  %492 = getelementptr inbounds nuw ptr, ptr %7, i64 %491
  %493 = load ptr, ptr %492, align 8
  %494 = icmp eq ptr %493, null
  br i1 %494, label %496, label %495

495:
  call void @Py_DecRef(ptr %493)
  br label %496

496:
  %497 = add nuw nsw i64 %491, 1
  %498 = icmp eq i64 %497, %477
  br i1 %498, label %534, label %490

499:
  br i1 %355, label %502, label %500

500:
  %501 = call fastcc i32 @run_batch(ptr %14, ptr %142, ptr %12, ptr %8, ptr %10, i64 %404)
  br label %506

502:
  %503 = getelementptr inbounds nuw i8, ptr %131, i64 8
  %504 = load ptr, ptr %503, align 8
  %505 = call i32 %142(ptr %8, ptr %11, ptr %504, ptr %139)
  br label %506

506:
  %507 = phi i32 [ %501, %500 ], [ %505, %502 ]
  %508 = icmp eq i32 %507, 0
  br i1 %508, label %527, label %509, !prof !13

509:
  br i1 %251, label %510, label %523

510:
  %511 = getelementptr inbounds nuw i8, ptr %14, i64 128
  %512 = load i64, ptr %511, align 8
  %513 = icmp sgt i64 %512, 0
  br i1 %513, label %514, label %523

514:
  %515 = phi i64 [ %521, %520 ], [ 0, %510 ]
  %516 = getelementptr inbounds nuw ptr, ptr %7, i64 %515
  %517 = load ptr, ptr %516, align 8
  %518 = icmp eq ptr %517, null
  br i1 %518, label %520, label %519

519:
  call void @Py_DecRef(ptr %517)
  br label %520

520:
  %521 = add nuw nsw i64 %515, 1
  %522 = icmp eq i64 %521, %512
  br i1 %522, label %523, label %514

523:
  %524 = icmp eq i32 %507, 2
  br i1 %524, label %531, label %525

525:
  %526 = call ptr @PyErr_NoMemory()
  br label %534

527:
  br i1 %251, label %528, label %530

528:
  %529 = call fastcc ptr @return_results(ptr %14, ptr %7, ptr %9)
  br label %534

530:
  call void @Py_IncRef(ptr %138)
  br label %534

531:
  %532 = load ptr, ptr %14, align 8
  %533 = call ptr @PyObject_Vectorcall(ptr %532, ptr %1, i64 %2, ptr %3)
  br label %534

534:
  %535 = phi ptr [ %526, %525 ], [ %529, %528 ], [ %533, %531 ], [ %138, %530 ], [ null, %415 ], [ null, %488 ], [ null, %496 ]
  ret ptr %535
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
  %33 = getelementptr inbounds nuw i8, ptr %32, i64 32
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
