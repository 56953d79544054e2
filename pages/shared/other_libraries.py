"""The names of other libraries, and programs with them that print the parameters of usual noises."""

from dataclasses import replace

from pages.framework.layout.panels import Limit, number, program, within
from pages.framework.layout.section import Snippet

DPCORE, OPENDP, DP_ACCOUNTING, DIFFPRIVLIB, OPACUS = "dpcore", "OpenDP", "dp-accounting", "diffprivlib", "Opacus"
RISKCAL = "riskcal"  # which calibrates noise to a risk, and to nothing else of these pages
PEERS: tuple[str, ...] = (OPENDP, DP_ACCOUNTING, DIFFPRIVLIB, OPACUS)
JAX_PRIVACY = "JAX Privacy"  # whose noise for training is that of running totals
PYTHON = "Python"  # without a library: a survey needs none

OPENDP_SPACE = (
    "import opendp.prelude as dp",
    "",
    'dp.enable_features("contrib")',
    "space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)",
)
OPENDP_TABLE = (
    *OPENDP_SPACE[:3],
    "space = dp.vector_domain(dp.atom_domain(T=int)), dp.l2_distance(T=float)",
)
ABOUT_EQUAL = 1 - 1e-6, 1 + 1e-6
"""The ratios of a library's value to the page's where both compute the same, the library by a search."""
_ROUNDED = 1e-10  # the relative difference of two floating-point computations of one formula
_SENSITIVITIES = (1e-3, 1e4)
_BY_ERF = (
    "Its Φ is computed as (1 + erf)/2, which loses digits where δ is small or ε large, to either side: at ε = 5, "
    "δ = 1e-15 its σ is too small for that δ."
)


def dpcore_sigma(epsilon: float, delta: float, sensitivity: float, ours: float, note: str = "") -> Snippet:
    """Return the program that computes the analytic σ with dpcore."""
    code = program(
        "from dpcore import gaussian",
        "",
        f"epsilon, delta, l2_sensitivity = {number(epsilon)}, {number(delta)}, {number(sensitivity)}",
        "print(gaussian.analytic_sigma(epsilon, delta, l2_sensitivity))",
    )
    return Snippet(DPCORE, code, note, (ours,))


def gaussian_sigma(epsilon: float, delta: float, sensitivity: float, ours: float) -> tuple[Snippet, ...]:
    """Return the σ of Gaussian noise for (ε, δ)-DP in each library; `ours` is that of the page."""
    d = Limit("δ", delta, 1e-10, 0.1)
    limits = (Limit("ε", epsilon, 0.01, 10), d, Limit("Δ₂", sensitivity, *_SENSITIVITIES))
    texts = number(epsilon), number(delta), number(sensitivity)
    snippets = (_opendp_sigma(*texts), _dp_accounting_sigma(*texts), _diffprivlib_sigma(*texts))
    opacus = within(replace(_opacus_sigma(*texts), page_values=(ours,)), replace(limits[0], low=0.5), *limits[1:])
    return (*(within(replace(snippet, page_values=(ours,)), *limits) for snippet in snippets), opacus)


def opendp_sigma_code(space: tuple[str, ...], epsilon: str, delta: str, sensitivity: str) -> str:
    """Return OpenDP's search for the least σ of Gaussian noise on a `space`, which is discrete for whole numbers.

    It has bounds: without them it tries noise so small that its conversion may not end.
    """
    return program(
        *space,
        f"epsilon, delta, l2_sensitivity = {epsilon}, {delta}, {sensitivity}",
        "",
        "def noisy(scale):",
        "    of_rho = dp.c.make_zCDP_to_approxDP(dp.m.make_gaussian(*space, scale=scale))",
        "    return dp.c.make_fix_delta(of_rho, delta=delta)",
        "",
        "bounds = l2_sensitivity / 30, l2_sensitivity * 1e4",
        "print(dp.binary_search_param(noisy, d_in=l2_sensitivity, d_out=(epsilon, delta), bounds=bounds))",
    )


def _opendp_sigma(epsilon: str, delta: str, sensitivity: str) -> Snippet:
    code = opendp_sigma_code(OPENDP_SPACE, epsilon, delta, sensitivity)
    note = "It derives σ from ρ-zCDP and converts that to (ε, δ), so it requires more noise than necessary."
    return Snippet(OPENDP, code, note, min_ratio=1.0, max_ratio=1.7)


def _dp_accounting_sigma(epsilon: str, delta: str, sensitivity: str) -> Snippet:
    code = program(
        "import dp_accounting",
        "",
        f"epsilon, delta, l2_sensitivity = {epsilon}, {delta}, {sensitivity}",
        "print(l2_sensitivity * dp_accounting.get_sigma_gaussian(epsilon, delta))",
    )
    return Snippet(
        DP_ACCOUNTING,
        code,
        "The same equation, rounded to the nearest and not up.",
        min_ratio=1 - _ROUNDED,
        max_ratio=1 + _ROUNDED,
    )


