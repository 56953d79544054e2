"""What a report says to do by its answers: the noise with its scale, and with which ε the result is published."""

from pages.framework.export.exhibit import read_item
from pages.framework.export.report_items import rebuild
from pages.report import document
from pages.report import page as section
from tests.pages.report.test_exact_counts import ASKING, OWN_CELLS
from tests.pages.report.test_report import ADDRESS, DAY, report

TABLE = "Tables/answer?section=noise&epsilon=2&per_person=3"
DO = "What to do, if the conditions hold"


def test_an_answer_in_a_report_says_once_what_to_do_with_the_scale_of_the_noise():
    steps = rebuild(read_item(TABLE)).steps
    assert "s = 1.5" in steps
    assert "ε = 2" in steps
    content = report(f"{TABLE}~{TABLE.replace('/answer?', '/noise_persons?')}")
    page = document.document(content, ADDRESS, DAY, "")
    body = page[page.index("<main>") : page.index('class="appendix"')]
    assert page.count(DO) == body.count(DO) == 1
    assert "s = 1.5" in body
    assert "s = 1.5" in section._report_text(content, ADDRESS, DAY)


def test_a_report_says_nothing_to_do_beside_an_open_or_denied_condition_or_a_statement():
    denied = OWN_CELLS.replace("/cells?", "/answer?").replace("contribution=once", "contribution=unlimited")
    for item in (ASKING, denied, TABLE.replace("/answer?", "/statement_paper?")):
        assert rebuild(read_item(item)).answer
        assert rebuild(read_item(item)).steps == ""
