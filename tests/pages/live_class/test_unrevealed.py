"""What a class sees of its room before a demonstration reveals the answer to the question that it was asked."""

import re

import pytest

from pages.live_class import page
from tests.pages.conftest import found_by
from tests.pages.live_class.test_page import with_class


@pytest.mark.parametrize("is_open", [True, False])
@pytest.mark.parametrize("reports", [[], [0, 1, 1, 0, 1] * 40])
def test_a_class_sees_no_number_that_its_question_may_ask_for(reports, is_open):
    result = with_class(reports, is_open=is_open)
    (said,) = page.answer_text(result)
    shown = f"{said} {page.invitation_text(result) if is_open else ''}"
    assert not re.search(r"belief|office|73 %|students|at ε", shown)
    assert "points" not in shown or not is_open
    assert re.search("belief of 50 % is at most", " ".join(page.answer_text(found_by("live_class"))))
