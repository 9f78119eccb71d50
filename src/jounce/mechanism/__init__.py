"""Mechanisms: robots whose joints form loops, their assembly, and quantities over free joints."""
