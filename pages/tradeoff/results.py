"""The parameters of the page, and the trade-off curves at one setting of them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore import audit, tradeoff
from dpcore.audit import Band, LowerBound
from dpcore.tradeoff import Curve, readings
from dpcore.tradeoff.readings import Quotation
from pages.framework.export.exhibit import CONFIDENTIAL_POINTS
from pages.framework.layout.page import picture_choice
from pages.framework.parameters import list_parameter
from pages.framework.parameters.kinds import Choice, Pin, Quantity
from pages.framework.parameters.list_parameter import Listing
from pages.framework.parameters.parameter import Parameter, Values
from pages.framework.rendering.uploaded_files import kept
from pages.framework.session.data_files import OWN
from pages.shared.conditions import CONTRIBUTION, condition_values
from pages.shared.counts.table import PER_PERSON
from pages.shared.releases import Item
from pages.shared.shared_parameters import ALPHA, L2_SENSITIVITY, PRIOR, SEED, SharedSetting, read_setting
from pages.tradeoff.attack.upload import AttackCounts, MeasuredAttack
from pages.tradeoff.curve_kinds import SessionPoints, curve_of
from pages.tradeoff.curve_list import CurveItem, curves_parameter, has_own_points, item_at, labels
from pages.tradeoff.noise_from_risk import parameters as risk_parameters
from pages.tradeoff.noise_from_risk.parameters import SECTION_KEY
from pages.tradeoff.noise_from_risk.results import RiskNoise, RiskSetting, noise_at

CONFIDENCE = Quantity(
    "confidence",
    "confidence",
    "Confidence of the bounds",
    audit.CONFIDENCE_RANGE,
    "0.95",
    help="All bounds on the true error rates of the attack hold at once with at least this probability.",
    ends="← lower · confidence · higher →",
    scale=("0.5", "0.8", "0.9", "0.95", "0.99", "0.999"),
    caption="confidence of the bounds",
)
SHOW = picture_choice("show", {"curves": "All curves", "quote": "One (ε, δ) or μ"})
VIEW = Choice("view", "view", {"power": "Power", "errors": "Errors", "log": "Power, log–log"}, "power")
QUOTE = Choice("quote", "quoted", {"delta": "at this δ", "epsilon": "at this ε"}, "delta")
ATTACK = AttackCounts()


def own_parameters(curves: Listing[CurveItem]) -> tuple[Parameter, ...]:
    """Return the parameters of the page with this list of curves."""
    own = SHOW, VIEW, curves, ALPHA, PRIOR, QUOTE, ATTACK, CONFIDENCE, SEED
    return *own, *risk_parameters.PARAMETERS, Pin((ALPHA, PRIOR, curves, *risk_parameters.PARAMETERS))


PARAMETERS = own_parameters(curves_parameter({}))


@dataclass(frozen=True)
class CurveRow:
    """A curve under its name, and its readings at a false positive rate, a prior and a δ, each computed once.

    `is_reached` says that the curve has points that an attack reached, while all others bound every attack;
    `is_claimed` that it has points that somebody guarantees.
    """

    item: CurveItem
    name: str
    alpha: float
    prior: float
    delta: float

    @property
    def is_reached(self) -> bool:
        """Whether the curve has points that an attack reached."""
        return self.item.kind == "points"

    @property
    def is_claimed(self) -> bool:
        """Whether the curve has points that somebody guarantees."""
        return self.item.kind == "claim"

    @property
    def display_name(self) -> str:
        """The name in the legend and in the table."""
        return f"{self.name}{' (reached)' if self.is_reached else ' (claimed)' if self.is_claimed else ''}"

    @property
    def curve(self) -> Curve:
        """The curve."""
        return kept(curve_of, self.item.recipe)

    @cached_property
    def beta(self) -> float:
        """The least type II error at α."""
        return float(self.curve(self.alpha))

    @cached_property
    def power(self) -> float:
        """The largest true positive rate at α."""
        return float(self.curve.power(np.asarray(self.alpha)))

    @cached_property
    def power_at_zero(self) -> float:
        """The power at α = 0."""
        return float(self.curve.power(np.zeros(1))[0])

    @cached_property
    def posterior(self) -> float:
        """The probability of membership after a positive test."""
        return float(tradeoff.posterior(self.alpha, self.power, self.prior))

    @cached_property
    def odds(self) -> float:
        """The odds after a positive test."""
        return float(tradeoff.posterior_odds(self.alpha, self.power, self.prior))


@dataclass(frozen=True)
class TradeoffSetting(SharedSetting):
    """The parameters of the page as numbers, with the list of curves."""

    section: str
    curves: tuple[CurveItem, ...]
    alpha: float
    prior: float
    show: str
    view: str
    quote: str
    confidence: float
    seed: float
    risk: str
    noise: str
    baseline: float
    max_power: float
    max_advantage: float
    max_posterior: float
    max_success: float
    max_reconstruction: float
    sampling_rate: float
    steps: float
    releases: tuple[Item, ...]
    per_person: float
    cells: float

    @property
    def risk_setting(self) -> RiskSetting:
        """The risk, its limit, the numbers at which it is read, and the noise."""
        return risk_parameters.risk_setting(vars(self))


@dataclass(frozen=True)
class AttackOutcome:
    """What an attack proves: bounds on its true errors, ε and μ, and where each curve is contradicted, by name."""

    band: Band
    epsilon: LowerBound
    mu: LowerBound
    contradictions: dict[str, NDArray[np.bool_]]


@dataclass(frozen=True)
class TradeoffResult:
    """The curves at one setting, each property computed once; `pinned` is the result at the pinned setting.

    `attack` is the measured attack, if there is one; `lacks_attack` says that the link requires results that this
    session does not have. `conditions` are the values of the parameters of the conditions.
    """

    setting: TradeoffSetting
    attack: MeasuredAttack | None
    pinned: "TradeoffResult | None" = None
    lacks_attack: bool = False
    conditions: Values = field(default_factory=dict)

    @property
    def section(self) -> str:
        """The key of the open section."""
        return self.setting.section

    @cached_property
    def items(self) -> list[CurveItem]:
        """The entries of the list at this ε and δ."""
        return [item_at(item, self.setting.epsilon, self.setting.delta) for item in self.setting.curves]

    @cached_property
    def names(self) -> list[str]:
        """A short name for every curve."""
        return labels(self.items)

    @cached_property
    def rows(self) -> list[CurveRow]:
        """Every curve with its readings."""
        setting = self.setting
        pairs = zip(self.items, self.names, strict=True)
        return [CurveRow(item, name, setting.alpha, setting.prior, setting.delta) for item, name in pairs]

    @property
    def follows_page(self) -> bool:
        """Whether a curve of the list follows the page's ε and δ."""
        return any(item.follows_page for item in self.setting.curves)

    @property
    def chosen_position(self) -> int:
        """The position of the chosen curve, of which the page speaks."""
        return list_parameter.chosen_position(self.setting.curves)

    @property
    def chosen_row(self) -> CurveRow:
        """The chosen curve."""
        return self.rows[self.chosen_position]

    @property
    def pinned_rows(self) -> list[CurveRow | None] | None:
        """For every curve the one of the pinned setting at its position, if it is of the same kind."""
        if self.pinned is None:
            return None
        pinned = [*zip(self.pinned.setting.curves, self.pinned.rows, strict=True)]
        pinned += [(None, None)] * (len(self.rows) - len(pinned))
        return [
            row if old is not None and old.kind == item.kind else None
            for item, (old, row) in zip(self.setting.curves, pinned, strict=False)
        ]

    @property
    def power_of_guarantee(self) -> float | None:
        """The power that the page's (ε, δ) alone allows, if the chosen curve is Gaussian noise for it."""
        setting = self.setting
        if setting.curves[self.chosen_position].kind != "here_gaussian":
            return None
        return float(tradeoff.epsilon_delta_power(setting.alpha, setting.epsilon, setting.delta))

    @cached_property
    def quotation(self) -> tuple[Quotation | None, pd.DataFrame | None]:
        """One (ε, δ) and one μ instead of the chosen curve, and what they concede; None if no ε goes with this δ."""
        curve, quote = self.chosen_row.curve, self.setting.quote
        quote_at = {"delta": readings.quotation_at_delta, "epsilon": readings.quotation_at_epsilon}
        quotation = quote_at[quote](curve, getattr(self.setting, quote))
        return quotation, None if quotation is None else readings.concessions(curve, quotation)

    @cached_property
    def risk_noise(self) -> RiskNoise | None:
        """The noise that meets the risk; None where none does."""
        noise = kept(noise_at, self.setting.risk_setting)
        if noise is None or noise.setting.noise != "releases":
            return noise
        return replace(noise, items=self.setting.releases)

    @cached_property
    def attack_outcome(self) -> AttackOutcome | None:
        """What the attack proves."""
        return None if self.attack is None else _attack_outcome(self.attack, self.rows, self.setting)

    @property
    def is_contradicted(self) -> bool:
        """Whether the attack contradicts the chosen curve."""
        outcome = self.attack_outcome
        return outcome is not None and bool(outcome.contradictions[self.chosen_row.name].any())

    @property
    def confidential(self) -> str:
        """The sentence on exhibits that show the user's own points; empty where no curve has such points."""
        return CONFIDENTIAL_POINTS if any(has_own_points(item) for item in self.setting.curves) else ""


