"""A quantile, and several, of people of whom each may have several values: what they cost, and what the page says."""

import pytest

from dpcore import quantiles
from pages.framework.link import values as values_of
from pages.framework.parameters.number_format import without_markdown
from pages.framework.session.data_files import DataFiles
from pages.median.page import PAGE
from pages.median.quantile.text import quantile_steps_text
from pages.median.results import MedianResult, conditions_of_range
from pages.median.several.section import several_steps_text
from pages.shared.site_map import MEDIAN
from pages.shared.values.parameters import CHOICES, read_upload
from tests.pages.conftest import found_by, read_link

LIMITED = {"contribution": "limited", "per_total": "4"}
ONE_AND_SEVERAL = [{}, {"step": "none"}, {"neighbours": "replace", "quantile": "0.9"}, {"significance": "0.01"}]


@pytest.mark.parametrize("link", ONE_AND_SEVERAL)
@pytest.mark.parametrize("section", ["quantile", "several"])
def test_of_four_values_of_a_person_the_error_is_that_of_one_at_a_quarter_of_epsilon(link, section):
    known = link | {"section": section, "n_records": "2000"}
    of_four = found_by("median", **known, **LIMITED, epsilon="2")
    of_one = found_by("median", **known, epsilon="0.5")
    if section == "several":
        assert of_four.several.largest_errors == pytest.approx(of_one.several.largest_errors)
        return
    several, one = of_four.quantile, of_one.quantile
    assert (several.error, several.cliff) == pytest.approx((one.error, one.cliff))
    assert several.enough_people(3.0) == one.enough_people(3.0)
    assert several.enough_epsilon(3.0) == pytest.approx(4 * one.enough_epsilon(3.0))
    assert several.enough_epsilon(3.0) >= 4 * one.enough_epsilon(3.0)
    edges = several.epsilon_without_cliff, one.epsilon_without_cliff
    assert edges[0] == pytest.approx(4 * edges[1])


@pytest.mark.parametrize("relation", ["add_remove", "replace"])
def test_the_claims_are_of_a_person_with_all_values_at_one_end(relation):
    link = LIMITED | {"neighbours": relation, "n_records": "30", "high": "90", "step": "30"}
    quantile = found_by("median", **link).quantile
    for change, (scores, other, sensitivity) in quantile.neighbouring_scores().items():
        moved = max(abs(float(one - two)) for one, two in zip(scores, other, strict=True))
        assert moved <= float(sensitivity), change
    exact = max(float(sensitivity) for _, _, sensitivity in quantile.neighbouring_scores().values())
    assert exact == 4 * (1.0 if relation == "replace" else 0.5)


def test_a_limit_is_confirmed_and_said_in_the_condition_the_steps_and_the_statements():
    result = found_by("median", **LIMITED, n_records="2000")
    answer = PAGE.answer_text(result)
    assert "2,000 values" in answer[0]
    assert ", at ε/4**, once." in quantile_steps_text(result)
    conditions = conditions_of_range(result)
    assert "no person has more than 4 values" in conditions.sentence
    assert conditions.refusal is None
    for steps in (quantile_steps_text(result), several_steps_text(result)):
        assert "Keep at most 4 values of each person, chosen at random" in steps
    statements = PAGE.statements_of(result)
    assert statements is not None
    assert "For 2,000 values with median 30, 90th percentile 84" in statements.public
    assert "no person has more than 4 values" in without_markdown(statements.public)


def own_result(person: str, **link: str) -> MedianResult:
    """Return the page with a file of 40 people, of whom one has five rows and the others have one."""
    rows = "".join(f"p{max(place, 4)},{place}\n" for place in range(44))
    file = "own.csv", f"patient,days\n{rows}".encode()
    upload = read_upload(DataFiles({"file": file}, CHOICES | {"person": person, "column": "days"})).content
    readings, _ = read_link(MEDIAN.topic, source="own", fixed="yes", **link)
    return PAGE.compute(values_of(readings), upload)


def test_own_values_without_a_column_of_people_say_that_each_row_is_taken_for_another_person():
    for link, words in (
        ({}, "if each row of the values is another person"),
        ({"contribution": "once"}, "each row of the values is another person"),
        (LIMITED, "no person has more than 4 of the rows"),
    ):
        result = own_result("", **link)
        conditions = PAGE.conditions_of(result)
        assert conditions is not None
        assert words in conditions.sentence
        assert result.ordered.size == 44
    summed = own_result("patient", contribution="once")
    conditions = PAGE.conditions_of(summed)
    assert conditions is not None
    assert "the values of each person are added up first" in conditions.sentence
    assert (summed.ordered.size, summed.ordered.max()) == (40, 43)
    assert 0 + 1 + 2 + 3 + 4 in summed.ordered


def test_a_column_that_seems_to_name_people_is_named_until_it_is_chosen():
    file = "own.csv", b"patient_id,patients,days\n1,4,2\n1,5,3\n"
    for person, is_asked in (("", True), ("patient_id", False)):
        read = read_upload(DataFiles({"file": file}, CHOICES | {"person": person, "column": "days"}))
        (note,) = read.notes
        assert ("Column patient_id seems to name people: choose it, or each row counts as another" in note) == is_asked
    counts = read_upload(DataFiles({"file": ("own.csv", b"patients,days\n4,2\n5,3\n")}, CHOICES | {"column": "days"}))
    assert "seems to name people" not in counts.notes[0]


def test_a_person_with_more_own_values_than_the_limit_denies_the_condition():
    for n, is_denied in (("4", True), ("5", False)):
        result = own_result("patient", contribution="limited", per_total=n)
        conditions = PAGE.conditions_of(result)
        assert conditions is not None
        assert result.ordered.tolist() == list(range(44))
        assert (conditions.refusal is not None) == is_denied
        assert ("somebody counts more often than you allow" in conditions.sentence) == is_denied


@pytest.mark.parametrize("link", [{"contribution": "once", "per_total": "4"}, {"contribution": "limited"}, {}])
def test_without_a_limit_that_is_stated_a_person_has_one_value(link):
    result = found_by("median", **link)
    assert result.setting.n_own == 1
    assert result.quantile.error == pytest.approx(found_by("median").quantile.error)
    keys = [field.key for field in result.limit_fields and (result.limit_fields[0].parameter,)]
    assert keys == (["per_total"] if link.get("contribution") == "limited" else [])


def test_the_epsilon_of_each_of_several_quantiles_is_that_of_one_value():
    several = found_by("median", section="several", **LIMITED, significance="1e-4").several
    assert several.best_method == "single"
    assert several.epsilon_each == pytest.approx(quantiles.single_epsilon(1.0, 3) / 4)
