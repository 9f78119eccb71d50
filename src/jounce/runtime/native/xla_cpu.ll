; xla_cpu.c, by `make native`: source 703532bac4bc1d7b8b0f08156c40a9a8e9c4ff37d2b6bb394ca784f5cc626de9 text 591cc5138a356df3935fa147ed4411da000fcb2469a7bdd23864f5f7152e03fe
%struct.XLA_FFI_Error_Create_Args = type { i64, ptr, ptr, i32 }
%struct.XLA_FFI_ThreadPool_Schedule_Args = type { i64, ptr, ptr, ptr, ptr }
%struct.XLA_FFI_Error_Destroy_Args = type { i64, ptr, ptr }
%struct.LoopData = type { ptr, ptr, ptr, i64, i64, i64 }
%struct.OperandShape = type { i64, ptr }

@major_version = internal unnamed_addr global i32 0, align 4
@minor_version = internal unnamed_addr global i32 0, align 4
@buckets = internal global [1024 x ptr] zeroinitializer, align 16
@yield_processor = internal unnamed_addr global ptr null, align 8
@max_threads = internal unnamed_addr global ptr null, align 8
@.str = private unnamed_addr constant [65 x i8] c"jounce: the call is not one that this version of jounce compiles\00", align 1
@.str.1 = private unnamed_addr constant [66 x i8] c"jounce: buffers do not have the shapes and dtypes of their kernel\00", align 1
@.str.2 = private unnamed_addr constant [48 x i8] c"jounce: no memory for the workspace of a kernel\00", align 1

define void @jounce_set_version(i32 %0, i32 %1) nounwind {
  store i32 %0, ptr @major_version, align 4
  store i32 %1, ptr @minor_version, align 4
  ret void
}

define void @jounce_add_kernel(ptr %0) nounwind {
  %2 = load i64, ptr %0, align 8
  %3 = and i64 %2, 1023
  %4 = getelementptr inbounds nuw ptr, ptr @buckets, i64 %3
  %5 = load atomic i64, ptr %4 monotonic, align 8
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %7 = ptrtoint ptr %0 to i64
  %8 = inttoptr i64 %5 to ptr
  store ptr %8, ptr %6, align 8
  %9 = cmpxchg ptr %4, i64 %5, i64 %7 release monotonic, align 8
  %10 = extractvalue { i64, i1 } %9, 1
  br i1 %10, label %17, label %11

11:
  %12 = phi { i64, i1 } [ %15, %11 ], [ %9, %1 ]
  %13 = extractvalue { i64, i1 } %12, 0
  %14 = inttoptr i64 %13 to ptr
  store ptr %14, ptr %6, align 8
  %15 = cmpxchg ptr %4, i64 %13, i64 %7 release monotonic, align 8
  %16 = extractvalue { i64, i1 } %15, 1
  br i1 %16, label %17, label %11

17:
  ret void
}

define void @jounce_set_threads(ptr %0, ptr %1) nounwind {
  store ptr %0, ptr @yield_processor, align 8
  store ptr %1, ptr @max_threads, align 8
  ret void
}

