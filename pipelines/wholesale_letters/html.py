"""HTML: a letter as one column of tables with inline styles, as mail programs show it."""

from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path

from wholesale_elt.dashboard import Said, Words
from wholesale_letters.letter import Letter
from wholesale_letters.sections import Row, Section

HEAD = Path(__file__).with_name("head.html")
FONT = (
    "font-family:Inter,-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,"
    "sans-serif;"
)
INK: Mapping[str, str] = {
    "ink": "#191b18",
    "ink2": "#51544b",
    "ink3": "#676a60",
    "pine": "#0c6a55",
    "clay": "#ad3f22",
    "amber": "#7d5200",
}
"""Colours by the class of the style block that has them in the dark and on paper."""
SEC = ' class="sec"'
OF_TONE = {"up": "pine", "down": "clay", "unknown": "amber"}
LINE = "border-bottom:1px solid #e9e7e0;"
TABLE = (
    '<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"'
    ' style="border-collapse:collapse{more}"{attributes}>'
)
UNDERLINED = "text-decoration:underline;text-decoration-color:#86887e;text-underline-offset:3px;"


def html_of(letter: Letter) -> str:
    """The letter; nothing is fetched by it, and every text is escaped."""
    head = HEAD.read_text("utf-8").replace("{{title}}", escape(letter.subject))
    return f"{head}{''.join(_body(letter))}</html>\n"


def _body(letter: Letter) -> Iterator[str]:
    yield '<body class="gr" style="margin:0;padding:0;background:#ffffff">\n<div role="main">\n'
    yield (
        '<div style="display:none;max-height:0;overflow:hidden;mso-hide:all">'
        f"{escape(letter.preview)}</div>\n"
    )
    yield _table(' class="gr"', ";background:#ffffff") + '<tr><td align="center">\n'
    yield (
        '<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0"'
        ' border="0"><tr><td><![endif]-->\n'
    )
    yield _table(' class="frame"', ";max-width:600px")
    yield '<tr><td class="pad" align="left" style="padding:28px 24px 40px">\n'
    yield _top(letter)
    yield from _notices(letter)
    size = "font-size:30px;line-height:36px;letter-spacing:-0.6px;"
    yield (
        f'<h1 class="ink big" style="margin:20px 0 0;{_ink("ink", 600)}{size}">'
        f"{_said(letter, letter.sentence, 'ink', is_plain=True)}</h1>\n"
    )
    yield (
        f'<p class="ink2" style="margin:8px 0 0;{_ink("ink2")}font-size:14px;line-height:22px;">'
        f"{_said(letter, letter.news, 'ink2', is_plain=True)}</p>\n"
    )
    for section in letter.sections:
        yield from _section(letter, section)
    yield from _foot(letter)
    yield "</td></tr></table>\n<!--[if mso]></td></tr></table><![endif]-->\n"
    yield "</td></tr></table>\n</div>\n</body>\n"


def _table(attributes: str = "", more: str = "") -> str:
    return TABLE.format(attributes=attributes, more=more)


def _ink(name: str, weight: int = 400) -> str:
    return f"{FONT}color:{INK[name]};font-weight:{weight};"


def _top(letter: Letter) -> str:
    initial = escape(letter.company.strip()[:1].upper())
    size = "font-size:13px;line-height:20px;"
    return (
        f"{_table()}<tr>\n"
        '<td width="20" height="20" align="center" class="mark" bgcolor="#0c6a55"'
        f' style="width:20px;height:20px;background:#0c6a55;border-radius:4px;{FONT}'
        f'color:#ffffff;font-weight:600;font-size:12px;line-height:20px;">{initial}</td>\n'
        f'<td class="ink" style="padding-left:8px;{_ink("ink", 600)}{size}">'
        f"<bdi>{escape(letter.company)}</bdi></td>\n"
        f'<td align="right" class="ink2" style="{_ink("ink2")}{size}white-space:nowrap;">'
        f"{escape(letter.day)}</td>\n</tr></table>\n"
    )


def _notices(letter: Letter) -> Iterator[str]:
    for title, rest in letter.notices:
        yield (
            f'{_table("", ";margin-top:16px")}<tr><td class="note" bgcolor="#fbf3df" style="'
            "background:#fbf3df;border:1px solid #e8d5a4;border-radius:4px;padding:10px 12px;"
            f'{FONT}font-size:13px;line-height:20px;"><span class="amber" style="color:#7d5200;'
            f'font-weight:600;">{escape(title)}</span> <span class="ink2" style="color:#51544b;">'
            f"{escape(rest)}</span></td></tr></table>\n"
        )


