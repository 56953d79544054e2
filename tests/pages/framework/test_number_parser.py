import doctest
import math
import operator
import random

import pytest

from pages.framework.parameters import number_parser

VALUES = [
    *(("1", 1), (".5", 0.5), ("5.", 5), ("007", 7), ("+3", 3), ("-3", -3), ("−3", -3), ("  2 ", 2), ("1.000", 1)),
    *(("1e-6", 1e-6), ("1E6", 1e6), ("1e−6", 1e-6), ("1e+6", 1e6), ("−.5e−3", -0.0005), ("5e-324", 5e-324), ("-0", 0)),
    *(("1,000", 1000), ("10,000", 1e4), ("12,345,678", 12345678), ("1,732.5", 1732.5), ("1,000.125", 1000.125)),
    *(("1 000", 1000), ("1\u00a0000", 1000), ("12\u202f345\u202f678", 12345678), ("1\u2009000", 1000)),
    *(("1 234.5", 1234.5), ("1 234,5", 1234.5), ("1 234,567", 1234.567), ("1.234,5", 1234.5), ("1.234,567", 1234.567)),
    *(("1.234.567", 1234567), ("1.234.567,8", 1234567.8), ("1,234,567e3", 1234567e3), ("-1,000", -1000)),
    *(("0,5", 0.5), ("12,5", 12.5), ("0,125", 0.125), ("0,000", 0), ("1,7321", 1.7321), ("1,5e-3", 0.0015)),
    *(("1234,567", 1234.567), ("0,000001", 1e-6), ("1,00", 1), ("−0,05", -0.05)),
    *(("1/3", 1 / 3), ("2/1000", 0.002), ("1÷4", 0.25), ("2*3", 6), ("2×3", 6), ("2·3", 6), ("2⋅3", 6), ("8/4/2", 1)),
    *(("1+2*3", 7), ("(1+2)*3", 9), ("1-2-3", -4), ("2*-3", -6), ("2 − −3", 5), ("1,000/3", 1000 / 3), ("1/0,5", 2)),
    *(("10^-6", 1e-6), ("10**-6", 1e-6), ("10⁻⁶", 1e-6), ("10⁶", 1e6), ("10⁺²", 100), ("2×10^-6", 2e-6)),
    *(("2·10⁻⁶", 2e-6), ("3²", 9), ("2^3^2", 512), ("2^3²", 512), ("2²³", 2**23), ("2^-1", 0.5), ("4^(1/2)", 2)),
    *(("−2^2", -4), ("-2²", -4), ("(-2)^2", 4), ("(-2)^3", -8), ("2^-3^2", 2**-9), ("0^0", 1), ("0^2", 0), ("-0^1", 0)),
    *(("sqrt(3)", math.sqrt(3)), ("Sqrt (4)", 2), ("√3", math.sqrt(3)), ("√(2·3)", math.sqrt(6)), ("√ 4", 2)),
    *(("√3/2", math.sqrt(3) / 2), ("√2^2", 2), ("√√16", 2), ("-√4", -2), ("√0", 0), ("2^√4", 4), ("sqrt(4)^3", 8)),
    *(("2√3", 2 * math.sqrt(3)), ("2sqrt(4)", 4), ("2 √4", 4), ("1-2√4", -3), ("1/(2√4)", 0.25), ("3*2√4", 12)),
    *(("√4√9", 6), ("2√3^2", 6), ("0,5√4", 1), ("0e99999999999999999999", 0), ("0.0e-99999", 0), ("0/1e300", 0)),
    *(("0*1e-300", 0), ("1e-300*0", 0), ("1e-300-1e-300", 0), ("1e-320+1e-320", 2e-320), ("((((7))))", 7)),
    ("(" * 20 + "7" + ")" * 20, 7),
    *(
        ("e", math.e),
        ("π", math.pi),
        ("pi", math.pi),
        ("Pi", math.pi),
        ("PI", math.pi),
        ("-e", -math.e),
        ("e^2", math.e**2),
    ),
    *(("ln(3)", math.log(3)), ("Ln (3)", math.log(3)), ("LN(e)", 1), ("ln(1)", 0), ("ln(0,5)", math.log(0.5))),
    *(("exp(1)", math.e), ("exp(-1)", 1 / math.e), ("EXP(0)", 1), ("exp(ln(2))", 2), ("exp(1)²", math.e**2)),
    *(("2π", 2 * math.pi), ("2 pi", 2 * math.pi), ("√(2π)", math.sqrt(2 * math.pi)), ("√π", math.sqrt(math.pi))),
    *(("2ln(3)", 2 * math.log(3)), ("2exp(1)", 2 * math.e), ("ln(3)/2", math.log(3) / 2), ("e*1e1", 10 * math.e)),
    *(("one in a million", 1e-6), ("One in ten thousand", 1e-4), ("1 in 10,000", 1e-4), ("one out of 20", 0.05)),
    *(("2 in a hundred thousand", 2e-5), ("1 in 5 million", 2e-7), ("one in a billion", 1e-9), ("1 in 20", 0.05)),
    *(("ln(ln(ln(99)))", math.log(math.log(math.log(99)))), ("1e1*e", 10 * math.e), ("2^π", 2**math.pi)),
]
WORDS = """abc|nan|inf|-inf|Infinity|0x10|1_0|1j|1%|½|²|٣|３|1٣|1=1|[1]|1;2|end|__import__('os')|1 if 1 else 2
1e|1e+|2e|2e(3)|e(2)|2 e|ee|eπ|ππ|π2|pie|epi|xpi|ln|ln 3|ln3|ln√4|ln()|ln(|exp|exp 1|exp-1|xln(3)|(2)π
log(3)|cos(1)|E|ſqrt(4)|lnx(3)|ln(3)2|ln(3)ln(3)|2ln 3|lnln(3)|pi()|π(2)
1 e5|1e5.5|.|,|1..2|1.2.3|1.000.00|01.234.567|1,00,000|1 00|2 3|1  000|1 0000|0 125|1,2,3|1,,000|,5|5,
1,000.|1.5 2|1 .5|1 1/3|2(3)|(2)3|(2)(3)|(2)√3|2³√8|2sqrt3|sqrt|sqrt()|√|√-4|()|(|)|(1|1)|(1,5|1+|*2|/2|-|2^|^2
one|a million|one in|one in a|one in a few|million in one|in a million|one in two
2***3|2××3|2//3|--3|+-3|2---3|10^⁻⁶|10⁻|1²²⁻"""
NO_NUMBER = ["", " ", "|", "1\n2", "1\t2", "1\u20092\u20093", "1\0", *WORDS.replace("\n", "|").split("|")]
REFUSED = [
    *(("1e400", "large"), ("−1e400", "large"), ("1e99999999999999999999", "large"), ("9^9^9^9", "large")),
    *(("1e308*10", "large"), ("1e308+1e308", "large"), ("-1e308-1e308", "large"), ("1e308/0.1", "large")),
    *(("10^400", "large"), ("10^1e300", "large"), ("(-10)^1e300", "large"), ("10^99999999999999999999", "large")),
    *((entry, "so close to 0") for entry in ("1e-400", "0.1e-99999999999999999999", "10^-400", "10⁻⁴⁰⁰")),
    *((entry, "so close to 0") for entry in ("1e-300*1e-300", "1e-300/1e300", "3e-162*1e-162", "0.5^1e300")),
    *((entry, "so close to 0") for entry in ("exp(-1000)", "exp(-1e300)", "exp(-740)")),
    *((entry, "large") for entry in ("exp(1000)", "exp(exp(exp(9)))", "exp(" * 19 + "9" + ")" * 19)),
    *((entry, "not above 0") for entry in ("ln(0)", "ln(-1)", "ln(1-1)", "2ln(ln(1))")),
    *(("1/0", "division by zero"), ("1/(2-2)", "division by zero"), ("0^-1", "division by zero")),
    *(("0/0", "division by zero"), ("√(-2)^2", "a root of a negative"), ("sqrt(1-2)", "a root of a negative")),
    *(
        ("(-8)^(1/3)", "a power of a negative"),
        ("(−2)^0,5", "a power of a negative"),
        ("1" * 101, "at most 100 characters"),
    ),
    *(("(" * 21 + "1" + ")" * 21, "at most 20 parentheses"), ("√" * 21 + "4", "at most 20 parentheses")),
    *(("1" + "^1" * 49, "at most 20 parentheses"), ("(" * 100, "at most 20 parentheses")),
    *(
        (entry, "put · or parentheses")
        for entry in ("1/2π", "1/2ln(3)", "2^3exp(1)", "1/2√3", "1/-2√3", "2^3√4", "1/√2√3", "1/2 sqrt(3)")
    ),
]
AMBIGUOUS = [
    ("1,732", "1,732 can be read as 1732 or as 1.732: write 1732 or 1.732."),
    ("-12,500", "12,500 can be read as 12500 or as 12.500: write 12500 or 12.500."),
    ("√(1,500)/3", "1,500 can be read as 1500 or as 1.500: write 1500 or 1.500."),
    ("1,000e3", "1,000e3 can be read as 1000e3 or as 1.000e3: write 1000e3 or 1.000e3."),
]


