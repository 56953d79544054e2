"""The sentences on where each estimator is best: which leaves the least error, and which increases it."""

import math

import numpy as np

from dpcore import denoise
from dpcore.denoise import ESTIMATORS
from pages.denoising.comparison import ESTIMATOR_PHRASES
from pages.denoising.estimator_risk.results import CURVE_KEYS, LEAST_GAIN, EstimatorRisk, table_place
from pages.denoising.results import DenoisingResult
from pages.framework.parameters.number_format import (
    capitalized,
    escape_markdown,
    format_nearest,
    format_up,
    percent_up,
    pin_sentence,
)

SHORT_NAMES = {
    "none": "as released",
    "posterior_mean": "posterior mean (oracle)",
    "james_stein": "James–Stein",
    "james_stein_plus": "James–Stein, positive part",
    "soft_universal": "soft, T = σ√(2 ln d)",
    "soft_sure": "soft, T by SURE",
    "non_negative": "clipping at 0",
}


def answer_text(result: DenoisingResult) -> tuple[str, ...]:
    """Return which estimator leaves the least squared error, what that means, and what has changed."""
    risk, pinned = result.risk, result.pinned and result.pinned.risk
    best = f"{capitalized(_best_phrase(risk))} of the squared error ({vector_phrase(risk)})."
    if next(iter(risk.safe_rival_shares.values())) > 1 - LEAST_GAIN:
        best = f"No estimator here removes 1 % of the release’s squared error ({vector_phrase(risk)})."
    if pinned is None:
        return best, _meaning_sentence(risk)
    changes = f"{_best_phrase(pinned)} → {_best_phrase(risk)}"
    return best, _meaning_sentence(risk), pin_sentence(changes, vector_phrase(pinned))


def vector_phrase(risk: EstimatorRisk) -> str:
    """Return the vector of the setting in words."""
    if not risk.n_nonzero:
        return f"all {risk.dimension:,} numbers 0"
    size = format_nearest(risk.nonzero_size, 3)
    if risk.n_nonzero == risk.dimension:
        return f"all {risk.dimension:,} numbers at {size} σ"
    return f"{risk.n_nonzero:,} of {risk.dimension:,} numbers at {size} σ"


def subtitle(risk: EstimatorRisk) -> str:
    """Return what the curves have in common."""
    vector = f"d = {risk.dimension:,}, ‖y‖ = {format_nearest(risk.norm, 3)} σ√d"
    if risk.along == "norm":
        vector = f"{risk.n_nonzero_of_curve:,} of {risk.dimension:,} numbers are equal, the others 0"
    return f"{vector}; dotted: bound of T = σ√(2 ln d), dashed blue: plain James–Stein"


def whole_percent(share: float) -> str:
    """Return a share that must not be understated, in whole percent where that is precise enough.

    >>> whole_percent(0.342), whole_percent(0.9999), whole_percent(1.0012), whole_percent(0.00063)
    ('35 %', '100 %', '100.2 %', '0.063 %')
    """
    if 0.095 < share < 1:
        return f"{math.ceil(100 * share - 1e-9)} %"
    return percent_up(share, 2 if share < 1 else 4)


def _best_phrase(risk: EstimatorRisk) -> str:
    key, share = next(iter(risk.safe_rival_shares.items()))
    return f"{ESTIMATOR_PHRASES[key]} leaves about {whole_percent(share)}"


def _meaning_sentence(risk: EstimatorRisk) -> str:
    """Return what the least squared error means for the RMSE, and whether an estimator does harm."""
    (_, least), *_, (worst, most) = risk.safe_rival_shares.items()
    if least > 1 - LEAST_GAIN:
        return "Keep the release, or use James–Stein: its expected sum of squared errors is never larger."
    cut = math.floor(100 * (1 - math.sqrt(least)) + 1e-9)
    start = f"The RMSE per number falls by about {cut} %" if cut else "The RMSE per number falls by less than 1 %"
    if most <= 1 + LEAST_GAIN:
        return f"{start}; no estimator here increases the squared error by 1 % or more."
    return (
        f"{start}; the worst, {ESTIMATOR_PHRASES[worst]}, has {format_up(most, 3)} times the release’s squared error."
    )


