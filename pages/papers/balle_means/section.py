"""The section on Experiment 5.2."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Claim, Field, Fields, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.papers.balle_means import code, exhibits, text
from pages.papers.balle_means.explanation import explanation_text
from pages.papers.balle_means.parameters import MEAN_DIMENSION, MEAN_RECORDS, MEAN_REPEATS, MEANS_AGAINST, MEANS_GRID
from pages.papers.results import PapersResult
from pages.shared.shared_parameters import DELTA, EPSILON, SEED

_WHY_UNPROVED = "They are means over simulated data sets: estimates, and no guarantee."


def controls(result: PapersResult) -> Sequence[Field | Parameter]:
    """Return the parameters that change the lead picture."""
    delta = () if result.mean_experiment.setting.is_published else (DELTA,)
    return EPSILON, *delta, MEAN_DIMENSION, Field(MEANS_AGAINST, "Horizontal axis")


def parts(result: PapersResult, colours: Colours) -> Iterator[Part]:
    """Yield the errors along d or ε, alone and over the analytic Gaussian's, notes on them, and the numbers."""
    experiment = result.mean_experiment
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


SECTION = Section[PapersResult](
    controls=controls,
    parts=parts,
    key="means",
    name="Balle & Wang 5.2: means",
    answer_text=text.answer_text,
    explanation=explanation_text,
    exhibits=(exhibits.errors, exhibits.ratios, exhibits.mechanisms),
    claims=lambda _: (Claim("The errors", reason=_WHY_UNPROVED),),
    snippets=code.snippets,
)
