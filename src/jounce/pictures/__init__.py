"""Robots, quantities and results as notebooks show them: drawings and tables, no dependency."""
