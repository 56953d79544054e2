"""The sentences on where each estimator wins: which leaves the least of the error, and which makes it worse."""

import math
from functools import lru_cache

import numpy as np

from dpcore import denoise
from dpcore.denoise import ESTIMATORS
from pages.denoising.estimator_risk.results import CURVE_KEYS, LEAST_GAIN, EstimatorRisk, table_place
from pages.denoising.results import DenoisingResult
from pages.framework.parameters.number_format import escape_markdown, format_nearest, format_up, percent_up

SHORT_NAMES = {
    "none": "as released",
    "posterior_mean": "posterior mean (oracle)",
    "james_stein": "James–Stein",
    "james_stein_plus": "James–Stein, positive part",
    "soft_universal": "soft, T = σ√(2 ln d)",
    "soft_sure": "soft, T by SURE",
    "non_negative": "no negative numbers",
}
_ESTIMATOR_PHRASES = {
    "james_stein_plus": "James–Stein’s positive part",
    "soft_universal": "soft thresholding at σ√(2 ln d)",
    "soft_sure": "soft thresholding by SURE",
    "non_negative": "clipping negatives",
}
_MOST_IN_ANSWER = 3  # estimators


def answer_text(result: DenoisingResult) -> tuple[str, ...]:
    """Return which estimator leaves the least of the squared error, what that means, and what has changed."""
    risk, pinned = result.risk, result.pinned and result.pinned.risk
    if pinned is None:
        return _best_sentence(risk), f"{_error_cut_text(risk)} {_advice_sentence(risk)}"
    change = f"Since the pinned setting: {_best_phrase(pinned)} → {_best_phrase(risk)}."
    return _best_sentence(risk), _error_cut_text(risk), change


def vector_phrase(risk: EstimatorRisk) -> str:
    """Return the vector of the setting in words."""
    if not risk.n_nonzero:
        return f"all {risk.dimension:,} numbers 0"
    size = format_nearest(risk.nonzero_size, 3)
    if risk.n_nonzero == risk.dimension:
        return f"all {risk.dimension:,} numbers at {size} σ"
    return f"{risk.n_nonzero:,} of {risk.dimension:,} numbers at {size} σ and the others 0"


def subtitle(risk: EstimatorRisk) -> str:
    """Return what the curves have in common."""
    vector = f"d = {risk.dimension:,}, ‖y‖ = {format_nearest(risk.norm, 3)} σ√d"
    if risk.along == "norm":
        vector = f"{risk.n_nonzero_of_curve:,} of {risk.dimension:,} numbers not 0, of one size"
    return f"{vector}; dotted: bound of T = σ√(2 ln d), dashed blue: plain James–Stein"


def whole_percent(share: float) -> str:
    """Return a share that must not be understated, in whole percent where that is precise enough.

    >>> whole_percent(0.342), whole_percent(0.9999), whole_percent(1.0012), whole_percent(0.00063)
    ('35 %', '100 %', '100.2 %', '0.063 %')
    """
    if 0.095 < share < 1:
        return f"{math.ceil(100 * share - 1e-9)} %"
    return percent_up(share, 2 if share < 1 else 4)


def _best_sentence(risk: EstimatorRisk) -> str:
    best, *runners_up = list(risk.safe_rival_shares.items())[:_MOST_IN_ANSWER]
    if best[1] > 1 - LEAST_GAIN:
        return f"With {vector_phrase(risk)}: nothing here takes 1 % off the release’s squared error."
    rivals = ", ".join(f"{_ESTIMATOR_PHRASES[key]} {whole_percent(share)}" for key, share in runners_up)
    shares = f"{_ESTIMATOR_PHRASES[best[0]]} leaves {whole_percent(best[1])} of the release’s squared error, {rivals}."
    return f"With {vector_phrase(risk)}: {shares}"


def _best_phrase(risk: EstimatorRisk) -> str:
    key, share = next(iter(risk.safe_rival_shares.items()))
    return f"{_ESTIMATOR_PHRASES[key]} leaves {whole_percent(share)}"


def _error_cut_text(risk: EstimatorRisk) -> str:
    shares = risk.safe_rival_shares
    worse = {_ESTIMATOR_PHRASES[key]: format_up(share, 3) for key, share in shares.items() if share > 1 + LEAST_GAIN}
    harms = "; ".join(f"{name}, {factor} times its squared error" for name, factor in worse.items())
    hurts = f"Worse than the release: {harms}." if worse else "None makes it worse by 1 % or more."
    cut = math.floor(100 * (1 - math.sqrt(min(*shares.values(), 1))) + 1e-9)
    return f"The best cuts the error (RMSE per number) by about {cut} % on average. {hurts}" if cut else hurts


def _advice_sentence(risk: EstimatorRisk) -> str:
    if next(iter(risk.safe_rival_shares.values())) > 1 - LEAST_GAIN:
        return "Keep the release, or take James–Stein: its expected sum of squared errors is never larger."
    return "“My counts” ranks them on your release, without the truth."


