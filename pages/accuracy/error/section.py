"""The section on the error that each ε brings: its charts, its program, and what to do in three steps."""

import math
from collections.abc import Iterator, Sequence
from functools import partial

from dpcore.calibrations import ANALYTIC, GEOMETRIC, LAPLACE, Calibration
from dpcore.sensitivity import QUERY_ARGUMENTS
from pages.accuracy import statements
from pages.accuracy.error import text
from pages.accuracy.error.text import noise_parameters, size_text
from pages.accuracy.explanation import (
    ROUNDING,
    claims,
    explanation_text,
    mechanisms_frame,
    mechanisms_html,
    tight_constant_text,
)
from pages.accuracy.figures import accuracy, ratios
from pages.accuracy.parameters import ACCURACY, VIEW, AccuracySetting, sensitivity_text
from pages.accuracy.results import EXTRA_RULES, AccuracyResult, MechanismRow, Rows, answer_value, recommended_row
from pages.accuracy.statements import GUARANTEE_FIELD, conditions, query_fields, term_fields
from pages.accuracy.text import epsilon_equation, half_width_text, noise_name, releases_text, target_text
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.panels import number, program, unavailable
from pages.framework.layout.section import Field, Fold, Part, Section, Snippet
from pages.framework.parameters.number_format import format_input_down, format_input_up
from pages.framework.parameters.parameter import Parameter
from pages.shared.formulas import LARGE_EPSILON
from pages.shared.other_libraries import (
    DIFFPRIVLIB,
    DP_ACCOUNTING,
    DPCORE,
    OPACUS,
    OPENDP,
    gaussian_sigma,
    geometric_accuracy,
    laplace_accuracy,
    laplace_epsilon,
)
from pages.shared.page_links import RISK_NAME, risk_link_text
from pages.shared.shared_parameters import DELTA, EPSILON, KNOWN, MECHANISMS, SIGNIFICANCE
from pages.shared.statements import steps_text

NO_HALF_WIDTH = {
    OPENDP: "It has no ± of this noise.",
    DP_ACCOUNTING: "It accounts for privacy, and states no ± of noise.",
    DIFFPRIVLIB: "It states no ± of this noise.",
    OPACUS: "It has Gaussian noise only, and states no ± of it.",
}


def snippets(result: AccuracyResult) -> tuple[Snippet, ...]:
    """Return the noise of the answer and its ± or ε; nothing where there is no answer."""
    row, setting = recommended_row(result.rows, result.setting).row, result.setting
    if math.isnan(answer_value(row, setting)):
        return ()
    is_of_tables = row.calibration.key in EXTRA_RULES
    code = _table_code(row, setting) if is_of_tables else _calibration_code(row.calibration, setting)
    what = "±" if setting.target is None else "The ε"
    note = f"{what} of the noise that the page recommends: {row.mechanism.name}."
    return Snippet(DPCORE, code, note, (answer_value(row, setting),)), *_library_snippets(row, setting)


def _sensitivity_line(rule: Calibration, setting: AccuracySetting) -> str:
    """Return the line that computes the sensitivity of the query."""
    if setting.query == "own":
        return f"sensitivity = {number(setting.facts.sensitivity(rule))}"
    own = [f"{name}={number(getattr(setting, name))}" for name in QUERY_ARGUMENTS[setting.query]]
    own += [f"records_per_person={number(setting.facts.n_own)}"] if setting.facts.n_own > 1 else []
    call = f"query_sensitivity({', '.join([repr(setting.query), repr(setting.neighbours), *own])})"
    return f"sensitivity = {call}.{'l1' if rule.norm == 'l1' else 'l2'}"


