"""stub"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    name: str
    ptx: str
    threads: int
    samples: int
    groups: int
    shared: int


ARCHITECTURES = ("sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_120")


def program(tape, inputs, outputs, scalar, architecture):
    ptx = f".version 8.0\n.target {architecture}\n.entry kernel // {tape.digest()} {inputs} {outputs} {scalar}\n"
    return Program("kernel", ptx, 64, 64, 2, 50000)
