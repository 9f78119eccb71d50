; loop.c, by `make native`: source 9914cdd9c84fb2b2568b8c6fe983edf2257e35cd11b6ad250b4707a5988eb8ab text d420b3836076df817768a30ec9c0caf5f408ef17765768c778c780ec468c794e
define void @jounce_loop(ptr %0, ptr %1, ptr %2, ptr %3) nounwind {
  %5 = load atomic i64, ptr %3 acquire, align 8
  %6 = icmp eq i64 %5, 0
  br i1 %6, label %14, label %7

7:
  %8 = inttoptr i64 %5 to ptr
  %9 = tail call i32 %8(ptr %0, ptr %1, ptr %2, ptr %3)
  %10 = icmp eq i32 %9, 0
  br i1 %10, label %21, label %11

11:
  %12 = tail call i32 @PyGILState_Ensure()
  %13 = tail call ptr @PyErr_NoMemory()
  br label %19

14:
  %15 = tail call i32 @PyGILState_Ensure()
  %16 = getelementptr inbounds nuw i8, ptr %3, i64 8
  %17 = load ptr, ptr %16, align 8
  %18 = getelementptr inbounds nuw i8, ptr %3, i64 16
  tail call void @PyErr_SetString(ptr %17, ptr %18)
  br label %19

19:
  %20 = phi i32 [ %15, %14 ], [ %12, %11 ]
  tail call void @PyGILState_Release(i32 %20)
  br label %21

21:
  ret void
}

declare i32 @PyGILState_Ensure()

declare ptr @PyErr_NoMemory()

declare void @PyErr_SetString(ptr, ptr)

declare void @PyGILState_Release(i32)

define void @jounce_publish(ptr %0, ptr %1, ptr %2) nounwind {
  %4 = getelementptr inbounds nuw i8, ptr %0, i64 24
  store ptr %2, ptr %4, align 8
  %5 = ptrtoint ptr %1 to i64
  store atomic i64 %5, ptr %0 release, align 8
  ret void
}

define i32 @jounce_share(ptr %0, ptr %1, ptr %2, i64 %3, i64 %4, i64 %5, ptr %6, ptr %7) nounwind {
  %9 = alloca i64, align 8
  %10 = alloca [64 x ptr], align 16
  %11 = load atomic i64, ptr %0 acquire, align 8
  %12 = inttoptr i64 %11 to ptr
  %13 = tail call i32 %7()
  %14 = icmp sgt i64 %3, 0
  br label %15

15:
  %16 = atomicrmw add ptr %6, i64 %5 monotonic, align 8
  %17 = icmp slt i64 %16, %4
  br i1 %17, label %18, label %38

18:
  %19 = sub nsw i64 %4, %16
  %20 = call i64 @llvm.smin.i64(i64 %19, i64 %5)
  store i64 %20, ptr %9, align 8
  br i1 %14, label %21, label %32

21:
  %22 = phi i64 [ %30, %21 ], [ 0, %18 ]
  %23 = getelementptr inbounds nuw ptr, ptr %1, i64 %22
  %24 = load ptr, ptr %23, align 8
  %25 = getelementptr inbounds nuw i64, ptr %2, i64 %22
  %26 = load i64, ptr %25, align 8
  %27 = mul nsw i64 %26, %16
  %28 = getelementptr inbounds i8, ptr %24, i64 %27
  %29 = getelementptr inbounds nuw ptr, ptr %10, i64 %22
  store ptr %28, ptr %29, align 8
  %30 = add nuw nsw i64 %22, 1
  %31 = icmp eq i64 %30, %3
  br i1 %31, label %32, label %21

32:
  %33 = call i32 %12(ptr %10, ptr %9, ptr %2, ptr %0)
  %34 = load i64, ptr %9, align 8
  %35 = icmp eq i64 %34, 0
  br i1 %35, label %38, label %36

36:
  %37 = icmp eq i32 %33, 0
  br i1 %37, label %15, label %42

38:
  %39 = call i32 %7()
  %40 = icmp eq i32 %39, 0
  %41 = select i1 %40, i32 0, i32 2
  br label %42

42:
  %43 = phi i32 [ %41, %38 ], [ 1, %36 ]
  ret i32 %43
}

declare i64 @llvm.smin.i64(i64, i64)
