"""The section on Liu's experiments."""

from collections.abc import Iterator, Sequence
from functools import partial

from pages.framework.export.exhibit import (
    CONFIDENTIAL_CODE,
    CONFIDENTIAL_FIGURES,
    CONFIDENTIAL_PICTURE,
    Colours,
    Exhibit,
)
from pages.framework.layout.panels import program, unavailable
from pages.framework.layout.section import Claim, Field, Fields, Part, Section, Snippet
from pages.framework.parameters.parameter import Parameter
from pages.papers import parameters
from pages.papers.liu_tables import figures, text
from pages.papers.liu_tables.results import releases_frame, scores_frame
from pages.papers.results import PapersResult
from pages.shared.counts.linked_table import MOST_CELLS
from pages.shared.other_libraries import DIFFPRIVLIB, DP_ACCOUNTING, DPCORE, OPACUS, OPENDP
from pages.shared.shared_parameters import DELTA, EPSILON, SEED


def _confidential(result: PapersResult, sentence: str) -> str:
    """Return the sentence if the experiment is on the user's own table, else none."""
    return sentence if result.values["data"] == "table" and result.values["table"] == "own" else ""


def releases(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return one release by each mechanism against the original counts (Figs. 6, 8, 10); nothing where ε is 0."""
    experiment = result.table_experiment
    if experiment is None or experiment.releases is None:
        return None
    cells_in_figure, all_releases = experiment.plotted_cells, experiment.releases
    names = [experiment.cells[place] for place in cells_in_figure] if experiment.cells else []
    releases_in_figure = {name: row[cells_in_figure] for name, row in all_releases.items()}
    subtitle = text.releases_subtitle(experiment)
    figure = figures.releases_figure(names, experiment.counts[cells_in_figure], releases_in_figure, subtitle, colours)
    parameters = {"epsilon": repr(experiment.epsilon), "delta": repr(experiment.delta)}
    alternative, header = text.releases_alternative_text(experiment), text.csv_header(experiment) | parameters
    numbers, confidential = partial(releases_frame, experiment), _confidential(result, CONFIDENTIAL_PICTURE)
    return Exhibit("released", figure, alternative, numbers, header, confidential=confidential)


def distances(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return mean and standard deviation of a distance by mechanism, ε and δ (Figs. 7, 9, 11)."""
    experiment = result.table_experiment
    if experiment is None or experiment.results is None or experiment.is_exact:
        return None
    subtitle = text.distances_subtitle(experiment)
    figure = figures.distances_figure(experiment.results, experiment.distance, subtitle, colours)
    alternative, header = text.distances_alternative_text(experiment), text.csv_header(experiment)
    confidential = _confidential(result, CONFIDENTIAL_FIGURES)
    return Exhibit("distances", figure, alternative, experiment.results, header, confidential=confidential)


def results(result: PapersResult, _: Colours) -> Exhibit | None:
    """Return the means and standard deviations of all three distances, as a table."""
    experiment = result.table_experiment
    if experiment is None or experiment.results is None or experiment.is_exact:
        return None
    html = text.results_html(experiment.results, experiment.post)
    alternative, header = text.distances_alternative_text(experiment), text.csv_header(experiment)
    confidential = _confidential(result, CONFIDENTIAL_FIGURES)
    return Exhibit("experiment", html, alternative, experiment.results, header, confidential=confidential)


def svm(result: PapersResult, colours: Colours) -> Exhibit | None:
    """Return how well machines predict that were trained on releases (Fig. 12); nothing where none was trained."""
    experiment = result.table_experiment
    if experiment is None or experiment.n_possible_cells is None or not experiment.session_data.scores:
        return None
    scores = experiment.session_data.scores
    figure = figures.svm_figure(scores, text.subtitle(scores), colours)
    return Exhibit("svm", figure, text.scores_text(scores), scores_frame(scores), text.csv_header(experiment))


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
    return data, *table, EPSILON, DELTA, SEED


def parts(result: PapersResult, colours: Colours) -> Iterator[Part]:
    """Yield one release beside the original counts, then the distances over many, in a picture and in numbers."""
    experiment = result.table_experiment
    if experiment is None:
        return
    yield releases(result, colours)
    yield Fields((Field(parameters.GRID, "Settings"), Field(parameters.DISTANCE, "Distance"), *_own_fields(result)))
    yield distances(result, colours)
    if experiment.results is not None and not experiment.is_exact:
        sentences = (
            text.order_text(experiment),
            text.analytic_text(experiment.results),
            text.generalized_text(experiment.results),
        )
        yield "\n\n".join(sentences)
    yield text.warnings_text(experiment)
    if result.values["data"] == "table" and result.table is not None and result.table.least_per_cell > 1:
        yield text.too_small_text(result.table.least_per_cell)
    yield results(result, colours)
    yield svm(result, colours)
    if experiment.n_possible_cells is not None and experiment.session_data.scores:
        yield text.scores_text(experiment.session_data.scores)


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
    exhibits=(releases, distances, results, svm),
    claims=lambda _: (Claim("Liu’s order", reason=_WHY_UNPROVED),),
    snippets=snippets,
)
