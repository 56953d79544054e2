"""The chart of the section on densities."""

from pages.framework.export.exhibit import Colours, Exhibit
from pages.laplace_gaussian import text
from pages.laplace_gaussian.densities import figures
from pages.laplace_gaussian.results import LaplaceGaussianResult


def densities(result: LaplaceGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the densities or the distribution functions of both noises."""
    if not result.has_answer:
        return None
    pinned, kind = result.answered_pinned and result.answered_pinned.densities, result.function
    figure = figures.density_figure(
        result.densities, kind, pinned, text.scales_subtitle(result), result.calibration, colours
    )
    return Exhibit("density", figure, text.alternative_text(result), result.densities, text.csv_header(result))
