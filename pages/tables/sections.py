"""The sections of the page, and its answer."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.kinds import Quantity
from pages.shared.shared_parameters import DELTA, EPSILON, SEED, SIGNIFICANCE
from pages.tables import (
    noise_exhibits,
    noise_explanation,
    noise_words,
    paper_exhibits,
    paper_words,
    release_exhibits,
    release_words,
    table_exhibits,
    table_words,
)
from pages.tables.found import Found
from pages.tables.parameters import (
    AGAINST,
    AXIS,
    CELLS,
    CLIPPED,
    ERROR,
    MARGINS,
    MECHANISM,
    NEIGHBOURS,
    PER_CELL,
    PER_PERSON,
    PROMISE,
    REPEATED,
    ROUNDED,
    SHAPE,
    SHARE,
    SMALLEST,
    TABLE,
)

_TABLE, _ERROR, _PROMISE = Field(TABLE, "Table"), Field(ERROR, "Error meant"), Field(PROMISE, "Promise")
MISSING = (
    "Your own table is missing: the link does not contain it.",
    "Upload or paste one below, or choose a table that ships with the page, or only the size of yours.",
)
MENDING = "Go on below, or choose a table that ships with the page, or only the size of yours."
SAMPLE = "This is a sample table: [bring your own](#own_table_box)."
_WHAT_A_PERSON_ADDS = Fields((PER_CELL, Field(NEIGHBOURS, "Neighbours"), Field(MARGINS), SIGNIFICANCE))


def answer(found: Found) -> tuple[str, ...]:
    """The answer of the open section and, beside a kept setting, what has changed."""
    section = found.values.get("section", "noise")
    if found.missing and section != "paper":
        return (number_format.escape_markdown(found.problem), MENDING) if found.problem else MISSING
    said = {
        "noise": noise_words.answer,
        "table": table_words.answer,
        "release": release_words.answer,
        "paper": paper_exhibits.answer,
    }[section](found)
    compared = {"noise": noise_words.compared, "table": table_words.compared, "release": table_words.compared}
    if section not in compared or found.missing or found.pinned is None or found.pinned.missing:
        return said
    return *said, compared[section](found)


def _sample(found: Found) -> str | None:
    """Where to bring a table, while one that ships with the page is shown."""
    return SAMPLE if found.setting.table in ("czech", "mildew") else None


def _noise_strip(found: Found) -> tuple[Field | Quantity, ...]:
    size = (CELLS,) if found.setting.table == "size" else ()
    return (EPSILON, DELTA, PER_PERSON, _PROMISE, _ERROR, _TABLE, *size)


def _noise(found: Found, colour: Colours) -> Iterator[Part]:
    if found.missing:
        return
    yield noise_exhibits.reach(found, colour)
    yield Fields((Field(AGAINST, "Draw ± against"), *_WHAT_A_PERSON_ADDS.fields))
    yield " ".join(filter(None, (_sample(found), noise_words.reasons(found))))
    yield noise_exhibits.mechanisms(found, colour)
    yield Fields((SHAPE, SHARE, SMALLEST))
    yield noise_words.questions(found)


def _table(found: Found, colour: Colours) -> Iterator[Part]:
    if found.missing:
        return
    yield table_exhibits.cells(found, colour)
    yield _sample(found)
    yield Fields((_PROMISE, *_WHAT_A_PERSON_ADDS.fields))
    if found.noise is not None:
        yield noise_words.cells_with_bars(found, found.noise)
    yield Fields((SHARE, SMALLEST))
    yield table_exhibits.listed(found, colour)


def _release(found: Found, colour: Colours) -> Iterator[Part]:
    if found.missing:
        return
    if found.values["repeated"] == "on":
        yield release_exhibits.kept(found, colour)
        yield release_words.kept_meaning()
    else:
        yield release_exhibits.release(found, colour)
        yield release_words.processing(found)
    yield Fields((_PROMISE, *_WHAT_A_PERSON_ADDS.fields))
    yield release_words.TRIAL
    yield release_exhibits.noisy(found, colour)


def _has_cells(found: Found) -> bool:
    return found.setting.table != "size"


def explanation(found: Found) -> str:
    """How what the open section shows is computed; without a table nothing is."""
    if found.values.get("section") == "paper":
        return paper_words.EXPLANATION
    return "" if found.missing else noise_explanation.explanation(found)


SECTIONS = {
    "noise": Section[Found](_noise_strip, _noise),
    "table": Section[Found](
        lambda _: (EPSILON, DELTA, PER_PERSON, Field(MECHANISM, "Noise"), _ERROR, _TABLE, Field(AXIS, "Axis")),
        _table,
        _has_cells,
    ),
    "release": Section[Found](
        lambda _: (
            *(EPSILON, DELTA, PER_PERSON, Field(MECHANISM, "Noise"), Field(REPEATED, "Show")),
            *(Field(CLIPPED, "Clip at 0"), Field(ROUNDED, "Round"), SEED),
        ),
        _release,
        _has_cells,
    ),
    "paper": Section[Found](paper_exhibits.strip, paper_exhibits.parts),
}
