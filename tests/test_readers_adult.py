import gzip
import io
import re
import sys
import urllib.error
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from dpcore import readers, tables
from dpcore.readers import adult

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
LINE = (
    "39, State-gov, 77516, Bachelors, 13, Never-married, Adm-clerical, Own-child, White, Male, 2174, 0, 40, Cuba, <=50K"
)
HEADER = "age,workclass,fnlwgt,education,education-num,marital-status,occupation,relationship,race,sex,capital-gain,"
HEADER += "capital-loss,hours-per-week,native-country,Income"


def records(*lines: str) -> pd.DataFrame:
    return readers.read_adult("\n".join(lines).encode())


def test_a_file_is_read_as_uci_wrote_it_with_a_header_or_packed():
    (plain,) = records(LINE, "", "").to_dict("records")
    assert (plain["age"], plain["fnlwgt"], plain["native_country"], plain["income"]) == (39, 77516, "Cuba", "<=50K")
    assert len(plain) == 15
    (test,) = records("|1x3 Cross validator", LINE + ".").to_dict("records")
    (headed,) = records(HEADER, LINE.replace(", ", ",")).to_dict("records")
    (packed,) = readers.read_adult(gzip.compress(LINE.encode())).to_dict("records")
    assert plain == test == headed == packed


def test_columns_of_a_headed_file_may_come_in_another_order_with_others_between_and_a_split():
    (row,) = records("note,split," + HEADER, "x,test," + LINE).to_dict("records")
    assert (row["split"], row["age"], row["income"]) == ("test", 39, "<=50K")
    assert "note" not in row


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", "line 1: there is no record of Adult"),
        (b"a,b\n", "line 1: 2 entries where Adult has 15"),
        (f"{LINE}\n{LINE}, 3\n".encode(), "line 2: 16 entries where Adult has 15"),
        (LINE.replace("39", "x").encode(), "line 1: age must be a whole number below 1e9, it is x"),
        (LINE.replace("2174", "").encode(), "line 1: capital_gain must be a whole number below 1e9, it is empty"),
        (f"{LINE}\n\n{LINE.replace('39', '-1')}".encode(), "line 3: age must be a whole number below 1e9, it is -1"),
        (LINE.replace("<=50K", "50K").encode(), "line 1: income must be <=50K or >50K, it is 50K"),
        (HEADER.replace("race", "rase").encode(), "line 1: the header must have one column named race, it has 0"),
        (HEADER.replace("race", "sex").encode(), "line 1: the header must have one column named race, it has 0"),
        (HEADER.encode(), "line 1: there is no record of Adult"),
        (b'"a"b\n', "line 1: after a quote that closes there must be a separator or the end of the line"),
        (b"39, \xff", "line 1: byte 0xff is not UTF-8 text; save the file as UTF-8"),
        (b"\x1f\x8bxx", "line 1: the file begins like one packed by gzip, but cannot be unpacked to its end"),
        (
            gzip.compress(LINE.encode(), mtime=0)[:-9],
            "line 1: the file begins like one packed by gzip, but cannot be unpacked to its end",
        ),
        (b"1" * 20_000_001, "line 1: more than 20 MB, and Adult has 6"),
        (gzip.compress(b"1" * 20_000_001, 1, mtime=0), "line 1: more than 20 MB, and Adult has 6"),
    ],
    ids=lambda value: value[:40] if isinstance(value, str) else "",
)
def test_a_file_that_is_not_adult_gets_one_sentence(data, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        readers.read_adult(data)


def test_completers_lack_no_attribute_and_no_capital_gain_is_cut_off():
    rows = [LINE, LINE.replace("Cuba", "?"), LINE.replace("2174", "99999"), LINE.replace("State-gov", "?")]
    assert len(tables.adult_completers(records(*rows))) == 1
    marked = records("split," + HEADER, "train," + LINE, "test," + LINE, "train," + rows[1])
    assert tables.adult_completers(marked)["split"].tolist() == ["train"]


def test_two_thirds_train_and_the_others_test():
    completers = pd.DataFrame({"age": range(30_014)})
    train, test = tables.adult_split(np.random.default_rng(1), completers)
    assert (len(train), len(test)) == (20_009, 10_005)
    assert sorted([*train["age"], *test["age"]]) == list(range(30_014))
    again, _ = tables.adult_split(np.random.default_rng(1), completers)
    pd.testing.assert_frame_equal(train, again)
    assert abs(np.mean(train["age"].to_numpy()) - 15_006.5) < 200


def test_a_cell_is_a_combination_of_the_attributes_without_weight_and_income():
    rows = [
        LINE,
        LINE.replace("77516", "1"),
        LINE.replace("<=", ">"),
        LINE.replace("39", "40"),
        LINE.replace("Cuba", "X"),
    ]
    assert sorted(tables.adult_counts(records(*rows))) == [1, 1, 3]
    assert tables.possible_cells(records(*rows)) == 4


@pytest.mark.skipif(not DATA.is_dir(), reason="the shared data sets are not beside this clone")
def test_the_published_numbers_of_adult_come_out():
    everyone = readers.read_adult((DATA / "adult.csv.gz").read_bytes())
    completers = tables.adult_completers(everyone)
    assert (len(everyone), len(completers)) == (48_842, 30_014)
    assert len(tables.adult_counts(completers)) == 26_167
    train, test = tables.adult_split(np.random.default_rng(2019), completers)
    published = tables.PAPER[2]
    assert (len(train), len(test)) == (published.n_records, 10_005)
    assert abs(len(tables.adult_counts(train)) - published.n_cells) < 100


class Answer(io.BytesIO):
    """What a server sends."""

    def __init__(self, data: bytes = b"", error: Exception | None = None):
        super().__init__(data)
        self.error = error

    def read(self, size: int | None = -1, /) -> bytes:
        if self.error:
            raise self.error
        return super().read(size)


def test_the_download_of_adult_has_every_byte_that_the_server_sends(monkeypatch):
    data, sizes = bytes(range(256)) * 1000, []
    monkeypatch.setattr(adult, "urlopen", lambda address, timeout: sizes.append((address, timeout)) or Answer(data))
    assert readers.download_adult() == data
    assert sizes == [(readers.ADULT_ADDRESS, 10.0)]


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (Answer(error=urllib.error.URLError("Name or service not known")), "Name or service not known"),
        (Answer(error=TimeoutError("timed out")), "timed out"),
        (Answer(b"1" * 20_000_001), "it has more than 20 MB"),
    ],
)
def test_a_download_that_fails_gets_one_sentence(monkeypatch, answer, reason):
    monkeypatch.setattr(adult, "urlopen", lambda address, timeout: answer)
    sentence = f"Adult could not be fetched from {readers.ADULT_ADDRESS} ({reason}): give adult.data as a file instead"
    with pytest.raises(ConnectionError, match=f"^{re.escape(sentence)}$"):
        readers.download_adult()