define ptr @jounce_handler(ptr %0) nounwind {
  %2 = alloca %struct.XLA_FFI_Error_Create_Args, align 8
  %3 = alloca [1001 x i8], align 16
  %4 = alloca %struct.XLA_FFI_Error_Create_Args, align 8
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %6 = load ptr, ptr %5, align 8
  %7 = icmp eq ptr %6, null
  br i1 %7, label %20, label %8

8:
  %9 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %10 = load i32, ptr %9, align 8
  %11 = icmp eq i32 %10, 1
  br i1 %11, label %12, label %20

12:
  %13 = getelementptr inbounds nuw i8, ptr %6, i64 24
  %14 = load ptr, ptr %13, align 8
  %15 = load i32, ptr @major_version, align 4
  %16 = getelementptr inbounds nuw i8, ptr %14, i64 24
  store i32 %15, ptr %16, align 8
  %17 = load i32, ptr @minor_version, align 4
  %18 = getelementptr inbounds nuw i8, ptr %14, i64 28
  store i32 %17, ptr %18, align 4
  %19 = getelementptr inbounds nuw i8, ptr %14, i64 32
  store i32 0, ptr %19, align 8
  br label %94

20:
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %22 = load i32, ptr %21, align 8
  %23 = icmp eq i32 %22, 3
  br i1 %23, label %24, label %94

24:
  %25 = getelementptr inbounds nuw i8, ptr %0, i64 136
  %26 = load i64, ptr %25, align 8
  %27 = icmp eq i64 %26, 2
  br i1 %27, label %28, label %48

28:
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 144
  %30 = load ptr, ptr %29, align 8
  %31 = load i32, ptr %30, align 4
  %32 = icmp eq i32 %31, 4
  br i1 %32, label %33, label %48

33:
  %34 = getelementptr inbounds nuw i8, ptr %30, i64 4
  %35 = load i32, ptr %34, align 4
  %36 = icmp eq i32 %35, 3
  br i1 %36, label %37, label %48

37:
  %38 = getelementptr inbounds nuw i8, ptr %0, i64 160
  %39 = load ptr, ptr %38, align 8
  %40 = getelementptr inbounds nuw i8, ptr %39, i64 8
  %41 = load ptr, ptr %40, align 8
  %42 = load i32, ptr %41, align 8
  %43 = icmp eq i32 %42, 5
  br i1 %43, label %44, label %48

44:
  %45 = getelementptr inbounds nuw i8, ptr %41, i64 8
  %46 = load ptr, ptr %45, align 8
  %47 = icmp eq ptr %46, null
  br i1 %47, label %48, label %58

48:
  store i64 28, ptr %4, align 8
  %49 = getelementptr inbounds nuw i8, ptr %4, i64 8
  store ptr null, ptr %49, align 8
  %50 = getelementptr inbounds nuw i8, ptr %4, i64 16
  store ptr @.str, ptr %50, align 8
  %51 = getelementptr inbounds nuw i8, ptr %4, i64 24
  store i32 3, ptr %51, align 8
  %52 = getelementptr inbounds nuw i8, ptr %4, i64 28
  store i32 0, ptr %52, align 4
  %53 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %54 = load ptr, ptr %53, align 8
  %55 = getelementptr inbounds nuw i8, ptr %54, i64 48
  %56 = load ptr, ptr %55, align 8
  %57 = call ptr %56(ptr %4)
  br label %94

58:
  %59 = load i64, ptr %46, align 8
  %60 = and i64 %59, 1023
  %61 = getelementptr inbounds nuw ptr, ptr @buckets, i64 %60
  %62 = load atomic i64, ptr %61 acquire, align 8
  %63 = icmp eq i64 %62, 0
  br i1 %63, label %76, label %64

64:
  %65 = inttoptr i64 %62 to ptr
  br label %66

66:
  %67 = phi ptr [ %72, %70 ], [ %65, %64 ]
  %68 = load i64, ptr %67, align 8
  %69 = icmp eq i64 %68, %59
  br i1 %69, label %74, label %70

70:
  %71 = getelementptr inbounds nuw i8, ptr %67, i64 8
  %72 = load ptr, ptr %71, align 8
  %73 = icmp eq ptr %72, null
  br i1 %73, label %76, label %66

74:
  %75 = tail call fastcc ptr @call_kernel(ptr %0, ptr %67)
  br label %94

76:
  %77 = load ptr, ptr %38, align 8
  %78 = load ptr, ptr %77, align 8
  %79 = getelementptr inbounds nuw i8, ptr %78, i64 8
  %80 = load i64, ptr %79, align 8
  %81 = tail call i64 @llvm.umin.i64(i64 %80, i64 1000)
  %82 = load ptr, ptr %78, align 8
  %83 = call ptr @memcpy(ptr %3, ptr %82, i64 %81)
  %84 = getelementptr inbounds nuw i8, ptr %3, i64 %81
  store i8 0, ptr %84, align 1
  store i64 28, ptr %2, align 8
  %85 = getelementptr inbounds nuw i8, ptr %2, i64 8
  store ptr null, ptr %85, align 8
  %86 = getelementptr inbounds nuw i8, ptr %2, i64 16
  store ptr %3, ptr %86, align 8
  %87 = getelementptr inbounds nuw i8, ptr %2, i64 24
  store i32 5, ptr %87, align 8
  %88 = getelementptr inbounds nuw i8, ptr %2, i64 28
  store i32 0, ptr %88, align 4
  %89 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %90 = load ptr, ptr %89, align 8
  %91 = getelementptr inbounds nuw i8, ptr %90, i64 48
  %92 = load ptr, ptr %91, align 8
  %93 = call ptr %92(ptr %2)
  br label %94

94:
  %95 = phi ptr [ null, %12 ], [ null, %20 ], [ %57, %48 ], [ %75, %74 ], [ %93, %76 ]
  ret ptr %95
}

