"""The parameters of the section on Experiment 5.2: the open setting, and the size of the experiment."""

from pages.framework.parameters.kinds import Choice, Quantity
from pages.framework.parameters.parameter import Parameter

MEANS_AGAINST = Choice(
    "means_against",
    "what the error is drawn against",
    {"dimension": "Numbers d", "epsilon": "Privacy loss ε"},
    "dimension",
)
MEANS_GRID = Choice(
    "means_grid", "settings of the experiment", {"paper": "Reproduce the paper", "own": "My own"}, "paper"
)
MEAN_DIMENSION = Quantity(
    "mean_dimension",
    "d",
    "How many numbers d the mean has",
    "[1, 2000]",
    "500",
    whole=True,
    ends="← fewer · d · more →",
    scale=("10", "20", "50", "100", "200", "500", "1000", "2000"),
    caption="d · numbers released",
)
MEAN_RECORDS = Quantity(
    "mean_records",
    "n",
    "Records n of each data set",
    "[1, 5000]",
    "500",
    whole=True,
    caption="n · records per data set",
)
MEAN_REPEATS = Quantity(
    "mean_repeats",
    "repeats",
    "Data sets for each d",
    "[2, 200]",
    "100",
    whole=True,
    caption="data sets per d",
)
PARAMETERS: tuple[Parameter, ...] = (MEANS_AGAINST, MEANS_GRID, MEAN_DIMENSION, MEAN_RECORDS, MEAN_REPEATS)
