"""The section on which noise to add to a table: the reasons, the numbers, and what a δ and totals cost."""

import math
from collections.abc import Iterator, Sequence
from functools import partial

import pandas as pd

from dpcore.calibrations import PROVED, PURE_DP
from dpcore.checks import Array
from dpcore.recommendation import recommend
from dpcore.sensitivity import Sensitivity
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, Colours, Exhibit
from pages.framework.layout.section import Field, Fold, Part, Section
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_nearest, format_up
from pages.framework.parameters.parameter import Parameter
from pages.shared.counts.table import TABLE_FIELD
from pages.shared.formulas import AS_GOOD, NO_SAMPLER, in_words
from pages.shared.page_links import RISK_NAME, risk_link_text
from pages.shared.shared_parameters import DELTA, MECHANISMS
from pages.tables import code
from pages.tables.mechanisms import text
from pages.tables.mechanisms.figures import (
    half_widths,
    half_widths_over_epsilon,
    half_widths_over_persons,
    ranked_half_widths,
)
from pages.tables.mechanisms.text import (
    contribution_text,
    half_width_meaning,
    questions_text,
    unavailable_reasons,
    verdict_text,
)
from pages.tables.parameters import AGAINST, NAMES, SHAPE, SHARE, SMALLEST
from pages.tables.results import TablesResult
from pages.tables.statements import steps_text
from pages.tables.text import (
    GUARANTEE_FIELD,
    folded_fields,
    known_fields,
    sample_text,
    section_answer_text,
    sensitivity_fields,
)


def mechanisms_frame(result: TablesResult) -> pd.DataFrame:
    """Return the mechanisms in numbers as a data frame; those that are not available with the reason alone."""
    significance, simultaneous = result.setting.significance, result.simultaneous_significance
    available = [
        {
            "noise": mechanism.name,
            "guarantee": mechanism.guarantee,
            "theorem": mechanism.theorem,
            "scale": mechanism.scale,
            "half_width_each": mechanism.half_width(significance),
            "half_width_all": mechanism.half_width(simultaneous),
            "variance": mechanism.variance,
            "mean_absolute_error": mechanism.mean_absolute_error,
            "true_delta": mechanism.true_delta,
            "verdict": verdict_text(mechanism, result),
        }
        for mechanism in result.mechanisms
    ]
    unavailable = [{"noise": NAMES[key], "verdict": reason} for key, reason in unavailable_reasons(result).items()]
    return pd.DataFrame([*available, *unavailable])


PRIVACY_UNIT = (
    "**Keep δ far below 1 ÷ n**: publishing each of 10,000 records with probability 1e-4 satisfies δ = 1e-4, and "
    "discloses one record on average. Do not let the time that a query takes depend on the data. For a mean or a "
    "proportion, see [One number](./Accuracy)."
)


def reasons_text(result: TablesResult) -> str:
    """Return why the noise is recommended, what a δ buys, and what totals cost, in Markdown."""
    reasons = recommendation_reason(result), text.spent_delta_text(result), delta_text(result), totals_text(result)
    return "\n\n".join(filter(None, (*reasons, PRIVACY_UNIT)))


def recommendation_reason(result: TablesResult) -> str:
    """Return why this noise is recommended."""
    best = result.recommendation
    if best is None:
        return ""
    guarantee = "pure ε-DP" if result.setting.promise == "pure" else "ε-DP or (ε, δ)-DP"
    name, size = best.mechanism.name, f"±{format_up(best.error)}"
    contribution = f"k = {format_input_down(result.setting.per_person)}{contribution_text(result)}"
    scale = f"{best.mechanism.symbol} = {format_up(best.mechanism.scale)}"
    head = f"**{name} noise, {scale}** ({best.mechanism.guarantee}; {contribution})."
    head = f"{head} {half_width_meaning(result, best.error, best.mechanism.whole)}"
    rival_name = "" if best.runner_up is None else f"{in_words(best.runner_up)} noise"
    rival_size = f"±{format_up(best.runner_up_error)}"
    sentence = {
        "only": f"It is the only noise in the table that satisfies {guarantee} and has a floating-point-safe sampler.",
        "smallest": f"Among the noises that are proved to satisfy {guarantee} and have a floating-point-safe "
        f"sampler, it has the smallest error: {size} against {rival_size} of {rival_name}.",
        "whole": f"Its error, {size}, is that of {rival_name}, {rival_size}, {AS_GOOD} count; results are integers "
        "and can be sampled exactly, which rules out floating-point attacks.",
        "guarantee": f"Its error, {size}, is within 1 % that of {rival_name}, {rival_size}, and it satisfies ε-DP, "
        "without a δ.",
    }[best.reason]
    others = "".join(
        f" {rival_mechanism.mechanism.name} noise would have ±{format_up(rival_mechanism.error)}, but has {NO_SAMPLER}."
        for rival_mechanism in best.without_safe_sampler
    )
    return f"{head} {sentence}{others}"


