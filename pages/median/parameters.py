"""The parameters of this page alone: the values, the range, the steps on which a release lies, and which quantile."""

import math
from dataclasses import dataclass, replace
from decimal import Decimal

from dpcore.checks import BOUND_RANGE, interval_bounds
from pages.framework.layout.section import Field
from pages.framework.parameters.kinds import (
    AutomaticQuantity,
    Choice,
    NumberList,
    Pin,
    Quantity,
    SuggestedNumber,
    SuggestibleQuantity,
    steps,
)
from pages.framework.parameters.number_format import exact_text, format_input_down, format_input_up
from pages.framework.parameters.parameter import Correction, Parameter, Values
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.counts.table import NEIGHBOURS, PER_TOTAL
from pages.shared.shared_parameters import EPSILON, more_text, outside_limits
from pages.shared.values import parameters as of_values
from pages.shared.values.parameters import OWN_VALUES, SHAPE, SOURCE, shape_corrections

ALMOST_NOTHING = Decimal("1e-30")
"""The δ that a proof in intervals leaves where a guarantee has none."""
LEAST_EPSILON, LARGEST_EPSILON = 1e-6, 1e3
MOST_PEOPLE = 1_000_000
MOST_CANDIDATES = 3_000
_SUGGESTED_RATIO = 2.8  # of the 90th percentile to the median, as of the waiting times with which the page opens


@dataclass(frozen=True)
class SuggestibleStep(SuggestibleQuantity, AutomaticQuantity):
    """A step that is given up where the range has too many or too few of them, until one is typed."""


MEDIAN = replace(
    of_values.MEDIAN,
    default="30",
    label="Median that you expect, in the unit of the values",
    help="A guess is enough: the error depends on where people are. Take it from public statistics or an older "
    "release, not from the confidential data.",
    caption="median · a guess",
)
P90 = SuggestibleQuantity(
    of_values.P90.key,
    of_values.P90.symbol,
    "90th percentile that you expect, in the unit of the values",
    of_values.P90.limits,
    "≈84",
    help=f"A guess is enough. {of_values.P90.help} With ≈ before it, it follows the median.",
    ends=of_values.P90.ends,
    scale=of_values.P90.scale,
    caption="90th percentile",
    older_default="84",
)
N_RECORDS = replace(
    of_values.N_RECORDS,
    limits="[1, 1e6]",
    default="200",
    help="How many people have a value. An approximate number is enough.",
    scale=steps(0, 6, ("1", "2", "5")),
)
UNIT = replace(of_values.UNIT, default="", min_length=0, older_default="days")
UNIT_FIELD = Field(UNIT, "Unit of the values")
PER_TOTAL_FIELD = Field(PER_TOTAL, "N · most values of a person", value=1.0)
QUANTILE = Quantity(
    "quantile",
    "q",
    "Quantile q: the share of the values that lie below it",
    "[0, 1]",
    "0.5",
    help="0.5 is the median, 0.9 the 90th percentile, 1 the maximum." + more_text("median", "medians"),
    ends="← lower · q · higher →",
    scale=("0", "0.01", "0.05", "0.1", "0.25", "0.5", "0.75", "0.9", "0.95", "0.99", "1"),
    caption="q · quantile",
)
LOW = Quantity(
    "low",
    "lo",
    "Lowest value lo that can be released, in the unit of the values",
    BOUND_RANGE,
    "0",
    help="It must be public knowledge, such as 0 for a time. Values below it count as it.",
    caption="lo · lowest value",
)
HIGH = Quantity(
    "high",
    "hi",
    "Highest value hi that can be released, in the unit of the values",
    BOUND_RANGE,
    "600",
    help="It must be public knowledge. Values above it count as it. The wider the range, the larger ε must be.",
    ends="← narrower · hi · wider →",
    scale=steps(0, 9, ("1", "1.5", "2", "3", "4", "5", "6", "7", "8", "9")),
    caption="hi · highest value",
)
STEP = SuggestibleStep(
    "step",
    "step",
    "Step between the values that can be released, in the unit of the values",
    "[1e-9, 1e13]",
    "≈1",
    help="With a step of 1 in days, a whole number of days is released, and public figures are taken as values in "
    "whole days. The word none stands for any number of the range: that is worse where people have equal values. With "
    "≈ before it, the step is none where the range has not 2 to 3,000 of them.",
    caption="step · of what is released",
    word="none",
    button="Any number of the range",
    older_default="1",
)
ACCEPTED = Quantity(
    "accuracy",
    "±",
    "Error you can accept, ± in the unit of the values",
    "[1e-9, 1e13]",
    "1",
    help="The page says how many people, or which ε, are enough for it.",
    ends="← more accurate · ± · less →",
    scale=steps(-1, 4, ("1", "2", "5")),
    caption="± · acceptable error",
)
QUANTILES = NumberList(
    "quantiles",
    "quantiles",
    Quantity("level", "quantile", "A quantile", "[0.001, 0.999]", "0.5"),
    "0.25, 0.5, 0.75",
    20,
)
QUANTILES_HELP = "At most 20, each between 0 and 1: 0.25, 0.5, 0.75 are the quartiles."
COUNTS = NumberList(
    "counts",
    "counts",
    Quantity("count", "count", "Count of one candidate", "[0, 1e9]", "100", whole=True),
    "120, 113, 98, 97, 60",
    20,
    may_repeat=True,
)
COUNTS_HELP = (
    "The counts that you expect of 2 to 20 candidates, such as districts, from public figures or an older release. "
    "They are in the link: enter no confidential counts."
)
CHOSEN = Quantity(
    "chosen",
    "m",
    "How many of the largest are published, m",
    "[1, 3]",
    "1",
    help="Each is chosen among those that are left, with an equal part of ε.",
    whole=True,
    caption="m · how many largest",
)
WANTED = Quantity(
    "wanted",
    "wanted probability",
    "Probability with which the right ones shall be published",
    "[0, 0.999999]",
    "0.95",
    help="The page says which ε is enough for it.",
    ends="← lower · probability · higher →",
    scale=("0.5", "0.8", "0.9", "0.95", "0.99", "0.999"),
    caption="wanted probability",
)
MECHANISM = Choice(
    "chooser",
    "mechanism",
    {
        "permute_and_flip": "Permute-and-flip",
        "exponential": "Exponential mechanism",
        "report_noisy_max": "Largest count with Laplace noise",
    },
    "permute_and_flip",
)
_PINNABLE: tuple[Parameter, ...] = (
    *(SOURCE, SHAPE, MEDIAN, P90, N_RECORDS, QUANTILE, LOW, HIGH, STEP, NEIGHBOURS, UNIT, ACCEPTED),
    *(QUANTILES, COUNTS, CHOSEN, WANTED, MECHANISM, PER_TOTAL),
    *CONDITION_PARAMETERS,
)


