from pages.framework.layout import page_run, widgets
from pages.papers.balle_means import widgets as means_widgets
from pages.papers.liu_tables import widgets as experiment_widgets
from pages.papers.page import PAGE
from pages.papers.parameters import TABLE
from pages.shared.counts.upload import own_table


def _body() -> None:
    above_stage = widgets.place_above_stage()
    own_counts = own_table(TABLE)
    uploads = own_counts.content(), experiment_widgets.session_data(), means_widgets.stored_data_sets()
    page = page_run.open_page(PAGE, uploads=uploads)
    if page.values["show"] == "tables":
        if page.values["data"] == "table":
            own_counts.draw(above_stage)
        experiment_widgets.experiment_fields(page.result.table_experiment, page.values["data"])
    if page.values["show"] == "means":
        means_widgets.render_fields(page.result)
    page_run.explanation(page)


page_run.run(PAGE.entry, _body)
