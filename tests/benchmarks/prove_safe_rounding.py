"""Prove, point by point in interval arithmetic, that no result of dpcore is rounded to the unsafe side.

    python -m tests.benchmarks.prove_safe_rounding [n] [seed] [--only WORD] [--levels]

Every family that guarantees one-sided rounding is tried at n random points over its domain (fewer where a point takes
long), each alone and again in one array. A line per function tells how many results there are, how many are unsafe, and
the least and the greatest excess on the safe side, in units of 2⁻⁵²: relative to the value, or, where a result is found
by solving for a probability, the relative change of what was given that would make it exact. `--only` takes the
functions whose name has the word. Exits with 1 if any point is unsafe.

NumPy, the C library and the linear algebra choose their kernels by the processor, and these differ in the last bits.
`--levels` runs everything once for each of `LEVELS`, in a process of its own that is allowed the instructions of older
processors only; a line of fingerprints, one per library, shows that the choice took effect.
"""

import argparse
import math
import os
import subprocess
import sys
import zlib
from collections.abc import Iterable

import numpy as np
from numpy.lib.introspect import opt_func_info
from scipy.special import gammainc

from tests.benchmarks.proofs import accuracy, discrete, gaussian, generalized_gaussian, staircase, tradeoff
from tests.benchmarks.proofs.verdicts import Verdict

FAMILIES = (gaussian, discrete, staircase, accuracy, tradeoff, generalized_gaussian)
_NO_AVX512 = "X86_V4 AVX512_ICL AVX512_SPR"
LEVELS = {
    "as it is": {},
    "AVX2": {"NPY_DISABLE_CPU_FEATURES": _NO_AVX512, "OPENBLAS_CORETYPE": "Haswell"},
    "SSE4": {
        "NPY_DISABLE_CPU_FEATURES": f"{_NO_AVX512} X86_V3",
        "GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F",
        "OPENBLAS_CORETYPE": "Nehalem",
    },
    "AVX-512 without FMA in the C library": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4"},
}
"""The environment of each level; NumPy warns of a feature that the processor does not have anyway."""


def report(name: str, verdicts: Iterable[Verdict]) -> bool:
    """Print the line of one function; return whether every point is safe."""
    safe, excess = np.reshape(list(verdicts), (-1, 2)).T
    n_unsafe = np.count_nonzero(safe == 0)
    least, most = excess.min(initial=np.inf), excess.max(initial=-np.inf)
    print(f"{name:42} {len(safe):>8} results  {n_unsafe:>4} unsafe  {least:+.4g} to {most:+.4g}", flush=True)
    return n_unsafe == 0


def fingerprints() -> str:
    """Return fingerprints of the kernels in use: their results for the same numbers."""
    x = np.random.default_rng(0).uniform(0.1, 30, 100_000)
    fingerprinted = {
        "NumPy": np.concatenate([np.exp(x), np.log(x), np.expm1(-x), np.log1p(x), x**1.37]),
        "C library": np.array([math.exp(value) for value in x] + [math.log(value) for value in x]),
        "SciPy": gammainc(0.3, x),
        "linear algebra": np.array([x[i:] @ x[i:] for i in range(100)]),
    }
    marks = ", ".join(f"{name} {zlib.crc32(numbers.tobytes()):08x}" for name, numbers in fingerprinted.items())
    return f"{marks}; NumPy's exp is that of {opt_func_info('^exp$', 'float64')['exp']['dd']['current']}"


def prove(n: int, seed: int, only: str) -> bool:
    print(fingerprints(), flush=True)
    claims = [claim for family in FAMILIES for claim in family.claims(n, seed) if only in claim[0]]
    proved = [report(*claim) for claim in claims]
    return all(proved)


def prove_at_every_level(arguments: list[str]) -> bool:
    proved = True
    for name, environment in LEVELS.items():
        print(f"\n{name}", flush=True)
        command = [sys.executable, "-W", "ignore", "-m", "tests.benchmarks.prove_safe_rounding", *arguments]
        proved &= subprocess.run(command, env=os.environ | environment, check=False).returncode == 0
    return proved


def main() -> int:
    parser = argparse.ArgumentParser(description="Prove the one-sided rounding of dpcore in interval arithmetic.")
    parser.add_argument("n", type=int, nargs="?", default=10_000)
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--only", default="", metavar="WORD")
    parser.add_argument("--levels", action="store_true")
    options = parser.parse_args()
    if options.levels:
        arguments = [str(options.n), str(options.seed), "--only", options.only]
        return 0 if prove_at_every_level(arguments) else 1
    return 0 if prove(options.n, options.seed, options.only) else 1


if __name__ == "__main__":
    sys.exit(main())