def correct(values: Values) -> list[Correction]:
    """Return corrections of an ε that is too small or large, of impossible shapes, and of a range that is none.

    What nobody has typed follows the rest of the setting, without a sentence.
    """
    percentile = P90.suggestion(values, suggested_percentile(values[SHAPE.key], values[MEDIAN.key]))
    values = values | {correction.key: P90.read(correction.used) for correction in percentile}
    shape = shape_corrections(values, MEDIAN, P90)
    epsilon = outside_limits(values, EPSILON, LEAST_EPSILON, LARGEST_EPSILON, "for a quantile")
    return [*epsilon, *percentile, *shape, *_range(values), *_candidates(values)]


def suggested_percentile(shape: str, median: float) -> float:
    """Return the 90th percentile of values that are spread like the waiting times with which the page opens.

    >>> suggested_percentile("lognormal", 40_000.0), suggested_percentile("normal", -10.0)
    (112000.0, 8.0)
    """
    above = (_SUGGESTED_RATIO - 1) * max(abs(median), 1.0 if shape == "normal" else 0.0)
    return float(f"{median + above:.4g}")


PARAMETERS: tuple[Parameter, ...] = (*_PINNABLE, OWN_VALUES, Pin(_PINNABLE, correct))


def _candidates(values: Values) -> list[Correction]:
    """Return the corrections of a single count, which leaves no choice, and of more winners than there are losers."""
    n = len(values[COUNTS.key])
    if n < 2:
        problem = f"{COUNTS.symbol} must be at least 2 numbers; 1 was given. {COUNTS.default} is used instead."
        return [Correction(COUNTS.key, COUNTS.default, problem)]
    if values[CHOSEN.key] < n:
        return []
    allowed = f"{CHOSEN.symbol} must be below the number of counts, {n}"
    problem = f"{allowed}; {values[CHOSEN.key]:.0f} was given. {CHOSEN.default} is used instead."
    return [Correction(CHOSEN.key, CHOSEN.default, problem)]


def _range(values: Values) -> list[Correction]:
    """Return the corrections of bounds that are no range, and of a step with which it has too many or too few values.

    Values that are used beside each other are corrected together: no correction needs another one.
    """
    low, high, step = values[LOW.key], values[HIGH.key], values[STEP.key]
    corrections = []
    if not low < high:
        high = low + max(2 * abs(low), 1.0)
        if high > interval_bounds(BOUND_RANGE)[1]:
            low, high = float(LOW.default), float(HIGH.default)
        used = exact_text(high)
        problem = (
            f"{HIGH.symbol} must be above {LOW.symbol}, {format_input_down(values[LOW.key])}; "
            f"{format_input_up(values[HIGH.key])} was given. {used} is used instead."
        )
        corrections = [Correction(HIGH.key, used, problem)]
        corrections += [Correction(LOW.key, LOW.default, problem)] if low != values[LOW.key] else []
    n_parts = (high - low) / step
    if isinstance(step, SuggestedNumber):
        fits = 2 <= n_parts <= MOST_CANDIDATES
        return corrections if fits else [*corrections, Correction(STEP.key, f"{STEP.mark}{STEP.word}", "")]
    if math.isnan(step) or 1 <= n_parts <= MOST_CANDIDATES:
        return corrections
    problem = (
        f"{STEP.symbol} must divide the range into 1 to {MOST_CANDIDATES:,} parts; "
        f"{format_input_up(step)} was given. {STEP.word} is used instead."
    )
    return [*corrections, Correction(STEP.key, STEP.word, problem)]
