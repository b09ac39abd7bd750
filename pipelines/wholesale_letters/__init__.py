"""Letters: the first page as a mail, with one page of paper and the workbook, one a recipient.

In:  a published version, of all or of a part that is made for a recipient.
Out: HTML, text and PDF; mails by SMTP, and what was sent to whom.
Knows nothing of how anything is counted: it asks for figures and sentences.
Begin with `letter`.
"""

__all__ = ["commands"]