def share_percent(share: float) -> str:
    """Return a share in percent, never 100 % for less."""
    percent = format_nearest(100 * share, 3)
    return "just below 100 %" if percent == "100" and share < 1 else f"{percent} %"


def tunings(risk: EstimatorRisk) -> dict[str, str]:
    """Return the threshold or prior of each estimator."""
    universal = float(denoise.universal_threshold(1, risk.dimension))
    return dict.fromkeys(CURVE_KEYS, "–") | {
        "posterior_mean": f"w = {format_nearest(risk.norm, 3)} σ",
        "soft_universal": f"T = {format_nearest(universal, 3)} σ",
        "soft_sure": f"T ≈ {format_nearest(risk.sure.threshold, 3)} σ",
    }


def assumptions_text(risk: EstimatorRisk) -> str:
    """Return what each estimator assumes and when it hurts, with this setting's numbers."""
    return "\n".join(f"- **{ESTIMATORS[key].name}.** {assumption}" for key, assumption in _assumptions(risk).items())


def _assumptions(risk: EstimatorRisk) -> dict[str, str]:
    d, shares = risk.dimension, {key: share_percent(share) for key, share in risk.shares.items()}
    far, empty = _extreme_shares(d)
    dense, edge = format_nearest(1 + 2 * math.log(d), 3), format_nearest(math.sqrt(2 * risk.norm**2 + 1), 3)
    return {
        "soft_sure": f"It gains where some numbers are near 0: {shares['soft_sure']} is left here. Where none is "
        "near 0 nothing is gained, and with few numbers it hurts: where all are near 1.7 σ it has 1.3 times the "
        "release’s squared error at d = 3, 1.1 times at d = 10. Where hardly anything stands out, the fixed T wins.",
        "soft_universal": f"It gains where most numbers are 0: {shares['soft_universal']} is left here, {empty} if all "
        f"are 0. Where all stand out it has {dense} times the release’s squared error, 1 + 2 ln d.",
        "james_stein_plus": f"It needs d ≥ 3 and nothing else: {shares['james_stein_plus']} is left here, and on "
        f"average never more than the release has; but only {far} % is gained at ‖y‖ = 10 σ√d. That is the sum: a "
        "number that stands out is pulled in with the rest, and may itself become worse.",
        "non_negative": f"It needs y without negative numbers, as counts are: {shares['non_negative']} is left here. "
        "It takes off half of the squared error of a number that is 0, and nothing far above 0. A negative number in y "
        "makes it the worse the further it is below 0.",
        "posterior_mean": "It needs w, known before. The curve is an oracle’s, with the best w for this y, ‖y‖/√d: "
        f"{shares['posterior_mean']} is left here. James–Stein estimates that w. With w fixed at "
        f"{format_nearest(risk.norm, 3)} σ it is worse than the release where ‖y‖ is above {edge} σ√d.",
    }


@lru_cache(256)
def _extreme_shares(dimension: int) -> tuple[str, str]:
    """Return James–Stein's gain at ‖y‖ = 10 σ√d, and what the universal threshold leaves of zeros."""
    far = denoise.sparse_shares(dimension, dimension, 10)["james_stein_plus"]
    empty = denoise.sparse_shares(dimension, 0, 0)["soft_universal"]
    return format_nearest(100 - 100 * float(far), 2), share_percent(float(empty))


def table_place_text(result: DenoisingResult) -> str:
    """Return where the page's table stands on the map."""
    place = table_place(result.count, result.sigma)
    if result.counts is None or place is None:
        return "The map marks no table: there is none, all its counts are 0, or its noise is beyond all numbers."
    name, sigma = escape_markdown(result.counts.source.split(" (")[0]), format_up(result.sigma, 3)
    size, share = format_nearest(place[0], 3), format_nearest(100 * place[1], 3)
    return (
        f"**The table on the map** ({name}, d = {result.count.size:,}): at σ = {sigma} its counts have a root mean "
        f"square of {size} σ, and {share} % of them are not 0. They need not be of one size, so the map tells only "
        "roughly; “My counts” computes it for the table."
    )


def alternative_text(risk: EstimatorRisk) -> str:
    """Return the text alternative of the lead picture."""
    along = "the size of the numbers" if risk.along == "norm" else "the share of numbers that are not 0"
    shares = ", ".join(f"{SHORT_NAMES[key]} {format_nearest(100 * risk.shares[key], 3)} %" for key in CURVE_KEYS)
    leaves = f"The share of the release’s squared error that each leaves, against {along}."
    return f"{leaves} With {vector_phrase(risk)}: {shares}."


def map_alternative_text(risk: EstimatorRisk) -> str:
    """Return the text alternative of the map."""
    winner = risk.winners["winner"].to_numpy()
    shares = {key: format_nearest(100 * float(np.mean(winner == key)), 2) for key in np.unique(winner)}
    names = SHORT_NAMES | {"none": "nothing"}
    regions = ", ".join(f"{names[key]} on {share} %" for key, share in shares.items())
    what = f"Who leaves the least of the squared error over size and share not 0, for d = {risk.dimension:,}"
    return f"{what}: {regions} of the map."
