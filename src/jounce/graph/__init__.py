"""From formulas to straight-line code: tracing scalar, tape, and passes over tapes."""
