// SPDX-License-Identifier: Apache-2.0
// Layers of transformers. A sequence is an image of one column: (N,features,tokens,1).
#include <cmath>

#include "engine/exchange/operators/operator.hpp"

namespace nw {
namespace exchange {
namespace {

/// A convolution of 1 x 1: a linear map of the channels of each token. The weight's matrix is (out,in).
std::string token_map(LayerWriter& w, std::string_view part, const std::string& x, const char* weight, const char* bias,
                      std::int64_t in, std::int64_t out) {
  std::vector<std::string> operands{x, w.weight(weight, {out, in, 1, 1})};
  if (const std::string b = w.weight(bias); !b.empty()) operands.push_back(b);
  const Attributes attributes{{"kernel_shape", std::vector<std::int64_t>{1, 1}}};
  if (!part.empty()) return w.part(part, "Conv", std::move(operands), attributes);
  w.finish("Conv", std::move(operands), attributes);
  return {};
}

Status write_channel_linear(LayerWriter& w) {
  token_map(w, "", w.input(), "weight", "bias", w.in()[1], w.out()[1]);
  return {};
}

std::string reshaped(LayerWriter& w, std::string_view part, const std::string& x, const onnx::Dims& to) {
  return w.part(part, "Reshape", {x, w.constant(std::string(part) + ".sizes", whole_numbers(to))});
}

Status write_patch_embedding(LayerWriter& w) {
  const std::int64_t patch = w.attrs().integer("patch_size");
  const std::vector<std::int64_t> window{patch, patch};
  std::vector<std::string> in{w.input(), w.weight("weight")};
  if (const std::string bias = w.weight("bias"); !bias.empty()) in.push_back(bias);
  const std::string patches = w.part("patches", "Conv", std::move(in), {{"kernel_shape", window}, {"strides", window}});
  w.finish("Reshape", {patches, w.constant("sizes", whole_numbers({0, w.out()[1], w.out()[2], 1}))});
  return {};
}

// The tokens move down by one row of zeros; to it the token is added, which is followed by as many zeros.
Status write_class_token(LayerWriter& w) {
  const std::int64_t features = w.in()[1], tokens = w.in()[2] * w.in()[3];
  const std::string column = w.in()[3] == 1 ? w.input() : reshaped(w, "tokens", w.input(), {0, features, tokens, 1});
  const std::string below = w.constant("below", whole_numbers({0, 0, 1, 0, 0, 0, 0, 0})),
                    above = w.constant("above", whole_numbers({0, 0, 0, 0, 0, 0, tokens, 0}));
  const std::string moved = w.part("moved", "Pad", {column, below}),
                    token = w.part("token", "Pad", {w.weight("", {1, features, 1, 1}), above});
  w.finish("Add", {moved, token});
  return {};
}

Status write_positional_embedding(LayerWriter& w) {
  const std::string places = w.weight("", {1, w.in()[2], w.in()[3], w.in()[1]});
  const std::vector<std::int64_t> channels_first{0, 3, 1, 2};
  w.finish("Add", {w.input(), w.part("places", "Transpose", {places}, {{"perm", channels_first}})});
  return {};
}

std::string exchanged(LayerWriter& w, std::string_view part, const std::string& x) {
  return w.part(part, "Transpose", {x}, {{"perm", std::vector<std::int64_t>{0, 1, 3, 2}}});
}

/// Heads `from` up to `to` of queries, keys and values.
std::string heads_of(LayerWriter& w, const std::string& part, const std::string& x, std::int64_t from,
                     std::int64_t to) {
  return w.part(part, "Slice",
                {x, w.constant(part + ".from", whole_numbers({from})), w.constant(part + ".to", whole_numbers({to})),
                 w.constant("heads_axis", whole_numbers({1}))});
}

// Queries, keys and values are (N,heads,features of a head,tokens).
Status write_attention(LayerWriter& w) {
  const std::int64_t heads = w.attrs().integer("num_heads"), features = w.in()[1], each = features / heads,
                     tokens = w.in()[2] * w.in()[3];
  const std::string projected =
      token_map(w, "projected", w.input(), "in_proj_weight", "in_proj_bias", features, 3 * features);
  const std::string all = reshaped(w, "heads", projected, {0, 3 * heads, each, tokens});
  const std::string queries = heads_of(w, "queries", all, 0, heads), keys = heads_of(w, "keys", all, heads, 2 * heads),
                    values = heads_of(w, "values", all, 2 * heads, 3 * heads);
  const float scale = 1.0F / std::sqrt(static_cast<float>(each));
  const std::string products = w.part("products", "MatMul", {exchanged(w, "queries_by_token", queries), keys});
  const std::string scaled = w.part("scaled", "Mul", {products, w.constant("scale", floats({}, {scale}))});
  const std::string shares = w.part("shares", "Softmax", {scaled}, {{"axis", std::int64_t{-1}}});
  const std::string mixed = w.part("mixed", "MatMul", {values, exchanged(w, "shares_by_key", shares)});
  const std::string image = reshaped(w, "joined", mixed, {0, features, w.in()[2], w.in()[3]});
  token_map(w, "", image, "out_proj.weight", "out_proj.bias", features, features);
  return {};
}

}  // namespace
}  // namespace exchange

extern const exchange::OperatorFile attention_operators;
const exchange::OperatorFile attention_operators{[] {
  using namespace exchange;
  return std::vector<OperatorMapping>{
      {"ChannelLinear", {}, 13, write_channel_linear, nullptr, true},
      {"PatchEmbedding", {}, 13, write_patch_embedding, nullptr, true},
      {"ClassToken", {}, 13, write_class_token, nullptr, true},
      {"PositionalEmbedding", {}, 13, write_positional_embedding, nullptr, true},
      {"MultiheadAttention", {}, 13, write_attention, nullptr, true},
  };
}()};

}  // namespace nw
