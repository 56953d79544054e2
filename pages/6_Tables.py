from pages.shared import frame
from pages.shared.contents import TABLES
from pages.tables import exhibits, fields, noise_words, paper_fields, sections
from pages.tables.parameters import OWN, correct

page = frame.open_page(
    TABLES, OWN, exhibits.found, sections.SECTIONS, sections.answer, correct, held=(fields.uploaded(),)
)
if page.section == "paper":
    paper_fields.adult_fields()
else:
    fields.table_fields()
frame.explanation(lambda: noise_words.explanation(page.found))
