"""What the section on where each estimator wins shows."""

from collections.abc import Iterator, Sequence

from pages.denoising.counts.parameters import TABLE
from pages.denoising.estimator_risk import explanation as where_explanation
from pages.denoising.estimator_risk import figures, map_figures, text
from pages.denoising.estimator_risk.parameters import DIMENSION, NONZERO, NORM, RISK_AGAINST
from pages.denoising.estimator_risk.results import Where, asked, place_of_table
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part, Row
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON, SEED


def answer(result: DenoisingResult) -> tuple[str, ...]:
    """Who leaves the least of the error for the numbers that are asked for, and what that means."""
    return text.answer(_asked(result), _before(result))


def strip(result: DenoisingResult) -> Sequence[Field | Parameter]:
    """What changes the lead picture."""
    return DIMENSION, NORM, NONZERO, Field(RISK_AGAINST, "Draw against")


def parts(result: DenoisingResult, colour: Colours) -> Iterator[Part]:
    """The curves, what each takes for granted, everybody in numbers, and the map."""
    yield risk(result, colour)
    yield winners(result, colour)
    yield Fields((EPSILON, DELTA, Field(TABLE, "Table"), SEED))
    yield text.where_of_table(result)
    yield Row((estimators(result, colour), text.lines(_asked(result))))


def explanation(result: DenoisingResult) -> str:
    """How the section is computed, in Markdown with TeX."""
    return where_explanation.explanation(_asked(result))


def risk(result: DenoisingResult, colour: Colours) -> Exhibit:
    """The squared error that each leaves, against size or share not 0."""
    now = _asked(result)
    figure = figures.risk_figure(now, _before(result), text.subtitle(now), colour)
    picks = ("norm" if now.against == "norm" else "nonzero", "")
    said = text.alternative(now)
    return Exhibit("risk", figure, said, lambda: now.curves, _header(now), picks)


def winners(result: DenoisingResult, colour: Colours) -> Exhibit:
    """The map of the best."""
    now = _asked(result)
    subtitle = f"d = {now.dimension:,}; numbers not 0 are of one size and above 0"
    place = place_of_table(result)
    figure = map_figures.map_figure(now, _before(result), place, subtitle, colour)
    said, picks = text.map_alternative(now), ("norm", "nonzero")
    confidential = CONFIDENTIAL_FIGURES if place is not None and result.values["table"] == "own" else ""
    return Exhibit("winners", figure, said, lambda: now.winners, _header(now), picks, confidential)


def estimators(result: DenoisingResult, _: Colours) -> Exhibit:
    """Everybody at the setting, in numbers."""
    now = _asked(result)
    return Exhibit("where_table", text.table(now), text.alternative(now), now.frame, _header(now))


def _asked(result: DenoisingResult) -> Where:
    return asked(result.values)


def _before(result: DenoisingResult) -> Where | None:
    return None if result.pinned is None else _asked(result.pinned)


def _header(now: Where) -> dict[str, str]:
    units = "sizes in units of sigma; shares of the release's squared error; standard_error of the simulated ones"
    return {"d": str(now.dimension), "norm": repr(now.norm), "nonzero": repr(now.nonzero)} | {
        "numbers_not_0": str(now.filled),
        "seed": str(now.seed),
        "units": units,
    }


ALL = (risk, winners, estimators)
