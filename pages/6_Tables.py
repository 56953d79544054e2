from pages.framework.layout import page_frame
from pages.shared.counts import widgets as table_widgets
from pages.shared.counts.parameters import TABLE
from pages.tables.experiments import widgets as experiment_widgets
from pages.tables.page import PAGE


def _body() -> None:
    page = page_frame.open_page(PAGE, uploads=(table_widgets.uploaded_table(), experiment_widgets.session_data()))
    if page.section == "paper":
        experiment_widgets.experiment_fields(page.result.experiment, page.values["data"])
    else:
        table_widgets.table_fields(TABLE)
    if page.section == "paper" or not page.result.is_missing:
        page_frame.explanation(page)


page_frame.run(PAGE.entry, _body)
