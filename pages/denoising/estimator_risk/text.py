"""The words on where each estimator wins: who leaves the least of the error at the setting, and who makes it worse."""

import math
from functools import lru_cache

import numpy as np

from dpcore import denoise
from dpcore.denoise import ESTIMATORS
from pages.denoising.estimator_risk.results import DRAWN, GAIN, Where, place_of_table
from pages.denoising.results import DenoisingResult
from pages.framework.parameters.number_format import escape_markdown, format_nearest, format_up, percent_up, table_html

SHORT = {
    "none": "as released",
    "posterior_mean": "posterior mean (oracle)",
    "james_stein": "James–Stein",
    "james_stein_plus": "James–Stein, positive part",
    "soft_universal": "soft, T = σ√(2 ln d)",
    "soft_sure": "soft, T by SURE",
    "non_negative": "no negative numbers",
}
_SAID = {
    "james_stein_plus": "James–Stein’s positive part",
    "soft_universal": "soft thresholding at σ√(2 ln d)",
    "soft_sure": "soft thresholding by SURE",
    "non_negative": "clipping negatives",
}
_MOST_NAMED = 3  # estimators in the answer


def answer_text(result: DenoisingResult) -> tuple[str, ...]:
    """Return which estimator leaves the least of the squared error, what that means, and what the pin had."""
    asked, before = result.risk, result.pinned and result.pinned.risk
    if before is None:
        return _first(asked), f"{_meaning(asked)} {_advice(asked)}"
    return _first(asked), _meaning(asked), f"Since the pinned setting: {_best(before)} → {_best(asked)}."


def vector(asked: Where) -> str:
    """The numbers that are asked for."""
    if not asked.filled:
        return f"all {asked.dimension:,} numbers 0"
    size = format_nearest(asked.size, 3)
    if asked.filled == asked.dimension:
        return f"all {asked.dimension:,} numbers at {size} σ"
    return f"{asked.filled:,} of {asked.dimension:,} numbers at {size} σ and the others 0"


def subtitle(asked: Where) -> str:
    """What the curves have in common."""
    said = f"d = {asked.dimension:,}, ‖y‖ = {format_nearest(asked.norm, 3)} σ√d"
    if asked.against == "norm":
        said = f"{asked.drawn:,} of {asked.dimension:,} numbers not 0, of one size"
    return f"{said}; dotted: bound of T = σ√(2 ln d), dashed blue: plain James–Stein"


def whole_percent(share: float) -> str:
    """A share that must not be understated, in whole percent where that says enough.

    >>> whole_percent(0.342), whole_percent(0.9999), whole_percent(1.0012), whole_percent(0.00063)
    ('35 %', '100 %', '100.2 %', '0.063 %')
    """
    if 0.095 < share < 1:
        return f"{math.ceil(100 * share - 1e-9)} %"
    return percent_up(share, 2 if share < 1 else 4)


def _first(asked: Where) -> str:
    best, *others = list(asked.claimed.items())[:_MOST_NAMED]
    if best[1] > 1 - GAIN:
        return f"With {vector(asked)}: nothing here takes 1 % off the release’s squared error."
    rest = ", ".join(f"{_SAID[key]} {whole_percent(share)}" for key, share in others)
    said = f"{_SAID[best[0]]} leaves {whole_percent(best[1])} of the release’s squared error, {rest}."
    return f"With {vector(asked)}: {said}"


def _best(asked: Where) -> str:
    key, share = next(iter(asked.claimed.items()))
    return f"{_SAID[key]} leaves {whole_percent(share)}"


def _meaning(asked: Where) -> str:
    share = next(iter(asked.claimed.values()))
    worse = [
        f"{_SAID[key]}, {format_up(value, 3)} times its squared error"
        for key, value in asked.claimed.items()
        if value > 1 + GAIN
    ]
    hurts = f"Worse than the release: {'; '.join(worse)}." if worse else "None makes it worse by 1 % or more."
    cut = math.floor(100 * (1 - math.sqrt(min(share, 1))) + 1e-9)
    return f"The best cuts the error (RMSE per number) by about {cut} % on average. {hurts}" if cut else hurts


def _advice(asked: Where) -> str:
    if next(iter(asked.claimed.values())) > 1 - GAIN:
        return "Keep the release, or take James–Stein: its expected sum of squared errors is never larger."
    return "“My counts” ranks them on your release, without the truth."


def table(asked: Where) -> str:
    """Every estimator at the setting, as HTML."""
    heads = ["Estimator", "Squared error left", "RMSE left", "Tuning"]
    rows = [
        [SHORT[key], _left(asked, key), f"{format_nearest(100 * math.sqrt(asked.shares[key]), 3)} %", tuned]
        for key, tuned in tuning(asked).items()
    ]
    return table_html("What each estimator leaves of the error", "cells", heads, rows)


def _left(asked: Where, key: str) -> str:
    error = format_nearest(100 * asked.sure.standard_error, 2)
    return (
        f"{format_nearest(100 * asked.shares[key], 3)} ± {error} %" if key == "soft_sure" else _shown(asked.shares[key])
    )


