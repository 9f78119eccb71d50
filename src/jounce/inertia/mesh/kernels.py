"""Four loops over large meshes that NumPy has no words for, in machine code.

Equal keys by a hash table, connected parts by union and find, the sum that tells closed surfaces,
and a walk around each vertex. Each is a function of arrays that the caller has checked.
"""

from __future__ import annotations

import ctypes
from typing import Any

import numpy as np

from jounce.backends.llvm import ENTRY, Loaded, compile_cached
from jounce.process.once import once

#: An odd number and one that mixes bits well, for hashing.
ODD, MIX = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93


def _signed(word: int) -> int:
    return word - (1 << 64) if word >> 63 else word


# The slots of the table hold index + 1; the first of equal keys takes the first free slot.
_FIRST_EQUAL = f"""
define void @{ENTRY}(ptr %keys, i64 %n, ptr %table, i64 %shift, i64 %mask, ptr %out) {{
entry:
  br label %next
next:
  %i = phi i64 [0, %entry], [%following, %found]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %look, label %end
look:
  %key.at = getelementptr i64, ptr %keys, i64 %i
  %key = load i64, ptr %key.at
  %hash = mul i64 %key, {_signed(ODD)}
  %home = lshr i64 %hash, %shift
  br label %probe
probe:
  %slot = phi i64 [%home, %look], [%wrapped, %other]
  %slot.at = getelementptr i32, ptr %table, i64 %slot
  %held32 = load i32, ptr %slot.at
  %held = zext i32 %held32 to i64
  %owner = sub i64 %held, 1
  %empty = icmp eq i64 %held, 0
  br i1 %empty, label %take, label %compare
compare:
  %owner.at = getelementptr i64, ptr %keys, i64 %owner
  %its = load i64, ptr %owner.at
  %same = icmp eq i64 %its, %key
  br i1 %same, label %found, label %other
other:
  %beside = add i64 %slot, 1
  %wrapped = and i64 %beside, %mask
  br label %probe
take:
  %mine = add i64 %i, 1
  %mine32 = trunc i64 %mine to i32
  store i32 %mine32, ptr %slot.at
  br label %found
found:
  %first = phi i64 [%i, %take], [%owner, %compare]
  %out.at = getelementptr i64, ptr %out, i64 %i
  store i64 %first, ptr %out.at
  %following = add i64 %i, 1
  br label %next
end:
  ret void
}}
"""

# Nodes point to smaller ones of their part, paths are halved on the way up; at last, node by node,
# each points to the least.
_COMPONENTS = f"""
define void @{ENTRY}(ptr %root, i64 %n, ptr %a, ptr %b, i64 %count) {{
entry:
  br label %next
next:
  %k = phi i64 [0, %entry], [%following, %joined]
  %more = icmp slt i64 %k, %count
  br i1 %more, label %edge, label %flatten
edge:
  %a.at = getelementptr i64, ptr %a, i64 %k
  %b.at = getelementptr i64, ptr %b, i64 %k
  %x0 = load i64, ptr %a.at
  %y0 = load i64, ptr %b.at
  br label %up.x
up.x:
  %x = phi i64 [%x0, %edge], [%x2, %on.x]
  %x.at = getelementptr i64, ptr %root, i64 %x
  %x1 = load i64, ptr %x.at
  %top.x = icmp eq i64 %x1, %x
  br i1 %top.x, label %up.y, label %on.x
on.x:
  %x1.at = getelementptr i64, ptr %root, i64 %x1
  %x2 = load i64, ptr %x1.at
  store i64 %x2, ptr %x.at
  br label %up.x
up.y:
  %y = phi i64 [%y0, %up.x], [%y2, %on.y]
  %y.at = getelementptr i64, ptr %root, i64 %y
  %y1 = load i64, ptr %y.at
  %top.y = icmp eq i64 %y1, %y
  br i1 %top.y, label %join, label %on.y
on.y:
  %y1.at = getelementptr i64, ptr %root, i64 %y1
  %y2 = load i64, ptr %y1.at
  store i64 %y2, ptr %y.at
  br label %up.y
join:
  %less = icmp slt i64 %x, %y
  %low = select i1 %less, i64 %x, i64 %y
  %high = select i1 %less, i64 %y, i64 %x
  %high.at = getelementptr i64, ptr %root, i64 %high
  store i64 %low, ptr %high.at
  br label %joined
joined:
  %following = add i64 %k, 1
  br label %next
flatten:
  %i = phi i64 [0, %next], [%i1, %point]
  %left = icmp slt i64 %i, %n
  br i1 %left, label %point, label %end
point:
  %i.at = getelementptr i64, ptr %root, i64 %i
  %above = load i64, ptr %i.at
  %above.at = getelementptr i64, ptr %root, i64 %above
  %top = load i64, ptr %above.at
  store i64 %top, ptr %i.at
  %i1 = add i64 %i, 1
  br label %flatten
end:
  ret void
}}
"""


