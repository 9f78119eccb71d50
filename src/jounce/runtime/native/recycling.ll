; recycling.c, by `make native`: source 57a9d0a0b267198d09907b963ec7681e4ea9bc6ed4e13acd53dd40a32bee382c text b40fb7e1b48116cbbfebb3be74db0a04283d74befecc506b97409415c83413f1
%struct.Block = type { ptr, i64 }

define i64 @jounce_release(ptr %0) nounwind {
  %2 = atomicrmw xchg ptr %0, i64 1 acquire, align 8
  %3 = icmp eq i64 %2, 0
  br i1 %3, label %4, label %28

4:
  %5 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %6 = load i64, ptr %5, align 8
  %7 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %8 = load i64, ptr %7, align 8
  %9 = icmp eq i64 %8, 0
  br i1 %9, label %27, label %10

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 40
  br label %12

12:
  %13 = phi i64 [ %8, %10 ], [ %25, %12 ]
  %14 = add nsw i64 %13, -1
  %15 = getelementptr inbounds %struct.Block, ptr %11, i64 %14
  %16 = load ptr, ptr %15, align 8
  %17 = getelementptr inbounds nuw i8, ptr %15, i64 8
  %18 = load i64, ptr %17, align 8
  %19 = load i64, ptr %5, align 8
  %20 = sub i64 %19, %18
  store i64 %20, ptr %5, align 8
  store i64 %14, ptr %7, align 8
  %21 = getelementptr inbounds nuw i8, ptr %15, i64 16
  %22 = tail call ptr @memmove(ptr %15, ptr %21, i64 0)
  %23 = getelementptr inbounds i8, ptr %16, i64 -16
  %24 = load ptr, ptr %23, align 8
  tail call void @free(ptr %24)
  %25 = load i64, ptr %7, align 8
  %26 = icmp eq i64 %25, 0
  br i1 %26, label %27, label %12

27:
  store atomic i64 0, ptr %0 release, align 8
  br label %28

28:
  %29 = phi i64 [ %6, %27 ], [ 0, %1 ]
  ret i64 %29
}

declare void @free(ptr)

