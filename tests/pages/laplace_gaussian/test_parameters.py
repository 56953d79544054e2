import pytest

from pages.framework.export.exhibit import Exhibit
from pages.framework.layout.section import Field, Fields
from pages.framework.parameters.kinds import FreeText, problem
from pages.framework.rendering import stage
from pages.laplace_gaussian.page import PAGE as RECORD
from pages.shared.shared_parameters import DELTAS
from tests.pages.conftest import LIGHT, read_link
from tests.pages.laplace_gaussian.results import PAGE, result_of


def test_an_impossible_pair_is_corrected_before_the_link_is_written():
    read, problems = read_link(PAGE, case="own", l1_sensitivity="0.5", l2_sensitivity="1000")
    l1 = read["l1_sensitivity"]
    assert (l1.entry, l1.used, l1.value, problems) == ("0.5", "1000", 1000, [])
    assert l1.problem == (
        "ℓ₁ sensitivity must be at least the ℓ₂ sensitivity, 1,000; 0.5 was given. 1,000 is used instead."
    )
    assert read_link(PAGE, case="counts", l1_sensitivity="0.5")[0]["l1_sensitivity"].problem == ""


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ({"k": "2.5"}, "k must be a whole number from 1 to 1e6; 2.5 was given. 1 is used instead."),
        ({"gaussian": "best"}, "Gaussian must be one of analytic, pdp, classical; best was given."),
    ],
)
def test_a_bad_value_of_a_link_is_named(link, sentence):
    _, (problem_text,) = read_link(PAGE, **link)
    assert sentence in problem_text


def test_lists_and_words_are_read_strictly():
    assert DELTAS.read(" 0.1, 0.2 ") == DELTAS.read("0.1;0,2") == (0.1, 0.2)
    for bad in ("", "1", "none", ",".join(f"0.{n}" for n in range(11, 18))):
        assert "1 to 6 different comma-separated numbers" in str(problem(DELTAS, bad))
    for bad, sentences in (
        ("0.1,,0.2", "number 2 must be from 1e-300 to below 1; nothing was given."),
        ("0.2, 0.1, 0.10", "number 3 must differ from those before; 0.10 was given."),
        ("0.5; 1,732", "number 2: 1,732 can be read as 1732 or as 1.732: write 1732 or 1.732."),
    ):
        assert problem(DELTAS, bad) == f"δ of the curves: {sentences}"
    unit = FreeText("unit", "unit", "people")
    assert unit.read("  US dollars ") == "US dollars"
    for bad in ("", "   ", "x" * 31, "a\nb", "\x00"):
        assert "a text of 1 to 30 printable characters" in str(problem(unit, bad))


@pytest.mark.parametrize("link", [{"view": "tails"}, {"case": "own", "k": "3", "l1_sensitivity": "2", "hold": "tail"}])
def test_a_parameter_without_a_field_in_a_section_changes_nothing_there(link):
    changed = {"epsilon": "0.7", "delta": "0.01", "k": "6", "t": "7", "l2_sensitivity": "1.5", "l1_sensitivity": "4"}
    changed |= {"significance": "0.2", "seed": "5", "measure": "mean_error"}
    for name, section in RECORD.section_by_key.items():
        parts = list(section.parts(result_of(**link), LIGHT))
        fields = [field for part in parts if isinstance(part, Fields) for field in part.fields]
        used = {
            field.parameter.key if isinstance(field, Field) else field.key
            for field in (*section.controls(result_of(**link)), *fields)
        }
        expected = pictures(section, result_of(**link))
        for key in changed.keys() - used - {"significance"}:
            assert pictures(section, result_of(**link | {key: changed[key]})) == expected, (name, key)


def pictures(section, result):
    parts = section.parts(result, LIGHT)
    return [stage.pack({"picture": part.picture}) for part in parts if isinstance(part, Exhibit)]
