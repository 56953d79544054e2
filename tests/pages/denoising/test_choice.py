"""Whether to denoise at all: compared with the best noise as it is, and for the user's own counts never by these."""

import re

import numpy as np
import pytest

from pages.denoising.counts import text
from tests.pages.conftest import topic_named
from tests.pages.denoising.test_counts import counts_result, release_of


def test_denoising_is_recommended_only_where_it_beats_the_best_noise_as_it_is():
    cases = [
        {"table": table, "epsilon": epsilon, "per_person": k}
        for table in ("mildew", "czech")
        for epsilon, k in (("0.1", "1"), ("1", "1"), ("1", "8"), ("10", "1"))
    ]
    verdicts = set[str]()
    for case in cases:
        release = release_of(**case, contribution="limited")
        assert release.recommended is not None
        place = release.repeats.keys.index(release.first_in_ranking)
        errors, spread = release.repeats.error[place], release.repeats.error_standard_error[place]
        sentence = text.release_answer_text(release)[0]
        own = release.size * release.recommended.variance
        verdicts.add(sentence[:3])
        if sentence.startswith("Use"):
            assert errors < own, case
            (percent,) = re.findall(r"about (\d+) %", sentence)
            assert 1 - int(percent) / 100 >= np.sqrt(errors / own), case
        elif release.recommended.family != "gaussian":
            assert errors + 2 * spread > 0.98 * own, case
    assert verdicts == {"Use", "Do "}


def test_own_counts_are_asked_for_their_conditions_and_never_chosen_by():
    asking = topic_named("denoising").answer_text(counts_result(table="own", own="a=5;b=3;c=900"))
    assert asking[0] == "Two questions before the answer."
    result = counts_result(table="own", own="a=5;b=3;c=900", contribution="limited", per_cell="4", fixed="yes")
    assert result.release is not None
    assert result.release.sigma == pytest.approx(4 * counts_result(table="mildew").sigma, rel=1e-9)
    assert "choose by an older or a public table" in topic_named("denoising").answer_text(result)[1]


def test_the_noise_as_it_is_is_the_better_of_both_guarantees_and_may_have_no_error_at_all():
    release = release_of(table="czech", per_person="6", contribution="limited")
    assert release.recommended is not None
    assert release.recommended.family == "geometric"
    assert text.release_answer_text(release)[0].startswith("Do not denoise")
    assert text.release_answer_text(release_of(table="mildew", epsilon="1e6"))[0].startswith("Do not denoise")