def test_the_examples_of_the_docstrings_hold():
    failed, tried = doctest.testmod(number_parser)
    assert tried > 0
    assert failed == 0


def refusal_of(entry: str) -> str:
    """Return why an entry is refused, or the number as which it is read."""
    try:
        return f"is {number_parser.parse_number(entry)}"
    except number_parser.NumberError as error:
        return str(error)


def test_a_number_is_read_as_people_write_it():
    read = {entry: number_parser.parse_number(entry) for entry, _ in VALUES}
    assert read == pytest.approx(dict(VALUES), rel=1e-14, abs=0)


@pytest.mark.parametrize("entry", ["0.1", "1e-6", "123456789.123456789", "1e23", "5e-324", "1.7976931348623157e308"])
def test_a_plain_number_is_exactly_the_float_that_it_is_in_python(entry: str):
    assert number_parser.parse_number(entry).hex() == float(entry).hex()


def test_an_argument_that_is_not_a_number_is_refused():
    assert {entry: refusal_of(entry) for entry in NO_NUMBER} == dict.fromkeys(NO_NUMBER, "is not a number")


def test_a_number_without_a_value_is_refused_in_words():
    refusals = ((entry, words, refusal_of(entry)) for entry, words in REFUSED)
    assert [refusal for refusal in refusals if refusal[1] not in refusal[2]] == []


