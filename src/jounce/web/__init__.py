"""A robot as a page: its quantities as WebAssembly, and a self-contained file that computes."""