define internal fastcc ptr @run(ptr %0, ptr %1, ptr %2, ptr %3, i64 %4) nounwind {
  %6 = alloca %struct.XLA_FFI_Error_Create_Args, align 8
  %7 = alloca i64, align 8
  %8 = alloca [64 x ptr], align 16
  %9 = alloca %struct.XLA_FFI_ThreadPool_Schedule_Args, align 8
  %10 = alloca %struct.XLA_FFI_Error_Destroy_Args, align 8
  %11 = alloca %struct.LoopData, align 8
  %12 = alloca i64, align 8
  store i64 %4, ptr %12, align 8
  %13 = getelementptr inbounds nuw i8, ptr %1, i64 64
  %14 = load ptr, ptr %13, align 8
  %15 = load ptr, ptr @max_threads, align 8
  %16 = load atomic i64, ptr %15 monotonic, align 8
  %17 = icmp sgt i64 %16, 1
  br i1 %17, label %18, label %155

18:
  %19 = getelementptr inbounds nuw i8, ptr %14, i64 24
  %20 = load i64, ptr %19, align 8
  %21 = icmp slt i64 %4, %20
  br i1 %21, label %155, label %22

22:
  %23 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %24 = load ptr, ptr %23, align 8
  %25 = load i64, ptr %24, align 8
  %26 = icmp ugt i64 %25, 136
  br i1 %26, label %27, label %155

27:
  %28 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %29 = load i64, ptr %28, align 8
  %30 = shl i64 %29, 3
  %31 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %32 = load i64, ptr %31, align 8
  %33 = shl i64 %32, 3
  %34 = add i64 %30, 120
  %35 = add i64 %34, %33
  %36 = tail call ptr @malloc(i64 %35)
  %37 = icmp eq ptr %36, null
  br i1 %37, label %38, label %39

38:
  br label %155

39:
  %40 = getelementptr inbounds nuw i8, ptr %36, i64 120
  %41 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %42 = load i64, ptr %41, align 8
  %43 = shl nsw i64 %16, 4
  %44 = sdiv i64 %4, %43
  %45 = tail call i64 @llvm.smax.i64(i64 %44, i64 %42)
  %46 = tail call i64 @llvm.smax.i64(i64 %45, i64 1)
  %47 = add nuw nsw i64 %46, 15
  %48 = and i64 %47, 9223372036854775792
  %49 = tail call ptr @memcpy(ptr %40, ptr %2, i64 %30)
  %50 = getelementptr inbounds nuw i8, ptr %40, i64 %30
  %51 = tail call ptr @memcpy(ptr %50, ptr %3, i64 %33)
  %52 = load ptr, ptr %13, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %11, ptr align 8 %52, i64 48, i1 false)
  store i64 %16, ptr %36, align 8
  %53 = getelementptr inbounds nuw i8, ptr %36, i64 8
  store i64 0, ptr %53, align 8
  %54 = getelementptr inbounds nuw i8, ptr %36, i64 16
  store i64 0, ptr %54, align 8
  %55 = getelementptr inbounds nuw i8, ptr %36, i64 24
  store i64 0, ptr %55, align 8
  %56 = getelementptr inbounds nuw i8, ptr %36, i64 32
  store i64 %4, ptr %56, align 8
  %57 = getelementptr inbounds nuw i8, ptr %36, i64 40
  store i64 %48, ptr %57, align 8
  %58 = getelementptr inbounds nuw i8, ptr %36, i64 48
  store i64 %29, ptr %58, align 8
  %59 = getelementptr inbounds nuw i8, ptr %36, i64 56
  store ptr %49, ptr %59, align 8
  %60 = getelementptr inbounds nuw i8, ptr %36, i64 64
  store ptr %51, ptr %60, align 8
  %61 = getelementptr inbounds nuw i8, ptr %36, i64 72
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %61, ptr align 8 %11, i64 48, i1 false)
  %62 = getelementptr inbounds nuw i8, ptr %36, i64 112
  %63 = load i64, ptr %62, align 8
  %64 = mul nsw i64 %63, %48
  %65 = sdiv i64 %64, %4
  store i64 %65, ptr %62, align 8
  %66 = load ptr, ptr %23, align 8
  %67 = load atomic i64, ptr %36 seq_cst, align 8
  store i64 40, ptr %9, align 8
  %68 = getelementptr inbounds nuw i8, ptr %9, i64 8
  store ptr null, ptr %68, align 8
  %69 = getelementptr inbounds nuw i8, ptr %9, i64 16
  %70 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %71 = load ptr, ptr %70, align 8
  store ptr %71, ptr %69, align 8
  %72 = getelementptr inbounds nuw i8, ptr %9, i64 24
  store ptr @run_task, ptr %72, align 8
  %73 = getelementptr inbounds nuw i8, ptr %9, i64 32
  store ptr %36, ptr %73, align 8
  %74 = icmp sgt i64 %67, 1
  br i1 %74, label %75, label %95