def comparison_text(risk: EstimatorRisk) -> str:
    """Return what every estimator leaves at the setting, and where to rank them on real counts."""
    shares = (f"{ESTIMATOR_PHRASES[key]} {whole_percent(share)}" for key, share in risk.safe_rival_shares.items())
    return (
        f"**Squared error left** ({vector_phrase(risk)}; the release has 100 %): {', '.join(shares)}. “My counts”"
        " ranks the estimators on your release, without the true counts."
    )


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
    """Return what each estimator assumes and when it does harm, with this setting's numbers."""
    return "\n".join(f"- **{ESTIMATORS[key].name}.** {assumption}" for key, assumption in _assumptions(risk).items())


def _assumptions(risk: EstimatorRisk) -> dict[str, str]:
    d, shares = risk.dimension, {key: share_percent(share) for key, share in risk.shares.items()}
    far = format_nearest(100 - 100 * float(denoise.sparse_shares(d, d, 10)["james_stein_plus"]), 2)  # ‖y‖ = 10 σ√d
    empty = share_percent(float(denoise.sparse_shares(d, 0, 0)["soft_universal"]))
    dense, edge = format_nearest(1 + 2 * math.log(d), 3), format_nearest(math.sqrt(2 * risk.norm**2 + 1), 3)
    return {
        "soft_sure": "It subtracts a threshold T from the size of each number; T has the least SURE, Stein’s unbiased "
        f"estimate of the squared error. It helps where some numbers are near 0: {shares['soft_sure']} is left here. "
        "Where none is near 0 nothing is gained, and with few numbers it does harm: where all are near 1.7 σ it has "
        "1.3 times the release’s squared error at d = 3, 1.1 times at d = 10. With very few large numbers the fixed T "
        "is better.",
        "soft_universal": f"It helps where most numbers are 0: {shares['soft_universal']} is left here, {empty} if all "
        f"are 0. Where all numbers are large it has {dense} times the release’s squared error, 1 + 2 ln d.",
        "james_stein_plus": "It shrinks all numbers towards 0 by one factor, which it estimates from the release. It "
        f"needs d ≥ 3 and nothing else: {shares['james_stein_plus']} is left here, and on average never more than the "
        f"release has; at ‖y‖ = 10 σ√d it removes only {far} %. This holds for the sum: a single large number is "
        "shrunk with the others, and its own error may increase.",
        "non_negative": f"It needs y without negative numbers, such as counts: {shares['non_negative']} is left here. "
        "It removes half of the squared error of a number that is 0, and nothing far above 0. It does more harm "
        "the further a true number is below 0.",
        "posterior_mean": "It needs w, known in advance. The curve is an oracle’s, with the best w for this y, ‖y‖/√d: "
        f"{shares['posterior_mean']} is left here. James–Stein estimates that w. With w fixed at "
        f"{format_nearest(risk.norm, 3)} σ it is worse than the release where ‖y‖ is above {edge} σ√d.",
    }


def table_place_text(result: DenoisingResult) -> str:
    """Return where the page's table stands on the map."""
    place = table_place(result.count, result.sigma)
    if result.counts is None or place is None:
        return "The map marks no table: there is none, all its counts are 0, or its noise is too large for a number."
    name, sigma = escape_markdown(result.counts.source.split(" (")[0]), format_up(result.sigma, 3)
    size, share = format_nearest(place[0], 3), format_nearest(100 * place[1], 3)
    return (
        f"**The table on the map** ({name}, d = {result.count.size:,}): at σ = {sigma} its counts have a root mean "
        f"square of {size} σ, and {share} % of them are not 0. Its counts differ in size, so the map is only a rough "
        "guide; “My counts” computes the errors for the table."
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
    subject = f"The estimator with the least squared error over size and share not 0, for d = {risk.dimension:,}"
    return f"{subject}: {regions} of the map."
