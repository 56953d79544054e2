"""The sentences on denoised counts: which estimator to use, and by how much it reduces the error."""

import math

import numpy as np

from dpcore.denoise import ESTIMATORS, EXTRA_VARIANCE
from pages.denoising.comparison import ESTIMATOR_PHRASES, recommendation_text, refusal_text
from pages.denoising.counts.results import MOST_TREND_COUNTS, CountsRelease
from pages.denoising.parameters import TABLE
from pages.denoising.results import DenoisingResult
from pages.framework.layout.section import Conditions, Field
from pages.framework.parameters.number_format import (
    chart_text,
    escape_markdown,
    format_input_down,
    format_input_up,
    format_nearest,
    format_up,
    pin_sentence,
    plural,
)
from pages.shared.counts.table import TABLE_LINK, cap_text, table_conditions
from pages.shared.counts.table_notes import too_little_noise_text
from pages.shared.formulas import in_words
from pages.shared.looks import COLOURS, estimator_colour

MISSING = (
    "Your own table is missing: the link does not contain it.",
    "Upload or paste it below, or choose a table that ships with the page, or a trial series.",
)
DROWNED = (
    "The noise hides every count: no estimator can reduce the error.",
    "σ is above 1e60 counts: choose a larger ε or δ.",
)
REMEDY = "Correct it below, or choose a table that ships with the page, or a trial series."
TRIAL_WARNING = (
    "This is a trial, not a release: the link contains the seed of its noise. In a release, draw the noise secretly "
    "with a floating-point-safe sampler: ordinary floating-point noise can reveal the data. Fix the cells and the "
    "limits on one person without looking at the data, and enforce the limits before counting: otherwise there is no "
    "guarantee."
)
MOST_CELLS = 200  # in a picture: more cannot be distinguished
_UNCERTAIN_SHARE = 0.99  # of the RMSE: a smaller share that is not certain has a sentence of its own
ZEROS_FACTOR = 0.98  # an error above this part of that of zeros counts as no better
EQUAL_SHARE = 0.005  # errors that differ by a smaller share count as equal
EXTRA_NOISE_PERCENT = round(100 * (math.sqrt(1 + EXTRA_VARIANCE) - 1))  # the noise at which the ranking judges


def conditions(result: DenoisingResult) -> Conditions | None:
    """Return the conditions of the answer, which are asked for where the table is the user's own; None for a trial."""
    release = result.release
    if release is None or release.is_trial or release.is_drowned:
        return None
    fields = (Field(TABLE, "Table", link=TABLE_LINK),)
    return table_conditions(result.values, fields, is_own=release.table_is_own, counts=release.counts)


def answer_text(result: DenoisingResult) -> tuple[str, ...]:
    """Return which estimator to use on these counts, what that costs, and what has changed since the pinned setting."""
    release = result.release
    if release is None:
        return (escape_markdown(result.problem), REMEDY) if result.problem else MISSING
    sentences = DROWNED if release.is_drowned else release_answer_text(release)
    if release.counts.least_per_cell > result.setting.per_cell:
        sentences = sentences[0], too_little_noise_text(release.counts.least_per_cell, result.setting.per_cell)
    return sentences if result.pinned is None else (*sentences, comparison_text(result, result.pinned))


def release_answer_text(release: CountsRelease) -> tuple[str, str]:
    """Return the estimator that the ranking puts first, with its error; then what the choice costs."""
    comparison, counts = release.comparison, _counts_phrase(release)
    recommendation = (
        recommendation_text(comparison, f" for {counts}") if comparison.pays else refusal_text(comparison, f" {counts}")
    )
    return recommendation, _privacy_sentence(release)


