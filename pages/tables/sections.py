"""The sections of the page, and its answer."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters import number_format
from pages.framework.parameters.kinds import Quantity
from pages.shared.shared_parameters import DELTA, EPSILON, SEED, SIGNIFICANCE
from pages.tables import explanation as noise_explanation
from pages.tables.cells import exhibits as table_exhibits
from pages.tables.cells import text as table_words
from pages.tables.experiments import exhibits as paper_exhibits
from pages.tables.experiments import text as paper_words
from pages.tables.mechanisms import exhibits as noise_exhibits
from pages.tables.mechanisms import text as noise_words
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
from pages.tables.release import exhibits as release_exhibits
from pages.tables.release import text as release_words
from pages.tables.results import TablesResult

_TABLE, _ERROR, _PROMISE = Field(TABLE, "Table"), Field(ERROR, "Error meant"), Field(PROMISE, "Promise")
MISSING = (
    "Your own table is missing: the link does not contain it.",
    "Upload or paste one below, or choose a table that ships with the page, or only the size of yours.",
)
MENDING = "Go on below, or choose a table that ships with the page, or only the size of yours."
SAMPLE = "This is a sample table: [bring your own](#own_table_box)."
_WHAT_A_PERSON_ADDS = Fields((PER_CELL, Field(NEIGHBOURS, "Neighbours"), Field(MARGINS), SIGNIFICANCE))


def answer(result: TablesResult) -> tuple[str, ...]:
    """The answer of the open section and, beside a kept setting, what has changed."""
    section = result.values.get("section", "noise")
    if result.missing and section != "paper":
        return (number_format.escape_markdown(result.problem), MENDING) if result.problem else MISSING
    said = {
        "noise": noise_words.answer,
        "table": table_words.answer,
        "release": release_words.answer,
        "paper": paper_exhibits.answer,
    }[section](result)
    compared = {"noise": noise_words.compared, "table": table_words.compared, "release": table_words.compared}
    if section not in compared or result.missing or result.pinned is None or result.pinned.missing:
        return said
    return *said, compared[section](result)


def _sample(result: TablesResult) -> str | None:
    """Where to bring a table, while one that ships with the page is shown."""
    return SAMPLE if result.setting.table in ("czech", "mildew") else None


def _noise_strip(result: TablesResult) -> tuple[Field | Quantity, ...]:
    size = (CELLS,) if result.setting.table == "size" else ()
    return (EPSILON, DELTA, PER_PERSON, _PROMISE, _ERROR, _TABLE, *size)


def _noise(result: TablesResult, colour: Colours) -> Iterator[Part]:
    if result.missing:
        return
    yield noise_exhibits.reach(result, colour)
    yield Fields((Field(AGAINST, "Draw ± against"), *_WHAT_A_PERSON_ADDS.fields))
    yield " ".join(filter(None, (_sample(result), noise_words.reasons(result))))
    yield noise_exhibits.mechanisms(result, colour)
    yield Fields((SHAPE, SHARE, SMALLEST))
    yield noise_words.questions(result)


def _table(result: TablesResult, colour: Colours) -> Iterator[Part]:
    if result.missing:
        return
    yield table_exhibits.cells(result, colour)
    yield _sample(result)
    yield Fields((_PROMISE, *_WHAT_A_PERSON_ADDS.fields))
    if result.noise is not None:
        yield noise_words.cells_with_bars(result, result.noise)
    yield Fields((SHARE, SMALLEST))
    yield table_exhibits.listed(result, colour)


def _release(result: TablesResult, colour: Colours) -> Iterator[Part]:
    if result.missing:
        return
    if result.values["repeated"] == "on":
        yield release_exhibits.kept(result, colour)
        yield release_words.kept_meaning()
    else:
        yield release_exhibits.release(result, colour)
        yield release_words.processing(result)
    yield Fields((_PROMISE, *_WHAT_A_PERSON_ADDS.fields))
    yield release_words.TRIAL
    yield release_exhibits.noisy(result, colour)


def _has_cells(result: TablesResult) -> bool:
    return result.setting.table != "size"


def explanation(result: TablesResult) -> str:
    """How what the open section shows is computed; without a table nothing is."""
    if result.values.get("section") == "paper":
        return paper_words.EXPLANATION
    return "" if result.missing else noise_explanation.explanation(result)


SECTIONS = {
    "noise": Section[TablesResult](_noise_strip, _noise),
    "table": Section[TablesResult](
        lambda _: (EPSILON, DELTA, PER_PERSON, Field(MECHANISM, "Noise"), _ERROR, _TABLE, Field(AXIS, "Axis")),
        _table,
        _has_cells,
    ),
    "release": Section[TablesResult](
        lambda _: (
            *(EPSILON, DELTA, PER_PERSON, Field(MECHANISM, "Noise"), Field(REPEATED, "Show")),
            *(Field(CLIPPED, "Clip at 0"), Field(ROUNDED, "Round"), SEED),
        ),
        _release,
        _has_cells,
    ),
    "paper": Section[TablesResult](paper_exhibits.strip, paper_exhibits.parts),
}
