from pages.shared import frame
from pages.shared.contents import TABLES
from pages.shared.counts import fields
from pages.tables import exhibits, noise_explanation, paper_fields, paper_words, sections
from pages.tables.parameters import OWN, correct

page = frame.open_page(
    TABLES,
    OWN,
    exhibits.found,
    sections.SECTIONS,
    sections.answer,
    correct,
    held=(fields.uploaded(), paper_fields.held()),
)
if page.section == "paper":
    paper_fields.paper_fields(page.found.experiment, page.values["data"])
    frame.explanation(lambda: paper_words.EXPLANATION)
else:
    fields.table_fields()
    if not page.found.missing:
        frame.explanation(lambda: noise_explanation.explanation(page.found))
