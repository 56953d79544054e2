"""The section on Liu's experiments: its pictures, its table, and how they follow each other."""

from collections.abc import Iterator, Sequence

from pages.framework.export.exhibit import CONFIDENTIAL_FIGURES, CONFIDENTIAL_PICTURE, Colours, Exhibit
from pages.framework.layout.section import Field, Fields, Part
from pages.framework.parameters.kinds import Parameter
from pages.shared.shared_parameters import DELTA, EPSILON, SEED
from pages.tables import paper_figures, paper_left_out, paper_parameters, paper_svm_words, paper_words
from pages.tables.paper import released_numbers, score_numbers
from pages.tables.parameters import TABLE
from pages.tables.results import TablesResult


def answer(result: TablesResult) -> tuple[str, ...]:
    """Whether the published order came out, and how the analytic Gaussian does."""
    now = result.experiment
    if now is not None:
        return paper_words.answer(now)
    return paper_words.NO_ADULT if result.values["data"] == "adult" else paper_words.NO_TABLE


def strip(result: TablesResult) -> Sequence[Field | Parameter]:
    """What changes the lead picture."""
    data = Field(paper_parameters.DATA, "Data")
    table = () if result.values["data"] == "adult" else (Field(TABLE, "Table"),)
    return EPSILON, DELTA, data, *table, SEED


def parts(result: TablesResult, colour: Colours) -> Iterator[Part]:
    """One release beside the original, then the distances over many, in a picture and in numbers."""
    now = result.experiment
    if now is None:
        return
    yield released(result, colour)
    yield Fields(
        (Field(paper_parameters.GRID, "Settings"), Field(paper_parameters.DISTANCE, "Distance"), *_own(result))
    )
    yield distances(result, colour)
    if now.results is not None and not now.exact:
        said = (
            paper_words.compared(now),
            paper_left_out.analytic(now.results),
            paper_left_out.generalized(now.results),
        )
        yield "\n\n".join(said)
    yield paper_words.notes(now)
    yield results(result, colour)
    yield svm(result, colour)
    if now.possible is not None and now.held.scores:
        yield paper_svm_words.said(now.held.scores)


def _own(result: TablesResult) -> Sequence[Field | Parameter]:
    """What is asked only where the paper's settings are not taken."""
    if result.values["grid"] == "paper":
        return ()
    return (
        Field(paper_parameters.PAPER_EPSILONS, "ε of the experiment", "At most six."),
        Field(paper_parameters.PAPER_DELTAS, "δ of the experiment", "At most six."),
        Field(paper_parameters.POST, "Post-processing"),
        paper_parameters.REPEATS,
    )


def _is_own(result: TablesResult) -> bool:
    """Whether the experiment is on the user's own table."""
    return result.values["data"] == "table" and result.setting.table == "own"


def released(result: TablesResult, colour: Colours) -> Exhibit | None:
    """One release by each mechanism against the original counts (Figs. 6, 8, 10); nothing where ε is 0."""
    now = result.experiment
    if now is None or now.released is None:
        return None
    drawn, made = now.drawn, now.released
    cells = [now.cells[place] for place in drawn] if now.cells else []
    shown = {name: row[drawn] for name, row in made.items()}
    subtitle = paper_words.released_subtitle(now)
    figure = paper_figures.released_figure(cells, now.counts[drawn], shown, subtitle, colour)
    own = {"epsilon": repr(now.epsilon), "delta": repr(now.delta)}
    said, header = paper_words.released_alternative(now), paper_words.header(now) | own
    confidential = CONFIDENTIAL_PICTURE if _is_own(result) else ""
    return Exhibit("released", figure, said, lambda: released_numbers(now), header, confidential=confidential)


def distances(result: TablesResult, colour: Colours) -> Exhibit | None:
    """Mean and standard deviation of a distance by mechanism, ε and δ (Figs. 7, 9, 11)."""
    now = result.experiment
    if now is None or now.results is None or now.exact:
        return None
    subtitle = paper_words.distances_subtitle(now)
    figure = paper_figures.distances_figure(now.results, now.distance, subtitle, colour)
    said, header = paper_words.distances_alternative(now), paper_words.header(now)
    confidential = CONFIDENTIAL_FIGURES if _is_own(result) else ""
    return Exhibit("distances", figure, said, now.results, header, confidential=confidential)


def results(result: TablesResult, _: Colours) -> Exhibit | None:
    """The means and standard deviations of all three distances, as a table."""
    now = result.experiment
    if now is None or now.results is None or now.exact:
        return None
    html, said = paper_words.table_html(now.results, now.post), paper_words.distances_alternative(now)
    confidential = CONFIDENTIAL_FIGURES if _is_own(result) else ""
    return Exhibit("experiment", html, said, now.results, paper_words.header(now), confidential=confidential)


def svm(result: TablesResult, colour: Colours) -> Exhibit | None:
    """How well machines predict that were trained on released cells (Fig. 12); nothing where none was trained."""
    now = result.experiment
    if now is None or now.possible is None or not now.held.scores:
        return None
    scores = now.held.scores
    figure = paper_figures.svm_figure(scores, paper_svm_words.subtitle(scores), colour)
    return Exhibit("svm", figure, paper_svm_words.said(scores), score_numbers(scores), paper_words.header(now))


ALL = (released, distances, results, svm)
