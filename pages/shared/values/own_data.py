"""The fields for the user's own values."""

from pages.framework.layout.own_data import OwnData
from pages.framework.session.data_files import FileInput, TextInput
from pages.shared.conditions import CATEGORIES, CONTRIBUTION
from pages.shared.values.parameters import CHOICES, OWN_VALUES, SLOT, SOURCE, ValuesUpload, choice_fields, read_upload

OWN_DATA = OwnData[ValuesUpload](
    slot=SLOT,
    noun="values",
    label="Use your own values",
    remove="Remove my values",
    inputs=(
        TextInput(
            "pasted",
            "Paste the values, one for each person",
            "One on each line, or a column as copied from a spreadsheet.",
            "12000\n250000\n31000",
        ),
        FileInput(
            "file",
            "Or a file: CSV, TSV, or other text with a separator",
            ("csv", "tsv", "tab", "txt"),
            "A column of numbers, with or without a header.",
        ),
    ),
    choice=SOURCE,
    linked=OWN_VALUES,
    conditions=(CONTRIBUTION, CATEGORIES),
    choices=CHOICES,
    read=read_upload,
    refused=lambda problem: ValuesUpload(None, problem),
    fields=choice_fields,
)
