"""The fields that several sections of the page have."""

from dpcore.families import FAMILIES
from pages.framework.layout.section import Field, Fields
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.parameter import Parameter
from pages.shared.conditions import CONTRIBUTION
from pages.shared.shared_parameters import DELTA, SIGNIFICANCE
from pages.tables.parameters import ERROR, GUARANTEE, MARGINS, MECHANISM, NEIGHBOURS, PER_CELL
from pages.tables.results import TablesResult

ERROR_FIELD, GUARANTEE_FIELD = Field(ERROR, "Error bound for"), Field(GUARANTEE, "Guarantee")
MECHANISM_FIELD = Field(MECHANISM, "Noise")


def sensitivity_fields(result: TablesResult) -> tuple[Field | Parameter, ...]:
    """Return the other fields of the sensitivity, and the confidence."""
    per_cell = () if result.values[CONTRIBUTION.key] in ("once", "limited") else (PER_CELL,)
    return *per_cell, Field(NEIGHBOURS, "Neighbours"), Field(MARGINS), SIGNIFICANCE


def guarantee_and_sensitivity(result: TablesResult) -> Fields:
    """Return the fields of the guarantee, which only the recommended noise depends on, and of the sensitivity."""
    guarantee = (GUARANTEE_FIELD,) if result.values[MECHANISM.key] == "recommended" else ()
    return Fields((*guarantee, *sensitivity_fields(result)))


def delta_fields(result: TablesResult) -> tuple[Quantity, ...]:
    """Return the field of δ where the chosen noise may depend on it: not of noise that satisfies pure ε-DP."""
    mechanism, is_pure = result.values[MECHANISM.key], result.values[GUARANTEE.key] == "pure"
    if mechanism != "recommended":
        is_pure = mechanism in FAMILIES and FAMILIES[mechanism].pure
    return () if is_pure else (DELTA,)
