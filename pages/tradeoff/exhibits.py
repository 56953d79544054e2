"""What the page shows: the charts and the table of trade-off curves as functions of one setting."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore import audit, tradeoff
from dpcore.audit import Band, Proved
from dpcore.checks import Array
from dpcore.tradeoff import readings
from dpcore.tradeoff.readings import Quotation
from pages.framework.export.exhibit import CONFIDENTIAL_PICTURE, CONFIDENTIAL_POINTS, Colours, Exhibit
from pages.framework.parameters import list_parameter
from pages.framework.parameters.kinds import Values
from pages.framework.parameters.number_format import format_input_down, without_markdown
from pages.shared.shared_parameters import read_setting
from pages.tradeoff import attack_figures, attack_text, figures, quotation_text, text
from pages.tradeoff.attack import OWN, Measured
from pages.tradeoff.curves import Item, Recipe, at, curve_of, is_own_points, labels
from pages.tradeoff.figures import Drawn
from pages.tradeoff.rows import Row, TradeoffSetting


@dataclass(frozen=True)
class TradeoffResult:
    """One setting, and what follows from it, each computed once; `pinned` is the kept setting beside it.

    `measured` is the attack, if there is one; `missing` is whether the link is for results that this session does not
    have.
    """

    setting: TradeoffSetting
    measured: Measured | None
    pinned: "TradeoffResult | None" = None
    missing: bool = False

    @cached_property
    def items(self) -> list[Item]:
        """The entries of the list, as they are at this ε and δ."""
        return [at(item, self.setting.epsilon, self.setting.delta) for item in self.setting.curves]

    @cached_property
    def names(self) -> list[str]:
        """A short name for every curve."""
        return labels(self.items)

    @cached_property
    def rows(self) -> list[Row]:
        """Every curve, read."""
        setting = self.setting
        read = (setting.alpha, setting.prior, setting.delta)
        return [Row(item, name, *read) for item, name in zip(self.items, self.names, strict=True)]

    @property
    def follows(self) -> bool:
        """Whether a curve of the list follows the page's ε and δ."""
        return any(item.follows for item in self.setting.curves)

    @property
    def place(self) -> int:
        """The place of the curve that the page speaks of."""
        return list_parameter.chosen_position(self.setting.curves)

    @property
    def row(self) -> Row:
        """The curve that the page speaks of."""
        return self.rows[self.place]

    @property
    def kept(self) -> list[Row | None] | None:
        """For every curve the one of the kept setting at its place, if it is of the same kind."""
        if self.pinned is None:
            return None
        before = dict(enumerate(zip(self.pinned.setting.curves, self.pinned.rows, strict=True)))
        found = [before.get(place, (None, None)) for place in range(len(self.rows))]
        return [
            row if old is not None and old.kind == item.kind else None
            for item, (old, row) in zip(self.setting.curves, found, strict=True)
        ]

    @property
    def alone(self) -> float | None:
        """What the page's (ε, δ) alone would allow, if the page speaks of the Gaussian noise that keeps it."""
        setting = self.setting
        if setting.curves[self.place].kind != "here_gaussian":
            return None
        return float(tradeoff.epsilon_delta_power(setting.alpha, setting.epsilon, setting.delta))

    @property
    def shown(self) -> list[str]:
        """The names as the legends have them."""
        return [row.shown for row in self.rows]

    @cached_property
    def quoted(self) -> tuple[Quotation | None, pd.DataFrame | None]:
        """One (ε, δ) and one μ instead of the chosen curve, and what they concede; None if no ε goes with this δ."""
        at = self.setting.delta if self.setting.quote == "delta" else self.setting.epsilon
        return _quoted(self.row.item.recipe, self.setting.quote, at)

    @cached_property
    def quotation_said(self) -> list[str]:
        """What the quotation says, in paragraphs."""
        return quotation_text.quotation(self.row, *self.quoted, self.setting)

    @cached_property
    def proved(self) -> "Outcome | None":
        """What the attack has proved."""
        return None if self.measured is None else _outcome(self.measured, self.rows, self.setting)

    @property
    def contradicted(self) -> bool:
        """Whether the attack contradicts the chosen curve."""
        return self.proved is not None and bool(self.proved.broken[self.row.name].any())

    @property
    def attack_sentences(self) -> tuple[str, str] | None:
        """What the attack has proved, and whether it contradicts the chosen curve, in words; None without an attack."""
        if self.proved is None:
            return None
        proved = self.proved
        claims = {row.name: proved.broken[row.name] for row in self.rows if row == self.row or not row.reached}
        said = attack_text.proved_text(proved.epsilon, proved.mu, self.setting)
        return said, attack_text.verdict(claims, self.row)

    @property
    def attack_said(self) -> str:
        """What the attack has proved, in words, and what that contradicts; empty without one."""
        return attack_text.MISSING if self.missing else " ".join(self.attack_sentences or ())

    @property
    def confidential(self) -> str:
        """What is said of exhibits that show points of the user's own; empty where no curve has such points."""
        return CONFIDENTIAL_POINTS if any(is_own_points(item) for item in self.setting.curves) else ""

    def drawn(self, place: int, colour: Colours) -> Drawn:
        """A curve as the figures need it."""
        row = self.rows[place]
        return Drawn(
            row.shown,
            colour[row.item.colour],
            figures.DASHES[place],
            _points_of(row.item.recipe),
            row.beta,
            row.power,
            place == self.place,
        )

    def all_drawn(self, colour: Colours) -> list[Drawn]:
        """The curves as the figures need them."""
        return [self.drawn(place, colour) for place in range(len(self.rows))]

    def ghost(self, colour: Colours) -> tuple[float, Drawn] | None:
        """The kept α and the curve that was chosen there, as the figures need it."""
        kept = self.pinned
        return None if kept is None else (kept.setting.alpha, kept.drawn(kept.place, colour))

    def header(self, **more: Any) -> dict[str, Any]:
        """The curves and the other parameters, for the top of a CSV."""
        pinned = {} if self.pinned is None else {"pinned": text.described(self.pinned.row)}
        return text.csv_header(self.shown, list_parameter.list_text(self.setting.curves), **more, **pinned)


