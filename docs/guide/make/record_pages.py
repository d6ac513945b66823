# SPDX-License-Identifier: Apache-2.0
"""One page for each layer, loss, optimizer and transform, from the records that `netwright-cli records --json` prints."""
import json
import subprocess

import diagrams
import formulas
import pictures
import transform_pictures
from rst import block, code, contents, escaped, heading, table
from texts import TOP

FOLDERS = {"layer": ("layers", "Layers"), "loss": ("losses", "Losses"), "optimizer": ("optimizers", "Optimizers"),
           "transform": ("transforms", "Transforms")}
GROUP_ICONS = {"Input": "input", "Convolution": "conv2d", "Pooling": "maxpool2d", "Normalization": "batchnorm2d", "Activation": "relu",
               "Linear": "linear", "Attention": "multiheadattention", "Regularization": "dropout", "Shape": "flatten", "Loss": "crossentropy"}


def read(cli):
    done = subprocess.run([cli, "records", "--json"], check=True, capture_output=True, text=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def number(value):
    return f"{value:g}" if isinstance(value, float) and abs(value) < 1e5 else str(int(value) if isinstance(value, float) else value)


def default_text(field, words):
    value = field["default"]
    if isinstance(value, bool):
        return words("yes") if value else words("no")
    if isinstance(value, list):
        return " × ".join(str(v) for v in value) or words("empty")
    return code(value) if isinstance(value, str) and value else words("empty") if value == "" else number(value)


def range_text(field, words):
    kind = field["kind"]
    if kind == "choice":
        return ", ".join(code(c) for c in field["choices"])
    if kind == "boolean":
        return f"{words('yes')}, {words('no')}"
    if kind == "text":
        return words("text")
    unit = " " + field["unit"] if field["unit"] else ""
    return f"{number(field['lo'])} … {number(field['hi'])}{unit}"


def attributes(record, words):
    if not record["fields"]:
        return words("There are none.") + "\n\n"
    rows = []
    for f in record["fields"]:
        meaning = words.of_record(f["label"]) + (": " if words.language == "en" else "：") + words.of_record(f["help"]) if f["help"] else words.of_record(f["label"])
        rows.append([code(f["name"]), escaped(meaning), default_text(f, words), range_text(f, words)])
    return table([words(h) for h in ("Attribute", "Meaning", "Default", "Range")], rows, "20 45 15 20")


def layer_cost(record, words):
    example = record.get("example")
    if not example or not example["output"]:
        return words("It depends on its inputs; the window shows it beside the layer.") + "\n\n"
    rows = [[words("Input"), ", ".join(example["inputs"]) or words("none")], [words("Output"), example["output"]],
            [words("Learned numbers"), f"{example['parameters']:,}"], [words("Multiply-adds"), f"{example['multiply_adds']:,}"]]
    if example["weights"]:
        rows.append([words("Weights"), ", ".join(f"{code(w['name'] or record['name'])} ({w['shape']})" for w in example["weights"])])
    return words("With the defaults, behind the input of this example, for one image:") + "\n\n" + table(["", ""], rows, "30 70").replace("   :header-rows: 1\n", "").replace("   * - \n     - \n", "", 1)


def cost(record, words):
    kind = record["kind"]
    if kind == "layer":
        return layer_cost(record, words)
    if kind == "loss":
        return words("A loss has no weights. Its work is small beside that of the layers.") + "\n\n"
    if kind == "optimizer":
        states = ", ".join(code(s["name"]) + (f" ({s['only']} ≠ 0)" if s["only"] else "") for s in record["states"])
        return f"{words('Numbers that it keeps for each weight:')} {len(record['states'])}: {states}\n\n"
    return words("It mixes pairs of images of a batch, and their targets; validation images are not mixed." if record["mixes"]
                 else "It runs on the processor while images are prepared, and not during validation.") + "\n\n"


def elsewhere(record, words):
    torch = code(record["torch"]) if record.get("torch") else words("only part of this program's projects")
    if record.get("torch_own_class"):
        torch += f" ({words('defined in the file that is written')})"
    rows = [["torchvision" if record["kind"] == "transform" else "PyTorch", torch]]
    if record["kind"] in ("layer", "loss"):
        rows.append(["ONNX", code(record["onnx"]) if record["onnx"] else words("several operators, or none")])
    else:
        rows.append(["ONNX", words("not stored: ONNX files hold networks, not trainings")])
    return table(["", ""], rows, "30 70").replace("   :header-rows: 1\n", "").replace("   * - \n     - \n", "", 1)


def icon(record):
    """File name of the layer's icon, else that of its group; None: the kind has none."""
    for name in (record["name"].lower(), GROUP_ICONS.get(record.get("group"), "unknown")):
        if record["kind"] in ("layer", "loss") and (TOP / f"resources/icons/layer-{name}.svg").exists():
            return f"layer-{name}.svg"
    return None


def picture_name(record):
    return f"{record['kind']}-{record['name']}.{'png' if record['kind'] == 'transform' else 'svg'}"


def paint(cli, records, folder, work):
    """The picture of every record, into the folder; `work`: for the example project whose photos the transforms change."""
    folder.mkdir(parents=True, exist_ok=True)
    painter = transform_pictures.Painter(cli, work) if transform_pictures.reads_photos(cli) else None
    for record in records:
        path = folder / picture_name(record)
        if record["kind"] == "transform":
            painter.paint(record, path) if painter else pictures.placeholder(path, 504, 198)
        else:
            path.write_text(diagrams.OF[record["kind"]](record), encoding="utf-8")


CAPTIONS = {"layer": "The shapes of one image before and behind the layer.", "loss": "The network's output and the target t become one number.",
            "optimizer": "A weight's gradient g, what is kept for each weight, and the weight w.",
            "transform": "Above: photos of the example project. Below: what becomes of them."}


def picture(record, words):
    caption = words(CAPTIONS[record["kind"]])
    return f".. figure:: ../record-pictures/{picture_name(record)}\n   :alt: {caption}\n   :figclass: nw-record\n\n   {caption}\n\n"


def page(record, words):
    name, other = record["name"], words.name_of(record["name"])
    text = heading(name if other == name else f"{name} · {other}")
    if icon(record):
        text += f"\n.. image:: ../icons/{icon(record)}\n   :class: nw-icon\n   :alt:\n"
    text += f"\n{escaped(words.of_record(record['summary']))}\n\n"
    if record.get("group"):
        text += f"{words('Group')}{': ' if words.language == 'en' else '：'}{words(record['group']) if record['group'] != 'Loss' else words('Losses')}\n\n"
    text += picture(record, words)
    for title, body in (("Formula", block(formulas.OF[record["kind"]][name])), ("Attributes", attributes(record, words)),
                        ("What it costs", cost(record, words)), ("In other programs", elsewhere(record, words))):
        text += heading(words(title), "-") + "\n" + body
    return text


def pages(records, words):
    """{path below the sources: text} of all pages and their four lists."""
    made = {}
    for kind, (folder, title) in FOLDERS.items():
        mine = [r for r in records if r["kind"] == kind]
        for r in mine:
            made[f"{folder}/{r['name']}.rst"] = page(r, words)
        introduction = words("Choose one of these pages. Each says what the record computes, its attributes, what it costs, and its names elsewhere.")
        rows = [[f":doc:`{r['name']}`", escaped(words.of_record(r["summary"]))] for r in mine]
        made[f"{folder}/index.rst"] = (heading(words(title)) + f"\n{introduction}\n\n" + table([words("Name"), words("Meaning")], rows, "30 70")
                                       + contents(r["name"] for r in mine).replace(":maxdepth: 1\n", ":maxdepth: 1\n   :hidden:\n"))
    return made


def without_formula(records):
    return [r["name"] for r in records if not formulas.OF[r["kind"]].get(r["name"])]
