"""Arrays of xarray: quantities keep their names, and name what they give.

What may live here: all that knows xarray. `axes` says what the axes of the catalog's shapes are
called and what stands along them, `arguments` puts named arrays as quantities take them, `results`
names what comes out, and `kind` serves calls of quantities with such arrays. What lies in the
arrays is handed on as it is: NumPy's, Dask's and CuPy's arrays go their own ways.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from jounce.lazy import submodules

if not TYPE_CHECKING:
    __getattr__, __dir__ = submodules(__name__)
