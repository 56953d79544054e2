"""The words on denoised counts: what is won back, by which estimator, and which one to use."""

import math

import numpy as np

from dpcore.denoise import ESTIMATORS, EXTRA_VARIANCE
from pages.denoising import estimator_colours
from pages.denoising.counts.figures import MOST_CELLS
from pages.denoising.counts.results import MOST_TREND_COUNTS, CountsRelease
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
REMEDY = "Go on below, or choose a table that ships with the page, or a trial series."
TRIAL_WARNING = "This is a trial and no release: its noise comes from a seed that stands in the link."
_UNCERTAIN_SHARE = 0.99  # of the RMSE: where less is left, but not surely, that is said
ZEROS_FACTOR = 0.98  # of the error of a table of zeros: no better than that
EQUAL_SHARE = 0.005  # a share of the RMSE below which two errors are about the same
EXTRA_NOISE_PERCENT = round(
    100 * (math.sqrt(1 + EXTRA_VARIANCE) - 1)
)  # percent more noise, at which the ranking judges
ESTIMATOR_PHRASES = {
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
    release = result.release
    if release is None:
        return (escape_markdown(result.problem), REMEDY) if result.problem else MISSING
    sentences = drowned_text() if release.is_drowned else release_answer_text(release)
    return sentences if result.pinned is None else (*sentences, comparison_text(release, result.pinned.release))


def release_answer_text(release: CountsRelease) -> tuple[str, str]:
    """What the best estimator wins back and one of another kind, then what it costs and what the ranking picks."""
    second = (
        f"Denoising costs no privacy: it sees only the release. {ranking_sentence(release)}"
        f" {_error_sentence(release)}{_zeros_sentence(release)}"
    )
    if release.public_total and release.neighbours != "replace":
        second += " ⚠ The promise does not cover the public total."
    if percent_cut(release, release.best_on_average) < 1:
        return (
            (
                f"{_counts_phrase(release)} at σ = {format_up(release.sigma)}: nothing here surely cuts the error by"
                " even 1 % on average."
            ),
            second,
        )
    other = best_of_another_kind(release)
    more = "" if other is None else f", {ESTIMATOR_PHRASES[other]} {_cut_phrase(release, other)}"
    verb = f"cuts the error by about {percent_cut(release, release.best_on_average)} % on average"
    return (
        (
            f"{_counts_phrase(release)} at σ = {format_up(release.sigma)}: {ESTIMATOR_PHRASES[release.best_on_average]}"
            f" {verb}{more}."
        ),
        second,
    )


def drowned_text() -> tuple[str, str]:
    """That there is nothing left to win back."""
    return (
        "This noise drowns every count: there is nothing to win back.",
        "σ is above 1e60 counts. Take a larger ε or δ.",
    )


def _zeros_sentence(release: CountsRelease) -> str:
    """That a table of zeros is as near, where it is."""
    if not _is_as_good_as_zeros(release):
        return ""
    return f" A table of zeros has RMSE {format_nearest(release.zeros_rmse)}: next to nothing of the counts is left."


def _is_as_good_as_zeros(release: CountsRelease) -> bool:
    return release.zeros_rmse > 0 and ZEROS_FACTOR * release.zeros_rmse <= release.mean_rmse(release.best_on_average)


def ranking_sentence(release: CountsRelease) -> str:
    """What the ranking puts first on this release with what it cuts, and SURE where that is another."""
    by_sure = (
        ""
        if release.first_by_sure == release.first_in_ranking
        else f"; SURE alone picks {ESTIMATOR_PHRASES[release.first_by_sure]}"
    )
    is_in_answer = (
        release.first_in_ranking in ("none", release.best_on_average, best_of_another_kind(release))
        and percent_cut(release, release.best_on_average) >= 1
    )
    worth = (
        ""
        if is_in_answer or release.first_in_ranking == "none"
        else f" ({_cut_phrase(release, release.first_in_ranking)})"
    )
    return f"From this release the ranking picks {ESTIMATOR_PHRASES[release.first_in_ranking]}{worth}{by_sure}."


def _error_sentence(release: CountsRelease) -> str:
    return f"Error: root mean square per count (RMSE), over {release.n_repeats} releases."


def _counts_phrase(release: CountsRelease) -> str:
    if release.is_trial:
        return f"The {release.size} counts of {release.counts.source.split(' (')[0]}"
    if release.size == 1:
        return f"{'Your' if release.table_is_own else 'This'} one count"
    return f"{'Your' if release.table_is_own else 'These'} {release.size:,} counts"


def best_of_another_kind(release: CountsRelease) -> str | None:
    """The best of another kind than the best: what is drawn in another colour."""
    light = mechanism_colours.COLOURS["light"]
    keys = [
        key
        for key in release.rivals
        if estimator_colours.estimator_colour(key, light)
        != estimator_colours.estimator_colour(release.best_on_average, light)
    ]
    return min(keys, key=lambda key: release.rmse_shares[key]) if keys else None


def percent_cut(release: CountsRelease, key: str) -> int:
    """The whole percent of the error that an estimator takes off on average over releases; of one it may be less."""
    return math.floor(100 * release.rmse_cuts[key] + 1e-9)


def is_worse(release: CountsRelease, key: str) -> bool:
    """Whether an estimator makes the error larger."""
    return release.rmse_shares[key] > 1 + EQUAL_SHARE


def _cut_phrase(release: CountsRelease, key: str) -> str:
    if is_worse(release, key):
        return f"makes it larger, {_increase_phrase(release, key)}"
    if percent_cut(release, key) >= 1:
        return f"by about {percent_cut(release, key)} %"
    return "by less than 1 %" if release.rmse_shares[key] > _UNCERTAIN_SHARE else "by too little to tell"


def _increase_phrase(release: CountsRelease, key: str) -> str:
    more = release.rmse_shares[key]
    return f"{format_nearest(more, 2)} ×" if more >= 2 else f"+{math.ceil(100 * (more - 1))} %"


def verdict_texts(release: CountsRelease) -> dict[str, str]:
    """What stands beside each bar."""
    return {key: _verdict_text(release, key) for key in release.rivals}


def _verdict_text(release: CountsRelease, key: str) -> str:
    if is_worse(release, key):
        return f"worse: {_increase_phrase(release, key)}"
    if percent_cut(release, key) >= 1:
        return f"≈ {percent_cut(release, key)} % less"
    return "about as it is" if release.rmse_shares[key] > _UNCERTAIN_SHARE else "hard to tell"


def setting_text(result: DenoisingResult, release: CountsRelease) -> str:
    """The promise and what one person moves, in words."""
    setting = result.setting
    k = min(setting.per_person, release.size)
    per_cell = "" if setting.per_cell == 1 else f" with up to {format_input_down(setting.per_cell)} in each"
    cells = "1 cell" if k == 1 else f"up to {format_input_down(k)} cells"
    replaced = ", one person replaced" if setting.neighbours == "replace" else ""
    return (
        f"ε = {format_input_up(setting.epsilon)}, δ = {format_input_up(setting.delta)}, a person in"
        f" {cells}{per_cell}{replaced}"
    )


def subtitle(result: DenoisingResult, release: CountsRelease) -> str:
    """The parameters of the pictures, on one line."""
    order = "a series" if release.is_series else "in no order"
    return (
        f"{chart_text(release.counts.source.split(' (')[0])}, {order}; {setting_text(result, release)}; seed"
        f" {release.seed}"
    )


def comparison_text(release: CountsRelease, pinned: CountsRelease | None) -> str:
    """What has changed since a setting was pinned."""
    if pinned is None or pinned.is_drowned or release.is_drowned:
        return "Since the pinned setting: one of the two has nothing to denoise, → nothing to compare."
    sigmas = f"σ {format_up(pinned.sigma)} → {format_up(release.sigma)}"
    return f"Since the pinned setting: {sigmas}; the best’s RMSE {_best_rmse(pinned)} → {_best_rmse(release)}."


def _best_rmse(release: CountsRelease) -> str:
    best = release.best_on_average
    return f"{format_nearest(release.mean_rmse(best), 3)} (about {max(0, percent_cut(release, best))} % less)"


def errors_alternative_text(release: CountsRelease) -> str:
    """What the picture of errors shows, for those who can't see it."""
    errors = "; ".join(f"{ESTIMATORS[key].name}: {verdict}" for key, verdict in verdict_texts(release).items())
    return (
        f"Mean RMSE over {release.n_repeats} releases against the release’s own, {format_up(release.sigma)} counts."
        f" {errors}."
    )


def values_subtitle(result: DenoisingResult, release: CountsRelease) -> str:
    """The parameters of the picture of counts."""
    cut = (
        f" The {MOST_CELLS} largest of {release.size:,} cells."
        if not release.is_series and release.size > MOST_CELLS
        else ""
    )
    return f"{_replacement_sentence(release)}{release_errors_text(release)} {subtitle(result, release)}.{cut}"


def _replacement_sentence(release: CountsRelease) -> str:
    """Why the chosen estimator is not drawn."""
    if release.choice_applies:
        return ""
    short = f"needs a series of at most {MOST_TREND_COUNTS:,} counts"
    why = short if release.estimator == "trend_filtering" else "does not apply to these counts"
    return f"{ESTIMATORS[release.estimator].name} {why}: the ranking’s first is drawn. "


def release_errors_text(release: CountsRelease) -> str:
    """The true errors of this release."""
    before, after = release.true_rmse(release.noisy_counts), release.true_rmse(release.denoised_counts)
    gone = int(np.sum((release.denoised_counts == 0) & (release.count > 0)))
    lost = (
        f" It sets {gone:,} {'count' if gone == 1 else 'counts'} to 0 that {'is' if gone == 1 else 'are'} not."
        if gone
        else ""
    )
    return f"RMSE of this release: {format_nearest(before)} → {format_nearest(after)} counts.{lost}"


def values_alternative_text(release: CountsRelease) -> str:
    """What the picture of counts shows, for those who can't see it."""
    counts = "One true count" if release.size == 1 else f"{release.size:,} true counts"
    return (
        f"{counts} with one release and what {ESTIMATORS[release.displayed_key].name} makes of it."
        f" {release_errors_text(release)}"
    )
