import pytest

from dpcore import local
from tests.pages.conftest import found_by, topic_named


def answer_of(**link):
    return " ".join(topic_named("accuracy").answer_text(found_by("accuracy", **link)))


def conditions_of(**link):
    return topic_named("accuracy").conditions_text(found_by("accuracy", **link))


def test_a_survey_on_phones_is_told_that_the_number_is_for_an_office_and_what_its_own_would_be():
    survey = {"query": "proportion", "n_records": "50000", "epsilon": "2"}
    assert "a trusted office adds the noise (assumed)" in conditions_of(**survey)
    answer = answer_of(**survey, curator="people")
    assert answer.startswith("This answer does not apply")
    yes_or_no, of_twenty = (
        float(100 * local.half_width(2, n_options, 50_000, share=share)) for n_options, share in ((2, None), (20, 0.05))
    )
    for size in (yes_or_no, of_twenty):
        assert f" ±{size:.2f}"[:-1] in answer
    assert "about" not in answer
    assert answer_of(**survey | {"n_records": "999"}, curator="people").count("about ±") == 2  # as a normal error
    result = found_by("accuracy", **survey, curator="people")
    assert topic_named("accuracy").claims_of(result) == ()


@pytest.mark.parametrize(
    ("query", "half_width", "limited"), [("count", "±3 people", "±12 people"), ("mean", "±0.2996", "±1.199")]
)
def test_several_records_of_a_person_multiply_the_error(query, half_width, limited):
    assert half_width in answer_of(query=query)
    answer = answer_of(query=query, contribution="limited", per_total="4")
    assert limited in answer
    assert "each person counts once" not in answer
    assert "no person has more than 4 records (confirmed)" in conditions_of(
        query=query, contribution="limited", per_total="4"
    )
    assert half_width in answer_of(query=query, contribution="once", per_total="4")  # which then has no effect


def test_bounds_from_the_data_and_histograms_of_people_who_count_often_get_no_guarantee():
    assert answer_of(query="sum", fixed="no").startswith("No privacy guarantee: bounds that come from the data")
    assert answer_of(query="histogram", contribution="limited", per_total="4").startswith(
        "No privacy guarantee: this answer"
    )
    assert "./Tables?contribution=limited" in answer_of(query="histogram", contribution="limited")
    assert answer_of(query="own", contribution="unlimited").startswith(
        "No privacy guarantee: nobody limits by how much"
    )


def test_the_number_of_records_that_is_required_grows_with_those_of_a_person():
    once = found_by("accuracy", query="mean", section="records", contribution="once", accuracy="1")
    often = found_by("accuracy", query="mean", section="records", contribution="limited", per_total="3", accuracy="1")
    assert often.least_records[0] == pytest.approx(3 * once.least_records[0], rel=1e-2)
    for result in (once, often):
        snippets = [snippet for snippet in topic_named("accuracy").snippets_of(result) if snippet.page_values]
        assert snippets[0].page_values == tuple(result.least_records)


def test_a_sum_of_confirmed_conditions_has_noise_that_holds_for_any_values():
    (first, *_) = topic_named("accuracy").answer_text(
        found_by("accuracy", query="sum", contribution="once", fixed="yes")
    )
    assert first.endswith("±299.6 of the sum cut at the bounds with Laplace noise.")


@pytest.mark.parametrize("query", ["mean", "proportion"])
def test_what_must_be_so_of_the_number_of_records_stands_with_the_conditions(query):
    for neighbours, words in (
        ("add_remove", "there are at least 1,000 records, whoever takes part, and their exact number is not published"),
        ("replace", "the number of records, 1,000, is public"),
    ):
        page, result = topic_named("accuracy"), found_by("accuracy", query=query, neighbours=neighbours)
        conditions = page.conditions_of(result)
        assert conditions is not None
        assert conditions.assumptions == (words,)
        assert f"{words} (assumed)" in page.conditions_text(result)
        statements = page.statements_of(result)
        assert statements is not None
        assert statements.experts.count(words) == 1
    page, result = topic_named("accuracy"), found_by("accuracy", query=query, section="records", accuracy="0.01")
    conditions, statements = page.conditions_of(result), page.statements_of(result)
    assert conditions is not None
    assert statements is not None
    (enough,) = conditions.assumptions  # which are those that it takes
    assert "1,000 records" not in enough
    assert enough in statements.experts
    of_count = page.conditions_of(found_by("accuracy", query="count"))
    assert of_count is not None
    assert of_count.assumptions == ()


@pytest.mark.parametrize("link", [{}, {"known": "accuracy"}, {"promise": "delta"}])
def test_beside_other_releases_the_guarantee_is_of_this_one_and_the_total_is_larger(link):
    alone, beside = answer_of(**link, others="none"), answer_of(**link, others="some")
    assert "If the conditions hold, this satisfies" in alone
    assert "larger" not in alone
    assert "If the other conditions hold, this release satisfies" in beside
    assert "and the total ε is larger; " in beside