def _calibration_code(rule: Calibration, setting: AccuracySetting) -> str:
    given = ("delta", "significance") if setting.target is not None else ("epsilon", "delta", "significance")
    values = ", ".join(number(getattr(setting, name)) for name in given)
    calibration = f"accuracy.{calibration_name(rule)}"
    if setting.target is None:
        lines = [
            f"noise = mechanism.calibrated({calibration}, epsilon, delta, sensitivity)",
            "print(noise.half_width(significance))",
        ]
    else:
        arguments = f"{number(setting.target)}, significance, delta, sensitivity"
        lines = [f"print(mechanism.of_half_width({calibration}, {arguments}).epsilon)"]
    return program(
        "from dpcore import accuracy, mechanism",
        *(() if setting.query == "own" else ("from dpcore.sensitivity import query_sensitivity",)),
        "",
        f"{', '.join(given)} = {values}",
        _sensitivity_line(rule, setting),
        *lines,
    )


def _table_code(row: MechanismRow, setting: AccuracySetting) -> str:
    contribution = f"1, {number(setting.facts.l1)}" if setting.facts.single else "1, 1, 'replace'"
    key, delta, significance = row.mechanism.key, number(setting.delta), number(setting.significance)
    if setting.target is None:
        lines = [
            f"noises = tables.mechanisms({number(setting.epsilon)}, {delta}, person, keys=({key!r},))",
            f"print(noises[0].half_width({significance}))",
        ]
    else:
        call = f"tables.of_half_width({key!r}, {number(setting.target)}, {significance}, {delta}, person)"
        lines = [f"print({call}.epsilon)"]
    person = f"person = sensitivity.table_sensitivity({contribution})"
    return program("from dpcore import sensitivity, tables", "", person, *lines)


def _library_snippets(row: MechanismRow, setting: AccuracySetting) -> tuple[Snippet, ...]:
    rule, without, sensitivity = row.calibration, NO_HALF_WIDTH, setting.facts.sensitivity(row.calibration)
    snippets: tuple[Snippet, ...] = ()
    if setting.target is not None:
        without = dict.fromkeys(NO_HALF_WIDTH, "It has no ε for a wanted ± of this noise.")
        if rule is LAPLACE:
            snippets = (laplace_epsilon(setting.target, sensitivity, setting.significance, row.epsilon),)
    elif rule is LAPLACE:
        snippets = laplace_accuracy(setting.epsilon, sensitivity, setting.significance, row.half_width)
    elif rule is GEOMETRIC:
        snippets = (geometric_accuracy(setting.epsilon, sensitivity, setting.significance, row.half_width),)
    elif rule is ANALYTIC:
        sigma = float(ANALYTIC.scale(setting.epsilon, setting.delta, sensitivity))
        return tuple(gaussian_sigma(setting.epsilon, setting.delta, sensitivity, sigma))
    libraries = {snippet.library for snippet in snippets}
    reasons = {library: reason for library, reason in without.items() if library not in libraries}
    return *snippets, *unavailable(reasons)


def calibration_name(rule: Calibration) -> str:
    """Return the name of a calibration in `dpcore.accuracy`."""
    return rule.key.upper()


def recommendation_text(rows: Rows, setting: AccuracySetting) -> str:
    """Return what to do for the chosen guarantee, in three steps."""
    row = recommended_row(rows, setting).row
    epsilon = setting.epsilon if setting.target is None else row.epsilon
    if math.isnan(answer_value(row, setting)):
        return "**What to do:** raise ε or δ; no noise satisfies the guarantee here."
    if setting.target is not None and epsilon > 1e6:
        return "**What to do: accept a larger error.** This one requires an ε above 1e6, which protects nobody."
    noise = f"**Add {noise_name(row.calibration)}{noise_parameters(row, setting)}**, for {size_text(row, setting)}."
    larger = "accept a larger error" if setting.target is not None else "lower it"
    little = f" An ε above {LARGE_EPSILON:.0f} guarantees little: {larger}." if epsilon > LARGE_EPSILON else ""
    return steps_text(_preparation_text(setting), f"{noise}{little}", f"Publish it {_published_terms(row, setting)}.")


