"""The section on how far the errors of both noises go."""

from collections.abc import Iterator, Sequence
from functools import partial

from pages.framework.export.exhibit import Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.laplace_gaussian import claims, code, grids, text
from pages.laplace_gaussian.crossover.text import UNAVAILABLE
from pages.laplace_gaussian.errors import figures, tables
from pages.laplace_gaussian.errors.tables import ROUNDING
from pages.laplace_gaussian.explanation import explanation_text
from pages.laplace_gaussian.fields import COMPARISON_FIELDS, distance_parameters, sensitivity_parameters
from pages.laplace_gaussian.parameters import VIEW
from pages.laplace_gaussian.recommendation_text import recommendation_text
from pages.laplace_gaussian.results import N_DRAWS, LaplaceGaussianResult
from pages.shared.formulas import THEORY
from pages.shared.shared_parameters import DELTA, EPSILON, SEED, SIGNIFICANCE


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


def controls(result: LaplaceGaussianResult) -> Sequence[Field | Parameter]:
    """Return the parameters of the draws and the tails."""
    return EPSILON, DELTA, *sensitivity_parameters(result), *distance_parameters(result), Field(VIEW, "Show")


def parts(result: LaplaceGaussianResult, colours: Colours) -> Iterator[Part]:
    """Yield the draws or the tails, the table of both noises, and the recommendation."""
    yield (draws if result.view == "draws" else tails)(result, colours)
    yield Fields((*COMPARISON_FIELDS, SIGNIFICANCE, *((SEED,) if result.view == "draws" else ())))
    yield text.sensitivities_text(result.setting)
    if not result.has_answer:
        yield UNAVAILABLE["epsilon"]
        return
    yield noise_table(result, colours)
    yield ROUNDING
    yield text.GUARANTEES
    yield recommendation_text(result)


SECTION = Section(
    controls=controls,
    parts=parts,
    key="reach",
    name="Errors",
    answer_text=text.answer_text,
    aim=THEORY,
    explanation=explanation_text,
    exhibits=(draws, tails, noise_table),
    claims=claims.claims,
    snippets=code.snippets,
)
