"""The names of columns that identify people, in several languages."""

import re
import unicodedata

_PERSON_STEMS = (
    "patient pacient paziente person personal personne people member mitglied membre miembro customer kund client "
    "klient user usuari utente utilisat benutzer nutzer anwender pseudonym pseudonim subject participant teilnehm "
    "respondent befragt proband versichert insured assure employee mitarbeit angestellt student studierend pupil "
    "schuler eleve alumn rider driver passenger citizen burger resident einwohn account konto email phone telefon pat "
    "cust"
)
_NUMBER_WORDS = (
    "id ids nr nrs num number numbers nummer numero numer identifier identifiant identificador kennung kennziffer key "
    "schlussel uuid guid hash pid uid ssn ahv"
)
_STEMS, _NUMBERS = "|".join(_PERSON_STEMS.split()), "|".join(_NUMBER_WORDS.split())
_PERSON = re.compile(
    rf"(?:{_STEMS})(?:[aeio]|[ae]?[nrs]|in|innen|eur|ant|ende|er[ns]?|ierte[nr]?)?(?:{_NUMBERS}|code)?"
)
_NUMBER = re.compile(_NUMBERS)
_ENDS_IN_NUMBER = re.compile(rf"(?:{_NUMBERS})(?: |$)")
_FILLERS = ("code", "in", "innen", "of", "the", "der", "des", "de", "la", "du", "del", "di")
_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def name_rank(name: str) -> int:
    """Return 0 for a name of people, 1 for one of numbers that may be theirs, 2 for any other.

    >>> name_rank("PatientenNr"), name_rank("id"), name_rank("patient_age")
    (0, 1, 2)
    """
    words = _words(name)
    is_person = [_PERSON.fullmatch(word) is not None for word in words]
    is_number = [_NUMBER.fullmatch(word) is not None for word in words]
    if not words or not all(map(max, is_person, is_number)):
        return 2
    return 0 if any(is_person) else 1


def numbers_people(name: str) -> bool:
    """Return whether a name is one of people that also says number, id or the like.

    >>> numbers_people("patient_id"), numbers_people("Kundennummer"), numbers_people("patients"), numbers_people("id")
    (True, True, False, False)
    """
    return name_rank(name) == 0 and _ENDS_IN_NUMBER.search(" ".join(_words(name))) is not None


def _words(name: str) -> list[str]:
    """Return the words of a name in lower case and without accents, except those that say nothing."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return [word.lower() for word in _WORD.findall(plain) if word.lower() not in _FILLERS]
