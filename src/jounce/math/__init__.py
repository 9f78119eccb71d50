"""Scalars, vectors and groups: the mathematics below the formulas."""
