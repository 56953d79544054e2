from pages.denoising import map_fields, means_fields
from pages.denoising.topic import TOPIC
from pages.framework.layout import page_frame
from pages.shared.counts import fields


def _body() -> None:
    page = page_frame.open_page(TOPIC, held=(fields.uploaded(), means_fields.held(), map_fields.held()))
    if page.section == "counts":
        fields.table_fields()
    if page.section == "map":
        map_fields.map_fields(page.found)
    if page.section == "means":
        means_fields.means_fields(page.found)
    page_frame.explanation(page)


page_frame.run(TOPIC.page, _body)
