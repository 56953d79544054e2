"""The fields that several sections of the page have."""

from collections.abc import Sequence

from pages.accuracy.parameters import GUARANTEE, HIGH, LIMITED_QUERIES, LOW, N_RECORDS, NEIGHBOURS, QUERY, UNIT
from pages.accuracy.query import AccuracySetting
from pages.framework.layout.section import Field
from pages.framework.parameters.parameter import Parameter, Values
from pages.shared.conditions import CONTRIBUTION
from pages.shared.counts.parameters import PER_TOTAL
from pages.shared.shared_parameters import L1_SENSITIVITY, L2_SENSITIVITY

_FOLLOWS = "“people” and “units” are suggestions that follow the query."
_COUNT_HELP = f"What the query counts: people, trips. {_FOLLOWS}"
_VALUE_HELP = f"What a value is measured in: dollars, years. {_FOLLOWS}"
_UNIT_HELPS = {
    "count": _COUNT_HELP,
    "histogram": _COUNT_HELP,
    "sum": _VALUE_HELP,
    "mean": _VALUE_HELP,
    "own": f"What your query counts or measures: people, dollars. {_FOLLOWS}",
}
QUERY_FIELD = Field(QUERY, "Query")
GUARANTEE_FIELD = Field(
    GUARANTEE,
    "Guarantee",
    "Pure ε-DP bounds every probability by the factor e^ε. Under (ε, δ)-DP probabilities may exceed that by up to δ.",
)


def limit_fields(values: Values) -> tuple[Field, ...]:
    """Return the field of the most records of a person, where a limit was stated for a query that can have one."""
    is_shown = values[CONTRIBUTION.key] == "limited" and values[QUERY.key] in LIMITED_QUERIES
    return (Field(PER_TOTAL, "N · most records of a person", value=1.0),) if is_shown else ()


def query_fields(setting: AccuracySetting) -> Sequence[Field | Parameter]:
    """Return the fields for what the sensitivity of the query depends on, and for its unit."""
    has_unit = setting.query in _UNIT_HELPS
    unit = (Field(UNIT, "Unit of the query", _UNIT_HELPS[setting.query]),) if has_unit else ()
    if setting.query == "own":
        return L1_SENSITIVITY, L2_SENSITIVITY, *unit
    bounds = (LOW, HIGH) if setting.query in ("sum", "mean") else ()
    n = (N_RECORDS,) if setting.query in ("mean", "proportion") else ()
    return Field(NEIGHBOURS, "Neighbouring data sets"), *bounds, *n, *unit
