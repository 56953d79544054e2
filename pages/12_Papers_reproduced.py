from pages.framework.layout import page_run
from pages.framework.layout.widgets import place_above_stage
from pages.papers import widgets
from pages.papers.page import PAGE
from pages.papers.parameters import TABLE
from pages.shared.counts.upload import own_table


def _body() -> None:
    above_stage = place_above_stage()
    own_counts = own_table(TABLE)
    uploads = own_counts.content(), widgets.experiment_data(), widgets.data_sets()
    page = page_run.open_page(PAGE, uploads=uploads)
    if page.values["show"] == "tables":
        if page.values["data"] == "table":
            own_counts.draw(above_stage)
        widgets.tables_fields(page.result.table_experiment, page.values["data"])
    if page.values["show"] == "means":
        widgets.means_fields(page.result.mean_experiment)
    page_run.explanation(page)


page_run.run(PAGE.entry, _body)
