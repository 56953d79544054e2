from pages.composition import fields
from pages.composition.topic import TOPIC
from pages.shared import frame


def _body() -> None:
    page = frame.open_page(TOPIC)
    if page.section in ("together", "accountants", "profile"):
        fields.releases_box(page.found.items)
    frame.explanation(page)


frame.run(TOPIC.page, _body)
