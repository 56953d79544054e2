"""The section on batches: the ribbon, its table, and what to do."""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from pages.composition import batching, batching_figures, batching_words
from pages.composition.batching import Batching
from pages.composition.batching_words import answer, explanation
from pages.composition.found import CompositionResult
from pages.composition.parameters import BATCH, EPOCHS, LOADER, NOISE, RECORDS
from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON

__all__ = ["ALL", "answer", "explanation", "parts", "strip"]


def strip(_: CompositionResult) -> Sequence[Field | Parameter]:
    """How batches are drawn, and the training."""
    return Field(LOADER, "Batches are drawn"), NOISE, EPOCHS, BATCH, DELTA, RECORDS


def parts(result: CompositionResult, colour: Colours) -> Iterator[Part]:
    """The ribbon, what each way to draw batches gives, and what to do."""
    yield ribbon(result, colour)
    yield Fields((EPSILON,))
    yield loaders(result, colour)
    yield batching_words.advice(batching.batching(result), result.setting.epsilon)


def ribbon(result: CompositionResult, colour: Colours) -> Exhibit:
    """ε over the noise, by how batches are drawn."""
    now, before = batching.batching(result), result.pinned and batching.batching(result.pinned)
    drawn = batching.ribbon(now)
    figure = batching_figures.ribbon_figure(
        now, drawn, before and (before, batching.ribbon(before)), batching_words.subtitle(now), colour
    )
    numbers = pd.DataFrame({key: getattr(drawn, key) for key in ("noise", "poisson", "at_least", "at_most")})
    return Exhibit("epsilon_by_batching", figure, batching_words.alternative(now), numbers, _header(now))


def loaders(result: CompositionResult, _: Colours) -> Exhibit:
    """What each way to draw batches gives."""
    now, target = batching.batching(result), result.setting.epsilon
    names = ["batches", "epsilon_at_least", "epsilon_at_most", "noise_for_target", "drawn_by"]
    numbers = pd.DataFrame(batching_words.rows(now, target), columns=names)
    html = batching_words.table_html(now, target)
    return Exhibit("loaders", html, batching_words.alternative(now), numbers, _header(now) | {"target": repr(target)})


def _header(now: Batching) -> dict[str, Any]:
    own = {"records": now.records, "batch": now.batch, "epochs": now.epochs, "loader": now.loader}
    own |= {"noise_multiplier": repr(now.noise), "delta": repr(now.delta)}
    own["units"] = "epsilon in nats; poisson exact to 9 digits; at_least a lower bound; at_most an upper bound"
    return own


ALL = (ribbon, loaders)
