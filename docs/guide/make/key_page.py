# SPDX-License-Identifier: Apache-2.0
"""The card of keys and gestures, from the window's table of actions (ui/page/actions.cpp) and its list of gestures (ui/shell/help/help.cpp)."""
import re

from rst import code, escaped, heading, table
from texts import TOP

STRING = r'"((?:[^"\\]|\\.)*)"'
ACTION = re.compile(r'\{"([a-z0-9-]+)",\s*(?:QT_TRANSLATE_NOOP\("Actions",\s*' + STRING + r"\)|" + STRING + r")\s*,\s*" + ",\\s*".join([STRING] * 4) + r"\s*,\s*(?:true|false)\}")
GESTURE = re.compile(r'\{"([^"]+)",\s*QT_TRANSLATE_NOOP\("Help",\s*((?:"(?:[^"\\]|\\.)*"\s*)+)\)\}')


def joined(literals):
    return "".join(re.findall(STRING, literals)).encode("latin-1", "backslashreplace").decode("unicode_escape") if "\\" in literals else "".join(re.findall(STRING, literals))


def actions():
    """(id, English text, keys, page) of all actions with keys."""
    source = (TOP / "ui/page/actions.cpp").read_text(encoding="utf-8")
    rows = [(a[0], a[1] or a[2], a[4], a[6]) for a in ACTION.findall(re.sub(r'"\s*\n\s*"', "", source))]
    return [row for row in rows if row[2]]


def gestures():
    source = (TOP / "ui/shell/help/help.cpp").read_text(encoding="utf-8").split("struct Step")[0]
    return [(keys, joined(text)) for keys, text in GESTURE.findall(source)]


def keys_cell(keys):
    return ", ".join(code(k.strip().lstrip("~")) for k in keys.split(";"))


def card_line(words, card):
    """card: keyboard-card.pdf lies beside the page."""
    if not card:
        return words("Print this page for a card on your desk.")
    return words("{link}, a page to print, lies beside this one.").format(link=f"`{words('The card of keys and gestures')} <keyboard-card.pdf>`__")


def pages(words, card=False):
    head = [words("Keys"), words("Effect")]
    everywhere = [[keys_cell(k), escaped(words.of_record(text))] for _, text, k, page in actions() if not page]
    canvas = [[code(k), escaped(words.of_record(text))] for k, text in gestures()]
    canvas += [[keys_cell(k), escaped(words.of_record(text))] for _, text, k, page in actions() if page]
    return {"keys.rst": heading(words("Keyboard and gestures")) + f"\n{card_line(words, card)}\n\n"
            + heading(words("Everywhere"), "-") + "\n" + table(head, everywhere, "30 70") + heading(words("On the canvas"), "-") + "\n" + table(head, canvas, "30 70")}