def delta_text(result: TablesResult) -> str:
    """Return how much narrower the noise is with a δ than under pure ε-DP, and what the δ means."""
    significance, delta, wanted = result.significance, format_input_up(result.setting.delta), result.setting.promise
    other = "delta" if wanted == "pure" else "pure"
    alternative = recommend(result.mechanisms, other, bool(result.sensitivity.whole), significance)
    choices = {wanted: result.recommendation, other: alternative}
    pure, approximate = choices["pure"], choices["delta"]
    if pure is None or approximate is None:
        return ""
    if pure.mechanism != approximate.mechanism:
        smaller = format_nearest(100 * approximate.error / pure.error, 3)
        return (
            f"**Would δ > 0 help?** Yes: δ = {delta} allows ±{format_up(approximate.error)}, with"
            f" {in_words(approximate.mechanism)} noise, {smaller} % of the ±{format_up(pure.error)} that"
            f" {in_words(pure.mechanism)} noise has under pure ε-DP. In exchange, probabilities may exceed the e^ε "
            f"bound by up to {delta}."
        )
    non_pure = [mechanism for mechanism in result.mechanisms if mechanism.guarantee != PURE_DP]
    rivals = [mechanism for mechanism in non_pure if mechanism.status == PROVED and mechanism.releasable]
    if not rivals:
        return ""
    rival = min(rivals, key=lambda mechanism: mechanism.half_width(significance))
    size = format_up(rival.half_width(significance))
    return (
        f"**Would δ > 0 help?** No: at δ = {delta} the best is {in_words(rival)} noise with ±{size};"
        f" {in_words(pure.mechanism)} noise has ±{format_up(pure.error)} and satisfies ε-DP."
    )


def totals_text(result: TablesResult) -> str:
    """Return what totals with noise of their own cost, and what it costs to sum the noisy cells instead."""
    setting, sets = result.setting, result.setting.margins
    without = result.sensitivity_at(setting.per_person, margins=0)
    with_totals = result.sensitivity_at(setting.per_person, margins=sets or 1)
    subject = f"The {sets:.0f} sets of totals with their own noise raise"
    if sets <= 1:
        totals = "the totals of the rows" if setting.neighbours == "replace" else "the grand total"
        subject = f"One set of totals with its own noise, such as {totals}, {'raises' if sets else 'would raise'}"
    return (
        f"**Totals.** {subject} Δ₁ from {format_up(float(without.l1))} to {format_up(float(with_totals.l1))} and Δ₂"
        f" from {format_up(float(without.l2))} to"
        f" {format_up(float(with_totals.l2))}{_widening_text(result, without, with_totals)}. Sums of noisy cells are"
        f" free; their total has √m = {format_nearest(math.sqrt(result.n_cells), 3)} times a cell’s standard"
        " deviation."
    )


def _widening_text(result: TablesResult, without: Sensitivity, with_totals: Sensitivity) -> str:
    """Return by how much totals widen the available noises."""
    available = {mechanism.key for mechanism in result.mechanisms}
    factors = {
        "laplace": f"Laplace’s ± by {_ratio_text(without.l1, with_totals.l1)}",
        "analytic": f"the analytic Gaussian’s ± by {_ratio_text(without.l2, with_totals.l2)}",
    }
    phrases = [phrase for key, phrase in factors.items() if key in available]
    return f", which multiplies {' and '.join(phrases)}" if phrases else ""


def _ratio_text(smaller: Array, larger: Array) -> str:
    return format_nearest(float(larger / smaller), 3)


def mechanisms_table(result: TablesResult, _: Colours) -> Exhibit:
    """Return the mechanisms in numbers, each with its verdict."""
    html, alternative = text.mechanisms_html(result), text.alternative_text(result)
    confidential = result.confidential_note(CONFIDENTIAL_FIGURES)  # it shows the median of the counts
    numbers = partial(mechanisms_frame, result)
    return Exhibit("mechanisms", html, alternative, numbers, result.csv_header, confidential=confidential)


def controls(result: TablesResult) -> Sequence[Field | Parameter]:
    """Return the fields that an analyst knows; without a table only its choice."""
    return (TABLE_FIELD,) if result.is_missing else known_fields(result)


def more_settings(result: TablesResult) -> Sequence[Field | Parameter]:
    """Return the fields that few users change: the terms of the guarantee, what is drawn, and what is compared."""
    if result.is_missing:
        return ()
    terms = *folded_fields(result, known_fields(result)), GUARANTEE_FIELD, DELTA, *sensitivity_fields(result)
    share = () if result.has_cells else (SHARE,)
    return *terms, Field(MECHANISMS, "Mechanisms"), Field(AGAINST, "Second picture over"), SHAPE, *share, SMALLEST


def parts(result: TablesResult, colours: Colours) -> Iterator[Part]:
    """Yield ± at the setting and over k or ε, why the noise is recommended, and the noises in numbers."""
    if result.is_missing:
        return
    yield ranked_half_widths(result, colours)
    yield sample_text(result)
    yield half_widths(result, colours)
    yield steps_text(result)
    yield Fold((reasons_text(result),), "Why this noise")
    yield Fold(lambda: (mechanisms_table(result, colours), questions_text(result)), "Compare the noises in numbers")
    yield Fold((risk_link_text(result.setting, result.setting.promise),), RISK_NAME)


SECTION = Section[TablesResult](
    key="noise",
    name="Which noise",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    answer_text=lambda result: section_answer_text(result, text.answer_text, text.comparison_text),
    exhibits=(ranked_half_widths, half_widths_over_persons, half_widths_over_epsilon, mechanisms_table),
    claims=code.mechanism_claims,
    **code.TABLE_ANSWER,
)
