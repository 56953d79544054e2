"""The words on denoised counts: what is won back, by which estimator, and which one to use."""

import math
from html import escape

import numpy as np

from dpcore.denoise import ESTIMATORS, EXTRA_VARIANCE
from pages.denoising import shades
from pages.denoising.counts_figures import MOST_SHOWN
from pages.denoising.counts_release import MOST_FOR_TREND, MOST_RANKED_COUNTS, Released
from pages.denoising.found import Found
from pages.shared import text, theme
from pages.shared.text import given_down, given_up, nearest, up

MISSING = (
    "There is no table of yours to denoise.",
    "Upload or paste one below, or choose a table that ships with the page, or a trial series.",
)
MENDING = "Go on below, or choose a table that ships with the page, or a trial series."
TRIAL = "This is a trial and no release: its noise comes from a seed that stands in the link."
ALIKE = 0.005  # a share of the RMSE below which two errors are about the same
WIDER = round(100 * (math.sqrt(1 + EXTRA_VARIANCE) - 1))  # percent more noise, at which the ranking judges
_SAID = {
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
_TUNING = {
    "posterior_mean": "w = {}",
    "james_stein": "× {}",
    "james_stein_plus": "× {}",
    "soft_universal": "T = {}",
    "soft_sure": "T = {}",
    "wavelet_universal": "T = {}",
    "laplacian": "λ = {}",
}


_TAKES = {
    "none": "nothing",
    "posterior_mean": "w is known; hurts far above w",
    "james_stein": "3 or more; may turn signs around",
    "james_stein_plus": "3 or more; never hurts on average",
    "soft_universal": "most are near 0; else it hurts",
    "soft_sure": "some are near 0; else little gain",
    "non_negative": "none below 0; never hurts, lifts sums",
    "with_total": "none below 0; else it hurts",
    "wavelet_universal": "neighbours alike; else it hurts",
    "wavelet_sure": "neighbours alike; else little gain",
    "laplacian": "neighbours alike; smears peaks",
}


def answer(now: Released) -> tuple[str, str]:
    """What the best estimator wins back and one of another kind, then what it costs and what the ranking picks."""
    second = f"Denoising costs no privacy: it sees only the release. {picked(now)} {_mean(now)}"
    if now.public_total and now.neighbours != "replace":
        second += " ⚠ The promise does not cover the public total."
    if share_cut(now, now.best) < 1:
        return f"{_whose(now)} at σ = {up(now.sigma)}: nothing here cuts the error by even 1 %.", second
    other = rival(now)
    more = "" if other is None else f", {_SAID[other]} {_said(now, other)}"
    verb = f"cuts the error by {share_cut(now, now.best)} %"
    return f"{_whose(now)} at σ = {up(now.sigma)}: {_SAID[now.best]} {verb}{more}.", second


def drowned() -> tuple[str, str]:
    """That there is nothing left to win back."""
    return (
        "This noise drowns every count: there is nothing to win back.",
        "σ is above 1e60 counts. Take a larger ε or δ.",
    )


def picked(now: Released) -> str:
    """What the ranking puts first on this release, and SURE where that is another."""
    by_sure = "" if now.first_by_sure == now.first else f" (SURE alone: {_SAID[now.first_by_sure]})"
    return f"From this release the ranking picks {_SAID[now.first]}{by_sure}."


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
    light = theme.COLOURS["light"]
    others = [key for key in now.rivals if shades.shade(key, light) != shades.shade(now.best, light)]
    return min(others, key=lambda key: now.shares[key]) if others else None


def share_cut(now: Released, key: str) -> int:
    """The whole percent of the error that an estimator takes off, never too many."""
    return math.floor(100 * now.cuts[key] + 1e-9)


def is_worse(now: Released, key: str) -> bool:
    """Whether an estimator makes the error larger."""
    return now.shares[key] > 1 + ALIKE


def _said(now: Released, key: str) -> str:
    if is_worse(now, key):
        return f"makes it larger, {_times(now, key)}"
    return f"by {share_cut(now, key)} %" if share_cut(now, key) >= 1 else "by less than 1 %"


def _times(now: Released, key: str) -> str:
    more = now.shares[key]
    return f"{nearest(more, 2)} ×" if more >= 2 else f"+{math.ceil(100 * (more - 1))} %"


def verdicts(now: Released) -> dict[str, str]:
    """What stands beside each bar."""
    return {key: _verdict(now, key) for key in now.rivals}


def _verdict(now: Released, key: str) -> str:
    if is_worse(now, key):
        return f"worse: {_times(now, key)}"
    return f"{share_cut(now, key)} % less" if share_cut(now, key) >= 1 else "about as it is"


def place(found: Found, now: Released) -> str:
    """The promise and what one person moves, in words."""
    asked = found.setting
    k = min(asked.per_person, now.size)
    each = "" if asked.per_cell == 1 else f" with up to {given_down(asked.per_cell)} in each"
    cells = "1 cell" if k == 1 else f"up to {given_down(k)} cells"
    replaced = ", one person replaced" if asked.neighbours == "replace" else ""
    return f"ε = {given_up(asked.epsilon)}, δ = {given_up(asked.delta)}, a person in {cells}{each}{replaced}"


def subtitle(found: Found, now: Released) -> str:
    """The parameters of the pictures, on one line."""
    order = "a series" if now.series else "in no order"
    return f"{escape(now.counts.source.split(' (')[0])}, {order}; {place(found, now)}; seed {now.seed}"


def compared(now: Released, before: Released | None) -> str:
    """What has changed since a setting was pinned."""
    if before is None or before.drowned or now.drowned:
        return "Since the pinned setting: one of the two has nothing to denoise, → nothing to compare."
    then, by_now = (max(0, share_cut(each, each.best)) for each in (before, now))
    return f"Since the pinned setting: σ {up(before.sigma)} → {up(now.sigma)}; at best {then} % less → {by_now} % less."


def errors_alternative(now: Released) -> str:
    """What the picture of errors shows, for those who can't see it."""
    said = "; ".join(f"{ESTIMATORS[key].name}: {verdict}" for key, verdict in verdicts(now).items())
    return f"Mean RMSE over {now.n_repeats} releases against the release’s own, {up(now.sigma)} counts. {said}."


def which(now: Released) -> tuple[str, str]:
    """Which estimator to use and how good that advice is; and what else there is to know. Both in Markdown."""
    use = (
        f"**Which one should I use?** What the ranking puts first: here {_SAID[now.first]}. The ranking is made of the "
        "release and σ alone, so it works on a real release, without the true counts and without any privacy budget: "
        "it splits the release into two of independent noise, denoises one, and judges the result by the other "
        f"(coupled bootstrap, {2 * now.n_pairs} draws, at {WIDER} % more noise than σ)."
    )
    bars = (
        "**Don’t choose by the bars.** They are made of the true counts: a choice by them, like every true error here, "
        f"tells about people beyond what ε and δ promise. {TRIAL}"
    )
    return _together(total_taken(now), use, _flattery(now)), _together(_tried(now), _trend(now), bars)


def _together(*paragraphs: str) -> str:
    return "\n\n".join(each for each in paragraphs if each)


def _flattery(now: Released) -> str:
    flattered = [_SAID[key] for key in now.rivals if ESTIMATORS[key].tuned]
    return (
        "**SURE flatters.** Stein’s estimate is right on average for what is fixed beforehand. Where it chose the "
        f"tuning on the same release ({_listed(flattered)}), and in the least of several, it is too low. The ranking "
        "mends the first, not the second."
    )


def _trend(now: Released) -> str:
    if not now.series or now.size > MOST_FOR_TREND:
        return ""
    return (
        "**Graph trend filtering** is too slow to be ranked here; draw it below. Where a series stays the same over "
        "stretches it is often better than all of these."
    )


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _tried(now: Released) -> str:
    """How often the ranking is right on these counts, and what following it costs."""
    found = now.ranked
    if found is None or found.by_coupled is None:
        return (
            f"Of more than {MOST_RANKED_COUNTS:,} counts the ranking is not tried again and again here; over so many, "
            "what it is made of varies little from release to release."
        )
    ours, sure, own, n = found.by_coupled, found.by_sure, found.release_error, found.n_repeats
    promised = "an error below 0" if sure.promised < 0 else _part(sure.promised, own)
    hurt = " **So here following it makes the error larger.**" if ours.error > own * (1 + ALIKE) else ""
    return (
        f"**How good is that?** Tried on {n} releases of these counts: what the ranking put first was truly the best "
        f"in {_of(ours.right, n)} and better than the release itself in {_of(ours.better, n)}. Its RMSE was "
        f"{_part(ours.error, own)} of the release’s; the truly best of each release, which nobody can choose without "
        f"the true counts, had {_part(found.least, own)}.{hurt} SURE’s first was truly the best in "
        f"{_of(sure.right, n)}: RMSE {_part(sure.error, own)} of the release’s, where SURE had promised {promised}."
    )


def _of(share: float, total: int) -> str:
    part = round(share * total)
    return f"all {total}" if part == total else str(part) if part else "none"


def _part(error: float, own: float) -> str:
    return _percent(math.sqrt(error / own))


def _percent(share: float) -> str:
    return text.percent(share, 2 if share < 1 else 3)


def total_taken(now: Released) -> str:
    """What a public total takes for granted, and whether the promise covers it; in Markdown, empty without one."""
    if not now.public_total:
        return ""
    said = f"**The total of {nearest(now.total or 0.0, 17)} is taken as public**, as if everybody knew it already."
    if now.neighbours == "replace":
        return f"{said} The promise covers that where every person adds as much to the counts as every other."
    return (
        f"⚠ {said} The promise does not cover that: with one person added or removed the total is another, so what you "
        "publish would tell it. Keep the release’s own total, or choose to replace one person."
    )


def values_subtitle(found: Found, now: Released) -> str:
    """The parameters of the picture of counts."""
    cut = f" The {MOST_SHOWN} largest of {now.size:,} cells." if not now.series and now.size > MOST_SHOWN else ""
    return f"{_instead(now)}{errors_said(now)} {subtitle(found, now)}.{cut}"


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
    return f"RMSE of this release: {nearest(before)} → {nearest(after)} counts.{lost}"


def values_alternative(now: Released) -> str:
    """What the picture of counts shows, for those who can't see it."""
    counts = "One true count" if now.size == 1 else f"{now.size:,} true counts"
    return f"{counts} with one release and what {ESTIMATORS[now.drawn].name} makes of it. {errors_said(now)}"


def table(now: Released) -> str:
    """The RMSE of every estimator, expected and true, as HTML."""
    heads = [
        "Estimator",
        "Rank",
        "Tuning",
        f"By the ranking, <span>at +{WIDER} % noise</span>",
        "By SURE",
        "True, <span>this release</span>",
        f"Mean, <span>{now.n_repeats} releases</span>",
        "Takes for granted; when it hurts",
    ]
    return text.table_html("RMSE of every estimator", "verdicts cells", heads, [_row(now, key) for key in now.listed])


def _row(now: Released, key: str) -> list[str]:
    outcome, words = now.outcomes[key], ESTIMATORS[key]
    rank = str(now.ranking.index(key) + 1) if key in now.ranking else "–"
    tuning = _TUNING[key].format(nearest(outcome.tuning)) if key in _TUNING else "–"
    flattered = ", flattered" if words.tuned else ""
    numbers = [_rmse(now.risk.get(key, math.nan), key in now.risk), f"{_rmse(outcome.by_sure)}{flattered}"]
    numbers += [_rmse(outcome.true), _rmse(now.rmse(key))]
    takes = "the total is true; else it hurts" if key == "with_total" and now.public_total else _TAKES[key]
    return [
        words.name,
        rank,
        "–" if math.isnan(outcome.tuning) else tuning,
        *numbers,
        takes,
    ]


def _rmse(value: float, asked: bool = True) -> str:
    if not asked:
        return "–"
    return "below 0" if math.isnan(value) else nearest(value)