define ptr @jounce_malloc(ptr %0, i64 %1) nounwind {
  %3 = icmp ugt i64 %1, 49151
  br i1 %3, label %4, label %43

4:
  %5 = atomicrmw xchg ptr %0, i64 1 acquire, align 8
  %6 = icmp eq i64 %5, 0
  br i1 %6, label %7, label %43

7:
  %8 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %9 = load i64, ptr %8, align 8
  %10 = icmp sgt i64 %9, 0
  br i1 %10, label %12, label %11

11:
  store atomic i64 0, ptr %0 release, align 8
  br label %43

12:
  %13 = lshr i64 %1, 2
  %14 = add i64 %13, %1
  %15 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %16 = getelementptr inbounds nuw i8, ptr %0, i64 8
  br label %17

17:
  %18 = phi i64 [ %9, %12 ], [ %19, %37 ]
  %19 = add nsw i64 %18, -1
  %20 = getelementptr inbounds nuw %struct.Block, ptr %0, i64 %19
  %21 = getelementptr inbounds nuw i8, ptr %20, i64 48
  %22 = load i64, ptr %21, align 8
  %23 = icmp ult i64 %22, %1
  %24 = icmp ugt i64 %22, %14
  %25 = or i1 %23, %24
  br i1 %25, label %37, label %26

26:
  %27 = getelementptr inbounds %struct.Block, ptr %15, i64 %19
  %28 = load ptr, ptr %27, align 8
  %29 = load i64, ptr %16, align 8
  %30 = sub i64 %29, %22
  store i64 %30, ptr %16, align 8
  %31 = load i64, ptr %8, align 8
  %32 = add nsw i64 %31, -1
  store i64 %32, ptr %8, align 8
  %33 = getelementptr inbounds nuw i8, ptr %27, i64 16
  %34 = sub i64 %31, %18
  %35 = shl i64 %34, 4
  %36 = tail call ptr @memmove(ptr %27, ptr %33, i64 %35)
  br label %37

37:
  %38 = phi ptr [ %28, %26 ], [ null, %17 ]
  %39 = icmp samesign ugt i64 %18, 1
  %40 = icmp eq ptr %38, null
  %41 = select i1 %39, i1 %40, i1 false
  br i1 %41, label %17, label %42

42:
  store atomic i64 0, ptr %0 release, align 8
  br i1 %40, label %43, label %104

43:
  %44 = icmp ugt i64 %1, 1572863
  %45 = select i1 %44, i64 -2097152, i64 -64
  %46 = select i1 %44, i64 2097152, i64 64
  %47 = add i64 %1, -1
  %48 = add i64 %47, %46
  %49 = and i64 %48, %45
  %50 = sub i64 %49, %1
  %51 = shl i64 %50, 2
  %52 = icmp ugt i64 %51, %1
  %53 = add i64 %1, 63
  %54 = and i64 %53, -64
  %55 = select i1 %52, i64 %54, i64 %49
  %56 = add i64 %55, %46
  %57 = or disjoint i64 %56, 16
  %58 = tail call ptr @malloc(i64 %57)
  %59 = icmp eq ptr %58, null
  br i1 %59, label %60, label %89

60:
  %61 = atomicrmw xchg ptr %0, i64 1 acquire, align 8
  %62 = icmp eq i64 %61, 0
  br i1 %62, label %63, label %86

63:
  %64 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %65 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %66 = load i64, ptr %65, align 8
  %67 = icmp eq i64 %66, 0
  br i1 %67, label %85, label %68

68:
  %69 = getelementptr inbounds nuw i8, ptr %0, i64 40
  br label %70

70:
  %71 = phi i64 [ %66, %68 ], [ %83, %70 ]
  %72 = add nsw i64 %71, -1
  %73 = getelementptr inbounds %struct.Block, ptr %69, i64 %72
  %74 = load ptr, ptr %73, align 8
  %75 = getelementptr inbounds nuw i8, ptr %73, i64 8
  %76 = load i64, ptr %75, align 8
  %77 = load i64, ptr %64, align 8
  %78 = sub i64 %77, %76
  store i64 %78, ptr %64, align 8
  store i64 %72, ptr %65, align 8
  %79 = getelementptr inbounds nuw i8, ptr %73, i64 16
  %80 = tail call ptr @memmove(ptr %73, ptr %79, i64 0)
  %81 = getelementptr inbounds i8, ptr %74, i64 -16
  %82 = load ptr, ptr %81, align 8
  tail call void @free(ptr %82)
  %83 = load i64, ptr %65, align 8
  %84 = icmp eq i64 %83, 0
  br i1 %84, label %85, label %70

85:
  store atomic i64 0, ptr %0 release, align 8
  br label %86

86:
  %87 = tail call ptr @malloc(i64 %57)
  %88 = icmp eq ptr %87, null
  br i1 %88, label %104, label %89

89:
  %90 = phi ptr [ %58, %43 ], [ %87, %86 ]
  %91 = ptrtoint ptr %90 to i64
  %92 = or disjoint i64 %46, 15
  %93 = add i64 %92, %91
  %94 = and i64 %93, %45
  %95 = inttoptr i64 %94 to ptr
  %96 = getelementptr inbounds i8, ptr %95, i64 -16
  store ptr %90, ptr %96, align 16
  %97 = getelementptr inbounds i8, ptr %95, i64 -8
  store i64 %55, ptr %97, align 8
  br i1 %44, label %98, label %104

98:
  %99 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %100 = load ptr, ptr %99, align 8
  %101 = icmp eq ptr %100, null
  br i1 %101, label %104, label %102

102:
  %103 = tail call i32 %100(ptr %95, i64 %55, i32 14)
  br label %104

104:
  %105 = phi ptr [ %38, %42 ], [ null, %86 ], [ %95, %102 ], [ %95, %98 ], [ %95, %89 ]
  ret ptr %105
}

declare ptr @malloc(i64)

