"""The section on Liu's experiments."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import CONFIDENTIAL_CODE, Colours
from pages.framework.layout.code_panel import program, unavailable
from pages.framework.layout.section import Claim, Field, Fields, Part, Section, Snippet
from pages.framework.parameters.parameter import Parameter
from pages.papers.liu_tables import exhibits, omissions_text, parameters, svm_text, text
from pages.papers.results import PapersResult
from pages.shared.counts.link_format import MOST_CELLS
from pages.shared.libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.shared_parameters import DELTA, EPSILON, SEED

_NO_EXPERIMENT = {
    OPENDP: "It has none of the compared σ; its own follows from ρ-zCDP.",
    DP_ACCOUNTING: "It accounts for privacy, and releases no table.",
    DIFFPRIVLIB: "It has no σ of probabilistic DP, which stands in every comparison.",
    OPACUS: "It has Gaussian noise on gradients only.",
}
_SHIPPED = {"czech": "tables.czech_autoworkers()", "mildew": "tables.mildew()"}
_VERDICTS = ("as published", "too close", "reversed")


def snippets(result: PapersResult) -> tuple[Snippet, ...]:
    """Return how often Liu's order came out; nothing where nothing was compared or the table is too long to list."""
    experiment, table = result.table_experiment, result.values["table"]
    is_short = experiment is not None and (table in _SHIPPED or experiment.counts.size <= MOST_CELLS)
    if (
        experiment is None
        or result.values["data"] != "table"
        or not is_short
        or experiment.order is None
        or experiment.is_exact
    ):
        return ()
    counts = f"{_SHIPPED[table]}['count']" if table in _SHIPPED else f"np.array({experiment.counts.tolist()})"
    processed = f"lambda noisy: tables.post_process(noisy, n, n, {experiment.post == 'rounded'})"
    code = program(
        "import numpy as np",
        "from dpcore import tables",
        "",
        f"counts = {counts}",
        "n = counts.sum()",
        f"settings = tables.experiment_settings({list(experiment.epsilons)}, {list(experiment.deltas)})",
        f"post = {'None' if experiment.post == 'none' else processed}",
        f"rng = np.random.default_rng({experiment.seed})",
        f"results = tables.experiment(rng, counts, settings, {experiment.n_repeats}, post)",
        "verdicts = tables.paper_ordering(results)['verdict'].to_list()",
        f"print(*map(verdicts.count, {_VERDICTS}))",
    )
    verdicts = experiment.order["verdict"].to_list()
    note = "The comparisons in which Liu’s order holds, is too close to call, and is reversed."
    if table not in _SHIPPED:
        note = f"{note} {CONFIDENTIAL_CODE}"
    snippet = Snippet(DPCORE, code, note, tuple(float(verdicts.count(verdict)) for verdict in _VERDICTS))
    return snippet, *unavailable(_NO_EXPERIMENT)


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
    snippets=snippets,
)
