"""The conditions, statements and release program in the words of each query, and the fields that sections share."""

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from dpcore import local
from dpcore.calibrations import PURE_DP
from dpcore.checks import RECORDS_RANGE
from dpcore.mechanism import Mechanism
from pages.accuracy.error.text import noise_parameters
from pages.accuracy.parameters import (
    GUARANTEE,
    HIGH,
    LIMITED_QUERIES,
    LOW,
    N_RECORDS,
    NEIGHBOURS,
    QUERY,
    UNIT,
    AccuracySetting,
)
from pages.accuracy.results import AccuracyResult, MechanismRow, recommended_row, records_per_person, rows_at
from pages.accuracy.text import noise_name
from pages.framework.layout.offers import Downloads, Statements
from pages.framework.layout.section import Conditions, Field
from pages.framework.parameters.kinds import is_inside
from pages.framework.parameters.number_format import format_input_down, format_input_up, format_up, percent
from pages.framework.parameters.parameter import Parameter
from pages.shared.conditions import BOUNDS, CONTRIBUTION, LIMITED, QUESTION, Subject, release_conditions
from pages.shared.counts.table import PER_TOTAL
from pages.shared.formulas import share
from pages.shared.release_program.program import Statistic, level_text, noise_facts, release_downloads
from pages.shared.shared_parameters import L1_SENSITIVITY, L2_SENSITIVITY
from pages.shared.statements import Release, in_full, off_by, release_statements

_HISTOGRAM = Subject(
    unlimited="this answer is for people who count once",
    limit_remedy="[A table](./Tables?contribution=limited) has the noise for people who count more often. If {limit}:",
    can_have_limit=False,
)
_SUBJECTS = {"sum": BOUNDS, "mean": BOUNDS, "histogram": _HISTOGRAM}
_FEW_PEOPLE = 1_000  # of a survey, whose error is taken for normal: at 100 it was within ± in 91 %, not in 95 %
_N_OPTIONS, _SHARE = 20, 0.05  # of the survey that is named for comparison
_OWN = replace(
    QUESTION,
    limit="all that a person adds moves the answer by no more than Δ₁ and Δ₂",
    has_limit=True,
    unlimited="nobody limits by how much a person moves the answer",
    limit_remedy="Limit what each person adds before anything is computed. If {limit}:",
)


def conditions(result: AccuracyResult) -> Conditions:
    """Return the conditions of the answer for the query of the setting, one on the number of records among them."""
    return replace(_conditions(result), assumptions=_assumptions(result.setting))


def records_conditions(result: AccuracyResult) -> Conditions:
    """Return the same where there are enough records for the wanted ±; without such a number nothing is assumed."""
    known = _with_enough(result)
    if known is None:
        return _conditions(result)
    _, setting = known
    assumptions = _assumptions(setting)
    if setting.neighbours == "replace":
        assumptions = (f"there are at least {setting.n_records:,.0f} records, and their exact number is public",)
    return replace(_conditions(result), assumptions=assumptions)


def _conditions(result: AccuracyResult) -> Conditions:
    """Return the conditions whatever the number of records is."""
    setting, values = result.setting, result.values
    subject = _SUBJECTS.get(setting.query, QUESTION)
    if setting.query == "own":
        subject = _OWN
    elif setting.query in LIMITED_QUERIES and (limit := records_per_person(values)) > 1:
        subject = replace(subject, limit=f"no person has more than {format_input_down(limit)} records", has_limit=True)
    return release_conditions(values, replace(subject, local=_local_text(result) or subject.local))


def _local_text(result: AccuracyResult) -> str:
    """Return how far a survey is off in which each person adds the noise, of a proportion; empty for another query."""
    setting = result.setting
    if setting.query != "proportion" or not setting.epsilon >= 1e-12 or setting.target is not None:
        return ""
    n, significance = setting.n_records, setting.significance
    size, of_many = (
        100 * float(local.half_width(setting.epsilon, n_options, n, share=f, significance=significance))
        for n_options, f in ((2, None), (_N_OPTIONS, _SHARE))
    )
    about = "about " if n < _FEW_PEOPLE else ""
    return (
        f"With noise that each person adds, the share of a yes-or-no question is off by up to {about}"
        f"±{format_up(size)} percentage points in {share(setting.significance)} of surveys, and a share of "
        f"{percent(_SHARE)} over "
        f"{_N_OPTIONS} options by {about}±{format_up(of_many)}. If an office adds the noise:"
    )


