"""The chart and the table of the section "Batches"."""

from typing import Any

import pandas as pd

from pages.composition.batch_sampling import figures, results, tables, text
from pages.composition.batch_sampling.results import Batching
from pages.composition.results import CompositionResult
from pages.framework.export.exhibit import Colours, Exhibit


def ribbon_chart(result: CompositionResult, colours: Colours) -> Exhibit:
    """Return the chart of ε over the noise, by how batches are drawn."""
    batching, pinned = results.batching_at(result), result.pinned and results.batching_at(result.pinned)
    ribbon = results.ribbon_around(batching)
    figure = figures.ribbon_figure(
        batching, ribbon, pinned and (pinned, results.ribbon_around(pinned)), text.subtitle(batching), colours
    )
    numbers = pd.DataFrame({key: getattr(ribbon, key) for key in ("noise", "poisson", "at_least", "at_most")})
    return Exhibit(
        "epsilon_by_batching", figure, text.alternative_text(batching), numbers, _batching_csv_header(batching)
    )


def loaders_table(result: CompositionResult, _: Colours) -> Exhibit:
    """Return the table of ε and of the noise for a target by each way to draw batches."""
    batching, target = results.batching_at(result), result.setting.epsilon
    names = ["batches", "epsilon_at_least", "epsilon_at_most", "noise_for_target", "drawn_by"]
    numbers = pd.DataFrame(tables.loader_rows(batching, target), columns=names)
    html = tables.table_html(batching, target)
    return Exhibit(
        "loaders",
        html,
        text.alternative_text(batching),
        numbers,
        _batching_csv_header(batching) | {"target": repr(target)},
    )


def _batching_csv_header(batching: Batching) -> dict[str, Any]:
    header = {
        "records": batching.records,
        "batch": batching.batch,
        "epochs": batching.epochs,
        "loader": batching.loader,
    }
    header |= {"noise_multiplier": repr(batching.noise), "delta": repr(batching.delta)}
    header["units"] = "epsilon in nats; poisson exact to 9 digits; at_least a lower bound; at_most an upper bound"
    return header
