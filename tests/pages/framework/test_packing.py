"""The binary messages to the browser: what is packed is unpacked again, here and in tests/js/packing.test.js."""

from pathlib import Path

import numpy as np
import pytest

from pages.framework.rendering import stage as rendering_stage

SAMPLE = Path(__file__).parents[2] / "js" / "message.bin"
MESSAGE = {
    "text": "σ ≤ 1",
    "none": None,
    "rows": np.array([[1.0, np.nan, 3.0], [4.0, 5.0, np.inf]]),
    "parts": [{"x": np.array([0.5, -2.0], np.float32)}, np.array([1, -7], np.int32), np.float64(0.25)],
    "bodies": [("csv", "ratio.csv", b"x,y"), ("stage", None, rendering_stage.pack({"x": np.array([1.0, 2.0])}))],
}


def test_arrays_bytes_and_texts_are_unpacked_as_they_were_packed():
    message = rendering_stage.unpack(rendering_stage.pack(MESSAGE))
    assert (message["text"], message["none"]) == ("σ ≤ 1", None)
    np.testing.assert_array_equal(message["rows"], MESSAGE["rows"])
    single, integers, number = message["parts"]
    assert single["x"].dtype == np.float32
    assert (single["x"].tolist(), integers.tolist(), number) == ([0.5, -2.0], [1, -7], 0.25)


def test_a_message_in_a_message_is_unpacked_from_its_bytes():
    (_, name, file), (_, _, stage) = rendering_stage.unpack(rendering_stage.pack(MESSAGE))["bodies"]
    assert (name, file.tobytes()) == ("ratio.csv", b"x,y")
    assert rendering_stage.unpack(stage.tobytes())["x"].tolist() == [1.0, 2.0]


def test_equal_arrays_are_sent_once_and_others_that_have_the_same_bytes_are_not_confused():
    x = np.linspace(0, 1, 100)
    once, twice = (
        rendering_stage.pack({"lines": [{"x": x.copy(), "y": x + place} for place in range(1, n)]}) for n in (2, 3)
    )
    assert len(twice) - len(once) < x.nbytes + 100
    assert [line["x"].tolist() for line in rendering_stage.unpack(twice)["lines"]] == [x.tolist()] * 2
    zeros = {"flat": np.zeros(4), "square": np.zeros((2, 2)), "whole": np.zeros(8, np.int32), "bytes": bytes(32)}
    back = rendering_stage.unpack(rendering_stage.pack(zeros))
    assert {name: (array.dtype.str, array.shape) for name, array in back.items()} == {
        "flat": ("<f8", (4,)),
        "square": ("<f8", (2, 2)),
        "whole": ("<i4", (8,)),
        "bytes": ("|u1", (32,)),
    }


def test_the_sample_that_the_browser_test_reads_is_what_is_packed():
    assert rendering_stage.pack(MESSAGE) == SAMPLE.read_bytes()


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_a_number_that_json_does_not_have_is_refused(number):
    with pytest.raises(ValueError, match="JSON"):
        rendering_stage.pack({"value": float(number)})
