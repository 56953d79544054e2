from pages.composition import fields
from pages.composition.topic import TOPIC
from pages.shared import frame

page = frame.open_page(TOPIC)
if page.section in ("together", "accountants", "profile"):
    fields.releases_box(page.found.items)
frame.explanation(page)
