; chain.c, by `make native`: source b591cfa9b5e09879a7f2d9face598e3a5d2cbe33ec5b0fad57682d276322228d text 2484b843217ff1056fb3e8c89bbd886cfd8bf4f4a7719d182518584d43105c71
define i32 @jounce_chain(ptr %0, ptr %1, ptr %2, i64 %3, i64 %4, ptr %5, ptr %6) nounwind {
  %8 = alloca [64 x ptr], align 16
  %9 = icmp sgt i64 %4, 0
  br i1 %9, label %10, label %32

10:
  %11 = icmp sgt i64 %3, 0
  br label %15

12:
  %13 = add nuw nsw i64 %16, 1
  %14 = icmp eq i64 %13, %4
  br i1 %14, label %32, label %15

15:
  %16 = phi i64 [ 0, %10 ], [ %13, %12 ]
  br i1 %11, label %21, label %17

17:
  %18 = load ptr, ptr %0, align 8
  %19 = call i32 %18(ptr %8, ptr %5, ptr %6, ptr %0)
  %20 = icmp eq i32 %19, 0
  br i1 %20, label %12, label %32

21:
  %22 = phi i64 [ %30, %21 ], [ 0, %15 ]
  %23 = getelementptr inbounds nuw ptr, ptr %1, i64 %22
  %24 = load ptr, ptr %23, align 8
  %25 = getelementptr inbounds nuw i64, ptr %2, i64 %22
  %26 = load i64, ptr %25, align 8
  %27 = mul nsw i64 %26, %16
  %28 = getelementptr inbounds i8, ptr %24, i64 %27
  %29 = getelementptr inbounds nuw ptr, ptr %8, i64 %22
  store ptr %28, ptr %29, align 8
  %30 = add nuw nsw i64 %22, 1
  %31 = icmp eq i64 %30, %3
  br i1 %31, label %17, label %21

32:
  %33 = phi i32 [ 0, %7 ], [ 1, %17 ], [ 0, %12 ]
  ret i32 %33
}
