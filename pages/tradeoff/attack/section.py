"""The section of the results of an attack, with what they prove."""

from collections.abc import Iterator, Sequence
from functools import partial

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpcore.audit import Band
from pages.framework.export.exhibit import CONFIDENTIAL_PICTURE, Colours, Exhibit
from pages.framework.layout.section import Field, Part, Section
from pages.framework.parameters.kinds import Quantity
from pages.framework.parameters.number_format import format_input_down, without_markdown
from pages.shared.shared_parameters import ALPHA, DELTA, EPSILON, SEED
from pages.tradeoff import claims, code
from pages.tradeoff.answer_text import attack_answer_text, curve_text
from pages.tradeoff.attack import text
from pages.tradeoff.attack.figures import attack_figure
from pages.tradeoff.curves.exhibits import PICKS, curves
from pages.tradeoff.explanation import explanation_text
from pages.tradeoff.parameters import CONFIDENCE, VIEW
from pages.tradeoff.results import TradeoffResult
from pages.tradeoff.tables import csv_header
from pages.tradeoff.text import subtitle_text


def attack(result: TradeoffResult, colours: Colours) -> Exhibit | None:
    """Return the chart of what the attack reached and proves, beside the curves; None without an attack."""
    measured, outcome, row, setting = result.attack, result.attack_outcome, result.chosen_row, result.setting
    if measured is None or outcome is None:
        return None
    subtitle = subtitle_text(result, f"{measured.source}, confidence {format_input_down(setting.confidence)}")
    figure = attack_figure(result, measured, outcome, subtitle, colours)
    header = csv_header(
        result,
        **{"held against" if row.is_reached else "claim": row.display_name},
        source=measured.source,
        confidence=setting.confidence,
        seed=setting.seed,
        delta=setting.delta,
        **{"proved epsilon": float(outcome.epsilon.value), "proved mu": float(outcome.mu.value)},
    )
    numbers = partial(_band_frame, outcome.band, outcome.contradictions[row.name])
    alternative = without_markdown(text.outcome_text(result))
    confidential = CONFIDENTIAL_PICTURE if measured.is_own else result.confidential
    return Exhibit("attack", figure, alternative, numbers, header, PICKS, confidential)


def _band_frame(band: Band, contradictions: NDArray[np.bool_]) -> pd.DataFrame:
    """Return the measured errors, the bounds on the true ones, and whether these contradict the chosen claim."""
    columns = {"alpha": band.alpha, "beta": band.beta, "alpha_high": band.alpha_high, "beta_high": band.beta_high}
    return pd.DataFrame(columns | {"contradicts": contradictions})


def controls(result: TradeoffResult) -> Sequence[Field | Quantity]:
    """Return the parameters that change the chart: those of the bounds too, where there is an attack."""
    view = Field(VIEW, "Show")
    if result.attack is None:
        return *((EPSILON, DELTA) if result.follows_page else ()), ALPHA, view
    seed = (SEED,) if result.attack.measurements.from_scores else ()
    return *((EPSILON,) if result.follows_page else ()), DELTA, ALPHA, CONFIDENCE, *seed, view


def parts(result: TradeoffResult, colours: Colours) -> Iterator[Part]:
    """Yield the chart of the attack and what it proves; without results, the curves and what an attack requires."""
    yield attack(result, colours) or curves(result, colours)
    if result.attack is None or result.attack_outcome is None:
        yield text.NO_ATTACK
    else:
        yield " ".join(
            filter(None, (curve_text(result), text.other_curves_text(result), text.source_text(result.attack)))
        )
        yield text.GLOSSARY
        yield text.NOT_PROVED
        yield text.advice_text(result.attack_outcome.contradictions[result.chosen_row.name], result.chosen_row)


SECTION = Section[TradeoffResult](
    key="attack",
    name="An attack’s results",
    controls=controls,
    parts=parts,
    answer_text=attack_answer_text,
    explanation=explanation_text,
    exhibits=(attack,),
    claims=claims.claims,
    snippets=code.snippets,
)
