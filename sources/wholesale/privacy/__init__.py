"""Privacy: what is stored of personal data: the values, keyed hashes, or nothing.

In:  `Decoded` tables of one batch, the settings of `privacy`, and who was erased.
Out: the same tables, with only what may be stored.
Knows nothing of where the tables come from or where they go.
Begin with `policy`.
"""

from wholesale.privacy.erased import SEPARATOR, Erased, ErasedKind
from wholesale.privacy.folding import contact_forms, fold, is_contact, is_within
from wholesale.privacy.masking import (
    OF_A_BUYER,
    OF_A_PERSON_ALONE,
    STORE_ALL,
    WITH_BUYERS,
    Masking,
    class_in,
    is_maskable,
)
from wholesale.privacy.policy import KEEP_ALL, SECTION, Policy, PrivacySettings

__all__ = [
    "KEEP_ALL",
    "OF_A_BUYER",
    "OF_A_PERSON_ALONE",
    "SECTION",
    "SEPARATOR",
    "STORE_ALL",
    "WITH_BUYERS",
    "Erased",
    "ErasedKind",
    "Masking",
    "Policy",
    "PrivacySettings",
    "class_in",
    "contact_forms",
    "fold",
    "is_contact",
    "is_maskable",
    "is_within",
]
