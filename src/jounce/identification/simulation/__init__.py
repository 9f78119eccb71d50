"""Identification by simulation: logs of positions and commands or currents, without torques.

`jounce.identify(robot, data, model=SimulationModel(...))` cuts a log into windows, simulates them
with servos, and fits parameters, initial states of windows and delays by least squares. `servo.py`
has the compiled step, `shooting.py` the sensitivities of windows, `estimation.py` the fit and
identifiability, `simulated_fit.py` puts them together. Imports public names of packages up to
`solve`. Start with `simulation_model.py`, then `shooting.py`.
"""

from jounce.identification.simulation.estimation import Identifiability
from jounce.identification.simulation.simulated_fit import SimulatedFit, identifiability
from jounce.identification.simulation.simulated_result import SimulatedIdentification
from jounce.identification.simulation.simulation_model import SimulationModel

__all__ = [
    "Identifiability",
    "SimulatedFit",
    "SimulatedIdentification",
    "SimulationModel",
    "identifiability",
]
