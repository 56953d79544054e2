import doctest

import numpy as np
import pytest

from dpcore.readers import PersonCandidate, people, read_points, read_table, read_values
from dpcore.readers.notes import PersonRows, TableKind, UncheckedPeople

VISITS = b"""patient,ward,day
A7,1,2024-01-01
A7,1,2024-01-02
A7,2,2024-01-03
B2,1,2024-01-01
A7,1,2024-01-09
"""


def person_rows(data, columns, person, **options):
    (note,) = (
        note for note in read_table(data, columns, person=person, **options).notes if isinstance(note, PersonRows)
    )
    return note


def candidates(data):
    return [column.name for column in read_table(data, kind="records").person_columns]


def test_the_note_has_the_most_rows_cells_and_rows_in_one_cell_of_a_person():
    assert person_rows(VISITS, ("ward",), "patient") == PersonRows("patient", 2, 4, 2, 3)
    assert person_rows(VISITS, ("ward", "day"), "patient") == PersonRows("patient", 2, 4, 4, 1)


def test_without_a_column_of_people_nobody_has_checked():
    assert read_table(VISITS, ("ward",)).notes[-1] == UncheckedPeople()


def test_the_numbers_are_those_of_a_count_by_hand_in_random_records():
    rng = np.random.default_rng(49)
    owners, wards, sexes = (rng.integers(0, most, 3000).tolist() for most in (700, 7, 2))
    rows = list(zip(owners, wards, sexes, strict=True))
    data = "person,ward,sex\n" + "".join(f"p{owner},{ward},{sex}\n" for owner, ward, sex in rows)
    note = person_rows(data.encode(), ("sex", "ward"), "person")
    most_rows = max(owners.count(owner) for owner in set(owners))
    most_cells = max(len({row for row in rows if row[0] == owner}) for owner in set(owners))
    most_per_cell = max(rows.count(row) for row in set(rows))
    assert note == PersonRows("person", len(set(owners)), most_rows, most_cells, most_per_cell)


@pytest.mark.parametrize(
    ("entries", "n_people", "most_rows", "has_spellings"),
    [
        (("a1", "A1", " a1 ", "A 1"), 1, 4, True),
        (("007", "7", "70"), 2, 2, True),
        (("12.0", "12", "12.5"), 2, 2, True),
        (("ＡＢ", "ab", "é", "e\u0301"), 2, 2, True),
        (("'01", "1"), 1, 2, True),
        (("0", "00", "10"), 2, 2, True),
        (("007", "008"), 2, 1, False),
    ],
)
def test_one_person_written_differently_is_one_person(entries, n_people, most_rows, has_spellings):
    data = "id;sex\n" + "".join(f"{entry};F\n" for entry in entries)
    note = person_rows(data.encode(), ("sex",), "id")
    assert note == PersonRows("id", n_people, most_rows, 1, most_rows, has_spellings=has_spellings)


@pytest.mark.parametrize("blank", ["", " ", "NA", "nan", "NULL", "-", "?", "unbekannt"])
def test_rows_that_name_nobody_are_counted_apart(blank):
    note = person_rows(f"id;sex\n1;F\n{blank};F\n2;M\n{blank};F\n".encode(), ("sex",), "id")
    assert (note.n_people, note.most_rows, note.n_nobody) == (2, 1, 2)
    nobody = person_rows(f"id;sex\n{blank};F\n".encode(), ("sex",), "id")
    assert nobody == PersonRows("id", 0, 0, 0, 0, 1)


@pytest.mark.parametrize(
    "name",
    [
        *("patient_id", "PatientenNr", "Kundennummer", "member", "User ID", "userid", "Pseudonym", "Versicherten-Nr"),
        *("Mitarbeiter", "id_paciente", "Numéro de client", "Schüler-ID", "identifiant", "nr", "ID", "AHV-Nummer"),
        *("teilnehmende", "personne", "Patient:in", "respondentCode", "driver"),
    ],
)
def test_a_column_of_people_is_known_by_its_name_in_several_languages(name):
    assert candidates(f"{name};sex\na;F\nb;F\na;F\n".encode()) == [name]


