"""The section on how many records a wanted accuracy takes."""

import math
from collections.abc import Iterator, Sequence

import numpy as np

from dpcore import accuracy
from dpcore.calibrations import ANALYTIC, CLASSICAL, LAPLACE, PDP, PURE_DP, STAIRCASE, TRUNCATED_LAPLACE, Calibration
from pages.accuracy.error.section import NO_HALF_WIDTH, calibration_name
from pages.accuracy.explanation import calibration_claims, explanation_text
from pages.accuracy.figures import curve_traces, epsilon_layout, mark_pinned_epsilon, mark_value
from pages.accuracy.parameters import ACCURACY, QUERY, AccuracySetting, sensitivity_text
from pages.accuracy.results import EPSILONS, AccuracyResult, Curve, curves_frame, epsilon_limits
from pages.accuracy.statements import (
    GUARANTEE_FIELD,
    enough_records,
    query_fields,
    records_conditions,
    records_downloads,
    records_statements,
    term_fields,
)
from pages.accuracy.text import level_text, noise_name, plain_half_width, releases_text, setting_text, target_text
from pages.framework.chart.theme import decades, log_axis, pinned_curve
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Claim, Field, Part, Section, Snippet
from pages.framework.parameters.number_format import (
    capitalized,
    format_input_down,
    format_input_up,
    format_up,
    pin_sentence,
    plural,
    rounded_up,
    without_markdown,
)
from pages.framework.parameters.parameter import Parameter
from pages.framework.rendering.uploaded_files import kept
from pages.shared.formulas import share
from pages.shared.other_libraries import DPCORE
from pages.shared.shared_parameters import DELTA, EPSILON, MECHANISMS, SIGNIFICANCE, and_delta
from pages.shared.statements import steps_text


def answer_text(result: AccuracyResult) -> tuple[str, ...]:
    """Return the least n at the current ε, what it means, and what a pinned setting had."""
    sentences, pinned = _least_records_text(*result.least_records, result.setting), result.pinned
    if pinned is None:
        return sentences
    names = ("Laplace noise", "the analytic Gaussian")
    changes = (
        f"{_n_or_dash(pinned_n)} → {_n_or_dash(n)} with {name}"
        for pinned_n, n, name in zip(pinned.least_records, result.least_records, names, strict=True)
    )
    place = f"{setting_text(pinned.setting)}, ±{format_input_up(pinned.setting.accuracy)}"
    return *sentences, pin_sentence(f"n {', n '.join(changes)}", place)


def _least_records_text(laplace: float, gaussian_least: float, setting: AccuracySetting) -> tuple[str, str]:
    """Return the least n with each noise, and what it means."""
    target, place = target_text(setting), f"ε = {format_input_up(setting.epsilon)}"
    if setting.accuracy >= (setting.facts.width or math.inf):
        return (
            f"{target} is as wide as the whole range.",
            "Any value of the range satisfies this without using the data: choose a smaller error.",
        )
    sentence = f"{target} for {releases_text(setting.significance)} at {place} requires"
    gaussian = f"with the analytic Gaussian at δ = {format_input_up(setting.delta)}"
    if math.isnan(laplace) and math.isnan(gaussian_least):
        return f"At {place} no practical number of records is enough for {target}.", "Raise ε."
    if math.isnan(laplace):
        note = "Laplace noise is not available at so small an ε: raise ε for pure ε-DP."
        return f"{sentence} {_n_records_text(gaussian_least)} {gaussian}.", note
    parts = [] if math.isnan(gaussian_least) else [f"{gaussian} it requires {_n_records_text(gaussian_least)}"]
    parts += ["with Laplace noise, half the ε requires about twice the records"] if laplace >= 10 else []
    meaning = "; ".join(parts) or "one is enough"
    return (
        f"{sentence} {_n_records_text(laplace)} with Laplace noise (pure ε-DP).",
        f"{capitalized(meaning)}.",
    )


