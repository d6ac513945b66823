# SPDX-License-Identifier: Apache-2.0
"""Reads the network of a project file: blocks are expanded, layers sorted, connections resolved."""
import re


def value_of(attr, parameters):
    """An attribute of a layer in a block: "$filters*2" is a formula of the block's parameters."""
    if isinstance(attr, str) and attr.startswith("$"):
        return int(eval(re.sub(r"\$(\w+)", lambda m: str(parameters[m[1]]), attr), {"__builtins__": {}}))
    return attr


class Layer:
    def __init__(self, name, kind, attrs, node, frozen, lr_scale):
        self.name, self.kind, self.attrs = name, "Identity" if node.get("bypassed", False) else kind, attrs
        self.frozen, self.lr_scale = frozen, lr_scale
        self.inputs = []  # layers


class Expander:
    def __init__(self, project):
        self.blocks, self.layers = project["blocks"], []
        self.around = [(False, 1.0)]  # what the block instances around a layer say: frozen, factor of the learning rate

    def graph(self, graph, prefix, parameters, outer):
        """Layers of one graph; `outer`: the layer that feeds its BlockInput. The layer that feeds its BlockOutput."""
        nodes, made = {n["id"]: n for n in graph["nodes"]}, {}
        before = {i: [] for i in nodes}
        for source, _, node, port in graph["connections"]:
            before[node].append((port, source))

        def make(number):
            if number not in made:
                inputs = [make(source) for _, source in sorted(before[number])]
                made[number] = self.node(nodes[number], prefix, parameters, inputs, outer)
            return made[number]

        results = {n["type"]: make(n["id"]) for n in nodes.values()}
        return results.get("BlockOutput")

    def node(self, node, prefix, parameters, inputs, outer):
        kind, name = node["type"], prefix + node["name"]
        attrs = {k: value_of(v, parameters) for k, v in node.get("attrs", {}).items()}
        if kind == "BlockInput":
            return outer
        if kind == "BlockOutput":
            return inputs[0]
        frozen, lr_scale = self.around[-1]
        training = (frozen or node.get("frozen", False), lr_scale * node.get("lr_scale", 1.0))
        if kind == "Block":
            self.around.append(training)
            last = self.block(name, attrs, inputs[0])
            self.around.pop()
            return last
        layer = Layer(name, kind, attrs, node, *training)
        layer.inputs = inputs
        self.layers.append(layer)
        return layer

    def block(self, name, attrs, last):
        block, repeat = self.blocks[attrs["block"]], attrs.get("repeat", 1)
        parameters = {p["name"]: attrs.get(p["name"], p["value"]) for p in block["parameters"]}
        for k in range(repeat):
            last = self.graph(block["network"], f"{name}.{k}." if repeat > 1 else f"{name}.", parameters, last)
        return last


def read_network(project):
    """Layers in an order in which each one's inputs come before it; the last one is the loss."""
    expander = Expander(project)
    expander.graph(project["network"], "", {}, None)
    return expander.layers
