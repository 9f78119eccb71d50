"""Robots with closed loops: their assembly, and their quantities over independent joints."""
