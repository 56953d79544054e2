"""A quantile, and several, of people of whom each may have several values: what they cost, and what the page says."""

import pytest

from dpcore import quantiles
from pages.framework.parameters.number_format import without_markdown
from pages.median.page import PAGE
from pages.median.quantile.text import quantile_steps_text
from pages.median.results import conditions_of_range
from pages.median.several.section import several_steps_text
from tests.pages.conftest import found_by

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
