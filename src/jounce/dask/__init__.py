"""Arrays of Dask: what robots make of them, lazily, and work on its clusters."""
