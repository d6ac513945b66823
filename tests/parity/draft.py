# SPDX-License-Identifier: Apache-2.0
"""A network while it is drawn: nodes and connections of a project file, and the shape of each node's output."""
from shapes import shape_of


def divisors(n):
    return [k for k in range(1, n + 1) if n % k == 0]


class Draft:
    def __init__(self, r):
        self.r = r
        self.nodes, self.connections, self.shape, self.blocks = [], [], {}, {}

    def add(self, kind, inputs, attrs=None):
        """A node behind `inputs` (ids of nodes); its id."""
        number = len(self.nodes) + 1
        node = {"id": number, "name": f"{kind.lower()}{number}", "type": kind, "x": 0.0, "y": 90.0 * number}
        if attrs:
            node["attrs"] = attrs
        self.nodes.append(node)
        self.connections += [[source, 0, number, port] for port, source in enumerate(inputs)]
        if kind == "Block":
            self.shape[number] = self.block_shape(attrs, self.shape[inputs[0]])
        else:
            self.shape[number] = shape_of(kind, attrs or {}, [self.shape[i] for i in inputs])
        return number

    def block_shape(self, attrs, shape):
        """Blocks of draw_image.block keep height and width, and give `filters` channels."""
        return (attrs["filters"], *shape[1:])

    def graph(self):
        return {"nodes": self.nodes, "connections": self.connections, "frames": [], "notes": []}
