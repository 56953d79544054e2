from pages.composition import fields
from pages.composition.topic import TOPIC
from pages.framework.layout import page_frame


def _body() -> None:
    page = page_frame.open_page(TOPIC)
    if page.section in ("together", "accountants", "profile"):
        fields.releases_box(page.found.items)
    page_frame.explanation(page)


page_frame.run(TOPIC.page, _body)
