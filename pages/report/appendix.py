"""The appendix of a report: the proofs of its numbers and how they are computed, each text once."""

from collections.abc import Iterator, Sequence

from pages.framework.export.report_items import RebuiltItem
from pages.framework.layout import markup as page_markup
from pages.framework.layout.verify_panel import METHOD_NOTE
from pages.report import markup

_METHOD = page_markup.html(METHOD_NOTE)


def html(items: list[RebuiltItem], address: str) -> str:
    """Return the appendix; an empty text if no item has a proof or an explanation."""
    content = "".join((*_proofs(items), *_explanations(items, address)))
    return f'<section class="appendix"><h2>How the numbers are computed</h2>{content}</section>' if content else ""


def _proofs(items: list[RebuiltItem]) -> Iterator[str]:
    for label, proofs in _grouped(items, [item.proofs.removesuffix(_METHOD) for item in items]):
        yield f"<h3>Verified numbers of {label}</h3>{proofs}"
    if any(item.proofs for item in items):
        yield _METHOD


def _explanations(items: list[RebuiltItem], address: str) -> Iterator[str]:
    """Yield every paragraph once, below the items that have it: an explanation serves all items of its section."""
    owners: dict[str, list[int]] = {}
    for position, item in enumerate(items):
        for paragraph in dict.fromkeys(filter(None, _paragraphs(item))):
            owners.setdefault(paragraph, []).append(position)
    groups: dict[tuple[int, ...], list[str]] = {}
    for paragraph, positions in owners.items():
        groups.setdefault(tuple(positions), []).append(paragraph)
    for positions, paragraphs in groups.items():
        html = "".join(markup.html(paragraph, address) for paragraph in paragraphs)
        yield f"<h3>Formulas and sources of {_label(items, positions)}</h3>{html}"


def _paragraphs(item: RebuiltItem) -> Iterator[str]:
    for words in item.words:
        yield from words.split("\n\n")


def _grouped(items: list[RebuiltItem], texts: list[str]) -> Iterator[tuple[str, str]]:
    """Yield every text once, after the numbers and the sources of the items that have it."""
    for text in filter(None, dict.fromkeys(texts)):
        positions = [position for position, other in enumerate(texts) if other == text]
        yield _label(items, positions), text


def _label(items: list[RebuiltItem], positions: Sequence[int]) -> str:
    """Return the numbers of items, linked, and their sources."""
    numbers = " and ".join(f'<a href="#item-{position + 1}">{position + 1}</a>' for position in positions)
    sources = " and ".join(dict.fromkeys(items[position].source for position in positions))
    return f"{'item' if len(positions) == 1 else 'items'} {numbers} ({sources})"