@pytest.mark.parametrize(("entry", "sentence"), AMBIGUOUS)
def test_a_number_with_two_readings_is_refused_with_both_of_them(entry: str, sentence: str):
    with pytest.raises(number_parser.AmbiguousError) as refusal:
        number_parser.parse_number(entry)
    assert str(refusal.value) == sentence


@pytest.mark.parametrize("entry", ["1", "-1", "−1.5e−6", "+.5", "5.", " 1e6 "])
def test_an_ordinary_number_is_plain(entry: str):
    assert number_parser.is_plain(entry)


@pytest.mark.parametrize(
    "entry",
    ["", "1,000", "1 000", "0,5", "1/3", "√3", "10⁻⁶", "10^-6", "e", "π", "ln(3)", "nan", "1_0", "٣", "1 2", "--1"],
)
def test_an_expression_or_a_text_is_not_a_plain_number(entry: str):
    assert not number_parser.is_plain(entry)


@pytest.mark.parametrize(
    ("entry", "parts"),
    [
        ("1", ["1"]),
        ("", [""]),
        ("1,2,3", ["1", "2", "3"]),
        ("1, 1.5 , -2,√3", ["1", "1.5", "-2", "√3"]),
        ("0,5; 1,5;2", ["0,5", "1,5", "2"]),
        ("1,,2,", ["1", "", "2", ""]),
        ("sqrt(2,5), (1+(0,5))*2, 3", ["sqrt(2,5)", "(1+(0,5))*2", "3"]),
        ("sqrt(1,5;2", ["sqrt(1,5", "2"]),
        ("1), 2", ["1)", "2"]),
    ],
)
def test_a_list_is_split_by_semicolons_or_else_by_commas_outside_parentheses(entry: str, parts: list[str]):
    assert number_parser.split_list(entry) == parts


@pytest.mark.parametrize("entry", ["1,5, 2", "1,000, 2,000", "3, 0,5"])
def test_a_list_whose_commas_may_be_decimal_ones_is_refused(entry: str):
    with pytest.raises(number_parser.AmbiguousError, match="put ; between the numbers"):
        number_parser.split_list(entry)


