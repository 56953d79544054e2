from pages.framework.layout import page_frame
from pages.shared.counts import widgets as fields
from pages.tables.experiments import widgets as paper_fields
from pages.tables.page import PAGE


def _body() -> None:
    page = page_frame.open_page(PAGE, held=(fields.uploaded_table(), paper_fields.held()))
    if page.section == "paper":
        paper_fields.paper_fields(page.result.experiment, page.values["data"])
    else:
        fields.table_fields()
    if page.section == "paper" or not page.result.missing:
        page_frame.explanation(page)


page_frame.run(PAGE.entry, _body)
