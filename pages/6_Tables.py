from pages.shared import frame
from pages.shared.counts import fields
from pages.tables import noise_explanation, paper_fields, paper_words
from pages.tables.topic import TOPIC

page = frame.open_page(TOPIC, held=(fields.uploaded(), paper_fields.held()))
if page.section == "paper":
    paper_fields.paper_fields(page.found.experiment, page.values["data"])
    frame.explanation(lambda: paper_words.EXPLANATION)
else:
    fields.table_fields()
    if not page.found.missing:
        frame.explanation(lambda: noise_explanation.explanation(page.found))
