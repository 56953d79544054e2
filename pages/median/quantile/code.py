"""The ± of a quantile as a program with dpcore, and the release with other libraries."""

from pages.framework.layout.code_panel import Limit, number, program, unavailable, within
from pages.framework.layout.section import Snippet
from pages.median.quantile.results import QuantileResult
from pages.median.results import MedianResult
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP

_EQUAL = 1 - 1e-6, 1 + 1e-6
_OTHERS = {
    DP_ACCOUNTING: "It accounts for privacy, and releases no quantiles.",
    OPACUS: "It trains models, and releases no quantiles.",
}


def snippets(result: MedianResult) -> tuple[Snippet, ...]:
    """Return the program that computes the answer, and those that release a quantile."""
    if result.problem_text:
        return ()
    release = result.quantile
    others = _opendp_snippet(release), _diffprivlib_snippet(release)
    return _own_snippet(result, release), *others, *unavailable(_OTHERS)


def _own_snippet(result: MedianResult, quantile: QuantileResult) -> Snippet:
    setting, release = result.setting, quantile.release
    options = f"{number(setting.significance)}, {setting.neighbours!r}"
    known = f"values, {number(release.quantile)}, {number(release.epsilon)}"
    ends = number(release.low), number(release.high)
    if release.step is None:
        call = f"print(quantiles.half_width({known}, {', '.join(ends)}, {options}))"
        lines = []
    else:
        steps = f"{ends[0]} + {number(release.step or 0)} * np.arange({release.candidates.size})"
        lines = [f"candidates = np.round({steps}, {release.decimals})"]
        call = f"print(quantiles.grid_half_width({known}, candidates, {options}))"
    if setting.is_own:
        code = program(
            "import numpy as np", "from dpcore import quantiles", "", "values = [12, 15, 30]  # your own", *lines, call
        )
        return Snippet(
            DPCORE, code, "The ±. Your own values are in no program: enter them in the place of these three."
        )
    n = f"{quantile.n_values}"
    spread = f"{number(setting.median)}, {number(setting.p90)}"
    if setting.shape == "normal":
        people = f"clipping.normal(median, (p90 - median) / ndtri(0.9), {n})"
    else:
        people = f"clipping.lognormal(np.log(median), np.log(p90 / median) / ndtri(0.9), {n})"
    sample = f"people.quantile((np.arange({n}) + 0.5) / {n})"
    if release.step is not None:
        step = number(release.step)
        sample = f"np.round({ends[0]} + {step} * np.rint(({sample} - {ends[0]}) / {step}), {release.decimals})"
    code = program(
        "import numpy as np",
        "from dpcore import clipping, quantiles",
        "from scipy.special import ndtri",
        "",
        f"median, p90 = {spread}",
        f"people = {people}",
        f"values = {sample}",
        *lines,
        call,
    )
    return Snippet(
        DPCORE, code, "The ±, of a typical sample with these public figures.", (quantile.error,), 1 - 1e-9, 1 + 1e-9
    )


def _opendp_snippet(quantile: QuantileResult) -> Snippet:
    """Return the release with OpenDP, which prints the scale of its noise: 2Δ/ε, where the page has it too."""
    release = quantile.release
    if release.step is None:
        return Snippet(OPENDP, "", "It releases quantiles on candidates: enter a step.")
    is_replaced = release.neighbours == "replace"
    size = f", size={quantile.n_values}" if is_replaced else ""
    spaces = f"dp.vector_domain(dp.atom_domain(T=float, nan=False){size}), dp.symmetric_distance(), dp.max_divergence()"
    code = program(
        "import numpy as np",
        "import opendp.prelude as dp",
        "",
        'dp.enable_features("contrib")',
        f"spaces = {spaces}",
        f"candidates = {number(release.low)} + {number(release.step)} * np.arange({release.candidates.size})",
        f"noisy = lambda scale: dp.m.make_private_quantile(*spaces, candidates, {number(release.quantile)}, scale)",
        f"print(dp.binary_search_param(noisy, {2 if is_replaced else 1}, {number(release.epsilon)}))",
    )
    note = (
        "It prints the scale of its noise on the scores; noisy(scale)(values) draws a release. Where many people have "
        "the same value its score, (1 − q)n_below − q n_above, takes a value next to it for the quantile."
    )
    scale = 2 * (1.0 if is_replaced else max(release.quantile, 1 - release.quantile)) / release.epsilon
    snippet = Snippet(OPENDP, code, note, (scale,), *_EQUAL)
    return within(snippet, Limit("ε", release.epsilon, 0.01, 10), Limit("q", release.quantile, 0.01, 0.99))


def _diffprivlib_snippet(quantile: QuantileResult) -> Snippet:
    """Return the release with diffprivlib, which states no error."""
    release = quantile.release
    code = program(
        "from diffprivlib import tools",
        "",
        "values = [12.0, 15.0, 30.0]  # your own",
        f"bounds = {number(release.low)}, {number(release.high)}",
        f"print(tools.quantile(values, {number(release.quantile)}, epsilon={number(release.epsilon)}, bounds=bounds))",
    )
    note = (
        "It draws one release, any number of the range, by the exponential mechanism with the noise for a person who "
        "is replaced, and states no error. With many equal values it can fail."
    )
    return Snippet(DIFFPRIVLIB, code, note)
