"""The parameters of the section "Contributions": the numbers of records, and what a limit drops."""

from pages.framework.parameters.kinds import Choice, Quantity, steps
from pages.shared.glossary_links import more_text

PEOPLE = Choice(
    "people",
    "numbers of records",
    {"geometric": "Around a mean", "zipf": "A few people with many"},
    "geometric",
)
MEAN_RECORDS = Quantity(
    "mean_records",
    "mean records per person",
    "Mean number of records of a person",
    "[1, 100]",
    "5.4",
    help="The numbers of records are geometric, from 1 on: each further record is as likely as the one before.",
    ends="← fewer · mean · more →",
    scale=("1", "1.5", "2", "3", "4", "5", "6", "8", "10", "15", "20", "30", "50", "70", "100"),
    caption="mean records per person",
)
EXPONENT = Quantity(
    "exponent",
    "exponent",
    "Exponent of the numbers of records: a share ∝ j^−exponent of the people has j records",
    "[0, 10]",
    "2",
    help="With exponent 2, four times as many people have 1 record as have 2. A small exponent means that many people "
    "have many records.",
    ends="← more with many · exponent · fewer →",
    scale=("0.5", "1", "1.2", "1.5", "1.8", "2", "2.5", "3", "4", "5"),
    caption="exponent",
)
MOST_RECORDS = Quantity(
    "most_records",
    "most records of a person",
    "Most records that a person can have",
    "[1, 5000]",
    "200",
    whole=True,
    ends="← fewer · most · more →",
    scale=steps(0, 3, ("1", "2", "3", "5", "7")),
    caption="most records of a person",
)
LIMIT = Quantity(
    "limit",
    "r",
    "Your limit r of records per person",
    "[1, 100000]",
    "50",
    help="The limit that you use now, or the most records that are possible. The page compares it with the best one. "
    "You can also drag the dashed line in the chart." + more_text("contribution_limit", "contribution limit"),
    ends="← more is dropped · r · more noise →",
    scale=steps(0, 5, ("1", "2", "3", "4", "5", "6", "7", "8", "9")),
    whole=True,
    caption="r · your limit of records",
)
SPREAD = Choice(
    "spread",
    "records of a person",
    {"cells": "In different cells", "one_cell": "Possibly in one cell"},
    "cells",
)
DROPPING = Choice("dropping", "what is dropped", {"random": "At random", "weight": "By weight"}, "random")
LIMIT_ERROR = Choice(
    "limit_error",
    "error to minimise",
    {"cell_error": "One cell", "total_error": "The total", "all_half_width": "All cells at once"},
    "cell_error",
)
