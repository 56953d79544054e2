import re

import numpy as np
import pytest

from dpcore.audit import attack_from_scores
from dpcore.readers import MOST_ROWS, read_attack

NEEDS = (
    "the header needs the columns of one kind, member and score, or false_positives, non_members, false_negatives and "
    "members"
)
COUNTS = b"false_positives,non_members,false_negatives,members\n"
WORD = "neither a word for yes (1, true, member, in) nor one for no (0)"


def test_scores_are_read_whatever_the_words_the_case_the_order_and_the_other_columns():
    words = ["1", "0", "True", "FALSE", "yes", "no", "Member", "non-member", "nonmember", " in ", "out"]
    rows = [f"{place}.5,note,{word}" for place, word in enumerate(words)]
    data = "\ufeff Score ,x,MEMBER\r\n" + "\r\n\r\n".join(rows) + "\r\n"
    attack = read_attack(data.encode())
    expected = attack_from_scores([1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 0], np.arange(11) + 0.5)
    assert attack.alpha.tolist() == expected.alpha.tolist()
    assert attack.beta.tolist() == expected.beta.tolist()
    assert (attack.n_members, attack.n_non_members, attack.from_scores) == (5, 6, True)


@pytest.mark.parametrize("names", [b"false_negatives,non_members,false_positives", b"misses,non_members,false_alarms"])
def test_counts_are_read_in_any_column_order_and_sorted_by_false_positive_rate(names):
    attack = read_attack(b"Members," + names + b"\n10,1,20,10\n,,,\n10,6.0,20,1\n")
    assert attack.alpha.tolist() == [0.05, 0.5]
    assert attack.beta.tolist() == [0.6, 0.1]
    assert attack.n_members.tolist() == [10, 10]
    assert not attack.from_scores


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (b"", f"line 1: {NEEDS}; it says nothing"),
        (b"a,score\n1,2\n", f"line 1: {NEEDS}; it says a, score"),
        (b"member;rank\n1;2\n", f"line 1: {NEEDS}; it says member, rank"),
        (
            b"score,member,false_positives,non_members,false_negatives,members\n",
            f"line 1: {NEEDS}; it says score, member, false_positives, non_members, false_negatives, members",
        ),
        (
            b"member,score,Score\n",
            "line 1: the header has 2 columns named score, only one is allowed; it says member, score, score",
        ),
        (b"member,score\n", "line 1: there is no row under the header"),
        (b"member,score\n1,2\n0,1,2\n", "line 3: 3 columns, where line 1 has 2"),
        (b"member,score\n1\n", "line 2: 1 column, where line 1 has 2"),
        (b"member,score\n1,nan\n", "line 2: the score is nan, not a finite number"),
        (b"member,score\n1,2\n\n0,-inf\n", "line 4: the score is -inf, not a finite number"),
        (b"member,score\n1,high\n", "line 2: the score is high, not a finite number"),
        (b"member,score\n1,\n", "line 2: the score is empty, not a finite number"),
        (b"member,score\nmaybe,1\n", f"line 2: member is maybe, {WORD}"),
        (b"member,score\n,1\n", f"line 2: member is empty, {WORD}"),
        (
            b"member,score\n1,3\n",
            "line 2: every row is a member; scores of members and of non-members are both needed",
        ),
        (
            b"member,score\n0,3\n0,4\n",
            "line 3: every row is a non-member; scores of members and of non-members are both needed",
        ),
        (b"member,score\n1,2\n\xff,1\n", "line 3: byte 0xff is not UTF-8 text; save the file as UTF-8"),
        (
            b'member,score\n"1"x,2\n',
            "line 2: after a quote that closes there must be a separator or the end of the line",
        ),
        (COUNTS + b"1,5,1.5,5\n", "line 2: false_negatives is 1.5, not a whole number from 0 to 1,000,000,000"),
        (COUNTS + b"1,x,1,5\n", "line 2: non_members is x, not a whole number from 1 to 1,000,000,000"),
        (COUNTS + b"-1,5,1,5\n", "line 2: false_positives is -1, not a whole number from 0 to 1,000,000,000"),
        (COUNTS + b"0,0,1,5\n", "line 2: non_members is 0, not a whole number from 1 to 1,000,000,000"),
        (COUNTS + b"0,1,1,1e10\n", "line 2: members is 1e10, not a whole number from 1 to 1,000,000,000"),
        (COUNTS + b"1,2,1,inf\n", "line 2: members is inf, not a whole number from 1 to 1,000,000,000"),
        (
            COUNTS + b"1,5,1,5\n5,1,1,5\n",
            "line 3: false_positives is 5, above non_members, 1: two columns may be swapped",
        ),
        (COUNTS + b"1,5,9,5\n", "line 2: false_negatives is 9, above members, 5: two columns may be swapped"),
    ],
)
def test_a_csv_that_cannot_be_read_says_which_line_and_why(data, sentence):
    with pytest.raises(ValueError, match=f"^{re.escape(sentence)}$"):
        read_attack(data)


def test_one_row_too_many_is_refused(monkeypatch):
    monkeypatch.setattr("dpcore.readers.csv_file.MOST_ROWS", 50_000)
    data = b"member,score\n" + b"1,0.25\n0,0.125\n" * 25_000
    assert read_attack(data).n_members == 25_000
    with pytest.raises(ValueError, match=r"^line 50002: more than 50,000 rows$"):
        read_attack(data + b"0,1\n")


def test_at_most_a_million_rows_are_read():
    assert MOST_ROWS == 1_000_000