def _privacy_sentence(release: CountsRelease) -> str:
    """Return what the choice costs, and of what the errors are means; a warning comes first."""
    sigma = f"Gaussian noise, σ = {format_up(release.sigma)}"
    spread = f"{release.n_repeats} releases, ±2 standard errors"
    if release.public_total and release.neighbours != "replace":
        rest = "; otherwise denoising costs no privacy"
        if release.is_own:
            rest = ", nor a choice by these errors: choose by an older or public table"
        return f"⚠ The guarantee does not cover the public total{rest} ({sigma}; {spread})."
    if is_as_good_as_zeros(release):
        zeros = f"hides the counts: a table of zeros has RMSE {format_nearest(release.zeros_rmse)} ({spread})"
        if release.is_own:
            return (
                f"σ = {format_up(release.sigma)} {zeros}; choose by an older or public table: these errors reveal data."
            )
        return f"The {sigma}, {zeros}; the ranking costs no privacy."
    if release.is_own:
        return (
            f"The errors use your true counts ({sigma}; {spread}): choose by an older or public table, as these errors "
            "reveal more than ε allows."
        )
    return (
        f"The ranking uses the release alone ({sigma}), so it costs no privacy; RMSEs use the true counts, over"
        f" {spread}."
    )


def is_as_good_as_zeros(release: CountsRelease) -> bool:
    """Return whether a table of zeros has about as small an error as the best estimator."""
    return release.zeros_rmse > 0 and ZEROS_FACTOR * release.zeros_rmse <= release.mean_rmse(release.best_on_average)


def true_best_text(release: CountsRelease) -> str:
    """Return which estimators reduce the error most on average, which only the true counts show."""
    best, other = release.best_on_average, best_of_another_kind(release)
    if percent_cut(release, best) < 1:
        return "no estimator is certain to reduce the error by 1 % on average"
    more = "" if other is None else f", {ESTIMATOR_PHRASES[other]} {_change_text(release, other, _PHRASES)}"
    return f"{ESTIMATOR_PHRASES[best]} reduces the error by about {percent_cut(release, best)} % on average{more}"


def _counts_phrase(release: CountsRelease) -> str:
    if release.is_trial:
        return f"{release.size} counts of {release.counts.source.split(' (')[0]}"
    whose = "your" if release.table_is_own else "this" if release.size == 1 else "these"
    return f"{whose} one count" if release.size == 1 else f"{whose} {release.size:,} counts"


def best_of_another_kind(release: CountsRelease) -> str | None:
    """Return the best estimator that is drawn in another colour than the best one."""
    colours = {key: estimator_colour(key, COLOURS["light"]) for key in release.rivals}
    keys = [key for key in release.rivals if colours[key] != colours[release.best_on_average]]
    return min(keys, key=lambda key: release.rmse_shares[key], default=None)


def percent_cut(release: CountsRelease, key: str) -> int:
    """Return the whole percent of the error that an estimator removes on average over releases."""
    return math.floor(100 * release.rmse_cuts[key] + 1e-9)


_VERDICTS = "worse: {}", "≈ {} % less", "about the same", "uncertain"
_PHRASES = "increases it, {}", "by about {} %", "by less than 1 %", "by an uncertain amount"


def _change_text(release: CountsRelease, key: str, words: tuple[str, str, str, str]) -> str:
    """Return how an estimator changes the error on average: more, certainly less, about the same, or uncertain."""
    more, less, same, uncertain = words
    share = release.rmse_shares[key]
    if share > 1 + EQUAL_SHARE:
        return more.format(f"{format_nearest(share, 2)} ×" if share >= 2 else f"+{math.ceil(100 * (share - 1))} %")
    if percent_cut(release, key) >= 1:
        return less.format(percent_cut(release, key))
    return same if share > _UNCERTAIN_SHARE else uncertain


def verdict_texts(release: CountsRelease) -> dict[str, str]:
    """Return the text beside each row: by how much the true error falls on average."""
    return {key: _change_text(release, key, _VERDICTS) for key in release.rivals}


def setting_text(result: DenoisingResult, release: CountsRelease) -> str:
    """Return the guarantee and a person's contribution in words."""
    setting = result.setting
    k = min(setting.per_person, release.size)
    per_cell = "" if setting.per_cell == 1 else f" with up to {format_input_down(setting.per_cell)} in each"
    cells = "1 cell" if k == 1 else f"up to {format_input_down(k)} cells"
    replaced = ", one person replaced" if setting.neighbours == "replace" else ""
    per_cell += cap_text(setting.per_total, setting.n_periods)
    return f"{setting.guarantee_text}, a person in {cells}{per_cell}{replaced}"


