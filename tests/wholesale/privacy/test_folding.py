"""Folding: one form for each contact and name, however it is written."""

import re
from collections.abc import Sequence
from time import process_time
from unicodedata import normalize

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from wholesale.privacy import SEPARATOR, Erased, contact_forms, fold, is_contact, is_within

ADDRESSES = [
    "xyz@quux.test",
    "XYZ@QUUX.TEST",
    "xyz@Quux.Test",
    "  xyz@quux.test\t",
    "Xyz Quux <xyz@quux.test>",
    '"Quux, Xyz" <XYZ@quux.test>',
    "mailto:xyz@quux.test?subject=order",
    '"xyz"@quux.test',
    "xyz @ quux.test",
    "\N{FULLWIDTH LATIN SMALL LETTER X}yz\N{FULLWIDTH COMMERCIAL AT}quux.test",
    "xyz@quux\N{IDEOGRAPHIC FULL STOP}test",
    "xyz\N{ZERO WIDTH SPACE}@quux.test",
    "xyz@qu\N{SOFT HYPHEN}ux.test",
    "\N{NO-BREAK SPACE}xyz@quux.test\N{NO-BREAK SPACE}",
    "xyz@quux.test.",
    "(Xyz) xyz@quux.test",
    "'xyz@quux.test'",
    '["xyz@quux.test"]',
    "E-mail: xyz@quux.test (private)",
    "smtp:xyz@quux.test",
    "mailto:xyz%40quux.test",
    "xyz(office)@quux.test",
    "xyz@(office)quux.test",
    "xyz@quux.test/",
    "xyz@quux.test#office",
    "*xyz@quux.test*",
    "-xyz@quux.test",
    "\N{LEFT SINGLE QUOTATION MARK}xyz@quux.test\N{RIGHT SINGLE QUOTATION MARK}",
    "\N{ZERO WIDTH NO-BREAK SPACE}xyz@quux.test",
]
NUMBERS = [
    "+1 555 0199 7731",
    "+1-555-0199-7731",
    "+1.555.0199.7731",
    "001 555 0199 7731",
    "155501997731",
    "tel:+1-555-0199-7731",
    "Tel.: +1 555 0199 7731",
    "(+1) 555/0199 7731",
    "\N{FULLWIDTH PLUS SIGN}1 555 0199 \N{FULLWIDTH DIGIT SEVEN}731",
    "+1\N{NO-BREAK SPACE}555\N{NO-BREAK SPACE}0199\N{NO-BREAK SPACE}7731",
    "+1 555 0199\N{EN DASH}7731",
    "+1 555\N{ZERO WIDTH SPACE} 0199 7731 ",
    "\N{ARABIC-INDIC DIGIT ONE}\N{ARABIC-INDIC DIGIT FIVE}5501997731",
    '{"mobile":"+1 555 0199 7731"}',
    "+1 555 0199 7731 (mobile)",
    "(mobile) +1 555 0199 7731",
    "Mobile/WhatsApp: +1 555 0199 7731 - Quux",
    "Fax +1 555 0199 7731 (Mon-Fri)",
    "+1 555 0199 7731 ext.",
    "[+1] 555 0199 7731",
    "https://wa.me/155501997731",
    "+1 555 0199 7731\n(home)",
    "155501997731.0",
]
LEAST_NUMBER = re.compile(r"(?!00)\d{5,}(x\d+)?$")
NAMES = [
    "J\N{LATIN SMALL LETTER U WITH DIAERESIS}rgen Wei\N{LATIN SMALL LETTER SHARP S}",
    "Ju\N{COMBINING DIAERESIS}rgen Wei\N{LATIN SMALL LETTER SHARP S}",
    "J\N{LATIN CAPITAL LETTER U WITH DIAERESIS}RGEN WEISS",
    " J\N{LATIN SMALL LETTER U WITH DIAERESIS}rgen\N{NO-BREAK SPACE} Weiss\n",
    "\N{FULLWIDTH LATIN CAPITAL LETTER J}\N{LATIN SMALL LETTER U WITH DIAERESIS}rgen Weiss",
    "J\N{LATIN SMALL LETTER U WITH DIAERESIS}r\N{SOFT HYPHEN}gen Weiss",
]


