"""The fields that several sections of the page have."""

from dpcore.families import FAMILIES
from pages.framework.layout.section import Field
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.parameter import Parameter
from pages.shared.conditions import CONTRIBUTION
from pages.shared.counts.parameters import TABLE_FIELD
from pages.shared.counts.table import contribution_fields
from pages.shared.shared_parameters import DELTA, EPSILON, SIGNIFICANCE
from pages.tables.parameters import CELLS, ERROR, GUARANTEE, MARGINS, MECHANISM, NEIGHBOURS, PER_CELL
from pages.tables.results import TablesResult

ERROR_FIELD, GUARANTEE_FIELD = Field(ERROR, "Error bound for"), Field(GUARANTEE, "Guarantee")
MECHANISM_FIELD = Field(MECHANISM, "Noise")


MOST_FIELDS = 6
"""The most fields beside the picture; the others are folded under them."""


def known_fields(result: TablesResult, extra: Field = ERROR_FIELD) -> tuple[Field | Parameter, ...]:
    """Return the table, what one person adds to it, and ε, as far as there is room; and a further field if there is."""
    size = (CELLS,) if result.setting.table == "size" else ()
    limits = contribution_fields(result.values)[: MOST_FIELDS - 2 - len(size)]
    fields = TABLE_FIELD, *size, *limits, EPSILON
    return fields if len(fields) == MOST_FIELDS else (*fields, extra)


def folded_fields(result: TablesResult, known: tuple[Field | Parameter, ...]) -> tuple[Field | Parameter, ...]:
    """Return the fields of the contribution and of the error that have no room among those in sight."""
    return tuple(field for field in (*contribution_fields(result.values), ERROR_FIELD) if field not in known)


def sensitivity_fields(result: TablesResult) -> tuple[Field | Parameter, ...]:
    """Return the other fields of the sensitivity, and the confidence."""
    per_cell = () if result.values[CONTRIBUTION.key] in ("once", "limited") else (PER_CELL,)
    return *per_cell, Field(NEIGHBOURS, "Neighbours"), Field(MARGINS), SIGNIFICANCE


def noise_fields(result: TablesResult) -> tuple[Field | Parameter, ...]:
    """Return the fields of the noise, of its guarantee, which only the recommended one depends on, and of the rest."""
    guarantee = (GUARANTEE_FIELD,) if result.values[MECHANISM.key] == "recommended" else ()
    return MECHANISM_FIELD, *guarantee, *delta_fields(result), *sensitivity_fields(result)


def delta_fields(result: TablesResult) -> tuple[Quantity, ...]:
    """Return the field of δ where the chosen noise may depend on it: not of noise that satisfies pure ε-DP."""
    mechanism, is_pure = result.values[MECHANISM.key], result.values[GUARANTEE.key] == "pure"
    if mechanism != "recommended":
        is_pure = mechanism in FAMILIES and FAMILIES[mechanism].pure
    return () if is_pure else (DELTA,)
