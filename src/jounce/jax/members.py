"""Entries of the tables in which handlers find kernels, and LLVM text that reads structures.

A kernel's entry begins with what every handler asks: its key, and what its operands look like. What
runs it follows: on processors in `batch_text`, on CUDA in `launch_text`.
"""

from __future__ import annotations

#: What all entries have in common; what differs comes after it, from `FURTHER` on.
KERNEL = {
    "key": 0,
    "inputs": 8,
    "operands": 16,
    "dtype": 24,
    "ranks": 32,
    "cores": 40,
    "steps": 48,
    "length": 56,
}
FURTHER = 64


def at(base: str, name: str, places: dict[str, int]) -> str:
    """Text of an address in a structure."""
    return f"getelementptr i8, ptr {base}, i64 {places[name]}"


def load(name: str, kind: str, base: str, place: str, places: dict[str, int]) -> str:
    """Lines that load a member of a structure."""
    return f"  %{name}.at = {at(base, place, places)}\n  %{name} = load {kind}, ptr %{name}.at"


def message(name: str, words: str) -> str:
    """A line with a constant string, which ends with a zero."""
    return f'@{name} = internal constant [{len(words) + 1} x i8] c"{words}\\00"'
