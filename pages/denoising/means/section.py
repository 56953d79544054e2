"""The section on Experiment 5.2."""

from collections.abc import Iterator, Sequence

from pages.denoising.claims import estimate_claims
from pages.denoising.code import means_snippets
from pages.denoising.means import exhibits, text
from pages.denoising.means.explanation import explanation_text
from pages.denoising.means.parameters import MEAN_DIMENSION, MEAN_RECORDS, MEAN_REPEATS, MEANS_AGAINST, MEANS_GRID
from pages.denoising.results import DenoisingResult
from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Field, Fields, Part, Section
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON, SEED


def controls(result: DenoisingResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture."""
    delta = () if result.experiment.setting.is_published else (DELTA,)
    return EPSILON, *delta, MEAN_DIMENSION, Field(MEANS_AGAINST, "Horizontal axis")


def parts(result: DenoisingResult, colours: Colours) -> Iterator[Part]:
    """Yield the errors along d or ε, alone and over the analytic Gaussian's, notes on them, and the numbers."""
    experiment = result.experiment
    if experiment.is_available:
        yield exhibits.errors(result, colours)
    sizes = () if experiment.setting.is_published else (MEAN_RECORDS, MEAN_REPEATS)
    yield Fields((Field(MEANS_GRID, "Settings"), *sizes, SEED))
    if experiment.is_available:
        yield text.run_text(experiment)
        yield exhibits.ratios(result, colours)
        yield text.notes_text(experiment)
        yield exhibits.mechanisms(result, colours)
        yield text.reading_text(experiment)


SECTION = Section[DenoisingResult](
    controls=controls,
    parts=parts,
    key="means",
    name="A mean (5.2)",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.errors, exhibits.ratios, exhibits.mechanisms),
    claims=estimate_claims,
    snippets=means_snippets,
)