def _section(letter: Letter, section: Section) -> Iterator[str]:
    more = _link(letter, section.more, "ink2")
    size = "font-size:13px;line-height:24px;"
    note = f"&ensp;{escape(section.note)}" if section.note else ""
    yield f"{_table(SEC, ';margin-top:28px')}<tr>\n"
    yield (
        f'<td valign="bottom" class="ln" style="padding-bottom:6px;{LINE}"><h2 class="ink" style="'
        f'margin:0;display:inline;{_ink("ink", 600)}font-size:16px;line-height:24px;">'
        f'{escape(section.title)}</h2><span class="ink3 sub" style="{_ink("ink3")}{size}">{note}'
        "</span></td>\n"
        f'<td align="right" valign="bottom" class="ink2 ln" style="{_ink("ink2")}{size}'
        f'white-space:nowrap;padding-bottom:6px;{LINE}"><span class="noprint">{more}</span></td>\n'
        "</tr></table>\n"
    )
    yield f"{_table()}"
    for number, row in enumerate(section.rows, 1):
        line = LINE if number < len(section.rows) else ""
        yield f"<tr>{_number(number, line) if section.is_numbered else ''}\n"
        yield _row(letter, row, line)
    if not section.rows:
        yield (
            f'<tr><td class="ink2" style="{_ink("ink2")}font-size:14px;line-height:20px;'
            f'padding:11px 0;">{escape(section.nothing)}</td></tr>\n'
        )
    yield "</table>\n"


def _number(number: int, line: str) -> str:
    return (
        f'<td width="24" valign="top" class="ink3 ln" style="{_ink("ink3")}font-size:13px;'
        f'line-height:20px;padding:11px 0 11px;{line}">{number}</td>'
    )


def _row(letter: Letter, row: Row, line: str) -> str:
    title = _link(letter, Words(row.title, row.to), "ink", is_plain=True)
    why = ""
    if row.why:
        why = (
            f'<div class="ink2" style="{_ink("ink2")}font-size:13px;line-height:20px;'
            f'padding-top:1px">{_said(letter, row.why, "ink2")}</div>'
        )
    tone = OF_TONE.get(row.tone or "", "")
    value, below = ("amber", "ink3") if row.tone == "unknown" else ("ink", tone or "ink3")
    weight = 500 if tone in ("pine", "clay") else 400
    return (
        f'<td valign="top" class="ln" style="padding:11px 8px 11px 0;{line}"><div class="ink"'
        f' style="{_ink("ink", 600)}font-size:14px;line-height:20px;">{title}</div>{why}</td>\n'
        f'<td width="104" align="right" valign="top" class="ln" style="padding:11px 0 11px;{line}">'
        f'<div class="{value}" style="{_ink(value, 600)}font-size:14px;line-height:20px;'
        f'white-space:nowrap;">{escape(row.value)}</div>'
        f'<div class="{below}" style="{_ink(below, weight)}font-size:12px;line-height:20px;'
        f'white-space:nowrap;padding-top:1px">{escape(row.below)}</div></td>\n</tr>'
    )


def _said(letter: Letter, sentence: Said, ink: str, *, is_plain: bool = False) -> str:
    return "".join(_link(letter, words, ink, is_plain=is_plain) for words in sentence)


def _link(letter: Letter, words: Words, ink: str, *, is_plain: bool = False) -> str:
    """The words, as a link if the page is known; names stand alone, whatever their script."""
    text = escape(words.text)
    if tone := OF_TONE.get(words.tone or ""):
        ink = tone
        text = f'<span class="{ink}" style="color:{INK[ink]};white-space:nowrap">{text}</span>'
    if not words.to:
        return text
    text = f"<bdi>{text}</bdi>"
    if not letter.page:
        return text
    style = f"color:{INK[ink]};" + ("text-decoration:none" if is_plain else UNDERLINED)
    return f'<a href="{escape(letter.page + words.to)}" class="{ink}" style="{style}">{text}</a>'


def _foot(letter: Letter) -> Iterator[str]:
    size = "font-size:12px;line-height:18px;"
    dot = "pine" if letter.is_complete else "amber"
    page = "the page"
    if letter.page:
        page = _link(letter, Words("the page", "#/today"), "ink3")
    yield (
        f'{_table(SEC, ";margin-top:32px")}<tr><td class="ln" style="border-top:1px solid'
        ' #e9e7e0;padding-top:12px">\n'
        f'<p class="ink2" style="margin:0;{_ink("ink2")}{size}"><span class="{dot}" style="color:'
        f'{INK[dot]}">\u25cf</span>&ensp;{escape(letter.standing)}</p>\n'
        f'<p class="ink3" style="margin:6px 0 0;{_ink("ink3")}{size}">{escape(letter.written)}'
        f" {escape(letter.late)}: {page} says by how much.</p>\n</td></tr></table>\n"
    )
