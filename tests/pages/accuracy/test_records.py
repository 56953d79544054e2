"""The section on the number of records."""

from dpcore import accuracy as core
from dpcore.sensitivity import query_sensitivity
from pages.accuracy.page import PAGE as PAGE_RECORD
from pages.accuracy.parameters import QUERY
from pages.accuracy.records import section
from tests.pages.accuracy.answers import PAGE, records, result_at
from tests.pages.conftest import read_link


def test_the_sample_size_is_the_least_n_that_reaches_the_accuracy():
    sentences = records(query="mean", accuracy="0.5")
    assert (
        "±0.5 units for 95 of 100 releases at ε = 1 requires 600 records with Laplace noise (pure ε-DP), if each "
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
    assert section.recommendation_text(result.least_records, result.setting) == ""


def test_a_sample_size_at_epsilon_0_is_that_of_the_analytic_gaussian():
    link = {"query": "mean", "epsilon": "0", "accuracy": "3"}
    sentences = records(delta="0.001", **link)
    assert "requires 26,070 records with the analytic Gaussian" in sentences
    assert "no practical number of records is enough for" in records(delta="1e-300", **link)
    assert "requires 1 record with Laplace" in records(query="mean", epsilon="1e6", accuracy="50")


def test_the_advice_on_records_depends_on_the_guarantee_and_on_n():
    def advice(**link):
        result = result_at(**({"query": "mean", "accuracy": "0.5"} | link))
        return section.recommendation_text(result.least_records, result.setting)

    assert advice() == (
        "**What to do: use Laplace noise, with at least 600 records**; with your n = 1,000, this is sufficient."
    )
    assert "with your n = 599, collect more" in advice(n_records="599")
    assert "A δ > 0 would save no records" in advice(promise="delta")
    low = {"epsilon": "0.001", "delta": "0.1"}
    assert "use the analytic Gaussian, with at least" in advice(promise="delta", **low)
    assert "use Laplace noise, with at least 599,200 records" in advice(**low)
    assert "at so small an ε pure ε-DP requires an impractical" in advice(epsilon="0", delta="0.001")