@dataclass(frozen=True)
class Outcome:
    """What an attack has proved: bounds on its true errors, ε and μ, and where each curve is contradicted, by name."""

    band: Band
    epsilon: Proved
    mu: Proved
    broken: dict[str, NDArray[np.bool_]]


def compute_result(values: Values, uploaded: Measured | None = None) -> TradeoffResult:
    """What the page's parameters ask for; `uploaded` are results that the session has."""
    kept = values["pinned"] and compute_result(values | values["pinned"], uploaded)
    linked = values["attack"]
    if linked == OWN:
        return TradeoffResult(read_setting(TradeoffSetting, values), uploaded, kept, missing=uploaded is None)
    return TradeoffResult(read_setting(TradeoffSetting, values), linked, kept)


@lru_cache(64)  # the points of a curve depend on nothing else on the page
def _points_of(recipe: Recipe) -> dict[str, Array]:
    points = readings.along(curve_of(recipe))
    return dict(zip(points.columns, np.ascontiguousarray(points.to_numpy().T), strict=True))


@lru_cache(64)
def _quoted(recipe: Recipe, quote: str, at: float) -> tuple[Quotation | None, pd.DataFrame | None]:
    curve = curve_of(recipe)
    quoted = readings.quotation_at_delta(curve, at) if quote == "delta" else readings.quotation_at_epsilon(curve, at)
    return quoted, None if quoted is None else readings.conceded(curve, quoted)


