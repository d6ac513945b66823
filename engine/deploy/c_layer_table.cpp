// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cmath>

#include "engine/deploy/layers/c_layer.hpp"

namespace nw::deploy {

const CLayer* c_layer(std::string_view layer) {
  for (const CLayerFile* file : c_layer_files())
    for (const CLayer& l : file->layers)
      if (l.layer == layer) return &l;
  return nullptr;
}

const CFunction* c_function(std::string_view name) {
  for (const CLayerFile* file : c_layer_files())
    for (const CFunction& f : file->functions)
      if (f.name == name) return &f;
  return nullptr;
}

std::string c_float(double number) {
  const auto value = static_cast<float>(number);
  if (std::isinf(value)) return value < 0 ? "-INFINITY" : "INFINITY";
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text + "f";
}

std::string c_clamp(const Clamp& c) { return c_float(c.least) + ", " + c_float(c.most); }

std::int64_t pixels_of(const Shape& s) { return s.rank() == 4 ? s[2] * s[3] : 1; }

std::vector<float> channels_last(const std::vector<float>& chw, const Shape& image) {
  std::vector<float> out(chw.size());
  const std::int64_t channels = image[1], pixels = pixels_of(image);
  for (std::int64_t c = 0; c < channels; ++c)
    for (std::int64_t p = 0; p < pixels; ++p)
      out[static_cast<std::size_t>(p * channels + c)] = chw[static_cast<std::size_t>(c * pixels + p)];
  return out;
}

}  // namespace nw::deploy