@pytest.mark.parametrize("spelling", ADDRESSES)
def test_an_address_has_one_form(spelling: str) -> None:
    assert contact_forms(spelling) == {"xyz@quux.test"}


@pytest.mark.parametrize("spelling", NUMBERS)
def test_a_phone_number_has_one_form(spelling: str) -> None:
    assert contact_forms(spelling) == {"155501997731"}


@pytest.mark.parametrize("spelling", NAMES)
def test_a_name_has_one_form(spelling: str) -> None:
    assert fold(spelling) == "j\N{LATIN SMALL LETTER U WITH DIAERESIS}rgen weiss"


@pytest.mark.parametrize(
    ("spelling", "forms"),
    [
        ("+1 (555) 019-9773", {"5550199773"}),
        ("555-019-9773", {"5550199773"}),
        ("+44 (0)20 7946 0958", {"442079460958"}),
        ("+44 20 7946 0958 ext. 12", {"442079460958x12"}),
        ("+44 20 7946 0958 x12", {"442079460958x12"}),
        ("+44 20 7946 0958 #12", {"442079460958x12"}),
        ("a@x.test, B@X.TEST; 020 7946 0958", {"a@x.test", "b@x.test", "02079460958"}),
        ("a@M\N{LATIN SMALL LETTER U WITH DIAERESIS}ller.test", {"a@xn--mller-kva.test"}),
        ("a@xn--mller-kva.test", {"a@xn--mller-kva.test"}),
        (f"a@\N{LATIN SMALL LETTER SHARP S}{'x' * 70}.test", {f"a@ss{'x' * 70}.test"}),
        (f"a@{'x' * 70}\N{LATIN SMALL LETTER E WITH ACUTE}.test", {f"a@{'x' * 70}é.test"}),
        ("ask at the desk", {"ask at the desk"}),
        ("ab1234567890123c", {"ab1234567890123c"}),
        ("12345 at the desk", {"12345 at the desk"}),
        ("jane1234567@x.test", {"jane1234567@x.test"}),
        ("o\N{RIGHT SINGLE QUOTATION MARK}n@x.test", {"o'n@x.test"}),
        ("a@x.test/b@x.test", {"a@x.test", "b@x.test"}),
        ("'@x.test", {"'@x.test"}),
        ("030/1234567", {"0301234567"}),
        ("030 1234567 / 030 1234568", {"0301234567", "0301234568"}),
        ("030 1234567\n030 1234568", {"0301234567", "0301234568"}),
        ("030 1234567 & +49 30 1 +49 30 12345", {"0301234567", "49301", "493012345"}),
        ("12 34", {"12 34"}),
        ("1" * 65, {"1" * 65}),
        (" \N{ZERO WIDTH SPACE}", set()),
        ("@", {"@"}),
        ('"xyz quux"@quux.test', {"xyz_quux@quux.test"}),
    ],
)
def test_what_differs_stays_different(spelling: str, forms: set[str]) -> None:
    assert contact_forms(spelling) == forms


@given(st.text(), st.sampled_from(["NFC", "NFD", "NFKC", "NFKD"]))
def test_whatever_form_of_unicode_a_text_has_it_is_the_same(text: str, form: str) -> None:
    written = normalize(form, text)  # type: ignore[arg-type]

    assert fold(written) == fold(text)
    assert fold(fold(text)) == fold(text)
    assert contact_forms(written) == contact_forms(text)