def _preparation_text(setting: AccuracySetting) -> str:
    """Return what limits what one person adds, before any noise."""
    if setting.query == "own":
        l1 = setting.facts.format_sensitivity(setting.facts.l1)
        return f"Limit what one person adds: it may move the answer by at most Δ₁ = {l1}."
    n_own, clipped = setting.facts.n_own, ""
    if setting.query in ("sum", "mean"):
        low, high = format_input_down(setting.low), format_input_up(setting.high)
        clipped = f", with every value clipped to {low} … {high}"
    if n_own > 1:
        return f"Keep at most {format_input_down(n_own)} records of each person{clipped}."
    return f"Count each person {'in one category' if setting.query == 'histogram' else 'once'}{clipped}."


def _published_terms(row: MechanismRow, setting: AccuracySetting) -> str:
    """Return what is published with the number: its ±, the releases for which that holds, and ε."""
    if setting.target is None:
        size, epsilon = half_width_text(row.half_width, setting.facts.unit), f"ε = {format_input_up(setting.epsilon)}"
    else:
        size, epsilon = target_text(setting), epsilon_equation(row.epsilon)
    return f"with {size} ({releases_text(setting.significance)}), {epsilon} and the conditions"


def mechanisms(result: AccuracyResult, _: Colours) -> Exhibit:
    """Return the mechanisms side by side in numbers."""
    setting, rows = result.setting, result.rows
    html, alternative = mechanisms_html(result), text.alternative_text(rows, setting)
    numbers = partial(mechanisms_frame, rows, setting)
    return Exhibit("mechanisms", html, alternative, numbers, result.csv_header)


KNOWN_FIELD = Field(KNOWN, "I know")


def _is_crowded(result: AccuracyResult) -> bool:
    """Return whether the query has so many fields that with those of the error they would be more than six."""
    return len(query_fields(result)) > 4


def controls(result: AccuracyResult) -> Sequence[Field | Parameter]:
    """Return the query, what one person adds to it, and the error or the privacy that is known."""
    known = EPSILON if result.setting.target is None else ACCURACY
    return *query_fields(result), *(() if _is_crowded(result) else (KNOWN_FIELD,)), known


def more_settings(result: AccuracyResult) -> Sequence[Field | Parameter]:
    """Return the fields that few users change: the terms of the guarantee and of ±, and what is drawn."""
    terms = (*((KNOWN_FIELD,) if _is_crowded(result) else ()), DELTA, SIGNIFICANCE, *term_fields(result.setting))
    return *terms, GUARANTEE_FIELD, Field(VIEW, "Show"), Field(MECHANISMS, "Mechanisms")


def parts(result: AccuracyResult, colours: Colours) -> Iterator[Part]:
    """Yield the half-widths against ε, what to do, and the mechanisms in numbers."""
    setting = result.setting
    yield ratios(result, colours) if setting.shown == "ratio" else accuracy(result, colours)
    yield recommendation_text(result.rows, setting)
    yield text.tables_link_text(setting)
    yield Fold((text.reasons_text(result.rows, setting), sensitivity_text(setting)), "Why this noise")
    notes = f"{ROUNDING} {tight_constant_text(result.rows, setting)}".strip()
    yield Fold(lambda: (mechanisms(result, colours), notes), "Compare the noises in numbers")
    if setting.facts.width is not None:
        yield Fold((text.population_text(setting, result.rows),), "Error for the population")
    yield Fold((risk_link_text(setting, setting.promise),), RISK_NAME) if setting.target is None else None


SECTION = Section[AccuracyResult](
    key="accuracy",
    name="Error at each ε",
    controls=controls,
    idle=lambda result: (ACCURACY if result.setting.target is None else EPSILON,),
    more_settings=more_settings,
    parts=parts,
    answer_text=text.answer_text,
    explanation=explanation_text,
    conditions=conditions,
    exhibits=(accuracy, ratios, mechanisms),
    claims=claims,
    snippets=snippets,
    statements=statements.statements,
    has_statements=statements.has_statements,
    downloads=statements.downloads,
)
