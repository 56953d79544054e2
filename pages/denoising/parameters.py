"""What only this page asks: its section, what is denoised and how, the experiments, and a kept setting."""

from pages.denoising import counts_parameters, map_parameters, means_parameters, variance_parameters, where_parameters
from pages.shared.common import SEED, Pin
from pages.shared.counts.parameters import NEIGHBOURS, OWN_TABLE, PER_CELL, PER_PERSON, TABLE
from pages.shared.parameters import Choice, Correction, Parameter, Values

SECTION = Choice(
    "section",
    "section",
    {
        "counts": "My counts",
        "where": "Where each wins",
        "map": "A map",
        "variance": "Calibration (5.1)",
        "means": "A mean (5.2)",
    },
    "counts",
)
_ASKED: tuple[Parameter, ...] = (
    *(TABLE, PER_PERSON, PER_CELL, NEIGHBOURS),
    *counts_parameters.KEPT,
    *where_parameters.KEPT,
    *map_parameters.KEPT,
)


def correct(values: Values) -> list[Correction]:
    """A table of which only the size is known, where its cells are what is denoised."""
    if values[TABLE.key] != "size":
        return []
    said = f"“{TABLE.options['size']}” leaves nothing to denoise: the table that ships with the page is used instead."
    return [Correction(TABLE.key, TABLE.default, said)]


PINNED = Pin(_ASKED, correct)
OWN: tuple[Parameter, ...] = (
    *_ASKED,
    OWN_TABLE,
    *counts_parameters.OWN,
    *where_parameters.OWN,
    *map_parameters.OWN,
    *variance_parameters.OWN,
    *means_parameters.OWN,
    SEED,
    SECTION,
    PINNED,
)
