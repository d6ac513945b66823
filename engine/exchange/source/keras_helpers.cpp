// SPDX-License-Identifier: Apache-2.0
// Layers that Keras lacks, or computes otherwise than PyTorch. `from_torch` gives the weights in the order and layout
// of the layer.
#include "engine/exchange/source/writers.hpp"

namespace nw::exchange {
namespace {

const SourceHelper keras_definitions[] = {
    {"Formula", R"(
class Formula(layers.Layer):
    """An element-wise function of a value, or of a list of values of the same shape."""

    def __init__(self, function, **options):
        super().__init__(**options)
        self.function = function

    def call(self, values):
        return self.function(*values) if isinstance(values, list) else self.function(values)
)",
     ""},
    {"pair", R"(
def pair(value):
    return value if isinstance(value, tuple) else (value, value)


def padded(x, padding, value=0.0):
    """Images (N, H, W, C) with the same border on both sides."""
    height, width = padding
    return ops.pad(x, ((0, 0), (height, height), (width, width), (0, 0)), constant_values=value)
)",
     ""},
    {"Convolution", R"(
class Convolution(layers.Layer):
    """Conv2D with PyTorch's padding: so many zeros on both sides, whatever the stride."""

    def __init__(self, filters, kernel_size, strides=1, padding=0, dilation_rate=1, groups=1, use_bias=True, **options):
        super().__init__(**options)
        self.filters, self.groups, self.use_bias = filters, groups, use_bias
        self.kernel_size, self.strides = pair(kernel_size), pair(strides)
        self.padding, self.dilation_rate = pair(padding), pair(dilation_rate)

    def build(self, shape):
        self.kernel = self.add_weight(shape=(*self.kernel_size, shape[-1] // self.groups, self.filters), name="kernel")
        self.bias = self.add_weight(shape=(self.filters,), initializer="zeros", name="bias") if self.use_bias else 0.0

    def call(self, x):
        x = padded(x, self.padding)
        return ops.conv(x, self.kernel, strides=self.strides, dilation_rate=self.dilation_rate) + self.bias

    def from_torch(self, tensors):
        return [tensors["weight"].transpose(2, 3, 1, 0)] + ([tensors["bias"]] if self.use_bias else [])
)",
     "pair"},
    {"TransposedConvolution", R"(
class TransposedConvolution(layers.Layer):
    """PyTorch's ConvTranspose2d: a convolution of the image with zeros between its pixels."""

    def __init__(self, filters, kernel_size, strides=1, padding=0, output_padding=0, dilation_rate=1, groups=1,
                 use_bias=True, **options):
        super().__init__(**options)
        self.filters, self.groups, self.use_bias = filters, groups, use_bias
        self.kernel_size, self.strides, self.padding = pair(kernel_size), pair(strides), pair(padding)
        self.output_padding, self.dilation_rate = pair(output_padding), pair(dilation_rate)

    def build(self, shape):
        self.kernel = self.add_weight(shape=(*self.kernel_size, shape[-1] // self.groups, self.filters), name="kernel")
        self.bias = self.add_weight(shape=(self.filters,), initializer="zeros", name="bias") if self.use_bias else 0.0

    def call(self, x):
        _, height, width, channels = x.shape
        down, across = self.strides
        x = ops.reshape(x, (-1, height, 1, width, 1, channels))
        x = ops.pad(x, ((0, 0), (0, 0), (0, down - 1), (0, 0), (0, across - 1), (0, 0)))
        x = ops.reshape(x, (-1, height * down, width * across, channels))
        x = x[:, : (height - 1) * down + 1, : (width - 1) * across + 1]
        borders = []
        for axis in (0, 1):
            border = self.dilation_rate[axis] * (self.kernel_size[axis] - 1) - self.padding[axis]
            borders.append((border, border + self.output_padding[axis]))
        for axis, (before, after) in enumerate(borders, 1):  # padding beyond the kernel's reach cuts off
            cut = [slice(None)] * 4
            cut[axis] = slice(max(0, -before), x.shape[axis] - max(0, -after))
            x = x[tuple(cut)]
        x = ops.pad(x, ((0, 0), *((max(0, b), max(0, a)) for b, a in borders), (0, 0)))
        return ops.conv(x, self.kernel, dilation_rate=self.dilation_rate) + self.bias

    def from_torch(self, tensors):
        weight = tensors["weight"]  # (in, out / groups, height, width)
        inputs, each, height, width = weight.shape
        weight = weight.reshape(self.groups, inputs // self.groups, each, height, width).transpose(0, 2, 1, 3, 4)
        weight = weight.reshape(self.filters, inputs // self.groups, height, width)[:, :, ::-1, ::-1]
        return [weight.transpose(2, 3, 1, 0)] + ([tensors["bias"]] if self.use_bias else [])
)",
     "pair"},
    {"GroupNorm",
     R"(
class GroupNorm(layers.Layer):
    """Groups of channels to mean 0 and variance 1, the variance from differences: exact for large means too."""

    def __init__(self, groups, epsilon, center=True, scale=True, **options):
        super().__init__(**options)
        self.groups, self.epsilon, self.center, self.scale = groups, epsilon, center, scale

    def build(self, shape):
        self.gamma = self.add_weight(shape=(shape[-1],), initializer="ones", name="gamma") if self.scale else 1.0
        self.beta = self.add_weight(shape=(shape[-1],), initializer="zeros", name="beta") if self.center else 0.0

    def call(self, x):
        *outer, channels = x.shape[1:]
        parts = ops.reshape(x, (-1, math.prod(outer), self.groups, channels // self.groups))
        parts = parts - ops.mean(parts, axis=(1, 3), keepdims=True)
        variance = ops.mean(ops.square(parts), axis=(1, 3), keepdims=True)
        parts = parts * ops.rsqrt(variance + self.epsilon)
        return ops.reshape(parts, (-1, *outer, channels)) * self.gamma + self.beta
)",
     ""},
    {"PaddedMaxPooling", R"(
class PaddedMaxPooling(layers.Layer):
    """MaxPooling2D with a border on both sides that is never the largest."""

    def __init__(self, pool_size, strides, padding, **options):
        super().__init__(**options)
        self.pool_size, self.strides, self.padding = pair(pool_size), pair(strides), pair(padding)

    def call(self, x):
        return ops.max_pool(padded(x, self.padding, float("-inf")), self.pool_size, self.strides)
)",
     "pair"},
    {"PaddedAveragePooling", R"(
class PaddedAveragePooling(layers.Layer):
    """AveragePooling2D with a border of zeros on both sides, which count or do not."""

    def __init__(self, pool_size, strides, padding, count_padding=True, **options):
        super().__init__(**options)
        self.pool_size, self.strides, self.padding = pair(pool_size), pair(strides), pair(padding)
        self.count_padding = count_padding

    def call(self, x):
        mean = ops.average_pool(padded(x, self.padding), self.pool_size, self.strides)
        if self.count_padding:
            return mean
        ones = padded(ops.ones_like(x), self.padding)
        return mean / ops.average_pool(ones, self.pool_size, self.strides)
)",
     "pair"},
    {"AdaptiveAveragePooling", R"(
class AdaptiveAveragePooling(layers.Layer):
    """Means of windows that give an output of a chosen size."""

    def __init__(self, size, **options):
        super().__init__(**options)
        self.size = size

    def build(self, shape):
        def means(old, new):
            matrix = np.zeros((new, old), np.float32)
            for k in range(new):
                first, last = k * old // new, -(-(k + 1) * old // new)
                matrix[k, first:last] = 1 / (last - first)
            return matrix

        self.rows, self.columns = means(shape[1], self.size[0]), means(shape[2], self.size[1])

    def call(self, x):
        x = ops.einsum("ah,nhwc->nawc", ops.convert_to_tensor(self.rows), x)
        return ops.einsum("bw,nawc->nabc", ops.convert_to_tensor(self.columns), x)
)",
     ""},
    {"PatchEmbedding", R"(
class PatchEmbedding(layers.Conv2D):
    """Each patch of an image becomes a token: (N, H, W, C) to (N, tokens, 1, filters)."""

    def __init__(self, filters, patch_size, **options):
        super().__init__(filters, patch_size, strides=patch_size, **options)

    def call(self, x):
        x = super().call(x)
        return ops.reshape(x, (-1, x.shape[1] * x.shape[2], 1, x.shape[3]))

    def compute_output_shape(self, shape):
        count, height, width, filters = super().compute_output_shape(shape)
        return count, height * width, 1, filters
)",
     ""},
    {"TokenAttention", R"(
class TokenAttention(layers.Layer):
    """Self-attention between the pixels or tokens of (N, H, W, features)."""

    def __init__(self, num_heads, use_bias=True, **options):
        super().__init__(**options)
        self.num_heads, self.use_bias = num_heads, use_bias

    def build(self, shape):
        features = shape[-1]

        def vector(size, name):
            return self.add_weight(shape=(size,), initializer="zeros", name=name) if self.use_bias else 0.0

        self.inner = self.add_weight(shape=(features, 3 * features), name="inner")
        self.inner_bias = vector(3 * features, "inner_bias")
        self.outer = self.add_weight(shape=(features, features), name="outer")
        self.outer_bias = vector(features, "outer_bias")

    def call(self, x):
        _, height, width, features = x.shape
        each = features // self.num_heads
        tokens = ops.reshape(x, (-1, height * width, features))
        tokens = ops.matmul(tokens, self.inner) + self.inner_bias
        tokens = ops.reshape(tokens, (-1, height * width, 3, self.num_heads, each))
        query, key, value = (ops.transpose(tokens[:, :, k], (0, 2, 1, 3)) for k in range(3))
        shares = ops.softmax(ops.matmul(query, ops.transpose(key, (0, 1, 3, 2))) * each ** -0.5, axis=-1)
        mixed = ops.transpose(ops.matmul(shares, value), (0, 2, 1, 3))
        mixed = ops.matmul(ops.reshape(mixed, (-1, height * width, features)), self.outer) + self.outer_bias
        return ops.reshape(mixed, (-1, height, width, features))

    def from_torch(self, tensors):
        inner, outer = tensors["in_proj_weight"].transpose(), tensors["out_proj.weight"].transpose()
        if not self.use_bias:
            return [inner, outer]
        return [inner, tensors["in_proj_bias"], outer, tensors["out_proj.bias"]]
)",
     ""},
    {"ClassToken", R"(
class ClassToken(layers.Layer):
    """Puts a learned token before the others: (N, H, W, features) to (N, H * W + 1, 1, features)."""

    def build(self, shape):
        self.token = self.add_weight(shape=(1, 1, 1, shape[-1]), initializer="zeros", name="token")

    def call(self, x):
        tokens = ops.reshape(x, (-1, x.shape[1] * x.shape[2], 1, x.shape[3]))
        first = ops.zeros_like(tokens[:, :1]) + self.token
        return ops.concatenate([first, tokens], axis=1)

    def from_torch(self, tensors):
        return [tensors[""].reshape(self.token.shape)]
)",
     ""},
    {"PositionalEmbedding", R"(
class PositionalEmbedding(layers.Layer):
    """Adds learned numbers to each pixel or token."""

    def build(self, shape):
        self.numbers = self.add_weight(shape=(1, *shape[1:]), name="numbers")

    def call(self, x):
        return x + self.numbers

    def from_torch(self, tensors):
        return [tensors[""].reshape(self.numbers.shape)]
)",
     ""},
    {"LayerScale", R"(
class LayerScale(layers.Layer):
    """Multiplies each channel by a learned number."""

    def __init__(self, value, **options):
        super().__init__(**options)
        self.value = value

    def build(self, shape):
        self.factor = self.add_weight(
            shape=(shape[-1],), initializer=keras.initializers.Constant(self.value), name="factor")

    def call(self, x):
        return x * self.factor

    def from_torch(self, tensors):
        return [tensors[""].reshape(-1)]
)",
     ""},
    {"ResponseNorm", R"(
class ResponseNorm(layers.Layer):
    """Divides by the strength of neighbouring channels."""

    def __init__(self, size, alpha, beta, k, **options):
        super().__init__(**options)
        self.size, self.alpha, self.beta, self.k = size, alpha, beta, k

    def call(self, x):
        channels, border = x.shape[-1], [(0, 0)] * (len(x.shape) - 1)
        squares = ops.pad(ops.square(x), [*border, (self.size // 2, (self.size - 1) // 2)])
        total = sum(squares[..., i:i + channels] for i in range(self.size))
        return x / (self.k + self.alpha / self.size * total) ** self.beta
)",
     ""},
    {"Clip", R"(
class Clip(layers.Layer):
    """Limits every value to a range."""

    def __init__(self, lowest, highest, **options):
        super().__init__(**options)
        self.lowest, self.highest = lowest, highest

    def call(self, x):
        return ops.clip(x, self.lowest, self.highest)
)",
     ""},
    {"Softplus", R"(
class Softplus(layers.Layer):
    """log(1 + e^(beta x)) / beta; x itself where beta x is above the threshold."""

    def __init__(self, beta, threshold, **options):
        super().__init__(**options)
        self.beta, self.threshold = beta, threshold

    def call(self, x):
        return ops.where(self.beta * x > self.threshold, x, ops.softplus(self.beta * x) / self.beta)
)",
     ""},
    {"tanh_gelu", R"(
def tanh_gelu(x):
    return keras.activations.gelu(x, approximate=True)
)",
     ""},
    {"ImageFlatten", R"(
class ImageFlatten(layers.Layer):
    """An image as a vector in PyTorch's order: channels, rows, columns."""

    def call(self, x):
        return ops.reshape(ops.transpose(x, (0, 3, 1, 2)), (-1, x.shape[1] * x.shape[2] * x.shape[3]))
)",
     ""},
    {"ImageReshape", R"(
class ImageReshape(layers.Layer):
    """Other sizes (channels, rows, columns) for the same elements in PyTorch's order."""

    def __init__(self, shape, **options):
        super().__init__(**options)
        self.shape = shape

    def call(self, x):
        x = ops.transpose(x, (0, 3, 1, 2)) if len(x.shape) == 4 else x
        return ops.transpose(ops.reshape(x, (-1, *self.shape)), (0, 2, 3, 1))
)",
     ""},
    {"Slice", R"(
class Slice(layers.Layer):
    """A range of rows, columns or channels."""

    def __init__(self, axis, start, end, **options):
        super().__init__(**options)
        self.index = (slice(None),) * axis + (slice(start, end),)

    def call(self, x):
        return x[self.index]
)",
     ""},
    {"ChannelShuffle", R"(
class ChannelShuffle(layers.Layer):
    """Mixes the channels of groups."""

    def __init__(self, groups, **options):
        super().__init__(**options)
        self.groups = groups

    def call(self, x):
        outer = x.shape[1:-1]
        parts = ops.reshape(x, (-1, *outer, self.groups, x.shape[-1] // self.groups))
        return ops.reshape(ops.swapaxes(parts, -1, -2), (-1, *outer, x.shape[-1]))
)",
     ""},
};

}  // namespace

std::span<const SourceHelper> keras_source_helpers() { return keras_definitions; }

}  // namespace nw::exchange