75:
  %76 = getelementptr inbounds nuw i8, ptr %66, i64 136
  br label %77

77:
  %78 = phi i64 [ 1, %75 ], [ %93, %92 ]
  %79 = load ptr, ptr %76, align 8
  %80 = call ptr %79(ptr %9)
  %81 = icmp eq ptr %80, null
  br i1 %81, label %92, label %82

82:
  store i64 24, ptr %10, align 8
  %83 = getelementptr inbounds nuw i8, ptr %10, i64 8
  store ptr null, ptr %83, align 8
  %84 = getelementptr inbounds nuw i8, ptr %10, i64 16
  store ptr %80, ptr %84, align 8
  %85 = getelementptr inbounds nuw i8, ptr %66, i64 64
  %86 = load ptr, ptr %85, align 8
  call void %86(ptr %10)
  %87 = sub nsw i64 %67, %78
  %88 = atomicrmw sub ptr %36, i64 %87 acq_rel, align 8
  %89 = icmp eq i64 %88, %87
  br i1 %89, label %90, label %91

90:
  call void @free(ptr %36)
  br label %91

91:
  br label %95

92:
  %93 = add nuw nsw i64 %78, 1
  %94 = icmp eq i64 %93, %67
  br i1 %94, label %95, label %77

95:
  %96 = load ptr, ptr %59, align 8
  %97 = load ptr, ptr %60, align 8
  %98 = load i64, ptr %58, align 8
  %99 = load i64, ptr %56, align 8
  %100 = load i64, ptr %57, align 8
  %101 = atomicrmw add ptr %53, i64 %100 monotonic, align 8
  %102 = icmp slt i64 %101, %99
  br i1 %102, label %103, label %141

103:
  %104 = phi i64 [ %139, %132 ], [ %101, %95 ]
  %105 = phi i64 [ %138, %132 ], [ %100, %95 ]
  %106 = phi i64 [ %137, %132 ], [ %99, %95 ]
  %107 = phi i64 [ %136, %132 ], [ %98, %95 ]
  %108 = phi ptr [ %135, %132 ], [ %97, %95 ]
  %109 = phi ptr [ %134, %132 ], [ %96, %95 ]
  %110 = sub nsw i64 %106, %104
  %111 = call i64 @llvm.smin.i64(i64 %110, i64 %105)
  store i64 %111, ptr %7, align 8
  %112 = icmp sgt i64 %107, 0
  br i1 %112, label %113, label %124

113:
  %114 = phi i64 [ %122, %113 ], [ 0, %103 ]
  %115 = getelementptr inbounds nuw ptr, ptr %109, i64 %114
  %116 = load ptr, ptr %115, align 8
  %117 = getelementptr inbounds nuw i64, ptr %108, i64 %114
  %118 = load i64, ptr %117, align 8
  %119 = mul nsw i64 %118, %104
  %120 = getelementptr inbounds i8, ptr %116, i64 %119
  %121 = getelementptr inbounds nuw ptr, ptr %8, i64 %114
  store ptr %120, ptr %121, align 8
  %122 = add nuw nsw i64 %114, 1
  %123 = icmp eq i64 %122, %107
  br i1 %123, label %124, label %113

124:
  %125 = load ptr, ptr %61, align 8
  %126 = call i32 %125(ptr %8, ptr %7, ptr %108, ptr %61)
  %127 = load i64, ptr %7, align 8
  %128 = icmp eq i64 %127, 0
  br i1 %128, label %141, label %129

129:
  %130 = icmp eq i32 %126, 0
  br i1 %130, label %132, label %131

131:
  store atomic i64 1, ptr %55 monotonic, align 8
  br label %132

