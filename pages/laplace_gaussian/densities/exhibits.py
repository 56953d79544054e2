"""The chart of the section on densities."""

from pages.framework.export.exhibit import Colours, Exhibit
from pages.laplace_gaussian import text
from pages.laplace_gaussian.densities import figures
from pages.laplace_gaussian.results import LaplaceGaussianResult


def densities(result: LaplaceGaussianResult, colour: Colours) -> Exhibit | None:
    """The densities or the distribution functions of both noises."""
    if not result.has_answer:
        return None
    ghosts, kind = result.comparable and result.comparable.densities, result.function
    figure = figures.density_figure(
        result.densities, kind, ghosts, text.scales_subtitle(result), result.calibration, colour
    )
    return Exhibit("density", figure, text.alternative_text(result), result.densities, text.csv_header(result))
