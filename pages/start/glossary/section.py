"""The glossary: the words and symbols of the pages, with a search, an index, and one entry opened by a link."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Articles, Part, Section
from pages.shared.page_links import shared_entries
from pages.start.glossary.entries_data import ENTRIES
from pages.start.glossary.parameters import TERM
from pages.start.results import StartResult


def _glossary_text(_: StartResult) -> tuple[str, ...]:
    return (f"{len(ENTRIES)} words and symbols of differential privacy, each explained in a few sentences.",)


def _glossary_parts(result: StartResult, _: Colours) -> Iterator[Part]:
    shared = shared_entries(result.setting)
    articles = [entry.article(shared) for entry in ENTRIES.values()]
    yield Articles(articles, TERM.key, result.term if result.term != TERM.default else "")


GLOSSARY = Section[StartResult](
    key="glossary",
    name="Glossary",
    controls=lambda _: (),
    parts=_glossary_parts,
    answer_text=_glossary_text,
)
