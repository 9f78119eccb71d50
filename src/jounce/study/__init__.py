"""Robots with uncertain parameters: samples drawn by chunks, quantities reduced on the fly."""