def recommendation_text(result: AccuracyResult) -> str:
    """Return what to do for the chosen guarantee, in three steps; nothing where no number of records is enough."""
    setting, enough = result.setting, enough_records(result)
    if enough is None:
        return ""
    key, n = enough
    rule = result.rows[key].calibration
    is_enough = "that is sufficient" if setting.n_records >= n else "collect more, raise ε or accept a larger error"
    why = "" if rule.guarantee == PURE_DP or setting.promise == "delta" else _NO_PURE
    if rule.guarantee == PURE_DP and setting.promise == "delta":
        why = " A δ > 0 would save no records."
    delta = None if rule.guarantee == PURE_DP else setting.delta
    scale = float(rule.scale(setting.epsilon, delta or 0.0, (setting.facts.person_width or 1.0) / n))
    return steps_text(
        f"Have at least **{_n_records_text(n)}**: you entered n = {setting.n_records:,.0f}, {is_enough}.",
        f"**Add {noise_name(rule)} of scale {format_up(scale)}** to the {setting.query} of at least that many.{why}",
        f"Publish it with {target_text(setting)} in {share(setting.significance)} of releases, ε = "
        f"{format_input_up(setting.epsilon)}{and_delta(delta)} and the conditions.",
    )


_STEPS = "hv"  # n is a whole number: up to the next ε that of the smaller one
_NO_PURE = " It has a δ: at so small an ε pure ε-DP requires an impractical number of records."


def _n_records_text(n: float) -> str:
    return plural(format_up(n), "record")


def _n_or_dash(n: float) -> str:
    return "–" if math.isnan(n) else format_up(n)


RECORD_RULES = (LAPLACE, STAIRCASE, ANALYTIC, PDP, CLASSICAL, TRUNCATED_LAPLACE)


def records_curves(setting: AccuracySetting, width: float) -> tuple[Curve, ...]:
    """Return the least n for the accuracy of the setting, along `EPSILONS` and the limits of the verdicts."""
    rules = RECORD_RULES if setting.mechanisms == "all" else setting.facts.rules("three")
    target, delta = float(setting.accuracy), setting.delta
    limits = kept(epsilon_limits, tuple(rules), delta)
    deltas = {rule: 0.0 if rule.guarantee == PURE_DP else delta for rule in rules}
    return tuple(
        kept(_records_curve, rule, width, target, deltas[rule], setting.significance, limits) for rule in rules
    )


def _records_curve(
    rule: Calibration, width: float, target: float, delta: float, significance: float, limits: tuple[float, ...]
) -> Curve:
    epsilon = np.union1d(EPSILONS, limits)
    n_records = accuracy.least_records(rule, target, epsilon, significance, width, delta)
    return Curve(rule, epsilon, n_records, rule.verdict(epsilon, delta).status)


def records(result: AccuracyResult, colours: Colours) -> Exhibit | None:
    """Return the least number of records against ε, with the current ε and n; nothing where there is none."""
    setting, width = result.setting, result.setting.facts.person_width
    if width is None:
        return None
    curves = records_curves(setting, width)
    most = max(float(curve.value.max()) for curve in curves)
    axis = log_axis("records n", *decades(0, 3, most, setting.n_records))
    half_width = plain_half_width(format_input_up(setting.accuracy), setting.facts.unit)
    query = f"{QUERY.options[setting.query]} within {half_width}"
    subtitle = f"{query}, hi − lo = {format_input_down(width)}, {level_text(setting)}"
    figure = epsilon_layout(setting, "Records that the accuracy requires", subtitle, axis, curves, colours)
    traces, pinned = [], result.pinned and result.pinned.setting
    if pinned is not None and pinned.facts.person_width is not None:
        pinned_curves = records_curves(pinned, pinned.facts.person_width)
        traces += [pinned_curve(curve.epsilon, curve.value, colours, _STEPS) for curve in pinned_curves]
        mark_pinned_epsilon(figure, pinned.epsilon, colours)
    for curve in curves:
        traces += curve_traces(curve, curve.value, "n ≈ %{y:.4~g}", colours, _STEPS)
    style = {"color": colours["quiet"], "width": 1, "dash": "dash"}
    mark_value(figure, setting.n_records, f"n = {setting.n_records:,.0f}", style)
    alternative = without_markdown(" ".join(_least_records_text(*result.least_records, setting)))
    numbers, picture = (lambda: curves_frame(curves, "n_records")), {"data": traces, "layout": figure}
    return Exhibit("records", picture, alternative, numbers, result.csv_header, ("epsilon", ""))


