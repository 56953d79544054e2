"""The names of saved files: page, exhibit and setting, in letters that each file system and LaTeX take, no own data."""

import re

import pytest

from pages.framework.export.exhibit_files import file_stem
from pages.framework.parameters.kinds import Choice, FreeText, Quantity, read_text
from pages.shared.shared_parameters import DELTA, EPSILON, L2_SENSITIVITY, SIGNIFICANCE
from tests.pages.conftest import ask, open_page, stage_of

SHARED = (EPSILON, DELTA, L2_SENSITIVITY, SIGNIFICANCE)


def name(parameters=SHARED, page="Gaussian_bounds", **entries):
    readings = {item.key: read_text(item, entries.get(item.key, item.default), item.default) for item in parameters}
    return file_stem(page, "ratio", parameters, readings)


@pytest.mark.parametrize(
    ("entries", "setting"),
    [
        ({}, "eps1_delta1e-6"),
        ({"epsilon": "sqrt(3)", "delta": "1/3"}, "eps1.732051_delta0.3333334"),
        ({"epsilon": "100000"}, "eps100000_delta1e-6"),
        ({"l2_sensitivity": "2.5"}, "eps1_delta1e-6_l2_sensitivity2.5"),
        ({"significance": "0.1"}, "eps1_delta1e-6_significance0.1"),
    ],
)
def test_a_file_is_named_after_the_first_numbers_and_those_that_are_not_the_default(entries, setting):
    assert name(**entries) == f"gaussian_bounds_ratio_{setting}"


def test_words_and_choices_are_in_no_name_and_a_long_symbol_is_its_key():
    weight = Quantity("weight", "the weight of a row", "weight", "[-5, 5]", "1")
    others = (FreeText("unit", "unit", "people"), Choice("view", "view", {"a": "A"}, "a"), weight)
    assert name(others, "", weight="-2") == "start_ratio_weight-2"


def test_a_number_of_a_parameter_that_can_hold_own_data_is_in_no_name():
    class Private(Quantity):
        def data_in(self, entry: str) -> str:
            return "" if entry == self.default else "a count"

    assert (
        name((EPSILON, Private("count", "n", "count", "[0, 9999]", "1")), count="8623") == "gaussian_bounds_ratio_eps1"
    )


@pytest.mark.parametrize(
    ("script", "entries"),
    [("pages/1_Gaussian_bounds.py", {"epsilon": "1/3"}), ("pages/6_Tables.py", {"section": "table"}), ("start.py", {})],
)
def test_every_chart_and_table_of_a_page_has_a_name_of_plain_letters(script, entries):
    def files(parts):
        for part in parts:
            yield from [part["file"]] if part["kind"] in ("chart", "table") else files(part.get("parts", ()))

    names = list(files(stage_of(open_page(script, **entries))["parts"]))
    assert names
    assert len(set(names)) == len(names)
    assert [one for one in names if not re.fullmatch(r"[a-z][\w.-]{3,90}", one, re.ASCII)] == []


def test_the_charts_of_a_picture_with_panels_come_together_each_once():
    app = ask(open_page("pages/16_A_median.py"), chart=[3, "near", "none", "release", "near"])
    assert [what for what, _ in stage_of(app)["others"]] == [["chart", "near"], ["chart", "release"]]
