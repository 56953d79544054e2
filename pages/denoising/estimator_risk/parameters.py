"""The parameters of the section on where each estimator wins: how many numbers, their size, and how many are not 0."""

from pages.framework.parameters.kinds import Choice, Quantity, steps
from pages.framework.parameters.parameter import Parameter

DIMENSION = Quantity(
    "dimension",
    "d",
    "How many numbers d are released",
    "[3, 10000]",
    "64",
    help="From three on, James–Stein is defined; above 10,000 the simulation would take too long.",
    whole=True,
    ends="← fewer · d · more →",
    scale=(
        "3",
        "4",
        "5",
        "7",
        "10",
        "16",
        "24",
        "32",
        "48",
        "64",
        "100",
        "200",
        "500",
        "1000",
        "2000",
        "5000",
        "10000",
    ),
    caption="d · numbers released",
)
NORM = Quantity(
    "norm",
    "‖y‖/(σ√d)",
    "Size of the numbers against the noise, ‖y‖/(σ√d)",
    "[0, 1000]",
    "1",
    help="The root mean square of the true numbers, in standard deviations of the noise.",
    ends="← noise is larger · size · numbers are larger →",
    scale=steps(-1, 2, ("1", "1.2", "1.5", "1.8", "2.2", "2.7", "3.3", "4", "5", "6", "7", "8.5")),
    caption="signal-to-noise ratio",
)
NONZERO = Quantity(
    "nonzero",
    "share not 0",
    "Share of the numbers that are not 0",
    "[1e-5, 1]",
    "0.1",
    help="All non-zero numbers are equal. Their number is rounded to a whole number, at least one.",
    ends="← sparse · share not 0 · dense →",
    scale=(
        *("0.0001", "0.0002", "0.0005"),
        *("0.001", "0.0015", "0.002", "0.003", "0.005", "0.007", "0.01", "0.015", "0.02", "0.03", "0.05", "0.07"),
        *("0.1", "0.15", "0.2", "0.25", "0.3", "0.4", "0.5", "0.6", "0.7", "0.85", "1"),
    ),
    caption="share of non-zeros",
)
RISK_AGAINST = Choice(
    "risk_against",
    "what risk is drawn against",
    {"norm": "Signal-to-noise ratio", "nonzero": "Share of non-zeros"},
    "norm",
)
PINNABLE: tuple[Parameter, ...] = (DIMENSION, NORM, NONZERO)
PARAMETERS: tuple[Parameter, ...] = (RISK_AGAINST,)
