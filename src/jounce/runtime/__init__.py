"""From a row and a tree to a callable: tracing, kernels, gufuncs, calls of single samples."""
