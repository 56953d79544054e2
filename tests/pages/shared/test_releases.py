import pytest

from dpcore.composition import (
    gaussian_release,
    geometric_release,
    guarantee_release,
    laplace_release,
    sampled_release,
)
from pages.composition.other_libraries import list_snippets
from pages.framework.parameters.list_parameter import list_text
from pages.framework.parameters.parameter import PartlyUsableError
from pages.shared.other_libraries import DIFFPRIVLIB
from pages.shared.releases import DEFAULTS, MAX_LINES, RELEASES, description, labels, own_guarantees


def test_the_list_of_the_link_is_read_and_written_as_it_was():
    items = RELEASES.read(DEFAULTS)
    assert RELEASES.read(list_text(items)) == items
    assert [item.release for item in items] == [
        laplace_release(0.2, 5),
        gaussian_release(4, 5),
        guarantee_release(0.5, count=3),
    ]
    assert labels(items) == ["Weekly counts", "Monthly averages", "Survey answers"]


def test_a_line_without_a_name_goes_by_what_it_is_and_never_shows_more_noise_than_there_is():
    items = RELEASES.read("sampled:1/3,0.01*1000;gaussian:1/3;approx:1/3,1e-9")
    assert items[0].release == sampled_release(1 / 3, 0.01, 1000)
    assert labels(items) == ["DP-SGD σ/Δ = 0.3333333, q = 0.01", "Gaussian σ/Δ = 0.3333333", "(0.3333334, 1e-9)-DP"]
    assert description(items[0]) == "1,000 × DP-SGD steps, noise multiplier 0.3333333, sampling rate 0.01"


@pytest.mark.parametrize(
    ("link", "sentence"),
    [
        ("gaussian:0", "Line 1: noise multiplier must be from 1e-3 to 1e6; 0 was given. It is left out."),
        ("gaussian:1,2", "Line 1: gaussian needs 1 number; 2 were given. It is left out."),
        ("sampled:1", "Line 1: sampled needs 2 numbers; 1 was given. It is left out."),
        ("staircase:1", "Line 1: its kind must be one of gaussian, laplace, geometric, discrete, pure,"),
        ("pure:1*0.5", "Line 1: count must be a whole number from 1 to 1e6; 0.5 was given. It is left out."),
        (";".join(["pure:1"] * (MAX_LINES + 1)), "The link lists 21 lines; only the first 20 are read."),
    ],
)
def test_a_line_that_cannot_be_read_is_omitted_with_a_sentence(link, sentence):
    with pytest.raises(PartlyUsableError) as mended:
        RELEASES.read(link)
    assert mended.value.problems[0].startswith(sentence)


def test_what_a_release_guarantees_by_itself_is_its_epsilon_and_the_delta_of_a_guarantee():
    lines = geometric_release(0.5, 3, 2), guarantee_release(1.0, 1e-9), laplace_release(0.25)
    assert own_guarantees(lines) == [(0.5, 0.0, 2), (1.0, 1e-9, 1), (0.25, 0.0, 1)]
    assert own_guarantees((*lines, gaussian_release(4.0))) is None
    snippets = {snippet.library: snippet for snippet in list_snippets(lines[:1], 1e-6, 1.0)}
    assert "[(0.5, 0.0)] * 2" in snippets[DIFFPRIVLIB].code
