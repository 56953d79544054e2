"""The words on denoised counts: what is won back, by which estimator, and which one to use."""

import math

import numpy as np

from dpcore.denoise import ESTIMATORS, EXTRA_VARIANCE
from pages.denoising import estimator_colours
from pages.denoising.counts.figures import MOST_SHOWN
from pages.denoising.counts.results import MOST_FOR_TREND, Released
from pages.denoising.results import DenoisingResult
from pages.framework.parameters.number_format import (
    chart_text,
    escape_markdown,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
)
from pages.shared import mechanism_colours

MISSING = (
    "Your own table is missing: the link does not contain it.",
    "Upload or paste one below, or choose a table that ships with the page, or a trial series.",
)
MENDING = "Go on below, or choose a table that ships with the page, or a trial series."
TRIAL = "This is a trial and no release: its noise comes from a seed that stands in the link."
_UNTOLD = 0.99  # of the RMSE: where less is left, but not surely, that is said
AS_GOOD = 0.98  # of the error of a table of zeros: no better than that
ALIKE = 0.005  # a share of the RMSE below which two errors are about the same
WIDER = round(100 * (math.sqrt(1 + EXTRA_VARIANCE) - 1))  # percent more noise, at which the ranking judges
SAID = {
    "none": "the release as it is",
    "posterior_mean": "the posterior mean",
    "james_stein_plus": "James–Stein (positive part)",
    "soft_universal": "soft thresholding at σ√(2 ln d)",
    "soft_sure": "soft thresholding at SURE’s threshold",
    "non_negative": "setting negative numbers to 0",
    "with_total": "setting negatives to 0 with the total kept",
    "wavelet_universal": "wavelet thresholding at σ√(2 ln m)",
    "wavelet_sure": "wavelet thresholding at SURE’s thresholds",
    "laplacian": "Laplacian smoothing",
}


def answer_text(result: DenoisingResult) -> tuple[str, ...]:
    """Return what denoising wins back of these counts, what it costs, and what has changed since the pinned setting."""
    release = result.released
    if release is None:
        return (escape_markdown(result.problem), MENDING) if result.problem else MISSING
    sentences = drowned() if release.drowned else release_answer(release)
    return sentences if result.pinned is None else (*sentences, compared(release, result.pinned.released))


def release_answer(now: Released) -> tuple[str, str]:
    """What the best estimator wins back and one of another kind, then what it costs and what the ranking picks."""
    second = f"Denoising costs no privacy: it sees only the release. {picked(now)} {_mean(now)}{_nothing_left(now)}"
    if now.public_total and now.neighbours != "replace":
        second += " ⚠ The promise does not cover the public total."
    if share_cut(now, now.best) < 1:
        return (
            f"{_whose(now)} at σ = {format_up(now.sigma)}: nothing here surely cuts the error by even 1 % on average.",
            second,
        )
    other = rival(now)
    more = "" if other is None else f", {SAID[other]} {_said(now, other)}"
    verb = f"cuts the error by about {share_cut(now, now.best)} % on average"
    return f"{_whose(now)} at σ = {format_up(now.sigma)}: {SAID[now.best]} {verb}{more}.", second


def drowned() -> tuple[str, str]:
    """That there is nothing left to win back."""
    return (
        "This noise drowns every count: there is nothing to win back.",
        "σ is above 1e60 counts. Take a larger ε or δ.",
    )


def _nothing_left(now: Released) -> str:
    """That a table of zeros is as near, where it is."""
    if not _is_lost(now):
        return ""
    return f" A table of zeros has RMSE {format_nearest(now.blank)}: next to nothing of the counts is left."


def _is_lost(now: Released) -> bool:
    return now.blank > 0 and AS_GOOD * now.blank <= now.rmse(now.best)


def picked(now: Released) -> str:
    """What the ranking puts first on this release with what it cuts, and SURE where that is another."""
    by_sure = "" if now.first_by_sure == now.first else f"; SURE alone picks {SAID[now.first_by_sure]}"
    named = now.first in ("none", now.best, rival(now)) and share_cut(now, now.best) >= 1
    worth = "" if named or now.first == "none" else f" ({_said(now, now.first)})"
    return f"From this release the ranking picks {SAID[now.first]}{worth}{by_sure}."


def _mean(now: Released) -> str:
    return f"Error: root mean square per count (RMSE), over {now.n_repeats} releases."


def _whose(now: Released) -> str:
    if now.trial:
        return f"The {now.size} counts of {now.counts.source.split(' (')[0]}"
    if now.size == 1:
        return f"{'Your' if now.own else 'This'} one count"
    return f"{'Your' if now.own else 'These'} {now.size:,} counts"


def rival(now: Released) -> str | None:
    """The best of another kind than the best: what is drawn in another colour."""
    light = mechanism_colours.COLOURS["light"]
    others = [
        key for key in now.rivals if estimator_colours.shade(key, light) != estimator_colours.shade(now.best, light)
    ]
    return min(others, key=lambda key: now.shares[key]) if others else None


