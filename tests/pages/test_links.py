"""Links to the Gaussian bounds: what of them can't be used is named, and everything else stays."""

from urllib.parse import parse_qsl, urlsplit

import pytest

from pages.framework import link as links
from pages.framework.layout.page import load_page
from pages.framework.site import site
from pages.gaussian_bounds.page import VIEW
from pages.shared import site_map
from tests.pages.conftest import ROOT, link_of, open_page, read_link, stage_of, text_of, topic_named

EPSILON = ("ε", "from 0 to 1e6", "1 is used instead")
DELTA = ("δ", "from 1e-300 to below 1", "1e-6 is used instead")
SENSITIVITY = ("ℓ₂ sensitivity", "from 1e-100 to 1e100", "1 is used instead")
SIGNIFICANCE = ("significance level", "0.05 is used instead")
PINNED = ("pinned setting", "epsilon,delta,l2_sensitivity,significance with each", "none is used instead")
FORMAT = ("picture format", "one of svg, png, pdf", "svg is used instead")
CASES = [
    *(("epsilon", bad, EPSILON) for bad in ("-1", "2e6", "nan", "inf", "1e400", "abc")),
    *(("delta", bad, DELTA) for bad in ("0", "1", "2")),
    ("l2_sensitivity", "0", SENSITIVITY),
    ("significance", "1", SIGNIFICANCE),
    *(("pinned", bad, PINNED) for bad in ("1,2", "a,b,c,d", "0,1e-300,1e10,0.05", "0,1e-300,1e5,1e-300")),
    ("picture", "gif", FORMAT),
]
DEFAULTS = {"epsilon": "1", "delta": "1e-6", "l2_sensitivity": "1", "significance": "0.05", "picture": "svg"}
DEFAULTS |= {"present": "off", "section": "bounds", "view": VIEW.default, "pinned": "none"}


@pytest.mark.parametrize(("key", "bad", "words"), CASES)
def test_a_value_of_a_link_that_cant_be_used_is_named_in_one_sentence(key: str, bad: str, words: tuple[str, ...]):
    read, (sentence,) = read_link("gaussian_bounds", **{key: bad})
    assert [word for word in (*words, f"{bad or 'nothing'} was given") if word not in sentence] == []
    assert len(sentence) < 250
    assert {name: reading.used for name, reading in read.items()} == DEFAULTS | {
        "demo": "none",
        "aside": "off",
        "sequence": "",
    }


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        (
            {"epsilon": "nan"},
            "ε must be from 0 to 1e6; nan was given, which is not a number. 1 is used instead.",
        ),
        (
            {"delta": "1e400"},
            "must be from 1e-300 to below 1; 1e400 was given, which is too large: no number above 1.8e308",
        ),
        (
            {"epsilon": "1e-400"},
            "ε must be from 0 to 1e6; 1e-400 was given, which is so close to 0 that a floating-point number "
            "cannot hold it. 1 is used instead.",
        ),
        (
            {"epsilon": "abc"},
            "ε must be from 0 to 1e6; abc was given, which is not a number. 1 is used instead.",
        ),
        ({"epsilon": "1/0"}, "1/0 was given, which has a division by zero. 1 is used instead."),
        ({"epsilon": "2e6"}, "ε must be from 0 to 1e6; 2e6 was given. 1 is used instead."),
        ({"significance": "1"}, "must be from 1e-300 to below 1; 1 was given. 0.05 is used instead."),
        ({"eps": "1"}, "This page has no parameter eps; the link’s value for it is left out."),
        ({"section": "none"}, "This page has no section none; “Which bound” is open."),
        ({"": "1"}, "This page has no parameter without a name; the link’s value for it is left out."),
        ({"epsilon": ["1", "2"]}, "The link gives ε 2 times; only the last is read, 2."),
        (
            {"epsilon": "1_0"},
            "ε must be from 0 to 1e6; 1_0 was given, which is not a number. 1 is used instead.",
        ),
        ({"epsilon": "١"}, "ε must be from 0 to 1e6; ١ was given, which is not a number. 1 is used instead."),
        ({"epsilon": "1,732"}, "1,732 can be read as 1732 or as 1.732: write 1732 or 1.732. 1 is used instead."),
        ({"delta": ""}, "δ must be from 1e-300 to below 1; nothing was given."),
    ],
)
def test_the_sentence_names_the_field_what_was_given_what_is_allowed_and_what_is_used(link, sentence):
    _, (problem,) = read_link("gaussian_bounds", **link)
    assert sentence in problem


@pytest.mark.parametrize("entry", ["5", "5.", "+5", "5e0", "5E-0", " 5 ", "0.5e1", ".5e1", "√25", "10/2", "5,0", "2+3"])
def test_every_form_of_a_number_that_people_write_is_read_and_kept_as_typed(entry):
    read, problems = read_link("gaussian_bounds", epsilon=entry)
    assert (read["epsilon"].value, read["epsilon"].used, problems) == (5, entry.strip(), [])


