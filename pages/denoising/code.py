"""The σ of a release, or the exact risk, of each section in lines of code, with dpcore and with other libraries."""

import math

from dpcore import denoise
from dpcore.calibrations import UNDEFINED
from pages.denoising.map.results import map_release
from pages.denoising.means.figures import MECHANISM_NAMES
from pages.denoising.means.text import best_beside_analytic
from pages.denoising.results import DenoisingResult
from pages.denoising.variance import results as variance
from pages.framework.layout.code_panel import Limit, Snippet, number, program, unavailable, within
from pages.shared.counts.table import table_sensitivity
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.other_libraries import dpcore_sigma, gaussian_sigma

_EXACT_KEYS = ("james_stein_plus", "soft_universal", "non_negative")
_SIGMA_NOTE = "The σ of the release. What the estimators of dpcore.denoise win back the page finds by simulation."
_NO_ESTIMATOR = "It releases numbers and has no estimator that denoises them."
_NO_CLASSICAL = {
    OPENDP: "It has neither the classical σ nor the analytic one, but one by ρ-zCDP.",
    DP_ACCOUNTING: "It has the analytic σ and not the classical one.",
    OPACUS: "It has noise multipliers by its accountants, and neither of the two.",
}


def counts_snippets(result: DenoisingResult) -> tuple[Snippet, ...]:
    """Return the σ of the release of the counts."""
    if result.table_is_missing or math.isinf(result.sigma):
        return ()
    setting = result.setting
    limits = setting.per_person, setting.per_cell, setting.neighbours
    sensitivity = float(table_sensitivity(*limits, 0, max(result.count.size, 1)).l2)
    return _release_snippets(setting.epsilon, setting.delta, sensitivity, result.sigma)


def map_snippets(result: DenoisingResult) -> tuple[Snippet, ...]:
    """Return the σ of the release of the map."""
    release = map_release(result)
    if release is None:
        return ()
    return _release_snippets(release.setting.epsilon, release.setting.delta, release.sensitivity, release.sigma)


def _release_snippets(epsilon: float, delta: float, sensitivity: float, sigma: float) -> tuple[Snippet, ...]:
    own = dpcore_sigma(epsilon, delta, sensitivity, sigma, _SIGMA_NOTE)
    return own, *gaussian_sigma(epsilon, delta, sensitivity, sigma)


def risk_snippets(result: DenoisingResult) -> tuple[Snippet, ...]:
    """Return the shares of the squared error that the estimators leave."""
    risk = result.risk
    vector = f"{risk.dimension}, {risk.n_nonzero}, {number(risk.nonzero_size)}"
    code = program(
        "import numpy as np",
        "from dpcore import denoise",
        "",
        f"shares = denoise.sparse_shares({vector})",
        f"for key in {_EXACT_KEYS}:",
        "    print(shares[key])",
        f"rng = np.random.default_rng({risk.seed})",
        f"print(denoise.simulated_sureshrink(rng, {vector}, {risk.sure_releases}).share)",
    )
    exact = denoise.sparse_shares(risk.dimension, risk.n_nonzero, risk.nonzero_size)
    note = (
        "The shares of the squared error that James–Stein's positive part, soft thresholding at σ√(2 ln d) and "
        "clipping negatives leave, and that of SURE, which is simulated."
    )
    shares = *(float(exact[key]) for key in _EXACT_KEYS), risk.shares["soft_sure"]
    libraries = OPENDP, DP_ACCOUNTING, DIFFPRIVLIB, OPACUS
    return Snippet(DPCORE, code, note, shares), *unavailable(dict.fromkeys(libraries, _NO_ESTIMATOR))


def means_snippets(result: DenoisingResult) -> tuple[Snippet, ...]:
    """Return σ at the open setting, and the errors that the answer compares."""
    experiment = result.experiment
    if not experiment.is_available:
        return ()
    setting, rows = experiment.setting, (best_beside_analytic(experiment), experiment.rows["analytic"])
    budget = f"{number(setting.epsilon)}, {number(setting.delta)}"
    code = program(
        "import numpy as np",
        "from dpcore import denoise",
        "",
        f"dimension, n_records, n_repeats = {setting.dimension}, {setting.n_records}, {experiment.n_repeats}",
        f"rng = np.random.default_rng([{setting.seed}, dimension])",
        "draws = denoise.mean_draws(rng, dimension, n_records, n_repeats)",
        f"errors = denoise.mean_errors(draws, {budget}).set_index('mechanism')",
        "print(errors.scale['analytic'])",
        f"print(*errors.error_mean[{[row.mechanism for row in rows]}])",
    )
    n_repeats = experiment.n_repeats
    n_data_sets = f"{n_repeats}" if experiment.is_complete else f"the {n_repeats} so far of {setting.n_repeats}"
    mechanisms = " and of ".join(MECHANISM_NAMES[row.mechanism] for row in rows)
    note = f"σ, and the mean errors ‖·‖₂ of {mechanisms}, of {n_data_sets} data sets."
    own = Snippet(DPCORE, code, note, (rows[1].scale, *(row.error_mean for row in rows)))
    sensitivity = setting.dimension**0.5 / setting.n_records
    return own, *gaussian_sigma(setting.epsilon, setting.delta, sensitivity, rows[1].scale)


def variance_snippets(result: DenoisingResult) -> tuple[Snippet, ...]:
    """Return the ratio of the variances, and the share that is removed."""
    ratio = variance.setting_ratio(result)
    if ratio.status == UNDEFINED:
        return ()
    code = program(
        "from dpcore import denoise",
        "",
        f"epsilon, delta = {number(ratio.epsilon)}, {number(ratio.delta)}",
        "ratio = denoise.variance_ratio(epsilon, delta)",
        "print(ratio)",
        "print(1 - 1 / ratio)",
    )
    note = "Classical over analytic variance, and the share removed."
    own = Snippet(DPCORE, code, note, (ratio.ratio, ratio.removed))
    if ratio.epsilon > 1:
        reason = "Its classical Gaussian takes ε up to 1 only."
        return own, *unavailable(_NO_CLASSICAL | {DIFFPRIVLIB: reason})
    other = program(
        "from diffprivlib.mechanisms import Gaussian, GaussianAnalytic",
        "",
        f"promise = dict(epsilon={number(ratio.epsilon)}, delta={number(ratio.delta)}, sensitivity=1.0)",
        "print(Gaussian(**promise).variance(0.0) / GaussianAnalytic(**promise).variance(0.0))",
    )
    return own, *unavailable(_NO_CLASSICAL), _diffprivlib_snippet(other, ratio)


def _diffprivlib_snippet(code: str, ratio: variance.VarianceRatio) -> Snippet:
    note = "Classical over analytic variance."
    limits = Limit("ε", ratio.epsilon, 0.01, 1), Limit("δ", ratio.delta, 1e-10, 0.1)
    return within(Snippet(DIFFPRIVLIB, code, note, (ratio.ratio,), 1 - 1e-4, 1 + 1e-4), *limits)
