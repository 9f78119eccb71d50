; loop.c, by `make native`: source 8e35dc756e38922fe73ea7575e618d3abc7c4d9b189d9424d599e7eea1396191 text f1a729f2b6765ff8e1c50af00d1c19132d85d29ef5604eeff868eb953cf231ab
define void @jounce_loop(ptr %0, ptr %1, ptr %2, ptr %3) nounwind {
  %5 = load ptr, ptr %3, align 8
  %6 = tail call i32 %5(ptr %0, ptr %1, ptr %2, ptr %3)
  %7 = icmp eq i32 %6, 0
  br i1 %7, label %11, label %8

8:
  %9 = tail call i32 @PyGILState_Ensure()
  %10 = tail call ptr @PyErr_NoMemory()
  tail call void @PyGILState_Release(i32 %9)
  br label %11

11:
  ret void
}

declare i32 @PyGILState_Ensure()

declare ptr @PyErr_NoMemory()

declare void @PyGILState_Release(i32)

define i32 @jounce_share(ptr %0, ptr %1, ptr %2, i64 %3, i64 %4, i64 %5, ptr %6, ptr %7) nounwind {
  %9 = alloca i64, align 8
  %10 = alloca [64 x ptr], align 16
  %11 = tail call i32 %7()
  %12 = icmp sgt i64 %3, 0
  br label %13

13:
  %14 = atomicrmw add ptr %6, i64 %5 monotonic, align 8
  %15 = icmp slt i64 %14, %4
  br i1 %15, label %16, label %37

16:
  %17 = sub nsw i64 %4, %14
  %18 = call i64 @llvm.smin.i64(i64 %17, i64 %5)
  store i64 %18, ptr %9, align 8
  br i1 %12, label %19, label %30

19:
  %20 = phi i64 [ %28, %19 ], [ 0, %16 ]
  %21 = getelementptr inbounds nuw ptr, ptr %1, i64 %20
  %22 = load ptr, ptr %21, align 8
  %23 = getelementptr inbounds nuw i64, ptr %2, i64 %20
  %24 = load i64, ptr %23, align 8
  %25 = mul nsw i64 %24, %14
  %26 = getelementptr inbounds i8, ptr %22, i64 %25
  %27 = getelementptr inbounds nuw ptr, ptr %10, i64 %20
  store ptr %26, ptr %27, align 8
  %28 = add nuw nsw i64 %20, 1
  %29 = icmp eq i64 %28, %3
  br i1 %29, label %30, label %19

30:
  %31 = load ptr, ptr %0, align 8
  %32 = call i32 %31(ptr %10, ptr %9, ptr %2, ptr %0)
  %33 = load i64, ptr %9, align 8
  %34 = icmp eq i64 %33, 0
  br i1 %34, label %37, label %35

35:
  %36 = icmp eq i32 %32, 0
  br i1 %36, label %13, label %41

37:
  %38 = call i32 %7()
  %39 = icmp eq i32 %38, 0
  %40 = select i1 %39, i32 0, i32 2
  br label %41

41:
  %42 = phi i32 [ %40, %37 ], [ 1, %35 ]
  ret i32 %42
}

declare i64 @llvm.smin.i64(i64, i64)
