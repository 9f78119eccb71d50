"""Formulas of mechanisms with closed loops."""