def _shown(share: float) -> str:
    """A share in percent, never 100 % for what is below it."""
    percent = format_nearest(100 * share, 3)
    return "just below 100 %" if percent == "100" and share < 1 else f"{percent} %"


def tuning(asked: Where) -> dict[str, str]:
    """The threshold or prior of each estimator."""
    universal = float(denoise.universal_threshold(1, asked.dimension))
    return dict.fromkeys(DRAWN, "–") | {
        "posterior_mean": f"w = {format_nearest(asked.norm, 3)} σ",
        "soft_universal": f"T = {format_nearest(universal, 3)} σ",
        "soft_sure": f"T ≈ {format_nearest(asked.sure.threshold, 3)} σ",
    }


def lines(asked: Where) -> str:
    """What each takes for granted, and when it hurts, with this setting's numbers."""
    return "\n".join(f"- **{ESTIMATORS[key].name}.** {said}" for key, said in _lines(asked).items())


def _lines(asked: Where) -> dict[str, str]:
    d, here = asked.dimension, {key: _shown(share) for key, share in asked.shares.items()}
    far, empty = _far_and_empty(d)
    dense, edge = format_nearest(1 + 2 * math.log(d), 3), format_nearest(math.sqrt(2 * asked.norm**2 + 1), 3)
    return {
        "soft_sure": f"It gains where some numbers are near 0: {here['soft_sure']} is left here. Where none is "
        "near 0 nothing is gained, and with few numbers it hurts: where all are near 1.7 σ it has 1.3 times the "
        "release’s squared error at d = 3, 1.1 times at d = 10. Where hardly anything stands out, the fixed T wins.",
        "soft_universal": f"It gains where most numbers are 0: {here['soft_universal']} is left here, {empty} if all "
        f"are 0. Where all stand out it has {dense} times the release’s squared error, 1 + 2 ln d.",
        "james_stein_plus": f"It needs d ≥ 3 and nothing else: {here['james_stein_plus']} is left here, and on "
        f"average never more than the release has; but only {far} % is gained at ‖y‖ = 10 σ√d. That is the sum: a "
        "number that stands out is pulled in with the rest, and may itself become worse.",
        "non_negative": f"It needs y without negative numbers, as counts are: {here['non_negative']} is left here. It "
        "takes off half of the squared error of a number that is 0, and nothing far above 0. A negative number in y "
        "makes it the worse the further it is below 0.",
        "posterior_mean": "It needs w, known before. The curve is an oracle’s, with the best w for this y, ‖y‖/√d: "
        f"{here['posterior_mean']} is left here. James–Stein estimates that w. With w fixed at "
        f"{format_nearest(asked.norm, 3)} σ it is worse than the release where ‖y‖ is above {edge} σ√d.",
    }


@lru_cache(256)
def _far_and_empty(dimension: int) -> tuple[str, str]:
    """What James–Stein gains at ‖y‖ = 10 σ√d, and what the universal threshold leaves if all numbers are 0."""
    far = denoise.sparse_shares(dimension, dimension, 10)["james_stein_plus"]
    empty = denoise.sparse_shares(dimension, 0, 0)["soft_universal"]
    return format_nearest(100 - 100 * float(far), 2), _shown(float(empty))


def where_of_table(result: DenoisingResult) -> str:
    """Where the page's table stands on the map."""
    place = place_of_table(result.count, result.sigma)
    if result.counts is None or place is None:
        return "The map marks no table: there is none, all its counts are 0, or its noise is beyond all numbers."
    name = escape_markdown(result.counts.source.split(" (")[0])
    said = (
        f"a root mean square of {format_nearest(place[0], 3)} σ, and {format_nearest(100 * place[1], 3)} % of them are"
        " not 0"
    )
    return (
        f"**The table on the map** ({name}, d = {result.count.size:,}): at σ = {format_up(result.sigma, 3)} its counts"
        f" have {said}. They need not be of one size, so the map tells only roughly; “My counts” computes it for the"
        " table."
    )


def alternative(asked: Where) -> str:
    """What the lead picture shows."""
    along = "the size of the numbers" if asked.against == "norm" else "the share of numbers that are not 0"
    said = ", ".join(f"{SHORT[key]} {format_nearest(100 * asked.shares[key], 3)} %" for key in DRAWN)
    return f"The share of the release’s squared error that each leaves, against {along}. With {vector(asked)}: {said}."


def map_alternative(asked: Where) -> str:
    """What the map shows."""
    winner = asked.winners["winner"].to_numpy()
    shares = {key: format_nearest(100 * float(np.mean(winner == key)), 2) for key in np.unique(winner)}
    said = ", ".join(f"{'nothing' if key == 'none' else SHORT[key]} on {share} %" for key, share in shares.items())
    what = f"Who leaves the least of the squared error over size and share not 0, for d = {asked.dimension:,}"
    return f"{what}: {said} of the map."
