"""What every section of the page on composition must keep at every setting."""

from pages.composition.results import CompositionResult
from pages.framework.layout.section import Section
from pages.shared import looks
from tests.pages.conftest import expect_complete


def expect_complete_exhibits(
    section: Section[CompositionResult], result: CompositionResult, scheme: str = "light"
) -> None:
    """Check that each chart and table of a section is there and complete; one picture may stand for another."""
    exhibits = [exhibit_of(result, looks.COLOURS[scheme]) for exhibit_of in section.exhibits]
    drawn = [exhibit for exhibit in exhibits if exhibit is not None]
    assert len(drawn) == len(exhibits) - (section.key == "together")  # the growth of one line, or the costs of several
    for exhibit in drawn:
        expect_complete(exhibit)
