"""Rows of the catalog on a robot, as callables that take arrays."""
