"""The trade-off curves at one setting."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore import audit, tradeoff
from dpcore.audit import Band, LowerBound
from dpcore.risk import CONDITIONS
from dpcore.tradeoff import readings
from dpcore.tradeoff.readings import Quotation
from pages.framework.export.exhibit import CONFIDENTIAL_POINTS
from pages.framework.parameters import list_parameter
from pages.framework.parameters.parameter import Values
from pages.framework.session.data_files import OWN
from pages.shared.conditions import CONDITION_PARAMETERS, CONTRIBUTION
from pages.shared.counts.parameters import PER_PERSON
from pages.shared.releases import Item
from pages.shared.shared_parameters import L2_SENSITIVITY, SharedSetting, read_setting
from pages.tradeoff.attack.upload import MeasuredAttack
from pages.tradeoff.curve_list import CurveItem, has_own_points, item_at, labels
from pages.tradeoff.curve_rows import CurveRow
from pages.tradeoff.noise_from_risk.parameters import SECTION_KEY
from pages.tradeoff.noise_from_risk.results import RiskNoise, noise_at
from pages.tradeoff.noise_from_risk.setting_data import RiskSetting, limit_key
from pages.tradeoff.points import SessionPoints


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
        conditions = tuple(getattr(self, name) for name in CONDITIONS[self.risk])
        limit = getattr(self, limit_key(self.risk))
        moved = self.l2_sensitivity, int(self.per_person), int(self.cells)
        training = self.sampling_rate, self.steps
        releases = tuple(item.release for item in self.releases) if self.noise == "releases" else ()
        return RiskSetting(
            self.risk, limit, conditions, self.noise, *moved, self.delta, self.significance, training, releases
        )


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

    @property
    def display_names(self) -> list[str]:
        """The names in the legends."""
        return [row.display_name for row in self.rows]

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
        noise = noise_at(self.setting.risk_setting)
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
    conditions = {parameter.key: values[parameter.key] for parameter in CONDITION_PARAMETERS}
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