def compute_result(
    values: Values, session_attack: MeasuredAttack | None = None, _: SessionPoints | None = None
) -> TradeoffResult:
    """Return the curves at the values of the parameters.

    `session_attack` has the attack of the session. The list of curves in `values` has the points of the session.
    """
    pinned = values["pinned"] and compute_result(values | values["pinned"], session_attack)
    conditions = condition_values(values)
    if values["section"] == SECTION_KEY and values[CONTRIBUTION.key] == "once":
        values = values | {PER_PERSON.key: 1.0, L2_SENSITIVITY.key: 1.0}
    setting, linked_attack = read_setting(TradeoffSetting, values), values["attack"]
    is_missing = linked_attack == OWN and session_attack is None
    attack = session_attack if linked_attack == OWN else linked_attack
    return TradeoffResult(setting, attack, pinned, is_missing, conditions)


def _attack_outcome(attack: MeasuredAttack, rows: Sequence[CurveRow], setting: TradeoffSetting) -> AttackOutcome:
    band = audit.band(np.random.default_rng(int(setting.seed)), attack.measurements, setting.confidence)
    contradictions = {row.name: audit.is_contradicted(band, row.curve.beta) for row in rows}
    return AttackOutcome(band, audit.epsilon_lower(band, setting.delta), audit.mu_lower(band), contradictions)
