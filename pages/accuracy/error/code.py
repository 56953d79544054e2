"""The noise of the answer with dpcore and with other libraries."""

import math

from dpcore.calibrations import ANALYTIC, GEOMETRIC, LAPLACE, Calibration
from dpcore.sensitivity import QUERY_ARGUMENTS
from pages.accuracy.query import AccuracySetting
from pages.accuracy.recommendation import EXTRA_RULES, MechanismRow, recommended_row
from pages.accuracy.results import AccuracyResult
from pages.framework.layout.code_panel import number, program, unavailable
from pages.framework.layout.section import Snippet
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.other_libraries import gaussian_sigma, geometric_accuracy, laplace_accuracy, laplace_epsilon

NO_HALF_WIDTH = {
    OPENDP: "It has no ± of this noise.",
    DP_ACCOUNTING: "It accounts for privacy, and states no ± of noise.",
    DIFFPRIVLIB: "It states no ± of this noise.",
    OPACUS: "It has Gaussian noise only, and states no ± of it.",
}


def snippets(result: AccuracyResult) -> tuple[Snippet, ...]:
    """Return the noise of the answer and its ± or ε; nothing where there is no answer."""
    row, setting = recommended_row(result.rows, result.setting).row, result.setting
    if math.isnan(row.half_width if setting.target is None else row.epsilon):
        return ()
    return _dpcore_snippet(row, setting), *_library_snippets(row, setting)


def _sensitivity_line(rule: Calibration, setting: AccuracySetting) -> str:
    """Return the line that computes the sensitivity of the query."""
    if setting.query == "own":
        return f"sensitivity = {number(setting.facts.sensitivity(rule))}"
    own = [f"{name}={number(getattr(setting, name))}" for name in QUERY_ARGUMENTS[setting.query]]
    own += [f"records_per_person={number(setting.facts.n_own)}"] if setting.facts.n_own > 1 else []
    call = f"query_sensitivity({', '.join([repr(setting.query), repr(setting.neighbours), *own])})"
    return f"sensitivity = {call}.{'l1' if rule.norm == 'l1' else 'l2'}"


def _dpcore_snippet(row: MechanismRow, setting: AccuracySetting) -> Snippet:
    rule = row.calibration
    if rule.key in EXTRA_RULES:
        return _table_snippet(row, setting)
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
    code = program(
        "from dpcore import accuracy, mechanism",
        *(() if setting.query == "own" else ("from dpcore.sensitivity import query_sensitivity",)),
        "",
        f"{', '.join(given)} = {values}",
        _sensitivity_line(rule, setting),
        *lines,
    )
    value, what = (row.half_width, "±") if setting.target is None else (row.epsilon, "The ε")
    return Snippet(DPCORE, code, f"{what} of the noise that the page recommends: {rule.name}.", (value,))


def _table_snippet(row: MechanismRow, setting: AccuracySetting) -> Snippet:
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
    code = program("from dpcore import sensitivity, tables", "", person, *lines)
    value, what = (row.half_width, "±") if setting.target is None else (row.epsilon, "The ε")
    return Snippet(DPCORE, code, f"{what} of the noise that the page recommends: {row.mechanism.name}.", (value,))


def _library_snippets(row: MechanismRow, setting: AccuracySetting) -> tuple[Snippet, ...]:
    rule, without = row.calibration, dict(NO_HALF_WIDTH)
    sensitivity = setting.facts.sensitivity(rule)
    snippets: tuple[Snippet, ...] = ()
    if setting.target is not None:
        if rule is LAPLACE:
            snippets = (laplace_epsilon(setting.target, sensitivity, setting.significance, row.epsilon),)
        without = dict.fromkeys(NO_HALF_WIDTH, "It has no ε for a wanted ± of this noise.")
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