_NO_LEAST_RECORDS = "It does not compute the number of records for a wanted ±."


def snippets(result: AccuracyResult) -> tuple[Snippet, ...]:
    """Return the least n of each noise that has one; nothing where none has."""
    setting, width = result.setting, result.setting.facts.person_width
    both = zip((LAPLACE, ANALYTIC), result.least_records, strict=True)
    least_records = {rule: n for rule, n in both if not math.isnan(n)}
    if width is None or not least_records or setting.accuracy >= (setting.facts.width or math.inf):
        return ()
    code = program(
        "from dpcore import accuracy",
        "",
        f"wanted, epsilon, delta = {number(setting.accuracy)}, {number(setting.epsilon)}, {number(setting.delta)}",
        f"significance, width = {number(setting.significance)}, {number(width)}",
        *(
            f"print(accuracy.least_records(accuracy.{calibration_name(rule)}, wanted, epsilon, significance, width,"
            " delta))"
            for rule in least_records
        ),
    )
    note = f"The least n with {' and with '.join(rule.name for rule in least_records)}."
    others = unavailable(dict.fromkeys(NO_HALF_WIDTH, _NO_LEAST_RECORDS))
    return Snippet(DPCORE, code, note, tuple(least_records.values())), *others


def claims(result: AccuracyResult) -> Iterator[Claim]:
    """Yield that the noise at the n that is shown falls within the wanted half-width."""
    setting, width = result.setting, result.setting.facts.person_width
    if width is None or setting.accuracy >= (setting.facts.width or math.inf):
        return
    for n, rule in zip(result.least_records, (LAPLACE, ANALYTIC), strict=True):
        if not math.isnan(n):
            sensitivity = width / rounded_up(n)
            epsilon, half_width = format_input_up(setting.epsilon), format_input_up(setting.accuracy)
            yield from calibration_claims(rule, epsilon, half_width, sensitivity, setting)


def controls(result: AccuracyResult) -> Sequence[Field | Parameter]:
    """Return the query, what one person adds to it, and the wanted error and privacy."""
    return *query_fields(result), ACCURACY, EPSILON


def more_settings(result: AccuracyResult) -> Sequence[Field | Parameter]:
    """Return the fields that few users change: the terms of the guarantee and of ±, and what is drawn."""
    return DELTA, SIGNIFICANCE, *term_fields(result.setting), GUARANTEE_FIELD, Field(MECHANISMS, "Mechanisms")


def parts(result: AccuracyResult, colours: Colours) -> Iterator[Part]:
    """Yield the least number of records against ε, and what to do."""
    setting = result.setting
    yield records(result, colours)
    if setting.facts.width is not None:
        yield recommendation_text(result)
        yield sensitivity_text(setting)


SECTION = Section[AccuracyResult](
    key="records",
    name="How many records",
    controls=controls,
    more_settings=more_settings,
    parts=parts,
    is_available=lambda result: result.setting.facts.width is not None,
    answer_text=answer_text,
    explanation=explanation_text,
    conditions=records_conditions,
    exhibits=(records,),
    claims=claims,
    snippets=snippets,
    statements=records_statements,
    downloads=records_downloads,
)
