"""The parameters of the section "Noise from risk": the risk, how much of it is acceptable, and the noise."""

from dataclasses import replace

from dpcore import risk
from dpcore.families import FAMILIES
from pages.framework.parameters.kinds import Choice, Quantity
from pages.framework.parameters.parameter import Values
from pages.shared.conditions import CONDITION_PARAMETERS
from pages.shared.counts.parameters import CELLS as TABLE_CELLS
from pages.shared.counts.parameters import PER_PERSON
from pages.shared.releases import RELEASES
from pages.shared.shared_parameters import L2_SENSITIVITY
from pages.tradeoff.noise_from_risk.setting_data import OF_NUMBERS, OUTCOME, RiskSetting, limit_key

SECTION_KEY = "risk"
_SHARES = ("0.001", "0.002", "0.005", "0.01", "0.015", "0.02", "0.03", "0.05", "0.07", "0.1", "0.15", "0.2", "0.25")
_SHARES += ("0.3", "0.35", "0.4", "0.45", "0.5", "0.55", "0.6", "0.65", "0.7", "0.75", "0.8", "0.85", "0.9", "0.95")
_SHARES += ("0.98", "0.99")
_PROBABILITY = "(0, 1)"
DEFAULT_ALPHA = "0.05"
"""α where that of the page cannot be used, and at which the pages say which risk an ε ensures."""
_ENDS = "← less risk, more noise · more risk, less noise →"
RISK = Choice(
    "risk",
    "risk",
    {
        OUTCOME: "Posterior after any outcome",
        "posterior": "Posterior after one test",
        "power": "Members found",
        "advantage": "Advantage over guessing",
        "success": "Correct guesses",
        "reconstruction": "Reconstruction",
    },
    OUTCOME,
    older_default="power",
)
NOISE = Choice(
    "noise",
    "noise",
    {key: FAMILIES[key].name for key in OF_NUMBERS} | {"dp_sgd": "DP-SGD", "releases": "My releases"},
    "geometric",
    older_default="gaussian",
)
CELLS = replace(
    TABLE_CELLS,
    default="1",
    help="How many numbers you release, such as the cells of a table: each gets its own noise.",
)


def _limit(key: str, symbol: str, label: str, default: str, meaning: str) -> Quantity:
    return Quantity(key, symbol, label, _PROBABILITY, default, meaning, _ENDS, _SHARES, caption=f"{symbol} · limit")


LIMITS = {
    "power": _limit(
        "max_power",
        "TPR",
        "Largest acceptable true positive rate of an attack",
        "0.2",
        "Of the people who are in the data, the share that the best attack may find when it accuses the share α of "
        "those who are not. No noise reaches less than α itself: an attacker may accuse at random.",
    ),
    "advantage": _limit(
        "max_advantage",
        "advantage",
        "Largest acceptable advantage of an attack over guessing",
        "0.1",
        "The true positive rate less the false positive rate of the best attack, at the false positive rate that suits "
        "it best. A low advantage does not bound rare events.",
    ),
    "posterior": _limit(
        "max_posterior",
        "posterior",
        "Largest acceptable posterior of an attacker",
        "0.2",
        "The most that an attacker may believe that a person is in the data, after the release. The prior is what the "
        "attacker believes before it.",
    ),
    "success": _limit(
        "max_success",
        "success",
        "Largest acceptable share of correct guesses of membership",
        "0.92",
        "The share of correct guesses of the best attack, among members and others in the proportion of the prior. "
        "Always guessing the more frequent answer is right that often without any release.",
    ),
    "reconstruction": _limit(
        "max_reconstruction",
        "correct guess",
        "Largest acceptable probability of a correct guess of a record",
        "0.2",
        "The probability that an attacker guesses a person’s record or attribute, for one who would guess it with the "
        "baseline’s probability without the release.",
    ),
}
BASELINE = Quantity(
    "baseline",
    "baseline",
    "Baseline: probability of a correct guess without the release",
    _PROBABILITY,
    "0.05",
    help="The probability that the attacker guesses the record or attribute without seeing the release: 1/20 for one "
    "of 20 equally likely values.",
    ends="← rarer guess · baseline · likelier guess →",
    scale=("1e-6", "1e-5", "1e-4", *_SHARES),
    caption="baseline · correct without the release",
)
SAMPLING_RATE = Quantity(
    "sampling_rate",
    "q",
    "Sampling rate q: probability that a record takes part in a step",
    "[0.001, 1]",
    "0.002",
    help="The expected batch divided by the number of records, for Poisson sampling. One record is added or removed.",
    ends="← fewer records in a step · q · more →",
    scale=("0.001", "0.002", "0.005", "0.01", "0.02", "0.05", "0.1", "0.2", "0.5", "1"),
    caption="q · sampling rate",
)
STEPS = Quantity(
    "steps",
    "T",
    "Steps T of the training",
    "[1, 20000]",
    "10000",
    help="How many noisy gradients the training uses: the number of epochs divided by the sampling rate.",
    ends="← fewer · T · more →",
    scale=("1", "10", "20", "50", "100", "200", "500", "1000", "2000", "5000", "10000", "20000"),
    whole=True,
    caption="T · steps",
)
PARAMETERS = (
    *(RISK, NOISE, *LIMITS.values(), BASELINE, SAMPLING_RATE, STEPS, RELEASES, PER_PERSON, CELLS),
    *CONDITION_PARAMETERS,
)


def limit_of(kind: str) -> Quantity:
    """Return the parameter that is the limit of a risk."""
    return LIMITS[limit_key(kind).removeprefix("max_")]


def risk_setting(values: Values) -> RiskSetting:
    """Return the risk, its limit, the numbers at which it is read, and the noise, of the values of a page."""
    kind = values[RISK.key]
    return RiskSetting(
        kind,
        values[limit_key(kind)],
        tuple(values[name] for name in risk.CONDITIONS[kind]),
        values[NOISE.key],
        values[L2_SENSITIVITY.key],
        int(values[PER_PERSON.key]),
        int(values[CELLS.key]),
        values["delta"],
        values["significance"],
        (values[SAMPLING_RATE.key], values[STEPS.key]),
        tuple(item.release for item in values[RELEASES.key]) if values[NOISE.key] == "releases" else (),
    )
