"""The fields that several sections of the page have."""

from collections.abc import Sequence

from pages.accuracy.parameters import GUARANTEE, HIGH, LIMITED_QUERIES, LOW, N_RECORDS, NEIGHBOURS, QUERY, UNIT
from pages.accuracy.query import AccuracySetting
from pages.accuracy.results import AccuracyResult
from pages.framework.layout.section import Field
from pages.framework.parameters.parameter import Parameter
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


def query_fields(result: AccuracyResult) -> Sequence[Field | Parameter]:
    """Return the query and what one person adds to it: bounds, n, and the most records of a person if stated."""
    setting, values = result.setting, result.values
    if setting.query == "own":
        return QUERY_FIELD, L1_SENSITIVITY, L2_SENSITIVITY
    is_limited = values[CONTRIBUTION.key] == "limited" and values[QUERY.key] in LIMITED_QUERIES
    limit = (Field(PER_TOTAL, "N · most records of a person", value=1.0),) if is_limited else ()
    bounds = (LOW, HIGH) if setting.query in ("sum", "mean") else ()
    n = (N_RECORDS,) if setting.query in ("mean", "proportion") else ()
    return QUERY_FIELD, *limit, *bounds, *n


def term_fields(setting: AccuracySetting) -> Sequence[Field]:
    """Return the unit of the query and the neighbours of the guarantee, where the query depends on them."""
    unit = (Field(UNIT, "Unit of the query", _UNIT_HELPS[setting.query]),) if setting.query in _UNIT_HELPS else ()
    return (*unit, *(() if setting.query == "own" else (Field(NEIGHBOURS, "Neighbouring data sets"),)))