def test_a_server_that_drips_is_left(monkeypatch):
    monkeypatch.setattr(adult, "urlopen", lambda address, timeout: Answer(b"1" * 1000))
    with pytest.raises(ConnectionError, match="it came too slowly"):
        readers.download_adult(timeout=0)


def people(n: int, seed: int) -> pd.DataFrame:
    """Records of whom those above 40 earn more."""
    ages = np.random.default_rng(seed).integers(20, 61, n)
    lines = [LINE.replace("39", str(age)).replace("<=", ">" if age > 40 else "<=") for age in ages]
    return records(*lines)


def test_a_machine_learns_from_the_original_and_from_released_cells():
    train, test = people(400, 1), people(200, 2)
    settings = tables.experiment_settings([0.01, 20], 0.1, ["laplace"])
    scores = list(tables.svm_accuracy(np.random.default_rng(3), train, test, settings))
    assert [score.setting for score in scores] == [None, *settings]
    original, noisy, precise = scores
    assert original.accuracy > 0.97
    assert precise.accuracy > 0.95
    assert noisy.n_cells < original.n_cells == 41
    assert original.standard_error == pytest.approx(np.sqrt(original.accuracy * (1 - original.accuracy) / 200))


def test_the_label_is_released_with_its_cell():
    twice = pd.concat([people(400, 1), people(400, 1).assign(income=">50K")])
    score = next(tables.svm_accuracy(np.random.default_rng(3), twice, people(200, 2), []))
    assert score.n_cells == 41 + 21


def test_a_cell_weighs_in_training_what_its_count_says():
    rich = LINE.replace("<=", ">")
    train = records(*[LINE] * 30, rich, *[LINE.replace("39", "60")] * 2, *[rich.replace("39", "60")] * 40)
    test = records(LINE, rich.replace("39", "60"))
    assert next(tables.svm_accuracy(np.random.default_rng(3), train, test, [])).accuracy == 1
    test = records(rich, LINE.replace("39", "60"))
    assert next(tables.svm_accuracy(np.random.default_rng(3), train, test, [])).accuracy == 0


def test_cells_of_one_income_predict_that_income():
    train, test = people(50, 1).assign(income=">50K"), people(200, 2)
    score = next(tables.svm_accuracy(np.random.default_rng(3), train, test, []))
    assert score.accuracy == pytest.approx(np.mean(test["income"] == ">50K"))


def test_no_support_vector_machine_is_trained_without_a_request(monkeypatch):
    settings = tables.experiment_settings(1, 0.1, ["laplace"])
    scores = tables.svm_accuracy(np.random.default_rng(3), people(50, 1), people(50, 2), settings)
    assert next(scores).setting is None
    monkeypatch.setattr("sklearn.svm.SVC.fit", None)
    with pytest.raises(TypeError):
        next(scores)


def test_without_scikit_learn_a_sentence_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn.svm", None)
    sentence = "the support vector machine needs scikit-learn: pip install scikit-learn"
    with pytest.raises(ImportError, match=f"^{sentence}$"):
        tables.svm_accuracy(np.random.default_rng(3), people(5, 1), people(5, 2), [])