132:
  %133 = atomicrmw add ptr %54, i64 %127 release, align 8
  %134 = load ptr, ptr %59, align 8
  %135 = load ptr, ptr %60, align 8
  %136 = load i64, ptr %58, align 8
  %137 = load i64, ptr %56, align 8
  %138 = load i64, ptr %57, align 8
  %139 = atomicrmw add ptr %53, i64 %138 monotonic, align 8
  %140 = icmp slt i64 %139, %137
  br i1 %140, label %103, label %141

141:
  %142 = load atomic i64, ptr %54 acquire, align 8
  %143 = icmp slt i64 %142, %4
  br i1 %143, label %144, label %149

144:
  %145 = load ptr, ptr @yield_processor, align 8
  %146 = call i32 %145()
  %147 = load atomic i64, ptr %54 acquire, align 8
  %148 = icmp slt i64 %147, %4
  br i1 %148, label %144, label %149

149:
  %150 = load atomic i64, ptr %55 monotonic, align 8
  %151 = atomicrmw sub ptr %36, i64 1 acq_rel, align 8
  %152 = icmp eq i64 %151, 1
  br i1 %152, label %153, label %154

153:
  call void @free(ptr %36)
  br label %154

154:
  br label %159

155:
  %156 = load ptr, ptr %14, align 8
  %157 = call i32 %156(ptr %2, ptr %12, ptr %3, ptr %14)
  %158 = sext i32 %157 to i64
  br label %159

159:
  %160 = phi i64 [ %150, %154 ], [ %158, %155 ]
  %161 = icmp eq i64 %160, 0
  br i1 %161, label %172, label %162

162:
  store i64 28, ptr %6, align 8
  %163 = getelementptr inbounds nuw i8, ptr %6, i64 8
  store ptr null, ptr %163, align 8
  %164 = getelementptr inbounds nuw i8, ptr %6, i64 16
  store ptr @.str.2, ptr %164, align 8
  %165 = getelementptr inbounds nuw i8, ptr %6, i64 24
  store i32 8, ptr %165, align 8
  %166 = getelementptr inbounds nuw i8, ptr %6, i64 28
  store i32 0, ptr %166, align 4
  %167 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %168 = load ptr, ptr %167, align 8
  %169 = getelementptr inbounds nuw i8, ptr %168, i64 48
  %170 = load ptr, ptr %169, align 8
  %171 = call ptr %170(ptr %6)
  br label %172

172:
  %173 = phi ptr [ %171, %162 ], [ null, %159 ]
  ret ptr %173
}