def _side(k: int, a: str, b: str) -> str:
    """What the side from the key a to the key b adds: its number, by its direction."""
    return f"""
  %forward{k} = icmp ult i64 {a}, {b}
  %backward{k} = icmp ugt i64 {a}, {b}
  %low{k} = select i1 %forward{k}, i64 {a}, i64 {b}
  %high{k} = select i1 %forward{k}, i64 {b}, i64 {a}
  %spread{k} = mul i64 %low{k}, {_signed(ODD)}
  %m{k}.0 = add i64 %spread{k}, %high{k}
  %r{k}.0 = lshr i64 %m{k}.0, 32
  %x{k}.0 = xor i64 %m{k}.0, %r{k}.0
  %m{k}.1 = mul i64 %x{k}.0, {_signed(MIX)}
  %r{k}.1 = lshr i64 %m{k}.1, 32
  %x{k}.1 = xor i64 %m{k}.1, %r{k}.1
  %m{k}.2 = mul i64 %x{k}.1, {_signed(MIX)}
  %r{k}.2 = lshr i64 %m{k}.2, 32
  %number{k} = xor i64 %m{k}.2, %r{k}.2
  %negative{k} = sub i64 0, %number{k}
  %back{k} = select i1 %backward{k}, i64 %negative{k}, i64 0
  %side{k} = select i1 %forward{k}, i64 %number{k}, i64 %back{k}"""


_BOUNDARY = f"""
define i64 @{ENTRY}(ptr %keys, ptr %faces, i64 %count) {{
entry:
  br label %next
next:
  %i = phi i64 [0, %entry], [%following, %face]
  %total = phi i64 [0, %entry], [%total3, %face]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %face, label %end
face:
  %first = mul i64 %i, 3
  %v0.at = getelementptr i64, ptr %faces, i64 %first
  %v1.at = getelementptr i64, ptr %v0.at, i64 1
  %v2.at = getelementptr i64, ptr %v0.at, i64 2
  %v0 = load i64, ptr %v0.at
  %v1 = load i64, ptr %v1.at
  %v2 = load i64, ptr %v2.at
  %a.at = getelementptr i64, ptr %keys, i64 %v0
  %b.at = getelementptr i64, ptr %keys, i64 %v1
  %c.at = getelementptr i64, ptr %keys, i64 %v2
  %a = load i64, ptr %a.at
  %b = load i64, ptr %b.at
  %c = load i64, ptr %c.at
  {_side(0, "%a", "%b")}
  {_side(1, "%b", "%c")}
  {_side(2, "%c", "%a")}
  %total1 = add i64 %total, %side0
  %total2 = add i64 %total1, %side1
  %total3 = add i64 %total2, %side2
  %following = add i64 %i, 1
  br label %next
end:
  ret i64 %total
}}
"""


def _link(k: int, p: str, a: str, b: str) -> str:
    """At the vertex p a face leads from the vertex a to the vertex b."""
    return f"""
  %cursor{k} = getelementptr i64, ptr %cursors, i64 {p}
  %slot{k} = load i64, ptr %cursor{k}
  %slot{k}.next = add i64 %slot{k}, 1
  store i64 %slot{k}.next, ptr %cursor{k}
  %place{k} = shl i64 %slot{k}, 1
  %from{k} = getelementptr i32, ptr %links, i64 %place{k}
  %to{k} = getelementptr i32, ptr %from{k}, i64 1
  %a{k} = trunc i64 {a} to i32
  %b{k} = trunc i64 {b} to i32
  store i32 %a{k}, ptr %from{k}
  store i32 %b{k}, ptr %to{k}"""


