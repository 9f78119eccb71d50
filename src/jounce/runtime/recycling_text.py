"""The allocator of `recycling` as LLVM text: functions as NumPy's allocation handlers have them.

No function waits: a pool that another thread is at work on is passed over.
"""

from __future__ import annotations

from jounce.backends.llvm import ENTRY

#: Smaller blocks do not wait: allocators keep what is freed of this size.
SMALLEST = 48 << 10

#: Most blocks that wait.
MOST = 64

#: From this size on, blocks begin on a huge page, and end on one if that wastes no more than a
#: quarter.
HUGE = 3 << 19
_PAGE = 2 << 20

# Words of the pool: whether a thread is at work on it, bytes and number of blocks that wait, most
# bytes, the system's madvise or null; then address and size of each block, the oldest first.
WORDS = ("busy", "bytes", "count", "limit", "madvise")
_BLOCKS = 8 * len(WORDS)
POOL_BYTES = _BLOCKS + 16 * MOST
_AT = {word: 8 * k for k, word in enumerate(WORDS)}

CALLOC, REALLOC, FREE, RELEASE = (f"jounce_{x}" for x in ("calloc", "realloc", "free", "release"))

_HUGE_PAGES = 14  # MADV_HUGEPAGE

# Before each block lie the allocator's own pointer and the block's size, a multiple of 64.
TEXT = f"""
declare ptr @malloc(i64)
declare void @free(ptr)

define internal ptr @slot(ptr %pool, i64 %k) {{
  %skip = mul i64 %k, 16
  %at = add i64 %skip, {_BLOCKS}
  %slot = getelementptr i8, ptr %pool, i64 %at
  ret ptr %slot
}}

define internal i64 @round(i64 %size, i64 %grain) {{
  %beyond = add i64 %size, %grain
  %up = sub i64 %beyond, 1
  %mask = sub i64 0, %grain
  %rounded = and i64 %up, %mask
  ret i64 %rounded
}}

define internal void @drop(ptr %block) {{
  %raw.at = getelementptr i8, ptr %block, i64 -16
  %raw = load ptr, ptr %raw.at
  call void @free(ptr %raw)
  ret void
}}

; take block k out of the pool
define internal ptr @remove(ptr %pool, i64 %k) {{
entry:
  %slot = call ptr @slot(ptr %pool, i64 %k)
  %block = load ptr, ptr %slot
  %size.at = getelementptr i8, ptr %slot, i64 8
  %size = load i64, ptr %size.at
  %bytes.at = getelementptr i8, ptr %pool, i64 {_AT["bytes"]}
  %bytes = load i64, ptr %bytes.at
  %less = sub i64 %bytes, %size
  store i64 %less, ptr %bytes.at
  %count.at = getelementptr i8, ptr %pool, i64 {_AT["count"]}
  %count = load i64, ptr %count.at
  %last = sub i64 %count, 1
  store i64 %last, ptr %count.at
  br label %next
next:
  %j = phi i64 [%k, %entry], [%j.next, %shift]
  %more = icmp ult i64 %j, %last
  br i1 %more, label %shift, label %done
shift:
  %j.next = add i64 %j, 1
  %to = call ptr @slot(ptr %pool, i64 %j)
  %from = call ptr @slot(ptr %pool, i64 %j.next)
  %pair = load <2 x i64>, ptr %from, align 8
  store <2 x i64> %pair, ptr %to, align 8
  br label %next
done:
  ret ptr %block
}}

; malloc: a block that waits, the newest that fits and is not much larger, or a new one, for which
; those that wait go if they must
define ptr @{ENTRY}(ptr %pool, i64 %size) {{
entry:
  %worth = icmp uge i64 %size, {SMALLEST}
  br i1 %worth, label %ask, label %fresh
ask:
  %busy = atomicrmw xchg ptr %pool, i64 1 acquire
  %open = icmp eq i64 %busy, 0
  br i1 %open, label %search, label %fresh
search:
  %count.at = getelementptr i8, ptr %pool, i64 {_AT["count"]}
  %count = load i64, ptr %count.at
  %quarter = lshr i64 %size, 2
  %most = add i64 %size, %quarter
  br label %next
next:
  %k = phi i64 [%count, %search], [%k.next, %look]
  %none = icmp eq i64 %k, 0
  br i1 %none, label %nothing, label %look
look:
  %k.next = sub i64 %k, 1
  %slot = call ptr @slot(ptr %pool, i64 %k.next)
  %has.at = getelementptr i8, ptr %slot, i64 8
  %has = load i64, ptr %has.at
  %enough = icmp uge i64 %has, %size
  %modest = icmp ule i64 %has, %most
  %fits = and i1 %enough, %modest
  br i1 %fits, label %found, label %next
found:
  %kept = call ptr @remove(ptr %pool, i64 %k.next)
  store atomic i64 0, ptr %pool release, align 8
  ret ptr %kept
nothing:
  store atomic i64 0, ptr %pool release, align 8
  br label %fresh

fresh:
  %huge = icmp uge i64 %size, {HUGE}
  %grain = select i1 %huge, i64 {_PAGE}, i64 64
  %mask = sub i64 0, %grain
  %pages = call i64 @round(i64 %size, i64 %grain)
  %waste = sub i64 %pages, %size
  %fourfold = mul i64 %waste, 4
  %wasteful = icmp ugt i64 %fourfold, %size
  %lines = call i64 @round(i64 %size, i64 64)
  %room = select i1 %wasteful, i64 %lines, i64 %pages
  %margin = add i64 %grain, 16
  %all = add i64 %room, %margin
  %first = call ptr @malloc(i64 %all)
  %failed = icmp eq ptr %first, null
  br i1 %failed, label %release, label %align
release:
  %released = call i64 @{RELEASE}(ptr %pool)
  %second = call ptr @malloc(i64 %all)
  %in.vain = icmp eq ptr %second, null
  br i1 %in.vain, label %fail, label %align
fail:
  ret ptr null
align:
  %raw = phi ptr [%first, %fresh], [%second, %release]
  %address = ptrtoint ptr %raw to i64
  %past = add i64 %address, %margin
  %past.1 = sub i64 %past, 1
  %aligned = and i64 %past.1, %mask
  %block = inttoptr i64 %aligned to ptr
  %raw.at = getelementptr i8, ptr %block, i64 -16
  store ptr %raw, ptr %raw.at
  %room.at = getelementptr i8, ptr %block, i64 -8
  store i64 %room, ptr %room.at
  %madvise.at = getelementptr i8, ptr %pool, i64 {_AT["madvise"]}
  %madvise = load ptr, ptr %madvise.at
  %can = icmp ne ptr %madvise, null
  %advised = and i1 %can, %huge
  br i1 %advised, label %advise, label %done
advise:
  call i32 %madvise(ptr %block, i64 %room, i32 {_HUGE_PAGES})
  br label %done
done:
  ret ptr %block
}}

; free: let the block wait, and the oldest go if these are too many
define void @{FREE}(ptr %pool, ptr %block, i64 %unused) {{
entry:
  %none = icmp eq ptr %block, null
  br i1 %none, label %done, label %measure
measure:
  %size.at = getelementptr i8, ptr %block, i64 -8
  %size = load i64, ptr %size.at
  %limit.at = getelementptr i8, ptr %pool, i64 {_AT["limit"]}
  %limit = load i64, ptr %limit.at
  %enough = icmp uge i64 %size, {SMALLEST}
  %modest = icmp ule i64 %size, %limit
  %worth = and i1 %enough, %modest
  br i1 %worth, label %ask, label %away
ask:
  %busy = atomicrmw xchg ptr %pool, i64 1 acquire
  %open = icmp eq i64 %busy, 0
  br i1 %open, label %room, label %away
room:
  %bytes.at = getelementptr i8, ptr %pool, i64 {_AT["bytes"]}
  %bytes = load i64, ptr %bytes.at
  %count.at = getelementptr i8, ptr %pool, i64 {_AT["count"]}
  %count = load i64, ptr %count.at
  %sum = add i64 %bytes, %size
  %over = icmp ugt i64 %sum, %limit
  %full = icmp eq i64 %count, {MOST}
  %crowded = or i1 %over, %full
  br i1 %crowded, label %oldest, label %wait
oldest:
  %old = call ptr @remove(ptr %pool, i64 0)
  call void @drop(ptr %old)
  br label %room
wait:
  %slot = call ptr @slot(ptr %pool, i64 %count)
  store ptr %block, ptr %slot
  %has.at = getelementptr i8, ptr %slot, i64 8
  store i64 %size, ptr %has.at
  store i64 %sum, ptr %bytes.at
  %one.more = add i64 %count, 1
  store i64 %one.more, ptr %count.at
  store atomic i64 0, ptr %pool release, align 8
  ret void
away:
  call void @drop(ptr %block)
  br label %done
done:
  ret void
}}

; let all that wait go; how many bytes
define i64 @{RELEASE}(ptr %pool) {{
entry:
  %busy = atomicrmw xchg ptr %pool, i64 1 acquire
  %open = icmp eq i64 %busy, 0
  br i1 %open, label %begin, label %elsewhere
elsewhere:
  ret i64 0
begin:
  %bytes.at = getelementptr i8, ptr %pool, i64 {_AT["bytes"]}
  %bytes = load i64, ptr %bytes.at
  %count.at = getelementptr i8, ptr %pool, i64 {_AT["count"]}
  br label %next
next:
  %count = load i64, ptr %count.at
  %some = icmp ne i64 %count, 0
  br i1 %some, label %one, label %done
one:
  %k = sub i64 %count, 1
  %block = call ptr @remove(ptr %pool, i64 %k)
  call void @drop(ptr %block)
  br label %next
done:
  store atomic i64 0, ptr %pool release, align 8
  ret i64 %bytes
}}

define ptr @{CALLOC}(ptr %pool, i64 %n, i64 %each) {{
entry:
  %size = mul i64 %n, %each
  %block = call ptr @{ENTRY}(ptr %pool, i64 %size)
  %none = icmp eq ptr %block, null
  br i1 %none, label %done, label %next
next:
  %at = phi i64 [0, %entry], [%at.next, %clear]
  %more = icmp ult i64 %at, %size
  br i1 %more, label %clear, label %done
clear:
  %place = getelementptr i8, ptr %block, i64 %at
  store i64 0, ptr %place
  %at.next = add i64 %at, 8
  br label %next
done:
  ret ptr %block
}}

define ptr @{REALLOC}(ptr %pool, ptr %block, i64 %size) {{
entry:
  %none = icmp eq ptr %block, null
  br i1 %none, label %first, label %measure
first:
  %begun = call ptr @{ENTRY}(ptr %pool, i64 %size)
  ret ptr %begun
measure:
  %has.at = getelementptr i8, ptr %block, i64 -8
  %has = load i64, ptr %has.at
  %half = lshr i64 %has, 1
  %enough = icmp ule i64 %size, %has
  %most = icmp uge i64 %size, %half
  %stays = and i1 %enough, %most
  br i1 %stays, label %same, label %move
same:
  ret ptr %block
move:
  %new = call ptr @{ENTRY}(ptr %pool, i64 %size)
  %failed = icmp eq ptr %new, null
  br i1 %failed, label %fail, label %measured
fail:
  ret ptr null
measured:
  %shared = select i1 %enough, i64 %size, i64 %has
  br label %next
next:
  %at = phi i64 [0, %measured], [%at.next, %copy]
  %more = icmp ult i64 %at, %shared
  br i1 %more, label %copy, label %moved
copy:
  %from = getelementptr i8, ptr %block, i64 %at
  %to = getelementptr i8, ptr %new, i64 %at
  %word = load i64, ptr %from
  store i64 %word, ptr %to
  %at.next = add i64 %at, 8
  br label %next
moved:
  call void @{FREE}(ptr %pool, ptr %block, i64 %has)
  ret ptr %new
}}
"""
