"""The section on Liu's Fig. 3: the pDP σ over the classical σ."""

from collections.abc import Iterator

from pages.framework.export.exhibit import Colours
from pages.framework.layout.section import Part, Section
from pages.papers.liu_pdp import code, exhibits, text
from pages.papers.results import PapersResult
from pages.shared.shared_parameters import DELTA


def parts(result: PapersResult, colours: Colours) -> Iterator[Part]:
    """Yield Liu's Fig. 3, and which σ to take."""
    yield exhibits.pdp_share(result, colours)
    yield text.recommendation_text(result)


SECTION = Section[PapersResult](
    controls=lambda _: (DELTA,),
    parts=parts,
    key="pdp",
    name="Liu Fig. 3: pDP σ",
    answer_text=text.answer_text,
    explanation=lambda _: text.EXPLANATION,
    exhibits=(exhibits.pdp_share,),
    snippets=code.snippets,
)
