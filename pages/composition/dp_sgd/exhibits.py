"""The section on DP-SGD: its pictures, its table, and what stands beside them."""

from typing import Any

import numpy as np
import pandas as pd

from pages.composition.dp_sgd import figures, results, text
from pages.composition.dp_sgd.map_results import NOISES, RATES, ratios
from pages.composition.dp_sgd.results import Training
from pages.composition.results import CompositionResult
from pages.framework.export.exhibit import Colours, Exhibit


def over_steps(result: CompositionResult, colour: Colours) -> Exhibit:
    """ε over the epochs, by each account."""
    now, before = _both(result)
    drawn = results.along(now)
    figure = figures.steps_figure(
        now, drawn, before and (before, results.along(before)), text.subtitle(now, "steps"), colour
    )
    numbers = pd.DataFrame({key: getattr(drawn, key) for key in ("epochs", "steps", "exact", "rdp", "clt")})
    return Exhibit("epsilon_over_epochs", figure, text.alternative(now), numbers, _header(now))


def over_batch(result: CompositionResult, colour: Colours) -> Exhibit:
    """The noise over the batch with which the same ε is kept."""
    now, before = _both(result)
    drawn = results.over_batches(now)
    figure = figures.batch_figure(
        now, drawn, before and (before, results.over_batches(before)), text.subtitle(now, "batch"), colour
    )
    numbers = pd.DataFrame({key: getattr(drawn, key) for key in ("batch", "exact", "rdp")})
    return Exhibit("noise_over_batch", figure, text.alternative(now), numbers, _header(now))


def ratio_map(result: CompositionResult, colour: Colours) -> Exhibit:
    """RDP over the exact ε, and the CLT over it, over rate and noise."""
    now = results.training(result)
    drawn = ratios(now.epochs, now.delta)
    figure = figures.map_figure(now, drawn, text.map_subtitle(now, drawn), colour)
    rate, noise = (each.ravel() for each in np.meshgrid(RATES, NOISES))
    grid = {"rate": rate, "noise_multiplier": noise, "exact": drawn.exact.ravel()}
    numbers = pd.DataFrame(grid | {"rdp_over_exact": drawn.rdp.ravel(), "clt_over_exact": drawn.clt.ravel()})
    return Exhibit("rdp_over_exact", figure, text.map_alternative(drawn), numbers, _header(now))


def accounts(result: CompositionResult, _: Colours) -> Exhibit:
    """ε of this training by each account."""
    now = results.training(result)
    numbers = pd.DataFrame(text.rows(now), columns=["account", "epsilon", "worth"])
    return Exhibit("accounts", text.table_html(now), text.alternative(now), numbers, _header(now))


def _both(result: CompositionResult) -> tuple[Training, Training | None]:
    return results.training(result), result.pinned and results.training(result.pinned)


def _header(now: Training) -> dict[str, Any]:
    own = {"records": now.records, "batch": now.batch, "epochs": now.epochs, "steps": now.steps}
    own |= {"noise_multiplier": repr(now.noise), "delta": repr(now.delta), "target_epsilon": repr(now.target)}
    own |= {"neighbours": "one record added or removed", "sampling": "Poisson"}
    return own | {"units": "epsilon in nats; rdp an upper bound, exact an estimate to 9 digits, clt no bound"}
