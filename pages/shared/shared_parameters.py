"""The parameters of several topics, with one label, range, default and URL key each, and links to the glossary."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, TypeVar, cast

from dpcore import accuracy, checks, gaussian
from dpcore.recommendation import GUARANTEES
from pages.framework.parameters import number_format
from pages.framework.parameters.kinds import Choice, Complement, NumberList, Quantity, steps
from pages.framework.parameters.parameter import Correction, Values


def glossary_link(term: str, words: str) -> str:
    """Return the link to an entry of the glossary in Markdown: the key of the entry, and the words of the link."""
    return f"[{words}](./?section=glossary&term={term})"


def more_text(term: str, words: str) -> str:
    """Return the sentence that ends the help of a field: the link to the entry on its word."""
    return f" More in the glossary: {glossary_link(term, words)}."


T = TypeVar("T")
# fmt: off
_FINE = (  # E24, the rounded log scale of electronics
    "1", "1.1", "1.2", "1.3", "1.5", "1.6", "1.8", "2", "2.2", "2.4", "2.7", "3", "3.3", "3.6", "3.9", "4.3", "4.7",
    "5.1", "5.6", "6.2", "6.8", "7.5", "8.2", "9.1",
)
# fmt: on
_COARSE = ("1", "2", "5")
EPSILON = Quantity(
    "epsilon",
    "ε",
    "Privacy loss parameter ε",
    checks.EPSILON_RANGE,
    "1",
    help="One person’s data may change the probability of every set of outcomes by at most a factor e^ε, plus δ."
    + more_text("epsilon", "privacy loss ε"),
    ends="← more private · ε · less private →",
    scale=steps(-3, 2, _FINE),
    caption="ε · privacy loss",
)
DELTA = Quantity(
    "delta",
    "δ",
    "Excess probability δ",
    checks.DELTA_RANGE,
    "1e-6",
    help="By how much the probability of a set of outcomes may exceed what the factor e^ε allows. Sets count: single "
    "outcomes may all be so rare that a bound on each says nothing. δ is usually far below one over the number of "
    "people. Under probabilistic DP (pDP) it bounds the probability that the privacy loss exceeds ε."
    + more_text("delta", "excess probability δ"),
    ends="← more private · δ · less private →",
    scale=(*steps(-12, -1, _COARSE), "0.2", "0.5"),
    caption="δ · excess probability",
)
L2_SENSITIVITY = Quantity(
    "l2_sensitivity",
    "ℓ₂ sensitivity",
    "ℓ₂ sensitivity Δ₂, in query units",
    checks.SENSITIVITY_RANGE,
    "1",
    help="The most by which one person’s data can move the query, as a Euclidean length. A histogram to which a person "
    "adds one record has 1." + more_text("sensitivity", "sensitivity"),
    ends="← less noise · Δ₂ · more noise →",
    scale=steps(-2, 4, _COARSE),
    caption="Δ₂ · ℓ₂ sensitivity",
)
L1_SENSITIVITY = Quantity(
    "l1_sensitivity",
    "ℓ₁ sensitivity",
    "ℓ₁ sensitivity Δ₁, in query units",
    checks.SENSITIVITY_RANGE,
    "1",
    help="The most by which one person’s data can move the query, as the sum over its numbers. Never below Δ₂."
    + more_text("sensitivity", "sensitivity"),
    ends="← less noise · Δ₁ · more noise →",
    scale=steps(-2, 4, _COARSE),
    caption="Δ₁ · ℓ₁ sensitivity",
)
SIGNIFICANCE = Complement(
    "significance",
    "significance level",
    "Confidence of the error interval, 1 − significance level",
    checks.SIGNIFICANCE_RANGE,
    "0.05",
    help="0.95 means that 95 % of releases fall within the stated distance of the truth. It has no effect on privacy."
    + more_text("confidence", "confidence"),
    ends="← narrower · confidence · wider →",
    scale=("0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.32", "0.5"),
    caption="confidence",
    field_name="significance",
)
SEED = Quantity(
    "seed",
    "random seed",
    "Seed of what is random",
    "[0, 1e9]",
    "1",
    help="The same seed gives the same picture. It draws the noise, and breaks ties between the scores of an attack.",
    whole=True,
    caption="random seed",
)
N_DRAWS = 100_000  # of each noise
DRAWN = Quantity(
    "drawn",
    "draws so far",
    "How many of the draws have fallen into the histograms",
    f"[1, {N_DRAWS}]",
    f"{N_DRAWS}",
    help="The first so many of 100,000 draws. The heights are shares of all, so that the histograms fill up.",
    scale=("10", "100", "500", "1000", "2000", *(f"{5000 * step}" for step in range(1, 21))),
    whole=True,
    caption="draws so far",
)
MEASURE = Choice(
    "measure",
    "measure",
    {"variance": "Variance", "mean_error": "Mean error", "accuracy": "Half-width ±"},
    "variance",
)
# fmt: off
_ALPHAS = (  # small steps on the wide part of the linear axis too
    "0.01", "0.015", "0.02", "0.03", "0.04", "0.05", "0.06", "0.08", "0.1", "0.12", "0.15", "0.18", "0.2", "0.25",
    "0.3", "0.35", "0.4", "0.45", "0.5", "0.55", "0.6", "0.65", "0.7", "0.75", "0.8", "0.85", "0.9", "0.95", "0.99",
    "1",
)
# fmt: on
ALPHA = Quantity(
    "alpha",
    "α",
    "False positive rate α that the attacker accepts",
    checks.PROBABILITY_RANGE,
    "0.05",
    help="The false positive rate (type I error) is the share of people who are not in the data and whom the test "
    "accuses. It is not the share of wrong accusations, which depends on the prior. You can also click in the chart "
    "or drag its dashed line." + more_text("false_positive_rate", "false positive rate"),
    ends="← fewer false positives · α · more →",
    scale=(*steps(-10, -2, ("1", "2", "5"))[:-1], *_ALPHAS),
    caption="α · false positive rate",
)
PRIOR = Quantity(
    "prior",
    "prior probability",
    "Prior probability of membership",
    checks.PRIOR_RANGE,
    "0.1",
    help="The probability, before the test, that the person is in the data. Every posterior depends on it."
    + more_text("posterior", "prior and posterior"),
    ends="← improbable · prior · nearly certain →",
    scale=("1e-6", "1e-5", "1e-4", "0.001", "0.01", "0.02", "0.05", "0.1", "0.2", "0.3", "0.5", "0.7", "0.9", "0.99"),
    caption="prior probability",
)
KNOWN = Choice("known", "what you know", {"epsilon": "Privacy loss ε", "accuracy": "Acceptable error"}, "epsilon")
GUARANTEE = Choice("promise", "guarantee", {"pure": "Pure ε-DP", "delta": "(ε, δ)-DP"}, GUARANTEES[0])
MECHANISMS = Choice("mechanisms", "mechanisms", {"three": "Those that matter", "all": "All"}, "three")
DELTAS = NumberList("deltas", "δ of the curves", DELTA, "0.01, 0.05, 0.1, 0.2", 6)
DELTAS_HELP = "At most six; the δ of the page is always drawn too."
SHARED = (EPSILON, DELTA, L2_SENSITIVITY, SIGNIFICANCE)


@dataclass(frozen=True)
class SharedSetting:
    """The shared parameters of every page; the setting of a topic adds its own, under their keys."""

    epsilon: float
    delta: float
    l2_sensitivity: float
    significance: float

    @property
    def is_representable(self) -> bool:
        """Whether σ and its half-width fit a double: those of a tiny ε and δ with an enormous sensitivity do not."""
        if self.l2_sensitivity <= 1e299 * self.delta:  # σ ≤ Δ/(δ√(2π)), that of ε = 0, fits at once
            return True
        try:
            sigma = gaussian.analytic_sigma(self.epsilon, self.delta, self.l2_sensitivity)
            accuracy.gaussian_accuracy(sigma, self.significance)
        except ValueError:
            return False
        return True

    @property
    def guarantee_text(self) -> str:
        """ε and δ in words."""
        return f"ε = {number_format.format_input_up(self.epsilon)}, δ = {number_format.format_input_up(self.delta)}"

    def texts(self, *keys: str) -> dict[str, str]:
        """Return the texts of some parameters, by key, for the top of a CSV."""
        return {key: str(getattr(self, key)) for key in keys}

    @property
    def description(self) -> str:
        """The guarantee and the sensitivity in words."""
        return f"{self.guarantee_text}, sensitivity {number_format.format_input_down(self.l2_sensitivity)}"

    @property
    def csv_header(self) -> dict[str, str]:
        """The shared parameters and their units for the top of a CSV, to the last digit."""
        units = "epsilon in nats; delta a probability; sigma, accuracy and sensitivity in query units"
        return {quantity.key: repr(getattr(self, quantity.key)) for quantity in SHARED} | {"units": units}


def and_delta(delta: float | None) -> str:
    """Return δ as the next of several parameters in words; empty for None, where there is no δ."""
    return "" if delta is None else f", δ = {number_format.format_input_up(delta)}"


def guarantee_words(epsilon: float, delta: float | None) -> str:
    """Return ε and δ after what they belong to in a sentence; δ is None where there is none."""
    return f" (ε = {number_format.format_input_up(epsilon)}{and_delta(delta)})"


def read_setting(kind: Callable[..., T], values: Values) -> T:
    """Return the setting of a topic, a dataclass whose fields have the keys of its parameters as names."""
    return kind(**{entry.name: values[entry.name] for entry in fields(cast(Any, kind))})


def outside_limits(values: Values, quantity: Quantity, low: float, high: float, where: str) -> list[Correction]:
    """Return the correction of a number beyond the limits that one page has for it; `where` names what has them."""
    value = values[quantity.key]
    if low <= value <= high:
        return []
    allowed = f"from {number_format.exact_text(low)} to {number_format.exact_text(high)} {where}"
    sentence = f"{quantity.symbol} must be {allowed}; {number_format.format_input_up(value)} was given."
    return [Correction(quantity.key, quantity.default, f"{sentence} {quantity.default} is used instead.")]


def too_much_noise(values: Values) -> list[Correction]:
    """Return the correction of a sensitivity whose noise does not fit a double."""
    return [] if read_setting(SharedSetting, values).is_representable else [default_sensitivity(values)]


def default_sensitivity(values: Values) -> Correction:
    """Return the default in the place of a sensitivity whose noise does not fit a double."""
    entered = number_format.format_nearest(values["l2_sensitivity"])
    default = L2_SENSITIVITY.default
    problem = f"{L2_SENSITIVITY.symbol} of {entered} needs noise beyond 1e300 at this ε and δ."
    return Correction(L2_SENSITIVITY.key, default, f"{problem} {default} is used instead.")


def l1_below_l2(values: Values) -> list[Correction]:
    """Return the correction of an ℓ₁ sensitivity below the ℓ₂ one, which no query has: the latter is used for both."""
    l1, l2 = values[L1_SENSITIVITY.key], values[L2_SENSITIVITY.key]
    if l1 >= l2:
        return []
    least = number_format.format_input_down(l2)
    sentence = (
        f"{L1_SENSITIVITY.symbol} must be at least the {L2_SENSITIVITY.symbol}, {least}; "
        f"{number_format.format_input_down(l1)} was given. {least} is used instead."
    )
    return [Correction(L1_SENSITIVITY.key, number_format.exact_text(l2), sentence)]
