"""What every section of the page on composition must keep at every setting."""

from pages.composition.results import CompositionResult
from pages.framework.layout.section import Section
from pages.shared import looks
from tests.pages.conftest import expect_complete


def expect_complete_exhibits(
    section: Section[CompositionResult], result: CompositionResult, scheme: str = "light"
) -> None:
    """Check that each chart and table of a section is there and complete."""
    for exhibit_of in section.exhibits:
        exhibit = exhibit_of(result, looks.COLOURS[scheme])
        assert exhibit is not None
        expect_complete(exhibit)
