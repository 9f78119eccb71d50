"""Dynamics for acados: C functions with CasADi's interface around those of `robot.export.c`."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from jounce.compiler.targets import get_target
from jounce.errors import ArgumentError
from jounce.export.source import function_of, name_quantities, prefix_of, project, write
from jounce.robot import System

#: Quantities that the functions call.
_QUANTITIES = ("forward_dynamics", "forward_dynamics.derivatives", "inverse_dynamics.hessian")

#: Arguments and results of each function with rows and columns; numbers of work; body. Matrices
#: are stored column by column, as in CasADi.
_FUNCTIONS: dict[str, tuple[dict[str, str], dict[str, str], str, str]] = {
    "expl_ode_fun": (
        {"x": "NX, 1", "u": "NV, 1", "p": "0, 0"},
        {"f": "NX, 1"},
        "NX",
        "    ode(arg[0], arg[1], w);\n    copy(w, NX, res[0]);",
    ),
    "expl_vde_forw": (
        {"x": "NX, 1", "Sx": "NX, NX", "Su": "NX, NV", "u": "NV, 1", "p": "0, 0"},
        {"f": "NX, 1", "vde_x": "NX, NX", "vde_u": "NX, NV"},
        "JACOBIANS",
        """\
    jacobians(arg[0], arg[3], w);
    if (res[0] != NULL) {
        copy(arg[0] + NV, NV, res[0]);
        copy(w, NV, res[0] + NV);
    }
    if (res[1] != NULL) tangents(w, arg[1], NX, 0, res[1]);
    if (res[2] != NULL) tangents(w, arg[2], NV, 1, res[2]);""",
    ),
    "expl_vde_adj": (
        {"x": "NX, 1", "lambda": "NX, 1", "u": "NV, 1", "p": "0, 0"},
        {"adj": "NZ, 1"},
        "JACOBIANS",
        """\
    jacobians(arg[0], arg[2], w);
    if (res[0] != NULL) adjoint(w, arg[1], res[0]);""",
    ),
    "expl_ode_hess": (
        {
            "x": "NX, 1",
            "Sx": "NX, NX",
            "Su": "NX, NV",
            "lambda": "NX, 1",
            "u": "NV, 1",
            "p": "0, 0",
        },
        {"adj": "NZ, 1", "hess": "NZ * (NZ + 1) / 2, 1"},
        "JACOBIANS + NZ + 9 * NV * NV + NX * NZ + 3 * NV",
        """\
    double *adj = w + JACOBIANS, *H = adj + NZ, *S = H + 9 * NV * NV, *column = S + NX * NZ;
    jacobians(arg[0], arg[4], w);
    adjoint(w, arg[3], adj);
    copy(adj, NZ, res[0]);
    if (res[1] != NULL) {
        /* second derivatives of inverse dynamics along the tangents (dq, dv, da) */
        PREFIX_inverse_dynamics_hessian(arg[0], arg[0] + NV, w, adj + NX, H);
        tangents(w, arg[1], NX, 0, S);
        tangents(w, arg[2], NV, 1, S + NX * NX);
        double *out = res[1];
        for (int j = 0; j < NZ; ++j) {
            for (int i = 0; i < 3 * NV; ++i) {
                column[i] = 0.0;
                for (int k = 0; k < 3 * NV; ++k) {
                    column[i] -= H[3 * NV * i + k] * direction(arg[1], arg[2], S, j, k);
                }
            }
            for (int i = j; i < NZ; ++i) {
                double sum = 0.0;
                for (int k = 0; k < 3 * NV; ++k) {
                    sum += direction(arg[1], arg[2], S, i, k) * column[k];
                }
                *out++ = sum;
            }
        }
    }""",
    ),
}

_HEAD = """\
/* PREFIX_acados.c: dynamics of the robot for acados, written by jounce.
 *
 * f(x, u) with x = (q, v), u = tau: functions with the interface of CasADi's generated code, whose
 * arguments and results are those that acados expects (interfaces/acados_template,
 * casadi_function_generation.py). They allocate nothing; all intermediate results are in w.
 */

