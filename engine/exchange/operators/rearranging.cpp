// SPDX-License-Identifier: Apache-2.0
// Layers that take, exchange and mix parts of an image.
#include "engine/exchange/operators/operator.hpp"

namespace nw {
namespace exchange {
namespace {

Status write_reshape(LayerWriter& w) {
  w.finish("Reshape", {w.input(), w.constant("sizes", whole_numbers(each_batch(w.out())))});
  return {};
}

int axis_named(const std::string& name) { return name == "channels" ? 1 : name == "rows" ? 2 : 3; }

Status write_slice(LayerWriter& w) {
  const int axis = axis_named(w.attrs().choice("dim"));
  const std::int64_t start = w.attrs().integer("start"), size = w.out()[axis];
  w.finish("Slice", {w.input(), w.constant("start", whole_numbers({start})),
                     w.constant("end", whole_numbers({start + size})), w.constant("axis", whole_numbers({axis}))});
  return {};
}

std::vector<std::int64_t> exchange_of(std::int64_t a, std::int64_t b) {
  std::vector<std::int64_t> perm{0, 1, 2, 3};
  std::swap(perm[static_cast<std::size_t>(a)], perm[static_cast<std::size_t>(b)]);
  return perm;
}

Status write_transpose(LayerWriter& w) {
  w.finish("Transpose", {w.input()}, {{"perm", exchange_of(w.attrs().integer("dim0"), w.attrs().integer("dim1"))}});
  return {};
}

// Groups and the channels of a group change places.
Status write_channel_shuffle(LayerWriter& w) {
  const std::int64_t groups = w.attrs().integer("groups");
  const onnx::Dims image = each_batch(w.in());
  onnx::Dims split{0, groups, w.in()[1] / groups};
  split.insert(split.end(), image.begin() + 2, image.end());
  std::vector<std::int64_t> perm{0, 2, 1};
  for (std::size_t i = 3; i < split.size(); ++i) perm.push_back(static_cast<std::int64_t>(i));
  const std::string apart = w.part("groups", "Reshape", {w.input(), w.constant("groups.sizes", whole_numbers(split))});
  const std::string mixed = w.part("mixed", "Transpose", {apart}, {{"perm", perm}});
  w.finish("Reshape", {mixed, w.constant("sizes", whole_numbers(image))});
  return {};
}

}  // namespace
}  // namespace exchange

extern const exchange::OperatorFile rearranging_operators;
const exchange::OperatorFile rearranging_operators{[] {
  using namespace exchange;
  return std::vector<OperatorMapping>{
      {"Reshape", {}, 13, write_reshape, nullptr, true},
      {"Slice", {}, 13, write_slice, nullptr, true},
      {"Transpose", {}, 13, write_transpose, nullptr, true},
      {"ChannelShuffle", {}, 13, write_channel_shuffle, nullptr, true},
  };
}()};

}  // namespace nw
