"""Every way in which a page reads a file, and the problems of its output."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from dpcore import readers
from pages.denoising.map import widgets
from pages.framework.layout.page import load_page
from pages.framework.parameters.parameter import excerpt
from pages.framework.rendering.workers.jobs import Progress
from pages.framework.session.data_files import DataFiles
from pages.papers.liu_tables import results
from pages.plan import file_widgets
from pages.plan.file_widgets import CHOICES as PLAN_CHOICES
from pages.plan.proposals import proposals, proposed_row
from pages.plan.queries import QUERIES
from pages.shared import site_map
from pages.shared.counts.upload import CHOICES, read_upload
from pages.tradeoff.attack.upload import MeasuredAttack
from pages.tradeoff.curve_kinds import Points
from pages.tradeoff.curve_list import curves_parameter
from pages.tradeoff.results import own_parameters
from tests.hostile import holds, runs
from tests.hostile.files import ATTACKS, CURVES, EDGES, NODE_COUNTS, NODES, POINTS_ON_A_MAP, TABLES, File, files

MOST_SAID = 800  # characters of a sentence
Take = Callable[[Any], Iterator[str]]

_UNHEARD = Progress(lambda _: None)  # nobody watches the progress


def _wrong_in_sentences(*sentences: str) -> Iterator[str]:
    for sentence in sentences:
        yield from (problem for problem in holds.wrong_in_words(sentence) if problem.startswith("a path"))
        if len(sentence) > MOST_SAID:
            yield f"a sentence of {len(sentence)} characters: {sentence[:200]!r}"


def _table(upload_case: tuple[File, str, bool]) -> Iterator[str]:
    """Check an uploaded table on the pages Tables and Denoising."""
    (name, data), kind, crossed = upload_case
    files = DataFiles({"file": (name, data)}, {**CHOICES, "kind": kind})
    table = read_upload(files, _UNHEARD)
    if crossed and table.memory.get("columns"):
        crossing = {"kind": "records", "columns": table.memory["columns"][:2]}
        table = read_upload(replace(files, choices={**files.choices, **crossing}), _UNHEARD)
    yield from _wrong_in_sentences(*table.notes, table.problem)
    link = {"table": ["own"], "own": [table.link_text or "none"]}
    for page, sections, rest in (
        (site_map.TABLES, ("table", "release"), ()),
        (site_map.DENOISING, ("counts",), (None,)),
        (site_map.PAPERS, ("tables",), ()),
    ):
        for section in sections:
            yield from runs.wrong(load_page(page), link | {"section": [section]}, (table.content, *rest))


def _map(files: Mapping[str, File]) -> Iterator[str]:
    """Check uploaded places in up to four files."""
    choices = [widgets.CHOICES]
    _, columns = widgets.read_upload(DataFiles(files, widgets.CHOICES), _UNHEARD).memory.get("columns", (None, None))
    if columns is not None and columns.names:
        chosen = {"person": columns.names[-1], "weight": next(iter(columns.numbers), "")}
        choices.append(widgets.CHOICES | chosen)
    for choice in choices:
        source = widgets.read_upload(DataFiles(files, choice), _UNHEARD).content
        yield from _wrong_in_sentences(*source.sentences, source.problem)
        link = {"section": ["map"], "places": ["own"], "grid": ["4"]}
        yield from runs.wrong(load_page(site_map.DENOISING), link, (None, source))


def _attack(file: File) -> Iterator[str]:
    """Check scores or counts of an attack."""
    name, data = file
    try:
        attack = MeasuredAttack(readers.read_attack(data), excerpt(name))
    except ValueError as error:
        yield from _wrong_in_sentences(str(error))
        return
    yield from runs.wrong(load_page(site_map.TRADEOFF), {"section": ["attack"]}, (attack,))


def _points(file: File) -> Iterator[str]:
    """Check points of a curve."""
    _, data = file
    try:
        alpha, beta = readers.read_curve_points(data)
    except ValueError as error:
        yield from _wrong_in_sentences(str(error))
        return
    topic = replace(
        load_page(site_map.TRADEOFF), parameters=own_parameters(curves_parameter({"file1": Points(alpha, beta)}))
    )
    yield from runs.wrong(topic, {"curves": ["claim:file1@blue=;points:file1@teal="]})


def _plan_file(file: File) -> Iterator[str]:
    """Check the columns of a file, and the rows of a plan that each can become."""
    files = DataFiles({"file": file}, PLAN_CHOICES)
    reading = file_widgets.read_file(files, _UNHEARD)
    yield from _wrong_in_sentences(*reading.notes, reading.problem)
    for choice in file_widgets.person_field(replace(files, memory=reading.memory)):
        chosen = replace(files, choices={"person": (choice.options or (None,))[-1]}, memory=reading.memory)
        content = file_widgets.read_file(chosen, _UNHEARD).content
        for column in content.columns if content else ():
            for proposal in proposals(column.type, content is not None and content.is_row_person):
                entries = {quantity.key: quantity.default for quantity in proposal.quantities}
                item = proposed_row(proposal, entries, f"{column.name}\nOther", column.name)
                if QUERIES.read(item.link_text()) != (replace(item, chosen=True),):
                    yield f"a row that its link does not have: {item.link_text()}"


def _adult(file: File) -> Iterator[str]:
    """Check the file of Adult."""
    name, data = file
    try:
        experiment_data = results.ExperimentData(adult=results.read_adult(data))
    except ValueError as error:
        yield from _wrong_in_sentences(f"{excerpt(name)} can’t be read as Adult: {error}.")
        return
    yield from runs.wrong(
        load_page(site_map.PAPERS), {"section": ["tables"], "data": ["adult"]}, (None, experiment_data)
    )


_KINDS = st.sampled_from(("", "", "column", "cross_table", "records"))
_MAP_FILES = {
    "points": files(POINTS_ON_A_MAP),
    "nodes": files(NODES),
    "edges": files(EDGES),
    "counts": files(NODE_COUNTS),
}
_ADULT = b"39, Private, 77516, Bachelors, 13, Single, Sales, Own-child, White, Male, 0, 0, 40, Cuba, <=50K\n"
_OF_ADULT = st.tuples(
    st.just("adult.data"), st.lists(st.sampled_from((b"39", b"Private", b"13", b"40, Cuba")), max_size=6)
).flatmap(lambda pieces: st.just((pieces[0], _ADULT + b"".join(_ADULT.replace(part, b"1") for part in pieces[1]))))
TAKERS: Mapping[str, tuple[SearchStrategy[Any], Take]] = MappingProxyType(
    {
        "a table": (st.tuples(files(TABLES), _KINDS, st.booleans()), _table),
        "places": (st.fixed_dictionaries({}, optional=_MAP_FILES), _map),
        "an attack": (files(ATTACKS), _attack),
        "points": (files(CURVES), _points),
        "rows of a plan": (files(TABLES), _plan_file),
        "Adult": (files(TABLES) | _OF_ADULT, _adult),
    }
)
