; xla_cuda.c, by `make native`: source f2c9f191ad725ab8eb0414f1046179b568b5a7b6e4c6cf02d2b5de85c7e6eb18 text da1481db009392f5cfbf28672d8572e2540d8be22de00c88bfca56a407b9dd34
%struct.XLA_FFI_Error_Create_Args = type { i64, ptr, ptr, i32 }
%struct.XLA_FFI_Stream_Get_Args = type { i64, ptr, ptr, ptr }
%struct.Launch = type { ptr, i64, i64, i64, i64, ptr }
%struct.OperandShape = type { i64, ptr }

@major_version = internal unnamed_addr global i32 0, align 4
@minor_version = internal unnamed_addr global i32 0, align 4
@buckets = internal global [1024 x ptr] zeroinitializer, align 16
@driver = internal unnamed_addr global ptr null, align 8
@.str = private unnamed_addr constant [65 x i8] c"jounce: the call is not one that this version of jounce compiles\00", align 1
@.str.1 = private unnamed_addr constant [66 x i8] c"jounce: buffers do not have the shapes and dtypes of their kernel\00", align 1
@.str.2 = private unnamed_addr constant [136 x i8] c"jounce: a kernel is called on a device that JAX did not have when it was compiled; call jax.clear_caches() and trace the function again\00", align 1
@.str.3 = private unnamed_addr constant [53 x i8] c"jounce: the driver of CUDA did not launch a kernel: \00", align 1
@.str.4 = private unnamed_addr constant [14 x i8] c"unknown error\00", align 1

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