Written = tuple[str, int, float]  # the text, how tightly it binds, the value that Python's own operators give
SUM, PRODUCT, SIGNED, POWER, PRIMARY = range(5)
SPELLINGS = {"+": "+", "-": "-−", "*": "*×·⋅", "/": "/÷"}
OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


def within(written: Written, least: int) -> str:
    text, binds, _ = written
    return text if binds >= least else f"({text})"


def literal(rng: random.Random) -> Written:
    value = rng.choice(
        [rng.randint(0, 99), round(rng.uniform(0, 20), 3), rng.randint(1, 9) * 10.0 ** rng.randint(-5, 5)]
    )
    return repr(value), PRIMARY, float(value)


def expression(rng: random.Random, depth: int) -> Written:
    if depth == 0:
        return literal(rng)
    kind = rng.choice("+-*/+-*/^²n√0")
    left = expression(rng, depth - 1)
    if kind == "0":
        return left
    if kind == "n":
        return rng.choice("-−") + within(left, POWER), SIGNED, -left[2]
    if kind == "√":
        return (f"√{within(left, PRIMARY)}", f"sqrt({left[0]})")[rng.randint(0, 1)], PRIMARY, left[2] ** 0.5
    if kind in "^²":
        exponent = rng.randint(-3, 3)
        raised = str(exponent).translate(str.maketrans("-0123", "⁻⁰¹²³"))
        power = raised if kind == "²" else f"{rng.choice(['^', '**'])}{exponent}"
        return within(left, PRIMARY) + power, POWER, left[2] ** exponent
    other = expression(rng, depth - 1)
    binds = SUM if kind in "+-" else PRODUCT
    sign = rng.choice(SPELLINGS[kind]).join(rng.choice([("", ""), (" ", " ")]))
    text = within(left, binds) + sign + within(other, binds + 1)
    return text, binds, OPERATORS[kind](left[2], other[2])


def test_a_random_expression_has_the_value_that_pythons_own_operators_give():
    rng, n_compared = random.Random(7), 0
    while n_compared < 3000:
        try:
            text, _, value = expression(rng, rng.randint(1, 4))
        except (ZeroDivisionError, OverflowError, TypeError):  # TypeError: the root of a negative number is complex
            continue
        if (
            isinstance(value, complex)
            or len(text) > number_parser.MOST_CHARACTERS
            or sum(map(text.count, "(^√⁻⁰¹²³*")) > 10
        ):
            continue
        assert number_parser.parse_number(text) == pytest.approx(value, rel=1e-12), text
        n_compared += 1


def test_a_random_text_is_a_finite_number_or_refused_and_nothing_else_happens():
    rng, n_read = random.Random(11), 0
    alphabet = "0123456789" * 2 + "..,,  eE()()+-−*×·/÷^√²³⁻⁹" + "\u00a0\u202f;_xnaif٣\t\0"
    pieces = [
        *alphabet,
        "sqrt(",
        "ln(",
        "exp(",
        "π",
        "pi",
        "e",
        "**",
        "1,000",
        "99999999999999999999",
        "e-320",
        "10^",
        "^-",
        "√(",
    ]
    for _ in range(20_000):
        text = "".join(rng.choices(pieces, k=rng.randint(0, 12)))
        number_parser.is_plain(text)
        try:
            number_parser.split_list(text)
            assert math.isfinite(number_parser.parse_number(text)), text
            n_read += 1
        except ValueError:
            continue
    assert n_read > 1000


@pytest.mark.parametrize("entry", ["1 in 1000000", "1:1000000", "1 : 1,000,000", "1 in 1 000 000"])
def test_a_ratio_is_the_quotient_of_its_two_numbers(entry: str):
    assert number_parser.parse_number(entry) == pytest.approx(1e-6, rel=1e-15)
    assert not number_parser.is_plain(entry)


@pytest.mark.parametrize("entry", ["1 in", "in 20", "1:2:3", "1 in 2 in 3", "1in20", "e:2"])
def test_another_text_with_in_or_a_colon_is_no_number(entry: str):
    assert refusal_of(entry) == "is not a number"
