"""The appendix of a report: the proofs of its numbers and how they are computed, each text once."""

from collections.abc import Iterator

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
    texts = ["".join(markup.html(paragraph, address) for paragraph in item.words if paragraph) for item in items]
    for label, explanation in _grouped(items, texts):
        yield f"<h3>Formulas and sources of {label}</h3>{explanation}"


def _grouped(items: list[RebuiltItem], texts: list[str]) -> Iterator[tuple[str, str]]:
    """Yield every text once, after the numbers and the source of the items that have it."""
    for text in filter(None, dict.fromkeys(texts)):
        positions = [position for position, other in enumerate(texts) if other == text]
        numbers = " and ".join(f'<a href="#item-{position + 1}">{position + 1}</a>' for position in positions)
        yield f"{'item' if len(positions) == 1 else 'items'} {numbers} ({items[positions[0]].source})", text