def _outcome(measured: Measured, rows: Sequence[Row], setting: TradeoffSetting) -> Outcome:
    band = audit.band(measured.attack, setting.confidence, np.random.default_rng(int(setting.seed)))
    broken = {row.name: audit.contradicted(band, row.curve.beta) for row in rows}
    return Outcome(band, audit.epsilon_lower(band, setting.delta), audit.mu_lower(band), broken)


_PICKS = ("alpha", "")


def _read_at(setting: TradeoffSetting) -> dict[str, float]:
    return {"epsilon": setting.epsilon, "delta": setting.delta, "alpha": setting.alpha, "prior": setting.prior}


def curves(result: TradeoffResult, colour: Colours) -> Exhibit:
    """The curves, and each at the chosen α."""
    setting, drawn = result.setting, result.all_drawn(colour)
    parameters = text.subtitle(result.shown, f"α = {format_input_down(setting.alpha)}")
    figure = figures.curves_figure(drawn, result.ghost(colour), setting.alpha, setting.view, parameters, colour)
    header, said = result.header(**_read_at(setting)), text.alternative(result.rows, setting)
    numbers = partial(text.curves_frame, drawn)
    return Exhibit("curves", figure, said, numbers, header, _PICKS, result.confidential)


def table(result: TradeoffResult, _: Colours) -> Exhibit:
    """Every curve in numbers."""
    setting = result.setting
    header = result.header(**_read_at(setting))
    html, said = text.table_html(result.rows, setting, result.kept), text.alternative(result.rows, setting)
    numbers, confidential = partial(text.readings_frame, result.rows), result.confidential
    return Exhibit("readings", html, said, numbers, header, confidential=confidential)


def quotation(result: TradeoffResult, colour: Colours) -> Exhibit | None:
    """One (ε, δ) and one μ beside the chosen curve; nothing where no ε goes with the δ."""
    quoted, conceded = result.quoted
    if quoted is None or conceded is None:
        return None
    subtitle, labelled = quotation_text.quotation_labels(result.row, quoted, result.setting)
    drawn, setting = result.drawn(result.place, colour), result.setting
    figure = figures.quotation_figure(
        conceded, drawn, result.ghost(colour), labelled, quoted.touches, setting.alpha, setting.view, subtitle, colour
    )
    chosen = {"curve": result.row.shown, "quoted epsilon": quoted.epsilon, "quoted delta": quoted.delta}
    header = result.header(**chosen, **{"smallest mu": quoted.limited_mu.mu})
    said = without_markdown(" ".join(result.quotation_said))
    return Exhibit("quotation", figure, said, conceded, header, _PICKS, result.confidential)


def attack(result: TradeoffResult, colour: Colours) -> Exhibit | None:
    """What the attack reached and proved, beside the curves; nothing without an attack."""
    if result.measured is None or result.proved is None:
        return None
    setting, proved, row, measured = result.setting, result.proved, result.row, result.measured
    subtitle = text.subtitle(result.shown, f"{measured.source}, confidence {format_input_down(setting.confidence)}")
    broken = proved.broken[row.name]
    figure = attack_figures.attack_figure(
        result.all_drawn(colour),
        result.ghost(colour),
        measured.reached,
        proved.band,
        broken,
        setting.alpha,
        setting.view,
        subtitle,
        colour,
    )
    header = result.header(
        **{"held against" if row.reached else "claim": row.shown},
        source=measured.source,
        confidence=setting.confidence,
        seed=setting.seed,
        delta=setting.delta,
        **{"proved epsilon": float(proved.epsilon.value), "proved mu": float(proved.mu.value)},
    )
    numbers = attack_text.band_frame(proved.band, broken)
    confidential = CONFIDENTIAL_PICTURE if measured.is_own else result.confidential
    return Exhibit("attack", figure, without_markdown(result.attack_said), numbers, header, _PICKS, confidential)


ALL: tuple[Callable[[TradeoffResult, Colours], Exhibit | None], ...] = (curves, table, quotation, attack)
