"""The fields that several sections of the page have."""

from pages.framework.layout.section import Field, Fields
from pages.shared.shared_parameters import SIGNIFICANCE
from pages.tables.parameters import ERROR, MARGINS, MECHANISM, NEIGHBOURS, PER_CELL, PROMISE

ERROR_FIELD, PROMISE_FIELD = Field(ERROR, "Error bound for"), Field(PROMISE, "Guarantee")
MECHANISM_FIELD = Field(MECHANISM, "Noise")
SENSITIVITY_FIELDS = (PER_CELL, Field(NEIGHBOURS, "Neighbours"), Field(MARGINS), SIGNIFICANCE)
PROMISE_AND_SENSITIVITY = Fields((PROMISE_FIELD, *SENSITIVITY_FIELDS))