@pytest.mark.parametrize("significance", ["0.05", "1e-300"])
def test_a_sigma_whose_reach_no_double_holds_is_corrected_before_the_link_is_written(significance):
    link = {"epsilon": "0", "delta": "1e-300", "l2_sensitivity": "1e5", "significance": significance}
    read, problems = read_link("gaussian_bounds", **link)
    sensitivity = read["l2_sensitivity"]
    assert problems == []
    assert (sensitivity.entry, sensitivity.used, sensitivity.value) == ("1e5", "1", 1)
    assert sensitivity.problem == (
        "ℓ₂ sensitivity of 100,000 needs noise beyond 1e300 at this ε and δ. 1 is used instead."
    )


def test_the_address_says_every_parameter_and_reads_back_as_the_same():
    read, _ = read_link("gaussian_bounds", epsilon="sqrt(3)", pinned="1,1e-6,1,0.05")
    address = links.address("Gaussian_bounds", read)
    assert address.startswith("/Gaussian_bounds?epsilon=sqrt%283%29&delta=1e-6&")
    assert "pinned=1%2C1e-6%2C1%2C0.05" in address


def test_a_bad_link_is_spoken_of_on_the_page_and_replaced_in_the_address():
    app = open_page("pages/1_Gaussian_bounds.py", foo="bar", epsilon="nan")
    assert len(stage_of(app)["notices"]) == 2
    assert link_of(app) == DEFAULTS
    assert "the analytic Gaussian requires σ = 4.225" in text_of(app)


def test_a_pinned_setting_has_the_texts_of_its_parameters_and_else_the_defaults():
    pinned = read_link("laplace_gaussian", pinned="epsilon=2&gaussian=pdp")[0]["pinned"].value
    assert {key: pinned[key] for key in ("epsilon", "delta", "gaussian", "pinned")} == {
        "epsilon": 2,
        "delta": 1e-6,
        "gaussian": "pdp",
        "pinned": None,
    }


def test_former_parameters_of_gaussian_bounds_are_not_parameters_of_other_pages():
    read, problems = read_link("gaussian_bounds", bound="nonsense")
    assert (problems, "bound" in read) == ([], False)
    _, (sentence,) = read_link("laplace_gaussian", bound="pdp")
    assert sentence.startswith("This page has no parameter bound;")


@pytest.mark.parametrize(
    "bad", ["epsilon=x", "section=profiles", "epsilon=2&foo=1", "epsilon=0&delta=1e-300&l2_sensitivity=1e10"]
)
def test_a_pinned_setting_that_cannot_be_used_is_dropped(bad):
    read, (sentence,) = read_link("gaussian_bounds", pinned=bad)
    assert read["pinned"].value is None
    assert "none is used instead" in sentence


def test_only_shared_parameters_travel_between_pages_with_the_same_keys():
    app = open_page("pages/1_Gaussian_bounds.py", section="profile", epsilon="2")
    app.switch_page(str(ROOT / "start.py")).run()
    assert (link_of(app)["section"], link_of(app)["epsilon"]) == ("pages", "2")
    app.query_params.clear()
    app.switch_page(str(ROOT / "pages/1_Gaussian_bounds.py")).run()
    assert (link_of(app)["view"], link_of(app)["epsilon"]) == ("profile", "2")


def test_the_link_of_a_citation_has_what_differs_from_the_defaults_and_opens_the_same_setting():
    short = stage_of(open_page("pages/1_Gaussian_bounds.py", epsilon="2", picture="png"))["shortLink"]
    version = site().version
    older = {each.key: each.default for each in topic_named("gaussian_bounds").own_parameters if each.older_default}
    assert dict(parse_qsl(urlsplit(short).query)) == {"epsilon": "2"} | older | {"version": version}
    read, problems = read_link("gaussian_bounds", epsilon="2", version=version)
    assert (read["epsilon"].value, problems) == (2, [])


FORMER = {
    (page.topic, key): section
    for page in site_map.PAGES[1:]
    for section in load_page(page).sections
    for key in section.former
}


@pytest.mark.parametrize(("topic", "key"), FORMER)
def test_a_link_of_a_section_that_was_merged_opens_it_as_a_picture_of_the_other(topic, key):
    page, section = topic_named(topic), FORMER[topic, key]
    readings, problems = read_link(topic, section=key)
    assert (problems, readings["section"].value) == ([], section.key)
    assert page.open_section(page.compute(links.values(readings))).key == section.key
    assert all(readings[parameter].used == text for parameter, text in section.former[key].items())
    assert key not in page.section_by_key
