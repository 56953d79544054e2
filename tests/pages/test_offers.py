"""The buttons beside the answer: what they open is made when it is asked for, of the setting that is shown."""

import re
from html import unescape

import pytest

from dpcore import verify
from pages.framework.layout import panels
from pages.framework.layout.section import Claim
from tests.pages.conftest import ask, open_page, stage_of

SIGMA = Claim("δ(1) of σ = 4.225", 1e-6, verify.gaussian_delta, {"epsilon": 1, "sigma": 4.225})


def offered(app, key="verify"):
    """Return the words that were sent for a button."""
    return [words(body.decode()) for what, body in stage_of(app)["others"] if what == ["panel", key]]


def words(html):
    return unescape(re.sub(r"<[^>]*>", "", html))


def test_the_content_of_a_button_is_sent_on_request_for_the_setting_at_that_time():
    app = open_page("pages/1_Gaussian_bounds.py")
    assert stage_of(app)["answerButtons"]["verify"] == "Verify"
    assert offered(app) == []
    assert (
        "✓ δ(1) of σ = 4.225 lies in [9.98e-7, 9.99e-7], at most 1e-6: proved." in offered(ask(app, panel="verify"))[0]
    )
    (moved,) = offered(ask(app, panel="verify", set={"epsilon": "2"}))
    assert "✓ δ(2) of σ = 2.231 lies in" in moved
    assert "4.225" not in moved


@pytest.mark.parametrize("panel", ["nothing", "__class__", 7, None, ["verify"]])
def test_what_is_not_offered_is_not_answered(panel):
    app = ask(open_page("pages/1_Gaussian_bounds.py"), panel=panel)
    assert [what for what, _ in stage_of(app)["others"]] == []


def test_a_guarantee_is_proved_refuted_or_has_no_proof():
    claims = (
        SIGMA,
        Claim("δ(1) of σ = 4.224", 1e-6, verify.gaussian_delta, {"epsilon": 1, "sigma": 4.224}),
        Claim("δ(1) of σ = 1", 1e-6, verify.gaussian_delta, {"epsilon": 1, "sigma": 1}, is_violated=True),
        Claim("The saving of 48 %", reason="It is an estimate."),
    )
    lines = words(panels.proofs_html(claims)).splitlines()
    assert lines[1] == "✓ δ(1) of σ = 4.225 lies in [9.98e-7, 9.99e-7], at most 1e-6: proved."
    assert lines[2].startswith("✗ δ(1) of σ = 4.224 lies in")
    assert lines[2].endswith("above 1e-6: refuted.")
    assert lines[3].endswith("above 1e-6: refuted, as the page says.")
    assert lines[4] == "– The saving of 48 %: cannot be verified here. It is an estimate."


def test_guarantees_for_which_the_time_does_not_suffice_say_so(monkeypatch):
    monkeypatch.setattr(panels, "MAX_SECONDS", -1.0)
    assert "– δ(1) of σ = 4.225: not verified within the time limit of a page." in words(panels.proofs_html([SIGMA]))


def test_a_button_with_nothing_to_open_is_not_offered():
    assert stage_of(open_page("pages/1_Gaussian_bounds.py"))["answerButtons"] == {"verify": "Verify", "code": "Code"}
    assert stage_of(open_page("pages/8_Composition.py", section="groups"))["answerButtons"].keys() == {"verify", "code"}
    assert stage_of(open_page("pages/8_Composition.py", section="published"))["answerButtons"].keys() == {"say", "code"}
    records = open_page("pages/5_Accuracy.py", section="records", query="mean", known="accuracy", accuracy="1e9")
    assert stage_of(records)["answerButtons"] == {}
