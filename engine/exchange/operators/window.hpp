// SPDX-License-Identifier: Apache-2.0
// The window of a convolution or pooling as ONNX describes it. Private to engine/exchange/operators.
#pragma once
#include "engine/exchange/operators/operator.hpp"

namespace nw::exchange {

struct Window {
  std::vector<std::int64_t> kernel{1, 1}, stride{1, 1}, dilation{1, 1};
  std::int64_t top = 0, left = 0, bottom = 0, right = 0;
  bool symmetric() const { return top == bottom && left == right; }
};

/// Reads strides, dilations and pads or auto_pad; with ceil_mode, the pads at the ends are what makes room for the last
/// windows. Returns why it is no window on an image.
inline Text window_of(const NodeReader& r, std::vector<std::int64_t> kernel, Window& w) {
  if (!r.value(0) || r.shape(0).rank() != 4) return text(NW_TR("its input is not an image"));
  const auto pair = [&](const char* name, std::vector<std::int64_t>& to) {
    const auto given = r.node().integers(name);
    if (given.size() == 2) to = given;
    return given.empty() || given.size() == 2;
  };
  w.kernel = std::move(kernel);
  if (!pair("strides", w.stride) || !pair("dilations", w.dilation) || w.kernel.size() != 2)
    return text(NW_TR("it does not work on images of two dimensions"));
  for (const std::int64_t s : {w.stride[0], w.stride[1], w.dilation[0], w.dilation[1], w.kernel[0], w.kernel[1]})
    if (s < 1 || s > 65536) return text(NW_TR("it has an impossible window"));
  const std::vector<std::int64_t> pads = r.node().integers("pads");
  if (!pads.empty() && pads.size() != 4) return text(NW_TR("it does not work on images of two dimensions"));
  for (const std::int64_t p : pads)
    if (p < 0 || p > 65536) return text(NW_TR("it has an impossible padding"));
  if (!pads.empty()) w.top = pads[0], w.left = pads[1], w.bottom = pads[2], w.right = pads[3];
  const std::string automatic = r.node().text("auto_pad", "NOTSET");
  const Shape x = r.shape(0);
  for (std::size_t d = 0; d < 2; ++d) {
    std::int64_t &begin = d == 0 ? w.top : w.left, &end = d == 0 ? w.bottom : w.right;
    const std::int64_t size = x[static_cast<int>(d) + 2], reach = w.dilation[d] * (w.kernel[d] - 1) + 1;
    if (automatic == "VALID") begin = end = 0;
    if (automatic == "SAME_UPPER" || automatic == "SAME_LOWER") {
      const std::int64_t outputs = (size + w.stride[d] - 1) / w.stride[d];
      const std::int64_t all = std::max<std::int64_t>(0, (outputs - 1) * w.stride[d] + reach - size);
      begin = automatic == "SAME_UPPER" ? all / 2 : all - all / 2;
      end = all - begin;
    }
    if (r.node().integer("ceil_mode", 0) == 0) continue;
    const std::int64_t room = size + begin + end - reach;
    if (room < 0) return text(NW_TR("its window is larger than the image"));
    std::int64_t steps = (room + w.stride[d] - 1) / w.stride[d];
    if (steps * w.stride[d] >= size + begin) --steps;  // no window begins in the padding at the end
    end += std::max<std::int64_t>(0, steps * w.stride[d] - room);
  }
  return {};
}

/// Adds a ZeroPad2d for what the two sides do not share; `from` becomes it, and the window's padding symmetric.
inline Text pad_before(NodeReader& r, Window& w, int& from) {
  const std::int64_t h = std::min(w.top, w.bottom), v = std::min(w.left, w.right);
  AttrMap attrs{{"padding_top", w.top - h},
                {"padding_bottom", w.bottom - h},
                {"padding_left", w.left - v},
                {"padding_right", w.right - v}};
  w.top = w.bottom = h;
  w.left = w.right = v;
  return r.add("ZeroPad2d", std::move(attrs), {from}, from);
}

}  // namespace nw::exchange
