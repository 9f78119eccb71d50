"""Inertia of triangulated solids: integrals, checks, repair."""
