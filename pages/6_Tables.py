from pages.framework.layout import page_frame
from pages.shared.counts import fields
from pages.tables import paper_fields
from pages.tables.topic import TOPIC


def _body() -> None:
    page = page_frame.open_page(TOPIC, held=(fields.uploaded(), paper_fields.held()))
    if page.section == "paper":
        paper_fields.paper_fields(page.found.experiment, page.values["data"])
    else:
        fields.table_fields()
    if page.section == "paper" or not page.found.missing:
        page_frame.explanation(page)


page_frame.run(TOPIC.page, _body)
