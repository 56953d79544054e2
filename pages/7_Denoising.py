from pages.denoising import exhibits, map_fields, means_fields, sections
from pages.denoising.parameters import OWN
from pages.shared import frame
from pages.shared.contents import DENOISING
from pages.shared.counts import fields

held = (fields.uploaded(), means_fields.held(), map_fields.held())
page = frame.open_page(DENOISING, OWN, exhibits.found, sections.SECTIONS, sections.answer, held=held)
if page.section == "counts":
    fields.table_fields()
if page.section == "map":
    map_fields.map_fields(page.found)
if page.section == "means":
    means_fields.means_fields(page.found)
frame.explanation(lambda: sections.explanation(page.found))