def _diffprivlib_sigma(epsilon: str, delta: str, sensitivity: str) -> Snippet:
    code = program(
        "from diffprivlib.mechanisms import GaussianAnalytic",
        "",
        f"epsilon, delta, l2_sensitivity = {epsilon}, {delta}, {sensitivity}",
        "noise = GaussianAnalytic(epsilon=epsilon, delta=delta, sensitivity=l2_sensitivity)",
        "print(noise.variance(0.0) ** 0.5)",
    )
    note = f"Its plain Gaussian is the classical one, for ε up to 1. {_BY_ERF}"
    return Snippet(DIFFPRIVLIB, code, note, min_ratio=1 - 1e-4, max_ratio=1 + 1e-4)


def _opacus_sigma(epsilon: str, delta: str, sensitivity: str) -> Snippet:
    code = program(
        "from opacus.accountants.utils import get_noise_multiplier",
        "",
        f"epsilon, delta, l2_sensitivity = {epsilon}, {delta}, {sensitivity}",
        "one_step = dict(sample_rate=1.0, steps=1, epsilon_tolerance=1e-3 * epsilon)",
        "print(l2_sensitivity * get_noise_multiplier(target_epsilon=epsilon, target_delta=delta, **one_step))",
    )
    note = (
        "One step of DP-SGD on all records, by RDP, which requires more noise than necessary. It refuses an ε near 0."
    )
    return Snippet(OPACUS, code, note, min_ratio=1.0, max_ratio=1.6)


_EQUAL = (1 - 1e-9, 1 + 1e-9)


def laplace_accuracy(epsilon: float, sensitivity: float, significance: float, ours: float) -> tuple[Snippet, ...]:
    """Return the ± of Laplace noise in the two libraries that have it; `sensitivity` is Δ₁ and `ours` the page's ±."""
    numbers = f"epsilon, l1, significance = {number(epsilon)}, {number(sensitivity)}, {number(significance)}"
    opendp = program(
        "import opendp.prelude as dp",
        "",
        numbers,
        "print(dp.laplacian_scale_to_accuracy(scale=l1 / epsilon, alpha=significance))",
    )
    diffprivlib = program(
        "import math",
        "from diffprivlib.mechanisms import Laplace",
        "",
        numbers,
        "noise = Laplace(epsilon=epsilon, sensitivity=l1)",
        "print((noise.variance(0.0) / 2) ** 0.5 * math.log(1 / significance))",
    )
    limits = _laplace_limits(epsilon, sensitivity, significance)
    notes = "± of Laplace noise.", "± of Laplace noise, from its variance 2b²: the library states no ±."
    return (
        within(Snippet(OPENDP, opendp, notes[0], (ours,), *_EQUAL), *limits),
        within(Snippet(DIFFPRIVLIB, diffprivlib, notes[1], (ours,), *_EQUAL), *limits),
    )


def laplace_epsilon(accuracy: float, sensitivity: float, significance: float, ours: float) -> Snippet:
    """Return the ε with which Laplace noise has this ±, in OpenDP; `ours` is that of the page."""
    code = program(
        "import opendp.prelude as dp",
        "",
        f"accuracy, l1, significance = {number(accuracy)}, {number(sensitivity)}, {number(significance)}",
        "print(l1 / dp.accuracy_to_laplacian_scale(accuracy=accuracy, alpha=significance))",
    )
    limits = Limit("ε", ours, 0.01, 10), *_laplace_limits(ours, sensitivity, significance)[1:]
    return within(Snippet(OPENDP, code, "ε = Δ₁/b of Laplace noise.", (ours,), *_EQUAL), *limits)


def geometric_accuracy(epsilon: float, sensitivity: float, significance: float, ours: float) -> Snippet:
    """Return the ± of geometric noise in OpenDP, which calls it discrete Laplace noise; `ours` is that of the page."""
    code = program(
        "import math",
        "import opendp.prelude as dp",
        "",
        f"epsilon, l1, significance = {number(epsilon)}, {number(sensitivity)}, {number(significance)}",
        "reached = dp.discrete_laplacian_scale_to_accuracy(scale=l1 / epsilon, alpha=significance)",
        "print(math.ceil(reached) - 1)",
    )
    note = "Its accuracy is the distance reached or passed with that probability: ± is the whole number below it."
    limits = _laplace_limits(epsilon, sensitivity, significance)
    return within(Snippet(OPENDP, code, note, (ours,), *_EQUAL), *limits)


def _laplace_limits(epsilon: float, sensitivity: float, significance: float) -> tuple[Limit, ...]:
    return (
        Limit("ε", epsilon, 0.01, 10),
        Limit("Δ₁", sensitivity, *_SENSITIVITIES),
        Limit("the significance level", significance, 1e-6, 0.9),
    )
