"""What can be checked of each section: the σ or the risk in lines of code, and the guarantees that "Verify" proves."""

import math
from collections.abc import Iterator

from dpcore import denoise
from pages.denoising.counts.results import CountsRelease
from pages.denoising.map.results import MapRelease, map_release
from pages.denoising.results import DenoisingResult, sensitivity_of
from pages.framework.export.exhibit import CONFIDENTIAL_CODE
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Claim, Snippet
from pages.framework.parameters.number_format import exact_text, format_input_up, format_up
from pages.shared import guarantee_claims
from pages.shared.counts.linked_table import MOST_CELLS
from pages.shared.guarantee_claims import Target
from pages.shared.other_libraries import (
    DIFFPRIVLIB,
    DP_ACCOUNTING,
    DPCORE,
    OPACUS,
    OPENDP,
    dpcore_sigma,
    gaussian_sigma,
)

_EXACT_KEYS = ("james_stein_plus", "soft_universal", "non_negative")
_SIGMA_NOTE = "The σ of the release. The page finds the errors of the estimators of dpcore.denoise by simulation."
_SHIPPED = {"czech": "tables.czech_autoworkers()['count']", "mildew": "tables.mildew()['count']"}
_NO_ESTIMATOR = "It releases numbers and has no estimator that denoises them."


def counts_snippets(result: DenoisingResult) -> Iterator[Snippet]:
    """Yield the recommended estimator's reduction of the error, or σ alone where the counts are too many to list."""
    if result.counts is None or math.isinf(result.sigma):
        return
    setting, release = result.setting, result.denoisable_release
    sensitivity = float(sensitivity_of(result.values, max(result.count.size, 1)).l2)
    target = setting.epsilon, setting.delta, sensitivity
    if release is None or release.is_trial or (release.table_is_own and release.size > MOST_CELLS):
        yield dpcore_sigma(*target, result.sigma, _SIGMA_NOTE)
    else:
        yield _reduction_snippet(result, release, sensitivity)
    yield from gaussian_sigma(*target, result.sigma)


def _reduction_snippet(result: DenoisingResult, release: CountsRelease, sensitivity: float) -> Snippet:
    """Return σ, and by how many percent the recommended estimator reduces the error."""
    setting, seed = result.setting, release.seed
    counts = (
        f"np.array({release.count.tolist()})" if release.table_is_own else f"{_SHIPPED[setting.table]}.to_numpy(float)"
    )
    target = ", ".join(number(value) for value in (setting.epsilon, setting.delta, sensitivity))
    code = program(
        "import numpy as np",
        "from dpcore import denoise, gaussian, tables",
        "",
        f"counts, sigma = {counts}, gaussian.analytic_sigma({target})",
        f"knowledge = denoise.Knowledge({release.structure!r}, {number(release.prior_sd)}, {release.total!r})",
        f"options = knowledge, {release.ranked_keys}",
        f"noisy = counts + sigma * np.random.default_rng(({seed}, 0)).standard_normal(counts.size)",
        f"risk = denoise.coupled_risk(np.random.default_rng(({seed}, 1)), noisy, sigma, *options,"
        f" n_pairs={release.n_pairs})",
        "first = min(risk, key=risk.get)",
        f"runs = denoise.simulate_errors(np.random.default_rng(({seed}, 2)), counts, sigma, {release.n_repeats},"
        " *options)",
        "print(sigma)",
        "print(100 * runs.rmse_reductions(counts.size * sigma**2)[runs.keys.index(first)])",
    )
    note = "σ, and by how many percent the recommended estimator reduces the RMSE on average; the page rounds down."
    note = f"{note} {CONFIDENTIAL_CODE}" if release.table_is_own else note
    return Snippet(DPCORE, code, note, (release.sigma, 100 * release.rmse_cuts[release.first_in_ranking]))