@given(st.lists(st.text(max_size=20), max_size=5), st.text(max_size=20))
def test_hashes_and_texts_agree_on_what_is_a_contact(erased: Sequence[str], text: str) -> None:
    noted = Erased(b"salt").adding("contact", erased)
    forms = frozenset[str]().union(*map(contact_forms, erased))

    is_theirs = bool(forms & contact_forms(text))
    assert bool(noted.among("contact", [text])) is (is_theirs or text in forms)
    found = noted.find("contact", pa.chunked_array([[text, None]]))
    assert (found is not None) is (is_theirs or text in forms)


def test_what_an_earlier_release_noted_as_it_came_is_still_found() -> None:
    before = Erased(b"salt")
    noted = {
        "contact": frozenset({before.hash("contact", "Xyz@Quux.test")}),
        "name": frozenset({before.hash("name", f"b{SEPARATOR}Xyz  Quux")}),
    }
    erased = Erased(b"salt", noted)  # type: ignore[arg-type]

    assert erased.among("contact", ["Xyz@Quux.test", "xyz@quux.test"]) == ["Xyz@Quux.test"]
    names = [f"b{SEPARATOR}Xyz  Quux", f"c{SEPARATOR}Xyz  Quux"]
    assert erased.among("name", names) == names[:1]


def test_a_column_of_other_things_has_no_contact() -> None:
    erased = Erased(b"salt").adding("contact", ["155501997731"])

    assert erased.find("contact", pa.chunked_array([[155501997731]])) is None
    assert erased.find("contact", pa.chunked_array([["+1 555 0199 7731"]])) is not None


FORMS = frozenset({"xyz quux", "xyz@quux.test", "155501997731", "49301234567x8", "bo", "12345"})


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("reserved for XYZ  Quux", True),
        ("write to Xyz@QUUX.test.", True),
        ('"xyz"@quux.test', True),
        ("call 001 (555) 0199-7731 today", True),
        ("+1 555 0199 7731 ext. 5", True),
        ("reached at 49 30 1234567", True),
        ("12345", True),
        ("912345", False),
        ("nobody@quux.test", False),
        ("2026-01-01 10:00:00", False),
        ("Bo", False),
        ("", False),
    ],
)
def test_what_stands_within_a_text_is_found(text: str, expected: bool) -> None:
    assert is_within(FORMS, text) is expected


PIECES = ("+1 555 0199 7731", "12345", "xyz@quux.test", *' /&@(\n.0+1"<-_x#a\\', "%40", "tel:")


@given(*[st.lists(st.sampled_from(PIECES), max_size=8).map("".join)] * 2)
def test_what_is_the_same_contact_is_also_found_within(erased: str, text: str) -> None:
    found = contact_forms(erased) & contact_forms(text)
    numbers = {form for form in found if LEAST_NUMBER.match(form)}

    for form in numbers | {form for form in found if form.endswith("@quux.test")}:
        assert is_within(frozenset({form}), text)


@pytest.mark.parametrize("text", ["1", "a", "1-", "_", "a@", "a(", "1 (", " ", "1" + " " * 59])
def test_a_long_text_is_searched_in_linear_time(text: str) -> None:
    def seconds(times: int) -> float:
        began = process_time()
        is_within(FORMS, text * (times // len(text)))
        contact_forms(text * (times // len(text)))
        return process_time() - began

    assert seconds(80_000) < 40 * max(seconds(8_000), 0.01)


def test_without_a_number_to_look_for_no_digits_are_compared() -> None:
    assert not is_within(frozenset({"xyz quux"}), "+1 555 0199 7731")


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("xyz@quux.test", True),
        ("+1 555 0199 7731", True),
        ("tel:+1-555-0199-7731", True),
        ("0049 30 1234567", True),
        ("gold", False),
        ("20260101", False),
        ("12345678901", False),
        ("@quux", False),
        ("", False),
    ],
)
def test_a_field_of_nobody_knows_what_is_a_contact_if_it_can_be_nothing_else(
    text: str, expected: bool
) -> None:
    assert is_contact(text) is expected