def subtitle(result: DenoisingResult, release: CountsRelease) -> str:
    """Return the parameters of the pictures, on one line."""
    order = "a series" if release.is_series else "in no order"
    source = chart_text(release.counts.source.split(" (")[0])
    return f"{source}, {order}; {setting_text(result, release)}; seed {release.seed}"


def ranking_text(release: CountsRelease) -> str:
    """Return what the bold row is, and what speaks against it."""
    comparison = release.comparison
    if comparison.other is None or comparison.rmse < comparison.undenoised_rmse:
        return "bold: ranks first by this release"
    noise = in_words(comparison.other)
    return f"bold: ranks first by this release; over {release.n_repeats}, {noise} noise has less error"


def comparison_text(result: DenoisingResult, pinned_result: DenoisingResult) -> str:
    """Return what has changed since the pinned setting."""
    release, pinned = result.denoisable_release, pinned_result.denoisable_release
    pin = f"ε = {format_input_up(pinned_result.setting.epsilon)}"
    if pinned is None or release is None:
        return pin_sentence("one of the two settings has nothing to denoise", pin)
    sigmas = f"σ {format_up(pinned.sigma)} → {format_up(release.sigma)}"
    return pin_sentence(f"{sigmas}; RMSE {_first_rmse(pinned)} → {_first_rmse(release)}", pin)


def _first_rmse(release: CountsRelease) -> str:
    first = release.first_in_ranking
    return f"{format_nearest(release.mean_rmse(first), 3)} ({ESTIMATOR_PHRASES[first]})"


def errors_alternative_text(release: CountsRelease) -> str:
    """Return the text alternative of the picture of errors."""
    errors = "; ".join(f"{ESTIMATORS[key].name}: {verdict}" for key, verdict in verdict_texts(release).items())
    sigma = format_up(release.sigma)
    other = format_nearest(release.undenoised_rmse, 3)
    best = "" if release.recommended is None else f" {release.recommended.name} noise, not denoised, has RMSE {other}."
    return f"Mean RMSE over {release.n_repeats} releases against the release’s own, {sigma} counts. {errors}.{best}"


def values_subtitle(result: DenoisingResult, release: CountsRelease) -> str:
    """Return the parameters of the picture of counts."""
    is_cut = not release.is_series and release.size > MOST_CELLS
    cut = f" The {MOST_CELLS} largest of {release.size:,} cells." if is_cut else ""
    return f"{_replacement_sentence(release)}{release_errors_text(release)} {subtitle(result, release)}.{cut}"


def _replacement_sentence(release: CountsRelease) -> str:
    """Return why the chosen estimator is not drawn."""
    if release.choice_applies:
        return ""
    short = f"needs a series of at most {MOST_TREND_COUNTS:,} counts"
    reason = short if release.estimator == "trend_filtering" else "does not apply to these counts"
    return f"{ESTIMATORS[release.estimator].name} {reason}; shown is the estimator that ranks first. "


def release_errors_text(release: CountsRelease) -> str:
    """Return the true errors of this release."""
    before, after = release.true_rmse(release.noisy_counts), release.true_rmse(release.denoised_counts)
    n_lost = int(np.sum((release.denoised_counts == 0) & (release.count > 0)))
    lost = f" It sets {plural(n_lost, 'nonzero count')} to 0." if n_lost else ""
    return f"RMSE of this release: {format_nearest(before)} → {format_nearest(after)} counts.{lost}"


def values_alternative_text(release: CountsRelease) -> str:
    """Return the text alternative of the picture of counts."""
    counts = "One true count" if release.size == 1 else f"{release.size:,} true counts"
    estimator = ESTIMATORS[release.displayed_key].name
    return f"{counts}, one release, and the release denoised by: {estimator}. {release_errors_text(release)}"
