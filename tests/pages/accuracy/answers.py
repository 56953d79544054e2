"""The results and texts of the page on accuracy at the setting of a link."""

import re
from functools import lru_cache

from pages.accuracy import explanation
from pages.accuracy.error import text
from pages.accuracy.error.section import recommendation_text
from pages.accuracy.page import PAGE as PAGE_RECORD
from tests.pages.conftest import exhibits_by_name, found_by, html_of, read_link

PAGE = "accuracy"


@lru_cache(32)
def result_at(**link):
    return found_by(PAGE, **link)


def answer(**link):
    return " ".join(PAGE_RECORD.answer_text(result_at(**link)))


def recommended(**link):
    rows, setting = (result := result_at(**link)).rows, result.setting
    return f"{recommendation_text(rows, setting)}\n\n{text.reasons_text(rows, setting)}".strip()


def readings(**link):
    return explanation.geometric_readings_text((result := result_at(**link)).rows, result.setting)


def records(**link):
    return answer(section="records", **link)


def row_of(name, table="mechanisms", **link):
    html = html_of(exhibits_by_name(result_at(**({"mechanisms": "all"} | link)), PAGE)[table])
    row = re.search(rf"<tr><th scope='row'>{re.escape(name)}</th>(.*?)</tr>", html)
    assert row is not None
    return re.findall(r"<td[^>]*>(.*?)</td>", row[1])


def used(**link):
    return {key: reading.used for key, reading in read_link(PAGE, **link)[0].items()}
