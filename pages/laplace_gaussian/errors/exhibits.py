"""The charts and the table of the section on errors."""

from functools import partial

from pages.framework.export.exhibit import Colours, Exhibit
from pages.laplace_gaussian import grids, text
from pages.laplace_gaussian.errors import figures, tables
from pages.laplace_gaussian.results import N_DRAWS, LaplaceGaussianResult


def draws(result: LaplaceGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the histograms of seeded draws of both noises."""
    if not result.has_answer:
        return None
    seed = result.setting.seed
    subtitle = text.subtitle(result.setting, f"each scaled to its own height, seed {seed:.0f}; dashed: ± of the answer")
    pinned = result.answered_pinned and result.answered_pinned.draws
    figure = figures.draws_figure(
        result.draws,
        result.half_widths | {"truncated": result.truncated_half_width},
        pinned,
        subtitle,
        result.calibration,
        colours,
    )
    header = text.csv_header(result, seed=seed, draws=N_DRAWS)
    return Exhibit("draws", figure, text.alternative_text(result), result.draws.frame, header)


def tails(result: LaplaceGaussianResult, colours: Colours) -> Exhibit | None:
    """Return the probability that each noise exceeds a distance."""
    if not result.has_answer:
        return None
    setting, level = result.setting, result.setting.significance
    grid = grids.tail_grid(result.noises, level)
    numbers = result.tails(grid)
    distance = setting.t if setting.hold == "tail" else None
    pinned = result.answered_pinned and result.answered_pinned.tails(grid)
    figure = figures.tails_figure(
        numbers, result.half_widths, level, distance, pinned, text.scales_subtitle(result), result.calibration, colours
    )
    return Exhibit("tails", figure, text.alternative_text(result), numbers, text.csv_header(result))


def noise_table(result: LaplaceGaussianResult, _: Colours) -> Exhibit | None:
    """Return the table of both noises."""
    if not result.has_answer:
        return None
    numbers, header = partial(tables.noise_frame, result), text.csv_header(result)
    return Exhibit("noises", tables.table_html(result), text.alternative_text(result), numbers, header)