define void @jounce_free(ptr %0, ptr %1, i64 %2) nounwind {
  %4 = icmp eq ptr %1, null
  br i1 %4, label %57, label %5

5:
  %6 = getelementptr inbounds i8, ptr %1, i64 -16
  %7 = getelementptr inbounds i8, ptr %1, i64 -8
  %8 = load i64, ptr %7, align 8
  %9 = icmp ult i64 %8, 49152
  br i1 %9, label %30, label %10

10:
  %11 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %12 = load i64, ptr %11, align 8
  %13 = icmp ugt i64 %8, %12
  br i1 %13, label %30, label %14

14:
  %15 = atomicrmw xchg ptr %0, i64 1 acquire, align 8
  %16 = icmp eq i64 %15, 0
  br i1 %16, label %17, label %30

17:
  %18 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %20 = getelementptr inbounds nuw i8, ptr %0, i64 40
  %21 = getelementptr inbounds nuw i8, ptr %0, i64 48
  %22 = getelementptr inbounds nuw i8, ptr %0, i64 56
  %23 = load i64, ptr %19, align 8
  %24 = add nsw i64 %23, %8
  %25 = load i64, ptr %11, align 8
  %26 = icmp sgt i64 %24, %25
  %27 = load i64, ptr %18, align 8
  %28 = icmp eq i64 %27, 64
  %29 = select i1 %26, i1 true, i1 %28
  br i1 %29, label %32, label %50

30:
  %31 = load ptr, ptr %6, align 8
  tail call void @free(ptr %31)
  br label %57

32:
  %33 = phi i64 [ %47, %32 ], [ %27, %17 ]
  %34 = phi i64 [ %43, %32 ], [ %23, %17 ]
  %35 = load ptr, ptr %20, align 8
  %36 = load i64, ptr %21, align 8
  %37 = sub i64 %34, %36
  store i64 %37, ptr %19, align 8
  %38 = add nsw i64 %33, -1
  store i64 %38, ptr %18, align 8
  %39 = shl i64 %38, 4
  %40 = tail call ptr @memmove(ptr %20, ptr %22, i64 %39)
  %41 = getelementptr inbounds i8, ptr %35, i64 -16
  %42 = load ptr, ptr %41, align 8
  tail call void @free(ptr %42)
  %43 = load i64, ptr %19, align 8
  %44 = add nsw i64 %43, %8
  %45 = load i64, ptr %11, align 8
  %46 = icmp sgt i64 %44, %45
  %47 = load i64, ptr %18, align 8
  %48 = icmp eq i64 %47, 64
  %49 = select i1 %46, i1 true, i1 %48
  br i1 %49, label %32, label %50

50:
  %51 = phi i64 [ %27, %17 ], [ %47, %32 ]
  %52 = add nsw i64 %51, 1
  store i64 %52, ptr %18, align 8
  %53 = getelementptr inbounds %struct.Block, ptr %20, i64 %51
  store ptr %1, ptr %53, align 8
  %54 = getelementptr inbounds nuw i8, ptr %53, i64 8
  store i64 %8, ptr %54, align 8
  %55 = load i64, ptr %19, align 8
  %56 = add i64 %55, %8
  store i64 %56, ptr %19, align 8
  store atomic i64 0, ptr %0 release, align 8
  br label %57

57:
  ret void
}

define ptr @jounce_calloc(ptr %0, i64 %1, i64 %2) nounwind {
  %4 = mul i64 %2, %1
  %5 = tail call ptr @jounce_malloc(ptr %0, i64 %4)
  %6 = icmp eq ptr %5, null
  br i1 %6, label %9, label %7

7:
  %8 = tail call ptr @memset(ptr %5, i32 0, i64 %4)
  br label %9

9:
  %10 = phi ptr [ %8, %7 ], [ null, %3 ]
  ret ptr %10
}

declare ptr @memset(ptr, i32, i64)

define ptr @jounce_realloc(ptr %0, ptr %1, i64 %2) nounwind {
  %4 = icmp eq ptr %1, null
  br i1 %4, label %5, label %7

5:
  %6 = tail call ptr @jounce_malloc(ptr %0, i64 %2)
  br label %20

7:
  %8 = getelementptr inbounds i8, ptr %1, i64 -8
  %9 = load i64, ptr %8, align 8
  %10 = icmp ugt i64 %2, %9
  %11 = lshr i64 %9, 1
  %12 = icmp ult i64 %2, %11
  %13 = or i1 %10, %12
  br i1 %13, label %14, label %20

14:
  %15 = tail call ptr @jounce_malloc(ptr %0, i64 %2)
  %16 = icmp eq ptr %15, null
  br i1 %16, label %20, label %17

17:
  %18 = tail call i64 @llvm.umin.i64(i64 %2, i64 %9)
  %19 = tail call ptr @memcpy(ptr %15, ptr %1, i64 %18)
  tail call void @jounce_free(ptr %0, ptr %1, i64 poison)
  br label %20

20:
  %21 = phi ptr [ %6, %5 ], [ %1, %7 ], [ %15, %17 ], [ null, %14 ]
  ret ptr %21
}

declare ptr @memcpy(ptr, ptr, i64)

declare ptr @memmove(ptr, ptr, i64)

declare i64 @llvm.umin.i64(i64, i64)
