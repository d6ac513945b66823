// SPDX-License-Identifier: Apache-2.0
#include "engine/exchange/file_normalization.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/json.hpp"
#include "engine/exchange/export_onnx.hpp"

namespace nw::exchange {
namespace {

/// y = scale * x + shift.
struct Line {
  double scale = 1, shift = 0;
};

void apply(Line& line, const std::string& op, double by) {
  if (op == "Add") line.shift += by;
  if (op == "Sub") line.shift -= by;
  if (op != "Mul" && op != "Div") return;
  const double factor = op == "Mul" ? by : 1 / by;
  line.scale *= factor;
  line.shift *= factor;
}

std::optional<FileNormalization> from_steps(const std::vector<Preprocessing>& steps, std::size_t channels) {
  constexpr double of_bytes = 0.1;
  FileNormalization out;
  for (std::size_t c = 0; c < channels; ++c) {
    Line line;
    for (const Preprocessing& step : steps) {
      if (step.by.size() != channels) return std::nullopt;
      apply(line, step.op, step.by[c]);
    }
    if (line.scale < of_bytes) line.scale *= 255;
    const double deviation = 1 / line.scale, mean = -line.shift / line.scale;
    if (!(deviation > 1e-6 && deviation < 1e6 && std::abs(mean) < 1e6)) return std::nullopt;
    out.mean.push_back(static_cast<float>(mean));
    out.deviation.push_back(static_cast<float>(deviation));
  }
  return out;
}

std::vector<float> numbers_in(const Json& json, const char* key) {
  std::vector<float> all;
  const auto list = json.find(key);
  if (list == json.end() || !list->is_array()) return all;
  for (const Json& v : *list)
    if (v.is_number() && all.size() < 64) all.push_back(v.get<float>());
  return all;
}

std::optional<FileNormalization> from_metadata(const onnx::Metadata& metadata, std::size_t channels) {
  const auto text = metadata.find(normalization_key);
  if (text == metadata.end()) return std::nullopt;
  const auto json = parse_json(text->second, "normalization");
  if (!json || !json->is_object()) return std::nullopt;
  FileNormalization out{numbers_in(*json, "mean"), numbers_in(*json, "deviation")};
  const auto usable = [](float v) { return std::isfinite(v); };
  const bool complete =
      out.mean.size() == channels && out.deviation.size() == channels &&
      std::all_of(out.mean.begin(), out.mean.end(), usable) &&
      std::all_of(out.deviation.begin(), out.deviation.end(), [&](float v) { return usable(v) && v > 0; });
  return complete ? std::optional(out) : std::nullopt;
}

}  // namespace

std::optional<FileNormalization> file_normalization(const std::vector<Preprocessing>& steps,
                                                    const onnx::Metadata& metadata, std::int64_t channels) {
  const auto count = static_cast<std::size_t>(channels);
  return steps.empty() ? from_metadata(metadata, count) : from_steps(steps, count);
}

}  // namespace nw::exchange
