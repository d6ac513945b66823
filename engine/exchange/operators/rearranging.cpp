// SPDX-License-Identifier: Apache-2.0
// Layers that take, exchange and mix parts of an image.
#include <algorithm>
#include <utility>

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

/// The numbers of an attribute (before version 10) or of a constant input; nullopt: they are computed.
std::optional<std::vector<std::int64_t>> list_at(const NodeReader& r, std::size_t i, const char* name) {
  if (!r.given(i)) return r.node().integers(name);
  return r.constant(i) ? onnx::integers_of(*r.constant(i)) : std::nullopt;
}

/// A range of channels, rows or columns without gaps.
Text read_slice(NodeReader& r) {
  const auto starts = list_at(r, 1, "starts"), ends = list_at(r, 2, "ends"), axes = list_at(r, 3, "axes");
  const auto steps = list_at(r, 4, "steps");
  if (r.plain(0) < 0 || r.shape(0).rank() != 4) return text(NW_TR("its input is not an image"));
  if (!starts || !ends || !axes || !steps) return text(NW_TR("its range is computed"));
  const std::int64_t axis = axes->size() == 1 ? positive_axis(axes->front(), 4) : 0;
  if (starts->size() != 1 || ends->size() != 1 || axis < 1 || axis > 3 || (!steps->empty() && steps->front() != 1))
    return text(NW_TR("it takes other values than a range of channels, rows or columns"));
  const std::int64_t size = r.shape(0)[static_cast<int>(axis)];
  const auto place = [size](std::int64_t at) { return std::clamp<std::int64_t>(at < 0 ? at + size : at, 0, size); };
  const char* const names[] = {"channels", "rows", "columns"};
  return r.becomes(
      "Slice",
      {{"dim", std::string(names[axis - 1])}, {"start", place(starts->front())}, {"end", place(ends->front())}},
      {r.plain(0)});
}

/// The sizes of the parts; nullopt: they are computed, or do not fit.
std::optional<std::vector<std::int64_t>> parts_of(const NodeReader& r, std::int64_t size) {
  const auto count = std::ssize(r.node().outputs);
  auto parts = list_at(r, 1, "split");
  if (!parts) return std::nullopt;
  const std::int64_t each = (size + count - 1) / count;  // of version 18 on; before, the parts are equal
  for (std::int64_t i = 0; r.node().integers("split").empty() && !r.given(1) && i < count; ++i)
    parts->push_back(std::min(each, size - i * each));
  std::int64_t all = 0;
  for (const std::int64_t part : *parts) {
    if (part < 1 || part > size) return std::nullopt;
    all += part;
  }
  return std::ssize(*parts) == count && all == size ? parts : std::nullopt;
}

/// Each part that is read becomes a Slice.
Text read_split(NodeReader& r) {
  if (r.plain(0) < 0) return text(NW_TR("its input is neither an image nor a vector"));
  const Shape x = r.shape(0);
  const std::int64_t axis = positive_axis(r.node().integer("axis", 0), static_cast<std::size_t>(x.rank()));
  if (axis < 1 || axis >= x.rank())
    return text(NW_TR("it takes other values than a range of channels, rows or columns"));
  const auto parts = parts_of(r, x[static_cast<int>(axis)]);
  if (!parts)
    return text(NW_TR("the sizes of its parts are computed, or do not add up to {0}"), x[static_cast<int>(axis)]);
  const char* const names[] = {"channels", "rows", "columns"};
  std::int64_t start = 0;
  for (std::size_t i = 0; i < parts->size(); start += (*parts)[i++]) {
    if (!r.is_read(i)) continue;
    int made = -1;
    Text why = r.add("Slice", {{"dim", std::string(names[axis - 1])}, {"start", start}, {"end", start + (*parts)[i]}},
                     {r.plain(0)}, made);
    if (!why.empty()) return why;
    r.output_is(i, {made});
  }
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

/// The Transpose between two Reshapes; behind it the groups lie within the channels of a group.
Text read_channel_shuffle(NodeReader& r) {
  if (!r.value(0) || r.value(0)->form != Form::view) return text(NW_TR("its input is not a view of an image"));
  Ref ref = *r.value(0);
  std::vector<std::int64_t> perm{0, 2, 1, 3, 4};
  perm.resize(std::min(perm.size(), std::max<std::size_t>(3, ref.dims.size())));
  const Shape x = r.shape(0);
  if (x.rank() != 4 || r.node().integers("perm") != perm || ref.dims.size() != perm.size() ||
      ref.dims[1] * ref.dims[2] != x[1])
    return text(NW_TR("it exchanges other axes than groups of channels"));
  const std::int64_t groups = ref.dims[1];
  Text why = r.add("ChannelShuffle", {{"groups", groups}}, {ref.layer}, ref.layer);
  std::swap(ref.dims[1], ref.dims[2]);
  if (why.empty()) r.is(ref);
  return why;
}

}  // namespace
}  // namespace exchange

extern const exchange::OperatorFile rearranging_operators;
const exchange::OperatorFile rearranging_operators{[] {
  using namespace exchange;
  return std::vector<OperatorMapping>{
      {"Reshape", {}, 13, write_reshape, nullptr, true},
      {"Slice", {{"Slice"}}, 13, write_slice, read_slice, true},
      {"Slice", {{"Split"}}, 13, nullptr, read_split},
      {"Transpose", {}, 13, write_transpose, nullptr, true},
      {"ChannelShuffle", {{"Transpose"}}, 13, write_channel_shuffle, read_channel_shuffle, true},
  };
}()};

}  // namespace nw
