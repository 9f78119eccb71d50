"""A robot in the browser: its shapes, sliders, overlays and motions, by viser.

viser is needed: pip install "jounce[view]".
"""
