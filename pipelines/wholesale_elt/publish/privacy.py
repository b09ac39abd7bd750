"""Privacy: which columns can identify a person, and which of them may be published."""

from collections.abc import Iterable, Sequence
from difflib import get_close_matches

from wholesale.api import PERSONAL_FIELDS
from wholesale.configuration import names_in, place_of, read_section
from wholesale.errors import ConfigurationError
from wholesale.privacy import SECTION, PrivacySettings
from wholesale.settings import unknown_setting

NAME = "published"
SETTING = f"{SECTION}.{NAME}"
NONE, ALL = "none", "all"


def personal_columns(columns: Iterable[tuple[str, str]]) -> Sequence[str]:
    """The columns among these that hold personal fields, as `table.column`.

    Models keep the API's names of such fields; a test checks it.
    """
    return sorted(f"{table}.{column}" for table, column in columns if column in PERSONAL_FIELDS)


def allowed(personal: Sequence[str]) -> Sequence[str]:
    """Which of these columns may be published: none, or those that the setting names, or `all`.

    Raises: ConfigurationError for another value, or an unknown column.
    """
    names = _read(personal)
    for name in names:
        if name not in personal:
            nearest = get_close_matches(name, personal, 1)
            hint = f"did you mean {nearest[0]}" if nearest else f"there are {', '.join(personal)}"
            raise ConfigurationError(
                f"setting {SETTING} names {name}, which is no personal column of what is"
                f" published: {hint}"
            )
    return [name for name in personal if name in names]


def _read(personal: Sequence[str]) -> Sequence[str]:
    found = read_section(SECTION, (NAME,))
    for name in found:
        if name not in PrivacySettings.model_fields:
            setting = f"{SECTION}.{name} ({place_of(SECTION, name)})"
            names = PrivacySettings.model_fields
            raise ConfigurationError(unknown_setting(SECTION, setting, name, names))
    value = found.get(NAME)
    if value in (None, NONE):
        return ()
    if value == ALL:
        return personal
    value = names_in(value)
    if isinstance(value, list) and all(isinstance(name, str) for name in value):
        return value
    raise ConfigurationError(
        f"setting {SETTING} ({place_of(SECTION, NAME)}) is {value!r}: set it to {NONE}, {ALL}, or"
        ' a list of columns such as ["dim_buyers.email"]'
    )
