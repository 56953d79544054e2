"""The parameters of the page on tables as one record."""

from dataclasses import dataclass

from pages.shared.shared_parameters import SharedSetting


@dataclass(frozen=True)
class TablesSetting(SharedSetting):
    """The parameters of the page; the table itself is not among them."""

    table: str
    cells: float
    per_person: float
    per_cell: float
    per_total: float
    n_periods: float
    neighbours: str
    margins: float
    error: str
    promise: str
    p: float
    mechanism: str