#include "PREFIX_acados.h"

#include <stddef.h>

#include "PREFIX.h"

enum { NV = SIZE, NX = 2 * NV, NZ = 3 * NV, JACOBIANS = NV + 3 * NV * NV };

static void copy(const double *from, int n, double *to)
{
    for (int i = 0; to != NULL && i < n; ++i) to[i] = from[i];
}

static void ode(const double *x, const double *u, double *f)
{
    copy(x + NV, NV, f);
    PREFIX_forward_dynamics(x, x + NV, u, f + NV);
}

/* The acceleration and its Jacobians in q, v and tau, one behind the other, row by row. */
static void jacobians(const double *x, const double *u, double *w)
{
    double *a_q = w + NV, *a_v = a_q + NV * NV, *a_u = a_v + NV * NV;
    PREFIX_forward_dynamics_derivatives(x, x + NV, u, w, a_q, a_v, a_u);
}

/* df/dx S, and df/du if `controls`; S has NX rows, column by column. */
static void tangents(const double *w, const double *S, int columns, int controls, double *out)
{
    const double *a_q = w + NV, *a_v = a_q + NV * NV, *a_u = a_v + NV * NV;
    for (int c = 0; c < columns; ++c) {
        const double *s = S + NX * c;
        double *to = out + NX * c;
        for (int i = 0; i < NV; ++i) {
            double sum = controls ? a_u[NV * i + c] : 0.0;
            for (int k = 0; k < NV; ++k) {
                sum += a_q[NV * i + k] * s[k] + a_v[NV * i + k] * s[NV + k];
            }
            to[i] = s[NV + i];
            to[NV + i] = sum;
        }
    }
}

static void adjoint(const double *w, const double *lambda, double *out)
{
    for (int part = 0; part < 3; ++part) {
        const double *J = w + NV + part * NV * NV;
        for (int k = 0; k < NV; ++k) {
            double sum = part == 1 ? lambda[k] : 0.0;
            for (int i = 0; i < NV; ++i) sum += lambda[NV + i] * J[NV * i + k];
            out[NV * part + k] = sum;
        }
    }
}

