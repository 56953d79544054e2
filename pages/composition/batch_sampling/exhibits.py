"""The section on batches: the ribbon, its table, and what to do."""

from typing import Any

import pandas as pd

from pages.composition.batch_sampling import figures, results, text
from pages.composition.batch_sampling.results import Batching
from pages.composition.results import CompositionResult
from pages.framework.export.exhibit import Colours, Exhibit


def ribbon(result: CompositionResult, colour: Colours) -> Exhibit:
    """ε over the noise, by how batches are drawn."""
    now, before = results.batching(result), result.pinned and results.batching(result.pinned)
    drawn = results.ribbon(now)
    figure = figures.ribbon_figure(now, drawn, before and (before, results.ribbon(before)), text.subtitle(now), colour)
    numbers = pd.DataFrame({key: getattr(drawn, key) for key in ("noise", "poisson", "at_least", "at_most")})
    return Exhibit("epsilon_by_batching", figure, text.alternative(now), numbers, _header(now))


def loaders(result: CompositionResult, _: Colours) -> Exhibit:
    """What each way to draw batches gives."""
    now, target = results.batching(result), result.setting.epsilon
    names = ["batches", "epsilon_at_least", "epsilon_at_most", "noise_for_target", "drawn_by"]
    numbers = pd.DataFrame(text.rows(now, target), columns=names)
    html = text.table_html(now, target)
    return Exhibit("loaders", html, text.alternative(now), numbers, _header(now) | {"target": repr(target)})


def _header(now: Batching) -> dict[str, Any]:
    own = {"records": now.records, "batch": now.batch, "epochs": now.epochs, "loader": now.loader}
    own |= {"noise_multiplier": repr(now.noise), "delta": repr(now.delta)}
    own["units"] = "epsilon in nats; poisson exact to 9 digits; at_least a lower bound; at_most an upper bound"
    return own
