# SPDX-License-Identifier: Apache-2.0
"""The picture of a layer, a loss or an optimizer, drawn from its record as SVG: the shapes of the record's example before and behind it, its
weights; what an optimizer keeps for each weight. Numbers and names only, so that one picture serves every language."""
import math
from xml.sax.saxutils import escape

INK, QUIET, LINE, PLANE, BOX = "#17191d", "#515763", "#8a92a0", "#dbe7fb", "#f4f5f7"
FONT = 'font-family="JetBrains Mono, DejaVu Sans Mono, monospace"'
HEIGHT, MARGIN, ARROW = 150, 12, 46


def text(x, y, words, size=12, colour=INK, anchor="middle"):
    return f'<text x="{x:g}" y="{y:g}" font-size="{size}" fill="{colour}" text-anchor="{anchor}" {FONT}>{escape(words)}</text>'


def text_width(words, size=12):
    return 0.62 * size * len(words)


def sides(shape):
    """(planes, width, height) in pixels of a shape such as 16×32×32; a shape of one number is a column."""
    numbers = [int(n) for n in shape.split("×")]
    channels, rows, columns = numbers if len(numbers) == 3 else (1, numbers[0], 1)

    def length(n):
        return min(78, 10 + 10 * math.log2(n))
    return min(6, 1 + round(math.log2(channels))), length(columns), length(rows)


def tensor(x, shape):
    """(drawing, width): planes, one behind the other, with the shape below."""
    planes, width, height = sides(shape)
    whole = max(width + 4 * (planes - 1), text_width(shape))
    left, top = x + (whole - width - 4 * (planes - 1)) / 2, 58 - height / 2
    rects = "".join(f'<rect x="{left + 4 * i:g}" y="{top + 4 * (planes - 1 - i) - 2 * (planes - 1):g}" width="{width:g}" height="{height:g}" rx="2" '
                    f'fill="{PLANE}" stroke="{LINE}"/>' for i in reversed(range(planes)))
    return rects + text(x + whole / 2, 128, shape, 12, QUIET), whole


def arrow(x, y=58):
    return f'<path d="M{x + 8:g} {y}h{ARROW - 22}" stroke="{LINE}" stroke-width="1.5"/><path d="M{x + ARROW - 14:g} {y - 4}l7 4l-7 4z" fill="{LINE}"/>', ARROW


def box(x, title, lines):
    """(drawing, width): a box with a name, and lines of small text in it."""
    width = max([text_width(title, 14)] + [text_width(l, 11) for l in lines]) + 28
    height = 34 + 17 * len(lines)
    top = 58 - height / 2
    drawn = f'<rect x="{x:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="7" fill="{BOX}" stroke="{INK}"/>'
    drawn += text(x + width / 2, top + 22, title, 14)
    return drawn + "".join(text(x + width / 2, top + 40 + 17 * i, l, 11, QUIET) for i, l in enumerate(lines)), width


def picture(parts):
    """SVG of parts in a row; each is a function of its left side that returns (drawing, width)."""
    x, drawn = float(MARGIN), ""
    for part in parts:
        more, width = part(x)
        drawn, x = drawn + more, x + width
    width = math.ceil(x + MARGIN)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{HEIGHT}" viewBox="0 0 {width} {HEIGHT}">'
            f'<rect width="{width}" height="{HEIGHT}" fill="#ffffff"/>{drawn}</svg>\n')


def of_layer(record):
    example = record["example"]
    weights = [" ".join(w for w in (weight["name"], weight["shape"]) if w) for weight in example["weights"]]
    parts = []
    for number, shape in enumerate(example["inputs"]):
        parts += [lambda x: (text(x + 9, 62, "+" if record["name"] == "Add" else ",", 16, QUIET), 18)] if number else []
        parts.append(lambda x, shape=shape: tensor(x, shape))
    parts += [arrow] if parts else []
    parts.append(lambda x: box(x, record["name"], weights[:3] + (["…"] if len(weights) > 3 else [])))
    return picture(parts + ([arrow, lambda x: tensor(x, example["output"])] if example["output"] else []))


def of_loss(record):
    inputs = record["example"]["inputs"]
    return picture([lambda x: tensor(x, inputs[0]), lambda x: (text(x + 9, 62, "t", 14, QUIET), 24), arrow,
                    lambda x: box(x, record["name"], []), arrow, lambda x: tensor(x, "1")])


def of_optimizer(record):
    states = [s["name"] + (f" ({s['only']} ≠ 0)" if s["only"] else "") for s in record["states"]]
    return picture([lambda x: box(x, "g", []), arrow, lambda x: box(x, record["name"], states), arrow, lambda x: box(x, "w", [])])


OF = {"layer": of_layer, "loss": of_loss, "optimizer": of_optimizer}