@pytest.mark.parametrize(
    "name", ["patient_age", "customer type", "sex", "user agent", "covid", "valid", "paid", "number of visits", "area"]
)
def test_a_column_about_people_is_not_one_that_identifies_them(name):
    assert candidates(f"{name};sex\na;F\nb;F\na;F\n".encode()) == []


def test_names_of_people_stand_before_numbers_and_numbers_before_mere_values_repeats_first():
    lines = (f"{i};{i};{i // 2};x{i // 3};y{i};c{i % 3};F\n" for i in range(60))
    data = "id;nr;number;a;b;c;customer\n" + "".join(lines)
    assert candidates(data.encode()) == ["customer", "number", "id", "nr", "a", "b"]
    assert read_table(data.encode(), kind="records").person_columns[4:] == (
        PersonCandidate("a", "values"),
        PersonCandidate("b", "values"),
    )


@pytest.mark.parametrize(
    "entry",
    [
        lambda i: f"2024-{1 + i % 12:02d}-{1 + i // 12:02d}",
        lambda i: f"{1 + i % 28}.{1 + i // 28}.2024 12:00",
        lambda i: f"12:{i:02d}",
        lambda i: f"{i}.25",
        lambda i: f"{i},5",
        lambda i: f"{i % 5}",
    ],
)
def test_dates_times_fractions_and_categories_do_not_look_like_people(entry):
    assert candidates("".join(f"{entry(i)};F\n" for i in range(60)).encode()) == []


@pytest.mark.parametrize(
    "data",
    [
        b"patient;ward;day\nA7;1;Mon\nA7;2;Tue\nB2;1;Mon\n",
        b"patient_id,age\n1017,30\n2044,41\n",
        b"Kundennr;alter;kinder\n17;30;1\n29;41;0\n",
    ],
)
def test_a_file_with_a_column_of_people_is_no_table_of_counts(data):
    table = read_table(data)
    assert (table.kind, table.notes[1]) == ("records", TableKind("records", "people", table.person_columns[0].name))


@pytest.mark.parametrize(
    "data",
    [
        b"code;patients\nA;17\nB;3\n",
        b"patient;count\nA7;3\nB2;1\n",
        b"Student;12\nWorker;3\n",
        b"id,men\nA,3\nB,4\n",
        b"region,patients,deaths\nN,17,2\nS,3,1\n",
        b"patient group,n\nold,17\nyoung,3\n",
    ],
)
def test_a_table_that_counts_people_or_has_no_header_is_one_of_counts(data):
    assert read_table(data).kind in ("column", "cross_table")


def test_too_few_rows_show_nothing_without_a_name():
    assert candidates(b"x;F\ny;F\nz;M\n") == []


def test_the_column_of_people_must_be_another_one_of_raw_records():
    with pytest.raises(
        ValueError, match=r"^person must be a column beside those that are cross-tabulated, got 'ward'$"
    ):
        read_table(VISITS, ("ward",), person="ward")
    with pytest.raises(ValueError, match=r"^person must be a column beside"):
        read_table(VISITS, kind="column", person="patient")
    with pytest.raises(ValueError, match=r"^person must be in"):
        read_table(VISITS, ("ward",), person="nobody")


def test_records_under_a_title_are_repaired_before_people_are_counted():
    data = b"Visits\n\n" + VISITS + b"Source: B\n"
    note = person_rows(data, ("ward",), "patient", kind="records", repairs=("lines",))
    assert note == PersonRows("patient", 2, 4, 2, 3)


def test_the_examples_give_what_they_show():
    assert doctest.testmod(people).failed == doctest.testmod(people).failed == 0


def test_a_person_written_differently_is_one_person_in_every_reader():
    """Counted as several, a person would add more than the limit that noise is computed for."""
    entries = ("P-007", " p-7", "P-7 ", "p-8", "'P-007")
    rows = "".join(f"{entry},1,40.7,-74\n" for entry in entries)
    values = read_values(f"who,n,lat,lon\n{rows}".encode(), column="n", person="who")
    assert values.records.tolist() == [4, 1]
    points = read_points(f"who,n,lat,lon\n{rows}".encode(), person="who")
    assert points.person.tolist() == [0, 0, 0, 1, 0]