_NAMES = {
    "count": "count",
    "sum": "sum",
    "mean": "average",
    "proportion": "share",
    "histogram": "count",
    "own": "result",
}


def has_statements(result: AccuracyResult) -> bool:
    """Return whether the recommended noise can be released."""
    mechanism = recommended_row(result.rows, result.setting).row.chosen
    return mechanism.releasable and mechanism.epsilon <= 1e6


def statements(result: AccuracyResult) -> Statements | None:
    """Return the statements on the recommended noise; None where no noise can be released here."""
    if not has_statements(result):
        return None
    setting = result.setting
    row = recommended_row(result.rows, setting).row
    epsilon = format_input_up(setting.epsilon) if setting.target is None else format_up(row.epsilon)
    half_width = row.half_width if setting.target is None else setting.target
    is_at_least = row.calibration.whole or setting.target is not None
    return _stated(row, setting, epsilon, (half_width, is_at_least), conditions(result))


def _stated(
    row: MechanismRow,
    setting: AccuracySetting,
    epsilon: str,
    error: tuple[float, bool],
    said: Conditions,
) -> Statements:
    """Return the statements on a noise; `error` is its ±, and whether that may hold more often."""
    release = Release(
        noise=_noise_text(setting),
        error=_error(setting, *error),
        mechanism=_mechanism_text(row, setting),
        proof=row.calibration.theorem,
        epsilon=epsilon,
        delta="" if row.calibration.guarantee == PURE_DP else format_input_up(setting.delta),
        neighbours="add_remove" if setting.query == "own" else setting.neighbours,
    )
    return release_statements(release, said)


def _noise_text(setting: AccuracySetting) -> str:
    """Return to what noise is added, and that values are cut where they are."""
    name = _NAMES[setting.query]
    if setting.query == "histogram":
        return "Random noise is added to each count of the table before it is published"
    noise = f"Random noise is added to the {name} before it is published"
    if setting.query not in ("sum", "mean"):
        return noise
    low, high = in_full(format_input_down(setting.low)), in_full(format_input_up(setting.high))
    return f"Values below {low} count as {low}, values above {high} count as {high}. {noise}"


def _error(setting: AccuracySetting, half_width: float, is_at_least: bool) -> tuple[str, str]:
    what = f"{'any one' if setting.query == 'histogram' else 'the'} published {_NAMES[setting.query]}"
    exact = f"the exact {_NAMES[setting.query]}"
    exact = f"{exact} of the values so limited" if setting.query in ("sum", "mean") else exact
    return off_by(what, half_width, setting.significance, setting.facts.unit, exact=exact, is_at_least=is_at_least)


def _mechanism_text(row: MechanismRow, setting: AccuracySetting) -> str:
    l1, l2 = (setting.facts.format_sensitivity(size) for size in (setting.facts.l1, setting.facts.l2))
    return f"{noise_name(row.calibration)}{noise_parameters(row, setting)}; Δ₁ = {l1}, Δ₂ = {l2}"


def _assumptions(setting: AccuracySetting) -> tuple[str, ...]:
    """Return what must be so of the number of records, where the noise is made for it."""
    if setting.query not in ("mean", "proportion"):
        return ()
    n = f"{setting.n_records:,.0f}"
    if setting.neighbours == "replace":
        return (f"the number of records, {n}, is public",)
    return (f"there are at least {n} records, whoever takes part, and their exact number is not published",)


_KINDS = {
    "count": ("Count", "count"),
    "sum": ("Sum", "sum"),
    "mean": ("Mean", "mean"),
    "proportion": ("Proportion", "mean"),
    "histogram": ("Histogram", "table"),
}


def downloads(result: AccuracyResult) -> Downloads | None:
    """Return the program with the recommended noise; None for a query of which only the sensitivities are known."""
    setting = result.setting
    if setting.query not in _KINDS or not has_statements(result):
        return None
    mechanism = recommended_row(result.rows, setting).row.chosen
    is_public = setting.neighbours == "replace"
    return _program(mechanism, setting, is_public, conditions(result), lambda: statements(result))


