"""What the page shows: the charts and the table of trade-off curves as functions of one setting."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore import audit
from dpcore.audit import Band, Proved
from dpcore.tradeoff import readings
from dpcore.tradeoff.readings import Quotation
from pages.shared import listings
from pages.shared.common import setting
from pages.shared.export import Colours, Exhibit
from pages.shared.parameters import Values
from pages.shared.text import given_down, unmarked
from pages.tradeoff import figures, words
from pages.tradeoff.attack import Measured
from pages.tradeoff.curves import Recipe, curve_of, labels
from pages.tradeoff.figures import Drawn
from pages.tradeoff.rows import Row, Setting, row_of


@dataclass(frozen=True)
class Found:
    """One setting, and what follows from it, each computed once; `measured` is the attack, if there is one."""

    setting: Setting
    measured: Measured | None

    @cached_property
    def names(self) -> list[str]:
        """A short name for every curve."""
        return labels(self.setting.curves)

    @cached_property
    def rows(self) -> list[Row]:
        """Every curve, read."""
        return [row_of(item, name, self.setting) for item, name in zip(self.setting.curves, self.names, strict=True)]

    @property
    def row(self) -> Row:
        """The curve that the page speaks of."""
        return self.rows[listings.chosen_place(self.setting.curves)]

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
        return words.quotation(self.row, *self.quoted, self.setting)

    @cached_property
    def proved(self) -> "Outcome | None":
        """What the attack has proved."""
        return None if self.measured is None else _outcome(self.measured, self.rows, self.setting)

    @property
    def attack_said(self) -> str:
        """What the attack has proved, in words, or how to bring one."""
        if self.measured is None or self.proved is None:
            return words.NO_ATTACK
        proved = self.proved
        claims = {row.name: proved.broken[row.name] for row in self.rows if row == self.row or not row.reached}
        return words.audit_text(self.measured, proved.epsilon, proved.mu, claims, self.row, self.setting)

    def drawn(self, colour: Colours) -> list[Drawn]:
        """The curves as the figures need them."""
        return [
            Drawn(row.shown, colour[row.item.colour], dash, *_points_of(row.item.recipe), row.beta, row.power)
            for row, dash in zip(self.rows, figures.DASHES, strict=False)
        ]

    def header(self, **more: Any) -> dict[str, Any]:
        """The curves and the other parameters, for the top of a CSV."""
        return words.csv_header(self.shown, listings.written(self.setting.curves), **more)


@dataclass(frozen=True)
class Outcome:
    """What an attack has proved: bounds on its true errors, ε and μ, and where each curve is contradicted, by name."""

    band: Band
    epsilon: Proved
    mu: Proved
    broken: dict[str, NDArray[np.bool_]]


def found(values: Values, uploaded: Measured | None = None) -> Found:
    """What the page's parameters ask for; the results in a file stand before the counts of the link."""
    return Found(setting(Setting, values), uploaded or values["attack"])


@lru_cache(64)  # the points of a curve depend on nothing else on the page
def _points_of(recipe: Recipe) -> tuple[pd.DataFrame, list[str]]:
    points = readings.along(curve_of(recipe))
    return points, figures.hints(points)


@lru_cache(64)
def _quoted(recipe: Recipe, quote: str, at: float) -> tuple[Quotation | None, pd.DataFrame | None]:
    curve = curve_of(recipe)
    quoted = readings.quotation_at_delta(curve, at) if quote == "delta" else readings.quotation_at_epsilon(curve, at)
    return quoted, None if quoted is None else readings.conceded(curve, quoted)


def _outcome(measured: Measured, rows: Sequence[Row], now: Setting) -> Outcome:
    band = audit.band(measured.attack, now.confidence, np.random.default_rng(int(now.seed)))
    broken = {row.name: audit.contradicted(band, row.curve.beta) for row in rows}
    return Outcome(band, audit.epsilon_lower(band, now.delta), audit.mu_lower(band), broken)


def curves(found: Found, colour: Colours) -> Exhibit:
    """The curves, and each at the chosen α."""
    now, drawn = found.setting, found.drawn(colour)
    parameters = words.subtitle(found.shown, f"α = {given_down(now.alpha)}")
    figure = figures.curves_figure(drawn, now.alpha, now.view, parameters, colour)
    header = found.header(alpha=now.alpha, prior=now.prior)
    return Exhibit("curves", figure, words.alternative(found.rows, now), lambda: words.curves_frame(drawn), header)


def table(found: Found, _: Colours) -> Exhibit:
    """Every curve in numbers."""
    now = found.setting
    header = found.header(alpha=now.alpha, prior=now.prior, delta=now.delta)
    html, numbers = words.table_html(found.rows, now), words.readings_frame(found.rows)
    return Exhibit("readings", html, words.alternative(found.rows, now), numbers, header)


def quotation(found: Found, colour: Colours) -> Exhibit | None:
    """One (ε, δ) and one μ beside the chosen curve; nothing where no ε goes with the δ."""
    quoted, conceded = found.quoted
    if quoted is None or conceded is None:
        return None
    subtitle, labelled = words.quotation_labels(found.row, quoted, found.setting)
    drawn = found.drawn(colour)[listings.chosen_place(found.setting.curves)]
    figure = figures.quotation_figure(conceded, drawn, labelled, quoted.touches, found.setting.view, subtitle, colour)
    chosen = {"curve": found.row.shown, "epsilon": quoted.epsilon, "delta": quoted.delta}
    header = found.header(**chosen, **{"smallest mu": quoted.limited_mu.mu})
    return Exhibit("quotation", figure, unmarked(" ".join(found.quotation_said)), conceded, header)


def attack(found: Found, colour: Colours) -> Exhibit | None:
    """What the attack reached and proved, beside the curves; nothing without an attack."""
    if found.measured is None or found.proved is None:
        return None
    now, proved, row, measured = found.setting, found.proved, found.row, found.measured
    subtitle = words.subtitle(found.shown, f"{measured.source}, confidence {given_down(now.confidence)}")
    broken = proved.broken[row.name]
    figure = figures.attack_figure(
        found.drawn(colour), row.shown, measured.reached, proved.band, broken, now.view, subtitle, colour
    )
    header = found.header(
        claim=row.shown,
        source=measured.source,
        confidence=now.confidence,
        seed=now.seed,
        delta=now.delta,
        **{"proved epsilon": float(proved.epsilon.value), "proved mu": float(proved.mu.value)},
    )
    return Exhibit("attack", figure, unmarked(found.attack_said), words.band_frame(proved.band, broken), header)


ALL: tuple[Callable[[Found, Colours], Exhibit | None], ...] = (curves, table, quotation, attack)
