from pages.denoising.counts.parameters import TABLE
from pages.denoising.map import widgets as map_fields
from pages.denoising.means import widgets as means_fields
from pages.denoising.page import PAGE
from pages.framework.layout import page_frame
from pages.shared.counts import widgets as fields


def _body() -> None:
    page = page_frame.open_page(
        PAGE, uploads=(fields.uploaded_table(), means_fields.stored_data_sets(), map_fields.stored_source())
    )
    if page.section == "counts":
        fields.table_fields(TABLE)
    if page.section == "map":
        map_fields.render_fields(page.result)
    if page.section == "means":
        means_fields.render_fields(page.result)
    page_frame.explanation(page)


page_frame.run(PAGE.entry, _body)