def _program(
    mechanism: Mechanism,
    setting: AccuracySetting,
    is_number_public: bool,
    said: Conditions,
    stated: Callable[[], Statements | None],
) -> Downloads | None:
    name, kind = _KINDS[setting.query]
    facts, most = setting.facts, int(setting.facts.n_own)
    low, high = (0.0, 1.0) if setting.query == "proportion" else (setting.low, setting.high)
    statistic = Statistic(
        name=name,
        kind=kind,
        **noise_facts(mechanism),
        l1=facts.l1,
        l2=facts.l2,
        half_width=mechanism.half_width(setting.significance),
        level=level_text(setting.significance),
        unit=facts.unit,
        max_in_cell=most,
        max_in_all=most,
        low=low,
        high=high,
        n_records=int(setting.n_records),
        is_number_public=is_number_public,
    )
    guarantee = mechanism.epsilon, mechanism.delta
    return release_downloads((statistic,), guarantee, setting.neighbours, said, stated)


def enough_records(result: AccuracyResult) -> tuple[str, float] | None:
    """Return the key of Laplace or analytic Gaussian noise, whichever to use for the wanted ±, and the least n.

    It is None where no number is enough, or needed.
    """
    setting, (laplace, gaussian) = result.setting, result.least_records
    if (math.isnan(laplace) and math.isnan(gaussian)) or setting.accuracy >= (setting.facts.width or math.inf):
        return None
    is_gaussian = math.isnan(laplace) or (setting.promise == "delta" and gaussian < laplace)
    return ("analytic", gaussian) if is_gaussian else ("laplace", laplace)


def _with_enough(result: AccuracyResult) -> tuple[MechanismRow, AccuracySetting] | None:
    """Return that noise and the setting with so many records; None where they are too many to enter."""
    enough = enough_records(result)
    if enough is None or not is_inside(enough[1], RECORDS_RANGE):
        return None
    setting = replace(result.setting, n_records=enough[1])
    rows = rows_at(setting.facts, setting.epsilon, setting.delta, setting.significance, None)
    return rows[enough[0]], setting


def records_statements(result: AccuracyResult) -> Statements | None:
    """Return the statements on a mean of enough records, whose ± is the wanted one; None without such a number."""
    known = _with_enough(result)
    if known is None:
        return None
    row, setting = known
    said = records_conditions(result)
    return _stated(row, setting, format_input_up(setting.epsilon), (setting.accuracy, True), said)


def records_downloads(result: AccuracyResult) -> Downloads | None:
    """Return the program of a mean of that many records at least; None without such a number."""
    known = _with_enough(result)
    if known is None:
        return None
    row, setting = known
    said = records_conditions(result)
    return _program(row.mechanism, setting, False, said, lambda: records_statements(result))


_FOLLOWS = "“people” and “units” are suggestions that follow the query; “units” is written nowhere."
_COUNT_HELP = f"What the query counts: people, trips. {_FOLLOWS}"
_VALUE_HELP = f"What a value is measured in: dollars, years. {_FOLLOWS}"
_UNIT_HELPS = {
    "count": _COUNT_HELP,
    "histogram": _COUNT_HELP,
    "sum": _VALUE_HELP,
    "mean": _VALUE_HELP,
    "own": f"What your query counts or measures: people, dollars. {_FOLLOWS}",
}
QUERY_FIELD = Field(QUERY, "Statistic")
GUARANTEE_FIELD = Field(
    GUARANTEE,
    "Guarantee",
    "Pure ε-DP bounds every probability by the factor e^ε. Under (ε, δ)-DP probabilities may exceed that by up to δ.",
)


def query_fields(result: AccuracyResult) -> Sequence[Field | Parameter]:
    """Return the query and what one person adds to it: bounds, n, and the most records of a person if stated."""
    setting, values = result.setting, result.values
    if setting.query == "own":
        return QUERY_FIELD, L1_SENSITIVITY, L2_SENSITIVITY
    is_limited = values[CONTRIBUTION.key] in LIMITED and values[QUERY.key] in LIMITED_QUERIES
    limit = (Field(PER_TOTAL, "N · most records of a person", value=1.0),) if is_limited else ()
    bounds = (LOW, HIGH) if setting.query in ("sum", "mean") else ()
    n = (N_RECORDS,) if setting.query in ("mean", "proportion") else ()
    return QUERY_FIELD, *limit, *bounds, *n


def term_fields(setting: AccuracySetting) -> Sequence[Field]:
    """Return the unit of the query and the neighbours of the guarantee, where the query depends on them."""
    unit = (Field(UNIT, "Unit of the query", _UNIT_HELPS[setting.query]),) if setting.query in _UNIT_HELPS else ()
    return (*unit, *(() if setting.query == "own" else (Field(NEIGHBOURS, "Neighbours"),)))