define internal fastcc ptr @call_kernel(ptr %0, ptr %1) nounwind {
  %3 = alloca %struct.XLA_FFI_Error_Create_Args, align 8
  %4 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %5 = load i64, ptr %4, align 8
  %6 = alloca ptr, i64 %5, align 16
  %7 = getelementptr inbounds nuw i8, ptr %1, i64 56
  %8 = load i64, ptr %7, align 8
  %9 = alloca i64, i64 %8, align 16
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %11 = load i64, ptr %10, align 8
  %12 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %13 = load i64, ptr %12, align 8
  %14 = icmp eq i64 %13, %11
  br i1 %14, label %15, label %108

15:
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 96
  %17 = load i64, ptr %16, align 8
  %18 = sub nsw i64 %5, %11
  %19 = icmp eq i64 %17, %18
  br i1 %19, label %20, label %108

20:
  %21 = getelementptr inbounds nuw i8, ptr %1, i64 48
  %22 = load ptr, ptr %21, align 8
  %23 = shl i64 %8, 3
  %24 = call ptr @memcpy(ptr %9, ptr %22, i64 %23)
  %25 = load i64, ptr %4, align 8
  %26 = icmp slt i64 %25, 1
  br i1 %26, label %108, label %27

27:
  %28 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %29 = getelementptr inbounds nuw i8, ptr %0, i64 112
  %30 = getelementptr inbounds nuw i8, ptr %1, i64 32
  %31 = getelementptr inbounds nuw i8, ptr %1, i64 40
  %32 = load i64, ptr %30, align 8
  %33 = load ptr, ptr %31, align 8
  br label %34

34:
  %35 = phi i64 [ -1, %27 ], [ %94, %103 ]
  %36 = phi i64 [ %25, %27 ], [ %37, %103 ]
  %37 = add nsw i64 %36, -1
  %38 = icmp sgt i64 %36, %11
  br i1 %38, label %42, label %39

39:
  %40 = load ptr, ptr %28, align 8
  %41 = getelementptr inbounds nuw ptr, ptr %40, i64 %37
  br label %46

42:
  %43 = load ptr, ptr %29, align 8
  %44 = sub nsw i64 %37, %11
  %45 = getelementptr inbounds ptr, ptr %43, i64 %44
  br label %46

46:
  %47 = phi ptr [ %41, %39 ], [ %45, %42 ]
  %48 = load ptr, ptr %47, align 8
  %49 = getelementptr inbounds nuw %struct.OperandShape, ptr %33, i64 %37
  %50 = getelementptr inbounds nuw i8, ptr %48, i64 32
  %51 = load i64, ptr %50, align 8
  %52 = load i64, ptr %49, align 8
  %53 = sub i64 %51, %52
  %54 = getelementptr inbounds nuw i8, ptr %48, i64 16
  %55 = load i32, ptr %54, align 8
  %56 = sext i32 %55 to i64
  %57 = icmp ne i64 %32, %56
  %58 = icmp slt i64 %53, 0
  %59 = select i1 %57, i1 true, i1 %58
  br i1 %59, label %108, label %60

60:
  %61 = icmp eq i64 %51, %52
  br i1 %61, label %65, label %62

62:
  %63 = getelementptr inbounds nuw i8, ptr %48, i64 40
  %64 = load ptr, ptr %63, align 8
  br label %74

65:
  %66 = phi i64 [ 1, %60 ], [ %79, %74 ]
  %67 = icmp sgt i64 %52, 0
  br i1 %67, label %68, label %92

68:
  %69 = getelementptr inbounds nuw i8, ptr %48, i64 40
  %70 = load ptr, ptr %69, align 8
  %71 = getelementptr inbounds nuw i64, ptr %70, i64 %53
  %72 = getelementptr inbounds nuw i8, ptr %49, i64 8
  %73 = load ptr, ptr %72, align 8
  br label %85

74:
  %75 = phi i64 [ 0, %62 ], [ %80, %74 ]
  %76 = phi i64 [ 1, %62 ], [ %79, %74 ]
  %77 = getelementptr inbounds nuw i64, ptr %64, i64 %75
  %78 = load i64, ptr %77, align 8
  %79 = mul nsw i64 %78, %76
  %80 = add nuw nsw i64 %75, 1
  %81 = icmp eq i64 %80, %53
  br i1 %81, label %65, label %74

82:
  %83 = add nuw nsw i64 %86, 1
  %84 = icmp eq i64 %83, %52
  br i1 %84, label %92, label %85

85:
  %86 = phi i64 [ 0, %68 ], [ %83, %82 ]
  %87 = getelementptr inbounds nuw i64, ptr %71, i64 %86
  %88 = load i64, ptr %87, align 8
  %89 = getelementptr inbounds nuw i64, ptr %73, i64 %86
  %90 = load i64, ptr %89, align 8
  %91 = icmp eq i64 %88, %90
  br i1 %91, label %82, label %108

92:
  %93 = icmp slt i64 %35, 0
  %94 = select i1 %93, i64 %66, i64 %35
  %95 = icmp slt i64 %66, 0
  br i1 %95, label %108, label %96

96:
  %97 = icmp eq i64 %66, %94
  br i1 %97, label %103, label %98

98:
  %99 = icmp ne i64 %66, 1
  %100 = or i1 %38, %99
  br i1 %100, label %108, label %101

101:
  %102 = getelementptr inbounds nuw i64, ptr %9, i64 %37
  store i64 0, ptr %102, align 8
  br label %103

103:
  %104 = getelementptr inbounds nuw i8, ptr %48, i64 24
  %105 = load ptr, ptr %104, align 8
  %106 = getelementptr inbounds nuw ptr, ptr %6, i64 %37
  store ptr %105, ptr %106, align 8
  %107 = icmp slt i64 %36, 2
  br i1 %107, label %118, label %34

108:
  store i64 28, ptr %3, align 8
  %109 = getelementptr inbounds nuw i8, ptr %3, i64 8
  store ptr null, ptr %109, align 8
  %110 = getelementptr inbounds nuw i8, ptr %3, i64 16
  store ptr @.str.1, ptr %110, align 8
  %111 = getelementptr inbounds nuw i8, ptr %3, i64 24
  store i32 3, ptr %111, align 8
  %112 = getelementptr inbounds nuw i8, ptr %3, i64 28
  store i32 0, ptr %112, align 4
  %113 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %114 = load ptr, ptr %113, align 8
  %115 = getelementptr inbounds nuw i8, ptr %114, i64 48
  %116 = load ptr, ptr %115, align 8
  %117 = call ptr %116(ptr %3)
  br label %122

118:
  %119 = icmp eq i64 %94, 0
  br i1 %119, label %122, label %120

120:
  %121 = call fastcc ptr @run(ptr %0, ptr %1, ptr %6, ptr %9, i64 %94)
  br label %122

122:
  %123 = phi ptr [ %117, %108 ], [ %121, %120 ], [ null, %118 ]
  ret ptr %123
}

