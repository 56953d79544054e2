from pages.composition import exhibits, fields, parameters, sections
from pages.shared import frame
from pages.shared.contents import COMPOSITION

page = frame.open_page(
    COMPOSITION, parameters.OWN, exhibits.found, sections.SECTIONS, sections.answer, parameters.correct
)
if page.section in ("together", "accountants", "profile"):
    fields.releases_box(page.found.items)
frame.explanation(lambda: sections.explanation(page.found))
