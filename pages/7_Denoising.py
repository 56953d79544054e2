from pages.denoising import exhibits, sections
from pages.denoising.parameters import OWN, correct
from pages.shared import frame
from pages.shared.contents import DENOISING
from pages.shared.counts import fields

page = frame.open_page(
    DENOISING, OWN, exhibits.found, sections.SECTIONS, sections.answer, correct, held=(fields.uploaded(),)
)
if page.section == "counts":
    fields.table_fields()
frame.explanation(lambda: sections.explanation(page.found))
