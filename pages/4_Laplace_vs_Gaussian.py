from pages.laplace_gaussian import exhibits, parameters, sections
from pages.shared import frame
from pages.shared.contents import LAPLACE_GAUSSIAN

page = frame.open_page(
    LAPLACE_GAUSSIAN, parameters.OWN, exhibits.found, sections.SECTIONS, sections.answer, parameters.correct
)
frame.explanation(lambda: page.found.explanation)
