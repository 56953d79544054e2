"""The section on Liu's experiments."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Claim, Field, Fields, Part, Section
from pages.framework.parameters.parameter import Parameter
from pages.papers.liu_tables import code, exhibits, omissions_text, parameters, svm_text, text
from pages.papers.results import PapersResult
from pages.shared.shared_parameters import DELTA, EPSILON, SEED

_WHY_UNPROVED = "It is the outcome of an experiment with random noise, and no guarantee."


def answer_text(result: PapersResult) -> tuple[str, ...]:
    """Return whether the published order came out, and how the analytic Gaussian does; without data, what to do."""
    if result.table_experiment is not None:
        return text.answer_text(result.table_experiment)
    return text.NO_ADULT if result.values["data"] == "adult" else text.NO_TABLE


def controls(result: PapersResult) -> Sequence[Field | Parameter]:
    """Return the fields that change the lead picture."""
    data = Field(parameters.DATA, "Data")
    if result.table_experiment is None:
        return (data, Field(parameters.TABLE, "Table")) if result.values["data"] != "adult" else (data,)
    table = () if result.values["data"] == "adult" else (Field(parameters.TABLE, "Table"),)
    return EPSILON, DELTA, data, *table, SEED


def parts(result: PapersResult, colours: Colours) -> Iterator[Part]:
    """Yield one release beside the original counts, then the distances over many, in a picture and in numbers."""
    experiment = result.table_experiment
    if experiment is None:
        return
    yield exhibits.releases(result, colours)
    yield Fields((Field(parameters.GRID, "Settings"), Field(parameters.DISTANCE, "Distance"), *_own_fields(result)))
    yield exhibits.distances(result, colours)
    if experiment.results is not None and not experiment.is_exact:
        sentences = (
            text.order_text(experiment),
            omissions_text.analytic_text(experiment.results),
            omissions_text.generalized_text(experiment.results),
        )
        yield "\n\n".join(sentences)
    yield text.warnings_text(experiment)
    if result.values["data"] == "table" and result.table is not None and result.table.least_per_cell > 1:
        yield text.too_small_text(result.table.least_per_cell)
    yield exhibits.results(result, colours)
    yield exhibits.svm(result, colours)
    if experiment.n_possible_cells is not None and experiment.session_data.scores:
        yield svm_text.scores_text(experiment.session_data.scores)


def _own_fields(result: PapersResult) -> Sequence[Field | Parameter]:
    """Return the fields of an experiment with settings of one's own, none where it has those of the paper."""
    if result.values["grid"] == "paper":
        return ()
    return (
        Field(parameters.PAPER_EPSILONS, "ε of the experiment", "At most six."),
        Field(parameters.PAPER_DELTAS, "δ of the experiment", "At most six."),
        Field(parameters.POST, "Post-processing"),
        parameters.REPEATS,
    )


SECTION = Section[PapersResult](
    key="tables",
    name="Liu Figs. 6–12: tables",
    controls=controls,
    parts=parts,
    answer_text=answer_text,
    explanation=lambda _: text.EXPLANATION,
    exhibits=(exhibits.releases, exhibits.distances, exhibits.results, exhibits.svm),
    claims=lambda _: (Claim("Liu’s order", reason=_WHY_UNPROVED),),
    snippets=code.snippets,
)
