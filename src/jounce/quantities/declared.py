"""What type checkers are told of quantities: nothing at run time, declared.pyi beside it for them.

Robots, mechanisms and their variants inherit from these classes. Their quantities are found by
attribute when asked for (`tables.Quantities`); the stub file lists them with their signatures and
derivatives. It is made from the catalog by `python -m jounce reference --stubs`.
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
