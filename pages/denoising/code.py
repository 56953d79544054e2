"""The noise or the exact risk of the open section, with dpcore and with other libraries."""

import math

from dpcore import denoise
from dpcore.calibrations import UNDEFINED
from pages.denoising.map.results import map_release
from pages.denoising.means.figures import NAMES
from pages.denoising.means.text import beside_analytic
from pages.denoising.results import DenoisingResult
from pages.denoising.variance import results as variance
from pages.framework.layout.code_panel import Limit, Snippet, number, program, unavailable, within
from pages.shared.counts.table import table_sensitivity
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.other_libraries import dpcore_sigma, gaussian_sigma

_EXACT = ("james_stein_plus", "soft_universal", "non_negative")
_SIMULATED = "The σ of the release. What the estimators of dpcore.denoise win back the page finds by simulation."
_NO_ESTIMATOR = "It releases numbers and has no estimator that denoises them."
_NO_CLASSICAL = {
    OPENDP: "It has neither the classical σ nor the analytic one, but one by ρ-zCDP.",
    DP_ACCOUNTING: "It has the analytic σ and not the classical one.",
    OPACUS: "It has noise multipliers by its accountants, and neither of the two.",
}


def counts_snippets(result: DenoisingResult) -> tuple[Snippet, ...]:
    """Return the σ of the release of the counts."""
    if result.missing or math.isinf(result.sigma):
        return ()
    setting = result.setting
    moved = float(
        table_sensitivity(setting.per_person, setting.per_cell, setting.neighbours, 0, max(result.count.size, 1)).l2
    )
    return _release_snippets(setting.epsilon, setting.delta, moved, result.sigma)


def map_snippets(result: DenoisingResult) -> tuple[Snippet, ...]:
    """Return the σ of the release of the map."""
    made = map_release(result)
    if made is None:
        return ()
    return _release_snippets(made.asked.epsilon, made.asked.delta, made.sensitivity, made.sigma)


def _release_snippets(epsilon: float, delta: float, sensitivity: float, sigma: float) -> tuple[Snippet, ...]:
    own = dpcore_sigma(epsilon, delta, sensitivity, sigma, _SIMULATED)
    return own, *gaussian_sigma(epsilon, delta, sensitivity, sigma)


def risk_snippets(result: DenoisingResult) -> tuple[Snippet, ...]:
    """Return the shares of the squared error that the estimators leave."""
    asked = result.risk
    vector = f"{asked.dimension}, {asked.filled}, {number(asked.size)}"
    code = program(
        "import numpy as np",
        "from dpcore import denoise",
        "",
        f"shares = denoise.sparse_shares({vector})",
        f"for key in {_EXACT}:",
        "    print(shares[key])",
        f"rng = np.random.default_rng({asked.seed})",
        f"print(denoise.simulated_sure_soft(rng, {vector}, {asked.sure_releases}).share)",
    )
    exact = denoise.sparse_shares(asked.dimension, asked.filled, asked.size)
    note = (
        "The shares of the squared error that James–Stein's positive part, soft thresholding at σ√(2 ln d) and "
        "clipping negatives leave, and that of SURE, which is simulated."
    )
    shares = *(float(exact[key]) for key in _EXACT), asked.shares["soft_sure"]
    libraries = OPENDP, DP_ACCOUNTING, DIFFPRIVLIB, OPACUS
    return Snippet(DPCORE, code, note, shares), *unavailable(dict.fromkeys(libraries, _NO_ESTIMATOR))


def means_snippets(result: DenoisingResult) -> tuple[Snippet, ...]:
    """σ at the setting that is looked at, and the errors that the answer compares."""
    now = result.experiment
    if not now.there:
        return ()
    asked, rows = now.asked, (beside_analytic(now), now.rows["analytic"])
    code = program(
        "import numpy as np",
        "from dpcore import denoise",
        "",
        f"dimension, n_records, n_repeats = {asked.dimension}, {asked.n_records}, {now.n_repeats}",
        f"rng = np.random.default_rng([{asked.seed}, dimension])",
        "draws = denoise.mean_draws(dimension, rng, n_records, n_repeats)",
        f"errors = denoise.mean_errors(draws, {number(asked.epsilon)}, {number(asked.delta)}).set_index('mechanism')",
        "print(errors.scale['analytic'])",
        f"print(*errors.error_mean[{[row.mechanism for row in rows]}])",
    )
    drawn = f"{now.n_repeats}" if now.complete else f"the {now.n_repeats} so far of {asked.n_repeats}"
    note = (
        f"σ, and the mean errors ‖·‖₂ of {' and of '.join(NAMES[row.mechanism] for row in rows)}, of {drawn} data sets."
    )
    own = Snippet(DPCORE, code, note, (rows[1].scale, *(row.error_mean for row in rows)))
    moved = asked.dimension**0.5 / asked.n_records
    return own, *gaussian_sigma(asked.epsilon, asked.delta, moved, rows[1].scale)


def variance_snippets(result: DenoisingResult) -> tuple[Snippet, ...]:
    """Return the ratio of the variances, and the share that is removed."""
    now = variance.ratio(result)
    if now.word == UNDEFINED:
        return ()
    code = program(
        "from dpcore import denoise",
        "",
        f"epsilon, delta = {number(now.epsilon)}, {number(now.delta)}",
        "ratio = denoise.variance_ratio(epsilon, delta)",
        "print(ratio)",
        "print(1 - 1 / ratio)",
    )
    own = Snippet(DPCORE, code, "Classical over analytic variance, and the share removed.", (now.ratio, now.removed))
    if now.epsilon > 1:
        reason = "Its classical Gaussian takes ε up to 1 only."
        return own, *unavailable(_NO_CLASSICAL | {DIFFPRIVLIB: reason})
    other = program(
        "from diffprivlib.mechanisms import Gaussian, GaussianAnalytic",
        "",
        f"promise = dict(epsilon={number(now.epsilon)}, delta={number(now.delta)}, sensitivity=1.0)",
        "print(Gaussian(**promise).variance(0.0) / GaussianAnalytic(**promise).variance(0.0))",
    )
    return own, *unavailable(_NO_CLASSICAL), _same(other, now)


def _same(code: str, now: variance.Ratio) -> Snippet:
    note = "Classical over analytic variance."
    limits = Limit("ε", now.epsilon, 0.01, 1), Limit("δ", now.delta, 1e-10, 0.1)
    return within(Snippet(DIFFPRIVLIB, code, note, (now.ratio,), 1 - 1e-4, 1 + 1e-4), *limits)
