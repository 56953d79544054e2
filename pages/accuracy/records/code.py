"""The least number of records with dpcore."""

import math

from dpcore.calibrations import ANALYTIC, LAPLACE
from pages.accuracy.error.code import NO_HALF_WIDTH, calibration_name
from pages.accuracy.results import AccuracyResult
from pages.framework.layout.code_panel import number, program, unavailable
from pages.framework.layout.section import Snippet
from pages.shared.libraries import DPCORE

_NO_LEAST_RECORDS = "It does not compute the number of records for a wanted ±."


def snippets(result: AccuracyResult) -> tuple[Snippet, ...]:
    """Return the least n of each noise that has one; nothing where none has."""
    setting, width = result.setting, result.setting.facts.person_width
    least_records = {
        rule: n for rule, n in zip((LAPLACE, ANALYTIC), result.least_records, strict=True) if not math.isnan(n)
    }
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
    return Snippet(DPCORE, code, note, tuple(least_records.values())), *unavailable(
        dict.fromkeys(NO_HALF_WIDTH, _NO_LEAST_RECORDS)
    )