/* Entry k of (dq, dv, da) in direction j of (x, u); S: tangents of f. */
static double direction(const double *Sx, const double *Su, const double *S, int j, int k)
{
    if (k >= NX) return S[NX * j + k - NV];
    return j < NX ? Sx[NX * j + k] : Su[NX * (j - NX) + k];
}
"""


def export_acados(
    robot: System,
    folder: str | os.PathLike[str],
    *,
    name: str | None = None,
    overwrite: bool = False,
) -> list[Path]:
    """Write the explicit dynamics of a robot with their derivatives, as acados calls them.

    Parameters
    ----------
    robot : Robot, Mechanism or Contacts
        Its state must be x = (q, v) with the rates of q in v, so without quaternions and loops.
    folder : path
        Created if needed.
    name : str, optional
        Prefix of files and functions, by default made of the robot's name.
    overwrite : bool
        Replace files that exist.

    Returns
    -------
    list of Path
        NAME_acados.c with NAME_expl_ode_fun, NAME_expl_vde_forw, NAME_expl_vde_adj and
        NAME_expl_ode_hess, its header, and the files of `robot.export.c`.

    Raises
    ------
    ArgumentError
        If the robot has quaternions, or joints that depend on others by loops.
    FileExistsError
        If a file exists and is not to be replaced.

    Examples
    --------
    >>> import jounce, tempfile
    >>> from jounce.export.acados import export_acados
    >>> files = export_acados(jounce.load("planar_2r"), tempfile.mkdtemp())
    >>> [file.name for file in files[:2]]
    ['planar_2r_acados.h', 'planar_2r_acados.c']
    """
    if robot.nq != robot.nv:
        raise ArgumentError(
            f"{robot.name}: acados needs a state (q, v) with dq/dt = v, but q has {robot.nq}"
            f" entries and v {robot.nv}; use robot.step in a solver that knows manifolds"
        )
    prefix = prefix_of(robot.name, name)
    functions = [
        function_of(x.identifier, x.title, x.quantity.kernel)
        for x in name_quantities(robot, _QUANTITIES, f"{prefix}_")
    ]
    files = get_target("c").files(project(robot, prefix, functions))
    own = {
        f"{prefix}_acados.h": _header(prefix),
        f"{prefix}_acados.c": _source(prefix, robot.nv),
    }
    return write(folder, {**own, **files}, overwrite=overwrite)


def _prototypes(name: str) -> list[tuple[str, str]]:
    """Return the functions of CasADi's interface: type and name, and parameters."""
    return [
        (f"int {name}", "const double **arg, double **res, int *iw, double *w, int mem"),
        (f"int {name}_work", "int *sz_arg, int *sz_res, int *sz_iw, int *sz_w"),
        (f"const int *{name}_sparsity_in", "int i"),
        (f"const int *{name}_sparsity_out", "int i"),
        (f"const char *{name}_name_in", "int i"),
        (f"const char *{name}_name_out", "int i"),
        (f"int {name}_n_in", "void"),
        (f"int {name}_n_out", "void"),
        (f"void {name}_incref", "void"),
        (f"void {name}_decref", "void"),
    ]


def _header(prefix: str) -> str:
    guard = f"JOUNCE_{prefix.upper()}_ACADOS_H"
    lines = [f"/* {prefix}_acados.h: see {prefix}_acados.c. */", "", f"#ifndef {guard}"]
    lines += [f"#define {guard}", "", "#ifdef __cplusplus", 'extern "C" {', "#endif", ""]
    for name in _FUNCTIONS:
        lines += [f"{head}({parameters});" for head, parameters in _prototypes(f"{prefix}_{name}")]
        lines.append("")
    return "\n".join((*lines, "#ifdef __cplusplus", "}", "#endif", "", "#endif", ""))


def _table(rows: Iterable[str], kind: str) -> str:
    """Return the body of a function that looks up row i."""
    content = list(rows)
    return (
        f"    static const {kind} = {{{', '.join(content)}}};\n"
        f"    return i >= 0 && i < {len(content)} ? table[i] : NULL;"
    )


def _source(prefix: str, nv: int) -> str:
    parts = [_HEAD]
    for name, (inputs, outputs, work, body) in _FUNCTIONS.items():
        dense = [[f"{{{shape}, 1}}" for shape in x.values()] for x in (inputs, outputs)]
        names = [[f'"{x}"' for x in y] for y in (inputs, outputs)]
        work_body = (
            f"    if (sz_arg != NULL) *sz_arg = {len(inputs)};\n"
            f"    if (sz_res != NULL) *sz_res = {len(outputs)};\n"
            "    if (sz_iw != NULL) *sz_iw = 0;\n"
            f"    if (sz_w != NULL) *sz_w = {work};\n    return 0;"
        )
        bodies = [
            f"    (void)iw;\n    (void)mem;\n{body}\n    return 0;",
            work_body,
            *(_table(x, "int table[][3]") for x in dense),
            *(_table(x, "char *const table[]") for x in names),
            f"    return {len(inputs)};",
            f"    return {len(outputs)};",
            "",
            "",
        ]
        for (head, parameters), text in zip(_prototypes(f"{prefix}_{name}"), bodies, strict=True):
            parts.append(f"{head}({parameters})\n{{\n{text}\n}}\n".replace("{\n\n}", "{\n}"))
    return "\n".join(parts).replace("PREFIX", prefix).replace("SIZE", str(nv))
