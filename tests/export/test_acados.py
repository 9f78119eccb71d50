"""C functions for acados, compiled and called as acados does: by CasADi's interface."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jounce
from jounce.export.acados import export_acados

FLAGS = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-Wconversion")

#: A program that sizes work and calls a function as acados' external_function_casadi does.
CALLER = """
#include <stdio.h>
#include <stdlib.h>
#include "arm_acados.h"
static int nnz(const int *s) { return s[2] ? s[0] * s[1] : s[2 + s[1] + 1]; }
static void run(int (*fun)(const double **, double **, int *, double *, int),
                int (*work)(int *, int *, int *, int *), const int *(*in)(int),
                const int *(*out)(int), int n_in, int n_out)
{
    int sz_arg, sz_res, sz_iw, sz_w;
    work(&sz_arg, &sz_res, &sz_iw, &sz_w);
    const double **arg = malloc((size_t)sz_arg * sizeof *arg);
    double **res = malloc((size_t)sz_res * sizeof *res), *w = malloc((size_t)sz_w * sizeof *w);
    for (int i = 0; i < n_in; ++i) {
        double *x = malloc((size_t)nnz(in(i)) * sizeof *x + 1);
        for (int k = 0; k < nnz(in(i)); ++k) if (scanf("%lf", x + k) != 1) exit(1);
        arg[i] = x;
    }
    for (int i = 0; i < n_out; ++i) res[i] = malloc((size_t)nnz(out(i)) * sizeof(double));
    if (fun(arg, res, NULL, w, 0)) exit(1);
    for (int i = 0; i < n_out; ++i) {
        for (int k = 0; k < nnz(out(i)); ++k) printf("%.17g\\n", res[i][k]);
    }
    for (int i = 0; i < n_in; ++i) free((void *)arg[i]);
    for (int i = 0; i < n_out; ++i) free(res[i]);
    free(w); free(arg); free(res);
}
#define RUN(f) f##_incref(); run(f, f##_work, f##_sparsity_in, f##_sparsity_out, f##_n_in(), \\
    f##_n_out()); f##_decref()
int main(void)
{
    RUN(arm_expl_ode_fun);
    RUN(arm_expl_vde_forw);
    RUN(arm_expl_vde_adj);
    RUN(arm_expl_ode_hess);
    return 0;
}
"""


def compile_with(folder: Path, *arguments: str) -> None:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("there is no C compiler")
    subprocess.run([compiler, *FLAGS, *arguments, "-lm"], cwd=folder, check=True)


def reference(robot: jounce.Robot, x: Any, Sx: Any, Su: Any, lam: Any, u: Any) -> list[Any]:
    """The results of acados' definitions, from second derivatives of forward dynamics."""
    n = robot.nv
    q, v = x[:n], x[n:]
    a, a_q, a_v, a_u = robot.forward_dynamics.derivatives(q, v, u)
    f_x = np.block([[np.zeros((n, n)), np.eye(n)], [a_q, a_v]])
    f_u = np.vstack([np.zeros((n, n)), a_u])
    f, adj = np.concatenate([v, a]), np.concatenate([f_x.T @ lam, f_u.T @ lam])
    fd, zero = robot.forward_dynamics, np.zeros((n, n))
    blocks = [
        np.tensordot(lam[n:], getattr(fd, x)(q, v, u), 1) for x in ("dqq", "dqv", "dvv", "dqtau")
    ]
    qq, qv, vv, qu = blocks
    H = np.block([[qq, qv, qu], [qv.T, vv, zero], [qu.T, zero, zero]])
    S = np.block([[Sx, Su], [np.zeros((n, 2 * n)), np.eye(n)]])
    hess = S.T @ H @ S
    packed = np.concatenate([hess[j:, j] for j in range(3 * n)])
    forward = [f, (f_x @ Sx).ravel("F"), (f_x @ Su + f_u).ravel("F")]
    return [f, *forward, adj, adj, packed]


@pytest.mark.parametrize("name", ["planar_2r", "kuka_iiwa14"])
def test_results_are_those_that_acados_expects(name: str, tmp_path: Path) -> None:
    robot = jounce.load(name)
    export_acados(robot, tmp_path, name="arm")
    (tmp_path / "main.c").write_text(CALLER)
    compile_with(tmp_path, "main.c", "arm_acados.c", "arm.c", "-o", "main")
    n, rng = robot.nv, np.random.default_rng(0)
    x, u, lam = rng.standard_normal(2 * n), rng.standard_normal(n), rng.standard_normal(2 * n)
    Sx, Su = rng.standard_normal((2 * n, 2 * n)), rng.standard_normal((2 * n, n))
    sx, su = Sx.ravel("F"), Su.ravel("F")
    values = np.concatenate([x, u, x, sx, su, u, x, lam, u, x, sx, su, lam, u])
    text = "\n".join(map(repr, values.tolist()))
    run = subprocess.run(
        [tmp_path / "main"], input=text, capture_output=True, text=True, check=True
    )
    found = np.array(run.stdout.split(), dtype=float)
    for expected in reference(robot, x, Sx, Su, lam, u):
        part, found = found[: len(expected)], found[len(expected) :]
        assert np.abs(part - expected).max() < 1e-11 * np.abs(expected).max()
    assert found.size == 0


def test_the_interface_is_that_of_casadi(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Names and types of the functions that CasADi generates with acados' options."""
    casadi = pytest.importorskip("casadi")
    export_acados(jounce.load("planar_2r"), tmp_path, name="arm")
    ours = (tmp_path / "arm_acados.h").read_text()
    monkeypatch.chdir(tmp_path)
    x, u, p = casadi.SX.sym("x", 4), casadi.SX.sym("u", 2), casadi.SX.sym("p", 0)
    function = casadi.Function("arm_expl_ode_fun", [x, u, p], [x])
    function.generate("g.c", {"casadi_int": "int", "casadi_real": "double", "with_header": True})
    theirs = (tmp_path / "g.h").read_text().replace("casadi_int", "int")
    pattern = r"((?:const )?\w+ ?\*? ?)(arm_expl_ode_fun\w*)\((.*)\);"
    expected = {name: (kind, words) for kind, name, words in re.findall(pattern, theirs)}
    found = re.findall(pattern, ours)
    assert len(found) == 10
    for kind, name, words in found:
        kind_of_casadi, words_of_casadi = expected[name]
        assert squash(kind) == squash(kind_of_casadi)
        assert [squash(x) for x in words.split(",")] == [
            squash(x) for x in words_of_casadi.replace("casadi_real", "double").split(",")
        ]


def squash(declaration: str) -> str:
    """A declaration without spaces and without the name of its parameter."""
    return re.sub(r"(arg|res|iw|w|mem|i|sz_\w+)$", "", declaration.replace(" ", ""))


def test_states_on_manifolds(tmp_path: Path) -> None:
    with pytest.raises(jounce.ArgumentError, match="q has 14 entries and v 13"):
        export_acados(jounce.load("kuka_iiwa14", base="floating"), tmp_path)
    assert not [*tmp_path.iterdir()]