declare ptr @memcpy(ptr, ptr, i64)

declare ptr @malloc(i64)

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

define internal void @run_task(ptr %0) nounwind {
  %2 = alloca i64, align 8
  %3 = alloca [64 x ptr], align 16
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 72
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %6 = getelementptr inbounds nuw i8, ptr %0, i64 64
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %9 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %10 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %11 = load ptr, ptr %5, align 8
  %12 = load ptr, ptr %6, align 8
  %13 = load i64, ptr %7, align 8
  %14 = load i64, ptr %8, align 8
  %15 = load i64, ptr %9, align 8
  %16 = atomicrmw add ptr %10, i64 %15 monotonic, align 8
  %17 = icmp slt i64 %16, %14
  br i1 %17, label %18, label %59

18:
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 16
  br label %21

21:
  %22 = phi i64 [ %16, %18 ], [ %57, %50 ]
  %23 = phi i64 [ %15, %18 ], [ %56, %50 ]
  %24 = phi i64 [ %14, %18 ], [ %55, %50 ]
  %25 = phi i64 [ %13, %18 ], [ %54, %50 ]
  %26 = phi ptr [ %12, %18 ], [ %53, %50 ]
  %27 = phi ptr [ %11, %18 ], [ %52, %50 ]
  %28 = sub nsw i64 %24, %22
  %29 = call i64 @llvm.smin.i64(i64 %28, i64 %23)
  store i64 %29, ptr %2, align 8
  %30 = icmp sgt i64 %25, 0
  br i1 %30, label %31, label %42

31:
  %32 = phi i64 [ %40, %31 ], [ 0, %21 ]
  %33 = getelementptr inbounds nuw ptr, ptr %27, i64 %32
  %34 = load ptr, ptr %33, align 8
  %35 = getelementptr inbounds nuw i64, ptr %26, i64 %32
  %36 = load i64, ptr %35, align 8
  %37 = mul nsw i64 %36, %22
  %38 = getelementptr inbounds i8, ptr %34, i64 %37
  %39 = getelementptr inbounds nuw ptr, ptr %3, i64 %32
  store ptr %38, ptr %39, align 8
  %40 = add nuw nsw i64 %32, 1
  %41 = icmp eq i64 %40, %25
  br i1 %41, label %42, label %31

42:
  %43 = load ptr, ptr %4, align 8
  %44 = call i32 %43(ptr %3, ptr %2, ptr %26, ptr %4)
  %45 = load i64, ptr %2, align 8
  %46 = icmp eq i64 %45, 0
  br i1 %46, label %59, label %47

47:
  %48 = icmp eq i32 %44, 0
  br i1 %48, label %50, label %49

49:
  store atomic i64 1, ptr %19 monotonic, align 8
  br label %50

50:
  %51 = atomicrmw add ptr %20, i64 %45 release, align 8
  %52 = load ptr, ptr %5, align 8
  %53 = load ptr, ptr %6, align 8
  %54 = load i64, ptr %7, align 8
  %55 = load i64, ptr %8, align 8
  %56 = load i64, ptr %9, align 8
  %57 = atomicrmw add ptr %10, i64 %56 monotonic, align 8
  %58 = icmp slt i64 %57, %55
  br i1 %58, label %21, label %59

59:
  %60 = atomicrmw sub ptr %0, i64 1 acq_rel, align 8
  %61 = icmp eq i64 %60, 1
  br i1 %61, label %62, label %63

62:
  call void @free(ptr %0)
  br label %63

63:
  ret void
}

declare void @free(ptr)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.smin.i64(i64, i64)

declare i64 @llvm.umin.i64(i64, i64)