define void @jounce_set_driver(ptr %0) nounwind {
  store ptr %0, ptr @driver, align 8
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
  store i32 1, ptr %19, align 8
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
  %7 = alloca [1001 x i8], align 16
  %8 = alloca ptr, align 8
  %9 = alloca %struct.XLA_FFI_Error_Create_Args, align 8
  %10 = alloca i32, align 4
  %11 = alloca ptr, align 8
  %12 = alloca ptr, align 8
  %13 = alloca %struct.XLA_FFI_Stream_Get_Args, align 8
  %14 = alloca ptr, align 8
  store i64 32, ptr %13, align 8
  %15 = getelementptr inbounds nuw i8, ptr %13, i64 8
  store ptr null, ptr %15, align 8
  %16 = getelementptr inbounds nuw i8, ptr %13, i64 16
  %17 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %18 = load ptr, ptr %17, align 8
  store ptr %18, ptr %16, align 8
  %19 = getelementptr inbounds nuw i8, ptr %13, i64 24
  store ptr null, ptr %19, align 8
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %21 = load ptr, ptr %20, align 8
  %22 = getelementptr inbounds nuw i8, ptr %21, i64 80
  %23 = load ptr, ptr %22, align 8
  %24 = call ptr %23(ptr %13)
  %25 = icmp eq ptr %24, null
  br i1 %25, label %26, label %137

26:
  %27 = load ptr, ptr %19, align 8
  store ptr null, ptr %11, align 8
  store ptr null, ptr %12, align 8
  %28 = load ptr, ptr @driver, align 8
  %29 = getelementptr inbounds nuw i8, ptr %28, i64 8
  %30 = load ptr, ptr %29, align 8
  %31 = call i32 %30(ptr %27, ptr %11)
  %32 = load ptr, ptr @driver, align 8
  %33 = getelementptr inbounds nuw i8, ptr %32, i64 16
  %34 = load ptr, ptr %33, align 8
  %35 = call i32 %34(ptr %12)
  %36 = icmp eq i32 %31, 0
  br i1 %36, label %37, label %47

37:
  %38 = load ptr, ptr %11, align 8
  %39 = load ptr, ptr %12, align 8
  %40 = icmp eq ptr %38, %39
  br i1 %40, label %47, label %41

41:
  %42 = load ptr, ptr @driver, align 8
  %43 = getelementptr inbounds nuw i8, ptr %42, i64 24
  %44 = load ptr, ptr %43, align 8
  %45 = call i32 %44(ptr %38)
  %46 = icmp ne i32 %45, 0
  br label %47

47:
  %48 = phi i1 [ true, %37 ], [ true, %26 ], [ %46, %41 ]
  store i32 -1, ptr %10, align 4
  %49 = load ptr, ptr @driver, align 8
  %50 = getelementptr inbounds nuw i8, ptr %49, i64 40
  %51 = load ptr, ptr %50, align 8
  %52 = call i32 %51(ptr %10)
  %53 = icmp ne i32 %52, 0
  %54 = load i32, ptr %10, align 4
  %55 = icmp slt i32 %54, 0
  %56 = select i1 %53, i1 true, i1 %55
  br i1 %56, label %68, label %57

57:
  %58 = zext nneg i32 %54 to i64
  %59 = getelementptr inbounds nuw i8, ptr %1, i64 72
  %60 = load i64, ptr %59, align 8
  %61 = icmp sgt i64 %60, %58
  br i1 %61, label %62, label %68

62:
  %63 = getelementptr inbounds nuw i8, ptr %1, i64 64
  %64 = load ptr, ptr %63, align 8
  %65 = getelementptr inbounds nuw %struct.Launch, ptr %64, i64 %58
  %66 = load ptr, ptr %65, align 8
  %67 = icmp eq ptr %66, null
  br i1 %67, label %68, label %69

68:
  br label %71

69:
  %70 = call fastcc i32 @launch_kernels(ptr %65, ptr %1, ptr %2, ptr %3, i64 %4, ptr %27)
  br label %71

71:
  %72 = phi i1 [ false, %69 ], [ true, %68 ]
  %73 = phi i32 [ %70, %69 ], [ 0, %68 ]
  br i1 %48, label %79, label %74

74:
  %75 = load ptr, ptr @driver, align 8
  %76 = getelementptr inbounds nuw i8, ptr %75, i64 32
  %77 = load ptr, ptr %76, align 8
  %78 = call i32 %77(ptr %14)
  br label %79

79:
  br i1 %72, label %80, label %89

80:
  store i64 28, ptr %9, align 8
  %81 = getelementptr inbounds nuw i8, ptr %9, i64 8
  store ptr null, ptr %81, align 8
  %82 = getelementptr inbounds nuw i8, ptr %9, i64 16
  store ptr @.str.2, ptr %82, align 8
  %83 = getelementptr inbounds nuw i8, ptr %9, i64 24
  store i32 5, ptr %83, align 8
  %84 = getelementptr inbounds nuw i8, ptr %9, i64 28
  store i32 0, ptr %84, align 4
  %85 = load ptr, ptr %20, align 8
  %86 = getelementptr inbounds nuw i8, ptr %85, i64 48
  %87 = load ptr, ptr %86, align 8
  %88 = call ptr %87(ptr %9)
  br label %135

89:
  %90 = icmp eq i32 %73, 0
  br i1 %90, label %135, label %91

91:
  store ptr null, ptr %8, align 8
  %92 = load ptr, ptr @driver, align 8
  %93 = getelementptr inbounds nuw i8, ptr %92, i64 48
  %94 = load ptr, ptr %93, align 8
  %95 = call i32 %94(i32 %73, ptr %8)
  br label %96

96:
  %97 = phi i8 [ %103, %96 ], [ 106, %91 ]
  %98 = phi ptr [ %101, %96 ], [ @.str.3, %91 ]
  %99 = phi i64 [ %102, %96 ], [ 0, %91 ]
  %100 = getelementptr inbounds nuw i8, ptr %7, i64 %99
  %101 = getelementptr inbounds nuw i8, ptr %98, i64 1
  %102 = add nuw nsw i64 %99, 1
  store i8 %97, ptr %100, align 1
  %103 = load i8, ptr %101, align 1
  %104 = icmp eq i64 %102, 52
  br i1 %104, label %105, label %96

105:
  %106 = getelementptr inbounds nuw i8, ptr %7, i64 52
  store i8 0, ptr %106, align 4
  %107 = load ptr, ptr %8, align 8
  %108 = icmp eq ptr %107, null
  %109 = select i1 %108, ptr @.str.4, ptr %107
  %110 = load i8, ptr %109, align 1
  %111 = icmp eq i8 %110, 0
  br i1 %111, label %125, label %112

112:
  %113 = phi i8 [ %119, %112 ], [ %110, %105 ]
  %114 = phi ptr [ %117, %112 ], [ %109, %105 ]
  %115 = phi i64 [ %118, %112 ], [ 52, %105 ]
  %116 = getelementptr inbounds nuw i8, ptr %7, i64 %115
  %117 = getelementptr inbounds nuw i8, ptr %114, i64 1
  %118 = add nuw nsw i64 %115, 1
  store i8 %113, ptr %116, align 1
  %119 = load i8, ptr %117, align 1
  %120 = icmp ne i8 %119, 0
  %121 = icmp samesign ult i64 %115, 999
  %122 = select i1 %120, i1 %121, i1 false
  br i1 %122, label %112, label %123

123:
  %124 = getelementptr inbounds nuw i8, ptr %7, i64 %118
  br label %125

125:
  %126 = phi ptr [ %106, %105 ], [ %124, %123 ]
  store i8 0, ptr %126, align 1
  store i64 28, ptr %6, align 8
  %127 = getelementptr inbounds nuw i8, ptr %6, i64 8
  store ptr null, ptr %127, align 8
  %128 = getelementptr inbounds nuw i8, ptr %6, i64 16
  store ptr %7, ptr %128, align 8
  %129 = getelementptr inbounds nuw i8, ptr %6, i64 24
  store i32 13, ptr %129, align 8
  %130 = getelementptr inbounds nuw i8, ptr %6, i64 28
  store i32 0, ptr %130, align 4
  %131 = load ptr, ptr %20, align 8
  %132 = getelementptr inbounds nuw i8, ptr %131, i64 48
  %133 = load ptr, ptr %132, align 8
  %134 = call ptr %133(ptr %6)
  br label %135

135:
  %136 = phi ptr [ %88, %80 ], [ %134, %125 ], [ null, %89 ]
  br label %137

137:
  %138 = phi ptr [ %136, %135 ], [ %24, %5 ]
  ret ptr %138
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

define internal fastcc i32 @launch_kernels(ptr %0, ptr %1, ptr %2, ptr %3, i64 %4, ptr %5) nounwind {
  %7 = alloca i64, align 8
  store i64 %4, ptr %7, align 8
  %8 = getelementptr inbounds nuw i8, ptr %1, i64 24
  %9 = load i64, ptr %8, align 8
  %10 = getelementptr inbounds nuw i8, ptr %1, i64 16
  %11 = load i64, ptr %10, align 8
  %12 = add i64 %9, 1
  %13 = add i64 %12, %11
  %14 = alloca ptr, i64 %13, align 16
  %15 = icmp sgt i64 %9, 0
  br i1 %15, label %19, label %16

16:
  %17 = phi ptr [ %14, %6 ], [ %23, %19 ]
  %18 = icmp sgt i64 %11, 0
  br i1 %18, label %56, label %26

19:
  %20 = phi i64 [ %24, %19 ], [ 0, %6 ]
  %21 = phi ptr [ %23, %19 ], [ %14, %6 ]
  %22 = getelementptr inbounds nuw ptr, ptr %2, i64 %20
  %23 = getelementptr inbounds nuw i8, ptr %21, i64 8
  store ptr %22, ptr %21, align 8
  %24 = add nuw nsw i64 %20, 1
  %25 = icmp eq i64 %24, %9
  br i1 %25, label %16, label %19

26:
  %27 = phi ptr [ %17, %16 ], [ %60, %56 ]
  store ptr %7, ptr %27, align 8
  %28 = load ptr, ptr @driver, align 8
  %29 = load ptr, ptr %28, align 8
  %30 = add i64 %4, -1
  br label %31

31:
  %32 = phi ptr [ %0, %26 ], [ %51, %31 ]
  %33 = getelementptr inbounds nuw i8, ptr %32, i64 8
  %34 = load i64, ptr %33, align 8
  %35 = add i64 %30, %34
  %36 = udiv i64 %35, %34
  %37 = call i64 @llvm.umin.i64(i64 %36, i64 2147483648)
  %38 = load ptr, ptr %32, align 8
  %39 = trunc nuw i64 %37 to i32
  %40 = getelementptr inbounds nuw i8, ptr %32, i64 16
  %41 = load i64, ptr %40, align 8
  %42 = trunc i64 %41 to i32
  %43 = getelementptr inbounds nuw i8, ptr %32, i64 24
  %44 = load i64, ptr %43, align 8
  %45 = trunc i64 %44 to i32
  %46 = getelementptr inbounds nuw i8, ptr %32, i64 32
  %47 = load i64, ptr %46, align 8
  %48 = trunc i64 %47 to i32
  %49 = call i32 %29(ptr %38, i32 %39, i32 %42, i32 1, i32 %45, i32 1, i32 1, i32 %48, ptr %5, ptr %14, ptr null)
  %50 = getelementptr inbounds nuw i8, ptr %32, i64 40
  %51 = load ptr, ptr %50, align 8
  %52 = icmp ne ptr %51, null
  %53 = icmp eq i32 %49, 0
  %54 = select i1 %52, i1 %53, i1 false
  br i1 %54, label %31, label %55

55:
  ret i32 %49

56:
  %57 = phi i64 [ %61, %56 ], [ 0, %16 ]
  %58 = phi ptr [ %60, %56 ], [ %17, %16 ]
  %59 = getelementptr inbounds nuw i64, ptr %3, i64 %57
  %60 = getelementptr inbounds nuw i8, ptr %58, i64 8
  store ptr %59, ptr %58, align 8
  %61 = add nuw nsw i64 %57, 1
  %62 = icmp eq i64 %61, %11
  br i1 %62, label %26, label %56
}

declare i64 @llvm.umin.i64(i64, i64)
