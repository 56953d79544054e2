"""The σ of a release, or the exact risk, of each section in lines of code, with dpcore and with other libraries."""

import math

from dpcore import denoise
from pages.denoising.map.results import map_release
from pages.denoising.results import DenoisingResult
from pages.framework.layout.code_panel import Snippet, number, program, unavailable
from pages.shared.counts.table import table_sensitivity
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.other_libraries import dpcore_sigma, gaussian_sigma

_EXACT_KEYS = ("james_stein_plus", "soft_universal", "non_negative")
_SIGMA_NOTE = "The σ of the release. The page finds the errors of the estimators of dpcore.denoise by simulation."
_NO_ESTIMATOR = "It releases numbers and has no estimator that denoises them."


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
