"""The charts of the section on the tails of both noises."""

from typing import Any

from pages.framework.export.exhibit import Colours, Exhibit
from pages.papers.liu_tails import figures, text
from pages.papers.results import PapersResult
from pages.shared.laplace_query import gaussian_name


def tail_ratios(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return Liu's Fig. 4: the ratio of both tails."""
    tails, pinned_tails = result.tails, result.answered_pinned_tails
    if not tails.has_answer:
        return None
    t, setting = tails.ratio_grid, tails.setting
    numbers = tails.ratios(t, tails.deltas)
    pinned = pinned_tails and pinned_tails.ratios(t, [pinned_tails.setting.delta])
    figure = figures.ratio_figure(numbers, pinned, setting.t, text.subtitle(tails), setting.calibration, colours)
    return Exhibit("ratio", figure, text.RATIOS_ALTERNATIVE_TEXT, numbers, csv_header(result))


def privacy_costs(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return Liu's Fig. 5: the privacy cost of the same tail."""
    tails, pinned_tails = result.tails, result.answered_pinned_tails
    if not tails.has_answer:
        return None
    t, setting = tails.cost_grid, tails.setting
    numbers = tails.costs(t, tails.deltas)
    pinned = pinned_tails and pinned_tails.costs(t, [pinned_tails.setting.delta])
    figure = figures.cost_figure(numbers, pinned, setting.t, text.subtitle(tails), setting.calibration, colours)
    return Exhibit("cost", figure, text.COSTS_ALTERNATIVE_TEXT, numbers, csv_header(result))


def csv_header(result: PapersResult) -> dict[str, Any]:
    """Return the parameters and units for the top of a CSV, with those of the pinned setting."""
    setting = result.tails.setting
    own = {
        "l1_sensitivity": repr(setting.l1),
        "l2_sensitivity": repr(setting.l2),
        "gaussian": gaussian_name(setting.calibration),
        "t": setting.t,
        "cutoff": setting.cutoff,
        "units": "epsilon in nats; delta and tails are probabilities; t in query units",
    }
    pinned = {} if result.pinned is None else {"pinned": text.setting_text(result.pinned.tails.setting)}
    return setting.csv_header | own | pinned
