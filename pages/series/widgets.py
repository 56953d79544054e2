"""The fields for the user's own series."""

from pages.framework.layout.own_data import OwnData
from pages.framework.session.data_files import FileInput, TextInput
from pages.series.parameters import OWN_SERIES, SERIES_SLOT, SERIES_SOURCE
from pages.series.upload import CHOICES, SeriesUpload, column_fields, read_series
from pages.shared.conditions import CATEGORIES, CONTRIBUTION

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
        FileInput(
            "file",
            "Or a file: CSV, TSV, or other text with a separator",
            ("csv", "tsv", "tab", "txt"),
            "A column of numbers, with or without a header.",
        ),
    ),
    choice=SERIES_SOURCE,
    linked=OWN_SERIES,
    conditions=(CONTRIBUTION, CATEGORIES),
    choices=CHOICES,
    read=read_series,
    refused=lambda problem: SeriesUpload(None, problem),
    fields=column_fields,
)