def share_cut(now: Released, key: str) -> int:
    """The whole percent of the error that an estimator takes off on average over releases; of one it may be less."""
    return math.floor(100 * now.cuts[key] + 1e-9)


def is_worse(now: Released, key: str) -> bool:
    """Whether an estimator makes the error larger."""
    return now.shares[key] > 1 + ALIKE


def _said(now: Released, key: str) -> str:
    if is_worse(now, key):
        return f"makes it larger, {_times(now, key)}"
    if share_cut(now, key) >= 1:
        return f"by about {share_cut(now, key)} %"
    return "by less than 1 %" if now.shares[key] > _UNTOLD else "by too little to tell"


def _times(now: Released, key: str) -> str:
    more = now.shares[key]
    return f"{format_nearest(more, 2)} ×" if more >= 2 else f"+{math.ceil(100 * (more - 1))} %"


def verdicts(now: Released) -> dict[str, str]:
    """What stands beside each bar."""
    return {key: _verdict(now, key) for key in now.rivals}


def _verdict(now: Released, key: str) -> str:
    if is_worse(now, key):
        return f"worse: {_times(now, key)}"
    if share_cut(now, key) >= 1:
        return f"≈ {share_cut(now, key)} % less"
    return "about as it is" if now.shares[key] > _UNTOLD else "hard to tell"


def place(result: DenoisingResult, now: Released) -> str:
    """The promise and what one person moves, in words."""
    asked = result.setting
    k = min(asked.per_person, now.size)
    each = "" if asked.per_cell == 1 else f" with up to {format_input_down(asked.per_cell)} in each"
    cells = "1 cell" if k == 1 else f"up to {format_input_down(k)} cells"
    replaced = ", one person replaced" if asked.neighbours == "replace" else ""
    return (
        f"ε = {format_input_up(asked.epsilon)}, δ = {format_input_up(asked.delta)}, a person in {cells}{each}{replaced}"
    )


def subtitle(result: DenoisingResult, now: Released) -> str:
    """The parameters of the pictures, on one line."""
    order = "a series" if now.series else "in no order"
    return f"{chart_text(now.counts.source.split(' (')[0])}, {order}; {place(result, now)}; seed {now.seed}"


def compared(now: Released, before: Released | None) -> str:
    """What has changed since a setting was pinned."""
    if before is None or before.drowned or now.drowned:
        return "Since the pinned setting: one of the two has nothing to denoise, → nothing to compare."
    then, by_now = (
        f"{format_nearest(each.rmse(each.best), 3)} (about {_at_best(each)} % less)" for each in (before, now)
    )
    return (
        f"Since the pinned setting: σ {format_up(before.sigma)} → {format_up(now.sigma)}; the best’s RMSE {then} →"
        f" {by_now}."
    )


def _at_best(now: Released) -> int:
    return max(0, share_cut(now, now.best))


def errors_alternative(now: Released) -> str:
    """What the picture of errors shows, for those who can't see it."""
    said = "; ".join(f"{ESTIMATORS[key].name}: {verdict}" for key, verdict in verdicts(now).items())
    return f"Mean RMSE over {now.n_repeats} releases against the release’s own, {format_up(now.sigma)} counts. {said}."


def values_subtitle(result: DenoisingResult, now: Released) -> str:
    """The parameters of the picture of counts."""
    cut = f" The {MOST_SHOWN} largest of {now.size:,} cells." if not now.series and now.size > MOST_SHOWN else ""
    return f"{_instead(now)}{errors_said(now)} {subtitle(result, now)}.{cut}"


def _instead(now: Released) -> str:
    """Why the chosen estimator is not drawn."""
    if now.applies:
        return ""
    short = f"needs a series of at most {MOST_FOR_TREND:,} counts"
    why = short if now.estimator == "trend_filtering" else "does not apply to these counts"
    return f"{ESTIMATORS[now.estimator].name} {why}: the ranking’s first is drawn. "


def errors_said(now: Released) -> str:
    """The true errors of this release."""
    before, after = now.error(now.noisy), now.error(now.denoised)
    gone = int(np.sum((now.denoised == 0) & (now.count > 0)))
    lost = (
        f" It sets {gone:,} {'count' if gone == 1 else 'counts'} to 0 that {'is' if gone == 1 else 'are'} not."
        if gone
        else ""
    )
    return f"RMSE of this release: {format_nearest(before)} → {format_nearest(after)} counts.{lost}"


def values_alternative(now: Released) -> str:
    """What the picture of counts shows, for those who can't see it."""
    counts = "One true count" if now.size == 1 else f"{now.size:,} true counts"
    return f"{counts} with one release and what {ESTIMATORS[now.drawn].name} makes of it. {errors_said(now)}"
