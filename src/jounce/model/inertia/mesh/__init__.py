"""Inertia of triangulated solids: integrals, checks, repair. Public names: `model.inertia`."""
