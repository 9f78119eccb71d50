"""Arrays of xarray: quantities keep their names, and name what they give."""
