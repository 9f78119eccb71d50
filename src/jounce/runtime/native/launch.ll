; launch.c, by `make native`: source 2561431e63d16a1ab484e27aa7ba81b9f4ad05424ac525a0fa5421a79b9f1044 text de905c738ec2b3c1820dec9ab60780890f5552983a072ea6272e812c4767edb6
define i32 @jounce_launch(ptr %0, ptr %1, i64 %2) nounwind {
  %4 = alloca ptr, align 8
  %5 = alloca i32, align 4
  %6 = load ptr, ptr %0, align 8
  store ptr null, ptr %4, align 8
  %7 = getelementptr inbounds nuw i8, ptr %6, i64 8
  %8 = load ptr, ptr %7, align 8
  %9 = call i32 %8(ptr %4)
  store i32 0, ptr %5, align 4
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %11, label %63

11:
  %12 = load ptr, ptr %4, align 8
  %13 = getelementptr inbounds nuw i8, ptr %0, i64 8
  %14 = load ptr, ptr %13, align 8
  %15 = icmp eq ptr %12, %14
  br i1 %15, label %16, label %63

16:
  %17 = icmp ugt ptr %1, inttoptr (i64 1 to ptr)
  br i1 %17, label %18, label %30

18:
  %19 = getelementptr inbounds nuw i8, ptr %0, i64 32
  %20 = load i64, ptr %19, align 8
  %21 = icmp eq i64 %20, 0
  br i1 %21, label %22, label %30

22:
  %23 = getelementptr inbounds nuw i8, ptr %6, i64 16
  %24 = load ptr, ptr %23, align 8
  %25 = call i32 %24(ptr %1, ptr %5)
  %26 = icmp eq i32 %25, 0
  %27 = load i32, ptr %5, align 4
  %28 = icmp eq i32 %27, 1
  %29 = select i1 %26, i1 %28, i1 false
  br i1 %29, label %63, label %30

30:
  %31 = load ptr, ptr %6, align 8
  %32 = getelementptr inbounds nuw i8, ptr %0, i64 16
  %33 = load ptr, ptr %32, align 8
  %34 = getelementptr inbounds nuw i8, ptr %0, i64 24
  %35 = load ptr, ptr %34, align 8
  %36 = icmp eq ptr %33, null
  br i1 %36, label %63, label %37

37:
  %38 = add i64 %2, -1
  br label %39

39:
  %40 = phi ptr [ %33, %37 ], [ %59, %39 ]
  %41 = getelementptr inbounds nuw i8, ptr %40, i64 8
  %42 = load i64, ptr %41, align 8
  %43 = add i64 %38, %42
  %44 = udiv i64 %43, %42
  %45 = call i64 @llvm.umin.i64(i64 %44, i64 2147483648)
  %46 = load ptr, ptr %40, align 8
  %47 = trunc nuw i64 %45 to i32
  %48 = getelementptr inbounds nuw i8, ptr %40, i64 16
  %49 = load i64, ptr %48, align 8
  %50 = trunc i64 %49 to i32
  %51 = getelementptr inbounds nuw i8, ptr %40, i64 24
  %52 = load i64, ptr %51, align 8
  %53 = trunc i64 %52 to i32
  %54 = getelementptr inbounds nuw i8, ptr %40, i64 32
  %55 = load i64, ptr %54, align 8
  %56 = trunc i64 %55 to i32
  %57 = call i32 %31(ptr %46, i32 %47, i32 %50, i32 1, i32 %53, i32 1, i32 1, i32 %56, ptr %1, ptr %35, ptr null)
  %58 = getelementptr inbounds nuw i8, ptr %40, i64 40
  %59 = load ptr, ptr %58, align 8
  %60 = icmp ne ptr %59, null
  %61 = icmp eq i32 %57, 0
  %62 = select i1 %60, i1 %61, i1 false
  br i1 %62, label %39, label %63

63:
  %64 = phi i32 [ -1, %11 ], [ %9, %3 ], [ -2, %22 ], [ 0, %30 ], [ %57, %39 ]
  ret i32 %64
}

declare i64 @llvm.umin.i64(i64, i64)
