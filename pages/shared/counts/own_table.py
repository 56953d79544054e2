"""The fields for a table of the user's own."""

from collections.abc import Iterator
from dataclasses import replace

from pages.framework.layout.own_data import OwnData
from pages.framework.parameters.kinds import Choice
from pages.framework.session import session_state
from pages.framework.session.data_files import FileInput, Offer, TextInput
from pages.shared.conditions import CATEGORIES, CONTRIBUTION
from pages.shared.counts.parameters import OWN_TABLE, PER_CELL, SLOT
from pages.shared.counts.table import Upload
from pages.shared.counts.upload import CHOICES, choice_fields, read_upload


def own_table(table: Choice) -> OwnData[Upload]:
    """Return the flow of a table of the user's own on a page; `table` is its parameter that chooses a table."""
    return replace(_OWN_TABLE, choice=table)


def _limit_offers(upload: Upload) -> Iterator[Offer]:
    """Yield the buttons for the limits on a person that the table requires and the page does not have yet.

    Only the number that suppression states is entered: those of the records are confidential, and a link has the limit.
    """
    readings, counts = session_state.readings(), upload.counts
    if counts is None or CONTRIBUTION.key not in readings:
        return
    least, is_limited = counts.least_per_cell, readings[CONTRIBUTION.key].used == "limited"
    limited = {CONTRIBUTION.key: "limited"}
    if PER_CELL.key in readings and least > PER_CELL.read(readings[PER_CELL.key].used):
        label = f"Set c to {least}, as the suppressed counts require"
        yield Offer("per_cell", label, texts={PER_CELL.key: str(least), **limited}, is_primary=True)
    if counts.people is not None and counts.people.most_rows > 1 and not is_limited:
        yield Offer("limit", "Limit how often a person counts", texts=limited)


_OWN_TABLE = OwnData[Upload](
    slot=SLOT,
    noun="table",
    label="Use your own table",
    remove="Back to the sample table",
    inputs=(
        FileInput(
            "file",
            "File: CSV, TSV or other text with a separator",
            ("csv", "tsv", "tab", "txt"),
            "Counts with or without labels, a cross-table, or raw records, whose rows are counted.",
        ),
        TextInput(
            "pasted",
            "Or paste a table",
            "Copied from a spreadsheet, or in the format of a CSV file.",
            "North; 12\nSouth; 3",
        ),
    ),
    linked=OWN_TABLE,
    conditions=(CONTRIBUTION, CATEGORIES),
    choices=CHOICES,
    read=read_upload,
    refused=lambda problem: Upload(None, problem),
    fields=choice_fields,
    offers=_limit_offers,
)
