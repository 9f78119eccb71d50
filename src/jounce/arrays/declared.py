"""Base classes of robots and their variants, which declare quantities to type checkers.

They are empty at run time, where quantities are found by name (`tables.Quantities`); the stub file
declared.pyi next to this file has their attributes. Of the three stub files, `listed.pyi` is made
from the catalog by `python -m tools.reference`; `generic.pyi` and `declared.pyi` are not.
"""


class RobotQuantities:
    """Quantities of a robot."""


class FrameQuantities:
    """Quantities of a frame of a robot."""


class ParametricQuantities:
    """Quantities of a robot with inertial parameters as an argument."""


class MorphableQuantities:
    """Quantities of a robot with parameters and geometry as arguments."""


class MechanismQuantities:
    """Quantities of a mechanism with closed loops."""


class ClosedParametricQuantities:
    """Quantities of a mechanism with inertial parameters as an argument."""


class ClosedMorphableQuantities:
    """Quantities of a mechanism with parameters and geometry as arguments."""


class ContactQuantities:
    """Quantities of a robot whose contacts hold."""


class ContactParametricQuantities:
    """Quantities of a robot in contact with inertial parameters as an argument."""


class ContactMorphableQuantities:
    """Quantities of a robot in contact with parameters and geometry as arguments."""
