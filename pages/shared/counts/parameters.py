"""The parameters of every page on tables of counts: the table, its field, and how much one person contributes to it."""

from dpcore import sensitivity
from pages.framework.layout.section import Field, FieldLink
from pages.framework.parameters.kinds import AutomaticQuantity, Choice, Quantity, steps
from pages.framework.session.data_files import OWN, box_key
from pages.shared.counts.link_format import OwnTable
from pages.shared.glossary_links import more_text

TABLE = Choice(
    "table",
    "table",
    {
        "czech": "Czech autoworkers",
        "mildew": "Barley mildew",
        "own": "My own table",
        "size": "Only the number of cells",
    },
    "czech",
)
OWN_TABLE = OwnTable()
PER_PERSON = Quantity(
    "per_person",
    "k",
    "Cells that one person can be in, k",
    "[1, 1e6]",
    "1",
    help="The most cells to which one person adds something: 1 in a histogram of people, more in a table of visits, "
    "diagnoses or trips. It must be a limit that is enforced, not a guess."
    + more_text("contribution_limit", "contribution limit"),
    whole=True,
    ends="← less noise · k · more noise →",
    scale=("1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "12", "15", "20", "25", "30", "40", "50", "70", "100"),
    caption="k · cells per person",
)
PER_CELL = Quantity(
    "per_cell",
    "c",
    "Most that one person adds to one cell, c",
    "[1e-9, 1e9]",
    "1",
    help="1 where people are counted; more where a person may count several times in one cell.",
    ends="← less noise · c · more noise →",
    scale=("1", "2", "3", "5", "10", "20", "50", "100"),
    caption="c · most per cell",
)
PER_TOTAL = AutomaticQuantity(
    "per_total",
    "N",
    "Most that one person adds in all, N",
    "[1, 1e9]",
    "none",
    help="The most that one person adds to all numbers together, where that is limited too: at most 4 visits in all. "
    "It must be a limit that is enforced, not a guess." + more_text("contribution_limit", "contribution limit"),
    ends="← less noise · N · more noise →",
    scale=("1", "2", "3", "4", "5", "10", "20", "50", "100"),
    caption="N · most in all",
    whole=True,
    word="none",
    button="No limit in all",
)
N_PERIODS = Quantity(
    "n_periods",
    "P",
    "Years or other periods for each of which N is the limit, P",
    sensitivity.PERIODS_RANGE,
    "1",
    help="1 where N is the limit for the whole table; 3 in a table of three years with a limit per year.",
    scale=("1", "2", "3", "4", "5", "6", "10", "12"),
    caption="P · periods of N",
    whole=True,
)
CELLS = Quantity(
    "cells",
    "m",
    "Number of cells m",
    "[1, 1e6]",
    "12",
    whole=True,
    ends="← fewer · m · more →",
    scale=steps(0, 6, ("1", "2", "3", "5")),
    caption="m · number of cells",
)
NEIGHBOURS = Choice(
    "neighbours",
    "neighbours",
    {"add_remove": "Add or remove one person", "replace": "Replace one person"},
    sensitivity.NEIGHBOURS[0],
)


SLOT = "table"
"""The slot of the user's own table in the tab of the browser."""
OWN_TABLE_BOX = box_key(SLOT)
"""The key of the fields for the user's own table."""
TABLE_LINK = FieldLink("Use my own table", OWN_TABLE_BOX, OWN, SLOT)
TABLE_FIELD = Field(TABLE, "Table", link=TABLE_LINK)
