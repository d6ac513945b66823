// SPDX-License-Identifier: Apache-2.0
#include "engine/deploy/layers/windows.hpp"

#include <fmt/format.h>

namespace nw {
namespace deploy {
namespace {

constexpr std::string_view window_text = R"C(
/* Windows that move over an image, which is padded already; distances in floats. */
typedef struct {
  int rows, columns;   /* of the output */
  int step_x, step_y;  /* between the windows of neighbouring pixels */
  int taps_y, tap_y;   /* rows of a window */
  int taps_x, tap_x;   /* runs of a row */
  int run;             /* inputs in a row */
  int out;             /* between pixels of the output */
  float least, most;
} nw_windows;
)C";

constexpr std::string_view pad_text = R"C(
/* An image with a border; widths in floats. */
NW_KERNEL void nw_pad(const float *x, float *y, int height, int width, int top, int left, int rows, int columns,
                      float with) {
  int i;
  for (i = 0; i < rows * columns; ++i) y[i] = with;
  y += top * columns + left;
  NW_SHORT_LOOP
  for (i = 0; i < height; ++i) memcpy(y + i * columns, x + i * width, sizeof(float) * (size_t)width);
}
)C";

}  // namespace

std::string declared(const Windows& w) {
  return fmt::format("static const nw_windows c = {{{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}}};", w.rows, w.columns,
                     w.step_x, w.step_y, w.taps_y, w.tap_y, w.taps_x, w.tap_x, w.run, w.out, c_clamp(w.clamp));
}

std::string padded(CWriter& w, std::pair<std::int64_t, std::int64_t> padding, double with) {
  const auto [top, left] = padding;
  const std::int64_t channels = w.in()[1], height = w.in()[2] + 2 * top, width = (w.in()[3] + 2 * left) * channels;
  std::string image = w.scratch(height * width);
  w.needs("nw_pad");
  w.call(fmt::format("nw_pad({{0}}, {}, {}, {}, {}, {}, {}, {}, {});", image, w.in()[2], w.in()[3] * channels, top,
                     left * channels, height, width, c_float(with)));
  return image;
}

}  // namespace deploy

extern const deploy::CLayerFile windows_c_layers;
const deploy::CLayerFile windows_c_layers{
    {}, {{"nw_windows", std::string(deploy::window_text)}, {"nw_pad", std::string(deploy::pad_text)}}};

}  // namespace nw
