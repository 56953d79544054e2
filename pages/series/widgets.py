"""The fields for the user's own series, and for their own sums."""

from pages.framework.layout.own_data import OwnData
from pages.framework.session.data_files import FileInput, TextInput
from pages.series.parameters import OWN_SERIES, OWN_SUMS, SERIES_SLOT, SERIES_SOURCE, SUMS_SLOT, SUMS_SOURCE
from pages.series.upload import CHOICES, SeriesUpload, SumsUpload, column_fields, read_own_sums, read_series
from pages.shared.conditions import CATEGORIES, CONTRIBUTION

_FILE, _ENDINGS = "Or a file: CSV, TSV, or other text with a separator", ("csv", "tsv", "tab", "txt")
OWN_DATA = OwnData[SeriesUpload](
    slot=SERIES_SLOT,
    noun="numbers",
    label="Use your own series",
    remove="Remove my numbers",
    inputs=(
        TextInput(
            "pasted",
            "Paste the number of each period, the first one on top",
            "One on each line, or a column as copied from a spreadsheet.",
            "512\n498\n530",
        ),
        FileInput("file", _FILE, _ENDINGS, "A column of numbers, with or without a header."),
    ),
    choice=SERIES_SOURCE,
    linked=OWN_SERIES,
    conditions=(CONTRIBUTION, CATEGORIES),
    choices=CHOICES,
    read=read_series,
    refused=lambda problem: SeriesUpload(None, problem),
    fields=column_fields,
)
OWN_SUMS_DATA = OwnData[SumsUpload](
    slot=SUMS_SLOT,
    noun="sums",
    label="Use your own sums",
    remove="Remove my sums",
    inputs=(
        TextInput(
            "pasted",
            "Paste a row for each published number: 1 for each cell that it adds up, else 0",
            "Names may stand on top and in the first column.",
            "sum,Jan,Feb,Mar\nwinter,1,1,0\nquarter,1,1,1",
        ),
        FileInput(
            "file", _FILE, _ENDINGS, "A row for each published number, a column for each cell, with or without names."
        ),
    ),
    choice=SUMS_SOURCE,
    linked=OWN_SUMS,
    read=read_own_sums,
    refused=lambda problem: SumsUpload(None, problem),
)
