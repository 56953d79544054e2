"""The pictures and the table of the section on where each estimator wins."""

from pages.denoising.estimator_risk import figures, map_figures, text
from pages.denoising.estimator_risk.results import Where, place_of_table
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, Colours, Exhibit


def risk(result: DenoisingResult, colour: Colours) -> Exhibit:
    """The squared error that each leaves, against size or share not 0."""
    now = result.risk
    figure = figures.risk_figure(now, result.pinned and result.pinned.risk, text.subtitle(now), colour)
    picks = ("norm" if now.against == "norm" else "nonzero", "")
    said = text.alternative(now)
    return Exhibit("risk", figure, said, lambda: now.curves, _header(now), picks)


def winners(result: DenoisingResult, colour: Colours) -> Exhibit:
    """The map of the best."""
    now = result.risk
    subtitle = f"d = {now.dimension:,}; numbers not 0 are of one size and above 0"
    place = place_of_table(result.count, result.sigma)
    figure = map_figures.map_figure(now, result.pinned and result.pinned.risk, place, subtitle, colour)
    said, picks = text.map_alternative(now), ("norm", "nonzero")
    confidential = CONFIDENTIAL_FIGURES if place is not None and result.values["table"] == "own" else ""
    return Exhibit("winners", figure, said, lambda: now.winners, _header(now), picks, confidential)


def estimators(result: DenoisingResult, _: Colours) -> Exhibit:
    """Everybody at the setting, in numbers."""
    now = result.risk
    return Exhibit("where_table", text.table(now), text.alternative(now), now.frame, _header(now))


def _header(now: Where) -> dict[str, str]:
    units = "sizes in units of sigma; shares of the release's squared error; standard_error of the simulated ones"
    return {"d": str(now.dimension), "norm": repr(now.norm), "nonzero": repr(now.nonzero)} | {
        "numbers_not_0": str(now.filled),
        "seed": str(now.seed),
        "units": units,
    }
