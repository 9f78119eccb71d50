"""One row per public quantity, the rows derived from it, and their reference."""