# First the links of each vertex are gathered, those of vertex p from starts[p] on; then, at each
# vertex, they are followed from the first until it comes again: all must have been met.
_FANS = f"""
define i64 @{ENTRY}(ptr %faces, i64 %count, ptr %starts, ptr %cursors, ptr %links, i64 %n) {{
entry:
  br label %next
next:
  %i = phi i64 [0, %entry], [%following, %face]
  %more = icmp slt i64 %i, %count
  br i1 %more, label %face, label %walk
face:
  %corner = mul i64 %i, 3
  %v0.at = getelementptr i64, ptr %faces, i64 %corner
  %v1.at = getelementptr i64, ptr %v0.at, i64 1
  %v2.at = getelementptr i64, ptr %v0.at, i64 2
  %v0 = load i64, ptr %v0.at
  %v1 = load i64, ptr %v1.at
  %v2 = load i64, ptr %v2.at
  {_link(0, "%v0", "%v1", "%v2")}
  {_link(1, "%v1", "%v2", "%v0")}
  {_link(2, "%v2", "%v0", "%v1")}
  %following = add i64 %i, 1
  br label %next
walk:
  %p = phi i64 [0, %next], [%p1, %done]
  %left = icmp slt i64 %p, %n
  br i1 %left, label %vertex, label %good
vertex:
  %start.at = getelementptr i64, ptr %starts, i64 %p
  %end.at = getelementptr i64, ptr %start.at, i64 1
  %start = load i64, ptr %start.at
  %end = load i64, ptr %end.at
  %size = sub i64 %end, %start
  %unused = icmp eq i64 %size, 0
  br i1 %unused, label %done, label %begin
begin:
  %at0 = shl i64 %start, 1
  %first.at = getelementptr i32, ptr %links, i64 %at0
  %second.at = getelementptr i32, ptr %first.at, i64 1
  %first = load i32, ptr %first.at
  %second = load i32, ptr %second.at
  br label %turn
turn:
  %here = phi i32 [%second, %begin], [%on, %hit]
  %met = phi i64 [1, %begin], [%met1, %hit]
  %round = icmp eq i32 %here, %first
  br i1 %round, label %around, label %open
open:
  %lost = icmp sge i64 %met, %size
  br i1 %lost, label %bad, label %search
search:
  %t = phi i64 [%start, %open], [%t1, %miss]
  %ended = icmp sge i64 %t, %end
  br i1 %ended, label %bad, label %look
look:
  %at = shl i64 %t, 1
  %a.at = getelementptr i32, ptr %links, i64 %at
  %a = load i32, ptr %a.at
  %same = icmp eq i32 %a, %here
  br i1 %same, label %hit, label %miss
miss:
  %t1 = add i64 %t, 1
  br label %search
hit:
  %b.at = getelementptr i32, ptr %a.at, i64 1
  %on = load i32, ptr %b.at
  %met1 = add i64 %met, 1
  br label %turn
around:
  %whole = icmp eq i64 %met, %size
  br i1 %whole, label %done, label %bad
done:
  %p1 = add i64 %p, 1
  br label %walk
good:
  ret i64 1
bad:
  ret i64 0
}}
"""

#: Comparisons that `single_fans` is ready to make: squares of the numbers of faces at vertices.
_COMPARISONS = 2e8


@once
def _function(text: str, result: Any, arguments: int) -> tuple[Any, Loaded]:
    """The compiled function, which lets other threads run, and what keeps it alive."""
    code = Loaded(compile_cached(text))
    return ctypes.CFUNCTYPE(result, *(ctypes.c_int64,) * arguments)(code.address), code


def first_equal(keys: np.ndarray) -> np.ndarray:
    """For each key (uint64) the least index at which it occurs."""
    keys = np.ascontiguousarray(keys, np.uint64)
    if len(keys) >= 2**31:
        raise MemoryError(f"expected less than 2^31 keys, found {len(keys)}")
    bits = max(4, (2 * len(keys) - 1).bit_length())
    table, out = np.zeros(1 << bits, np.uint32), np.empty(len(keys), np.int64)
    function, _ = _function(_FIRST_EQUAL, None, 6)
    where = (keys.ctypes.data, len(keys), table.ctypes.data)
    function(*where, 64 - bits, (1 << bits) - 1, out.ctypes.data)
    return out


def components(n: int, a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Labels (n,) of the parts of a graph with the edges a[k] - b[k]: the least node of each."""
    root = np.arange(n, dtype=np.int64)
    a, b = (np.ascontiguousarray(x, np.int64) for x in (a, b))
    function, _ = _function(_COMPONENTS, None, 5)
    function(root.ctypes.data, n, a.ctypes.data, b.ctypes.data, len(a))
    return root


def boundary_sum(keys: np.ndarray, faces: np.ndarray) -> int:
    """Sum modulo 2^64 of a number per directed edge of faces (F, 3), opposite for opposite ones.

    keys (V,): uint64 that tell vertices apart.
    """
    keys, faces = np.ascontiguousarray(keys, np.uint64), np.ascontiguousarray(faces, np.int64)
    function, _ = _function(_BOUNDARY, ctypes.c_int64, 3)
    return int(function(keys.ctypes.data, faces.ctypes.data, len(faces))) % 2**64


def single_fans(n: int, faces: np.ndarray) -> bool:
    """Whether the faces (F, 3) around each of n vertices form one fan, edge by edge.

    If so, faces that share a vertex belong to one shell. False also where that is hard to tell:
    where very many faces meet.
    """
    faces = np.ascontiguousarray(faces, np.int64)
    counts = np.bincount(faces.ravel(), minlength=n)
    if n >= 2**31 or np.square(counts, dtype=float).sum() > _COMPARISONS:
        return False
    starts = np.zeros(n + 1, np.int64)
    np.cumsum(counts, out=starts[1:])
    cursors, links = starts.copy(), np.empty((3 * len(faces), 2), np.int32)
    function, _ = _function(_FANS, ctypes.c_int64, 6)
    where = (x.ctypes.data for x in (starts, cursors, links))
    return bool(function(faces.ctypes.data, len(faces), *where, n))
