"""The section on the number of records."""

import pytest

from dpcore import accuracy as core
from dpcore.sensitivity import query_sensitivity
from pages.accuracy.page import PAGE as PAGE_RECORD
from pages.accuracy.parameters import QUERY
from pages.accuracy.records import section
from pages.accuracy.statements import enough_records
from tests.pages.accuracy.answers import PAGE, records, result_at
from tests.pages.conftest import read_link
from tests.pages.shared.test_release_program import plan_in


def test_the_sample_size_is_the_least_n_that_reaches_the_accuracy():
    sentences = records(query="mean", accuracy="0.5")
    assert (
        "±0.5 for 95 of 100 releases at ε = 1 requires 600 records with Laplace noise (pure ε-DP), if each "
        "person counts once"
    ) in sentences
    for n, is_enough in ((600, True), (599, False)):
        size = query_sensitivity("mean", "replace", 0, 100, n).l1
        assert (core.laplace_accuracy(1, 0.05, size) <= 0.5) == is_enough


def test_the_section_on_records_is_absent_if_the_sensitivity_does_not_fall_with_n():
    for name in QUERY.options:
        result = result_at(query=name, section="records")
        there = name in ("mean", "proportion")
        assert PAGE_RECORD.section_by_key["records"].is_available(result) == there
        assert result.setting.section == ("records" if there else "accuracy")
        assert not any(reading.problem for reading in read_link(PAGE, query=name, section="records")[0].values())


def test_an_accuracy_as_wide_as_the_range_takes_no_record():
    assert "is as wide as the whole range" in records(query="proportion", accuracy="1")
    result = result_at(query="proportion", accuracy="1")
    assert section.recommendation_text(result) == ""
    assert section.SECTION.statements(result) is None
    assert section.SECTION.downloads(result) is None


def test_a_sample_size_at_epsilon_0_is_that_of_the_analytic_gaussian():
    link = {"query": "mean", "epsilon": "0", "accuracy": "3"}
    sentences = records(delta="0.001", **link)
    assert "requires 26,070 records with the analytic Gaussian" in sentences
    assert "no practical number of records is enough for" in records(delta="1e-300", **link)
    assert "requires 1 record with Laplace" in records(query="mean", epsilon="1e6", accuracy="50")


def test_the_advice_on_records_depends_on_the_guarantee_and_on_n():
    def advice(**link):
        return section.recommendation_text(result_at(**({"query": "mean", "accuracy": "0.5"} | link)))

    steps = advice()
    assert "1. Have at least **600 records**: you entered n = 1,000, that is sufficient." in steps
    assert "2. **Add Laplace noise of scale 0.1667** to the mean of at least that many." in steps
    assert "3. Publish it with ±0.5 in 95 % of releases, ε = 1 and the conditions." in steps
    assert "you entered n = 599, collect more" in advice(n_records="599")
    assert "A δ > 0 would save no records" in advice(promise="delta")
    low = {"epsilon": "0.001", "delta": "0.1"}
    gaussian = advice(promise="delta", **low)
    assert "Add analytic Gaussian noise" in gaussian
    assert "ε = 0.001, δ = 0.1 and the conditions" in gaussian
    assert "at least **599,200 records**" in advice(**low)
    assert "at so small an ε pure ε-DP requires an impractical" in advice(epsilon="0", delta="0.001")


ENOUGH = (
    ({"query": "mean", "accuracy": "0.5"}, ("laplace", 600)),
    ({"query": "mean", "accuracy": "0.5", "neighbours": "replace", "contribution": "limited", "per_total": "3"}, None),
    ({"query": "proportion", "epsilon": "0.001", "accuracy": "0.01", "delta": "0.1", "promise": "delta"}, None),
)


@pytest.mark.parametrize(("link", "expected"), ENOUGH)
def test_what_is_stated_and_programmed_of_enough_records_reaches_the_wanted_error(link, expected):
    result = result_at(section="records", **link)
    key, n = enough_records(result) or ("", 0)
    assert expected in (None, (key, n))
    files, said = section.SECTION.downloads(result), section.SECTION.statements(result)
    assert files is not None
    assert said is not None
    plan = plan_in(files.files[0].content("https://example.org").decode())
    (statistic,) = plan["statistics"]
    assert (statistic["n_records"], statistic["is_number_public"]) == (n, False)
    wanted = result.setting.accuracy
    assert wanted * (1 - 2 / n) <= statistic["half_width"] <= wanted
    assert statistic["l1"] == pytest.approx((result.setting.facts.person_width or 0) / n)
    assert f"at least {n:,.0f} records" in said.paper
    assert f"±{wanted:g}" in said.paper


def test_nothing_is_stated_or_programmed_of_more_records_than_can_be_entered():
    result = result_at(section="records", query="mean", accuracy="1e-15")
    assert enough_records(result) is not None
    assert section.SECTION.downloads(result) is section.SECTION.statements(result) is None