def map_snippets(result: DenoisingResult) -> Iterator[Snippet]:
    """Yield σ and the RMSE of the sample's release, as it is and denoised, or σ alone for places of the user."""
    release = map_release(result)
    if release is None:
        return
    target = release.setting.epsilon, release.setting.delta, release.sensitivity
    if release.source.is_sample and not release.is_drowned:
        yield _sample_map_snippet(release)
    else:
        yield dpcore_sigma(*target, release.sigma, _SIGMA_NOTE)
    yield from gaussian_sigma(*target, release.sigma)


def _sample_map_snippet(release: MapRelease) -> Snippet:
    setting, box = release.setting, release.source.box
    target = ", ".join(number(value) for value in (setting.epsilon, setting.delta, release.sensitivity))
    code = program(
        "import numpy as np",
        "import plotly  # pip install plotly: the sample ships with it",
        "from dpcore import denoise, gaussian, places",
        "",
        f"cars, shape, sigma = plotly.data.carshare(), {release.count.shape}, gaussian.analytic_sigma({target})",
        f"cells = places.grid_places(cars.centroid_lat.to_numpy(), cars.centroid_lon.to_numpy(), *shape, {box})",
        "counts = places.place_counts(cells, shape[0] * shape[1], cars.car_hours.to_numpy() / 24).reshape(shape)",
        f"noisy = counts + sigma * np.random.default_rng({setting.seed}).standard_normal(shape)",
        f"estimates = denoise.estimates(noisy, sigma, denoise.Knowledge('image'), {tuple(release.estimates)})",
        "print(sigma)",
        "for key in ('none', denoise.best(estimates)):",
        "    print(np.sqrt(np.mean((estimates[key].value - counts) ** 2)))",
    )
    note = "σ, and the RMSE of this release as it is and after the estimator that SURE selects. The seed is the page’s."
    rmse = release.rmse
    return Snippet(DPCORE, code, note, (release.sigma, rmse["none"], rmse[release.best_by_sure]))


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
        "The shares of the squared error that James–Stein’s positive part, soft thresholding at σ√(2 ln d) and "
        "clipping negatives leave, and that of SURE, which is simulated."
    )
    shares = *(float(exact[key]) for key in _EXACT_KEYS), risk.shares["soft_sure"]
    libraries = OPENDP, DP_ACCOUNTING, DIFFPRIVLIB, OPACUS
    return Snippet(DPCORE, code, note, shares), *unavailable(dict.fromkeys(libraries, _NO_ESTIMATOR))


_ESTIMATE = "It is a mean over simulated releases of these numbers: an estimate, and no guarantee."


def counts_claims(result: DenoisingResult) -> Iterator[Claim]:
    """Yield the guarantees of the noise of the counts, and that the rest is estimated."""
    release = result.denoisable_release
    if release is not None:
        yield from _release_claims(result, release.sigma, float(sensitivity_of(result.values, release.size).l2))
    yield from estimate_claims(result)


def map_claims(result: DenoisingResult) -> Iterator[Claim]:
    """Yield the guarantees of the noise of the map, and that the rest is estimated."""
    release = map_release(result)
    if release is not None:
        yield from _release_claims(result, release.sigma, release.sensitivity)
    yield from estimate_claims(result)


def estimate_claims(_: DenoisingResult) -> Iterator[Claim]:
    """Yield that the gain of denoising is an estimate."""
    yield Claim("The error after denoising", reason=_ESTIMATE)


def _release_claims(result: DenoisingResult, sigma: float, sensitivity: float) -> Iterator[Claim]:
    epsilon, delta = result.setting.epsilon, result.setting.delta
    shown_target = Target(format_input_up(epsilon), format_input_up(delta), exact_text(sensitivity))
    yield guarantee_claims.gaussian(shown_target, format_up(sigma))
    exact_target = guarantee_claims.computed_target(epsilon, delta, sensitivity)
    yield guarantee_claims.gaussian(exact_target, exact_text(sigma))
