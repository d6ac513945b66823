// SPDX-License-Identifier: Apache-2.0
// The events of TensorBoard's files in protobuf's wire format.
#include <bit>

#include "engine/core/png.hpp"
#include "engine/train/tensorboard.hpp"

namespace nw {
namespace {

// Protobuf's wire format: a key (field number and type), then the value.
std::string varint(std::uint64_t v) {
  std::string out;
  for (; v >= 0x80; v >>= 7) out += static_cast<char>((v & 0x7F) | 0x80);
  return out + static_cast<char>(v);
}
std::string key(int field, int type) { return varint(static_cast<std::uint64_t>(field << 3 | type)); }
std::string bytes_field(int field, std::string_view v) { return key(field, 2) + varint(v.size()) + std::string(v); }
std::string double_bytes(double v) {
  const auto bits = std::bit_cast<std::uint64_t>(v);
  std::string out;
  for (int i = 0; i < 8; ++i) out += static_cast<char>(bits >> (8 * i) & 0xFF);
  return out;
}
std::string double_field(int field, double v) { return key(field, 1) + double_bytes(v); }
std::string number_field(int field, std::uint64_t v) { return key(field, 0) + varint(v); }
std::string float_field(int field, float v) {
  const auto bits = std::bit_cast<std::uint32_t>(v);
  std::string out = key(field, 5);
  for (int i = 0; i < 4; ++i) out += static_cast<char>(bits >> (8 * i) & 0xFF);
  return out;
}

/// An event with values of a summary: wall_time, step, summary.
std::string summary_event(double wall_time, std::int64_t step, std::string_view values) {
  return double_field(1, wall_time) + number_field(2, static_cast<std::uint64_t>(step)) + bytes_field(5, values);
}

/// A HistogramProto: least, most, count, sum, sum of squares, upper limits and contents of the bins.
std::string histogram_of(const Figures& f) {
  const auto count = static_cast<double>(f.count - f.not_finite);
  const double width = (f.most - f.least) / static_cast<double>(f.bins.size());
  std::string limits, contents;
  for (std::size_t i = 0; i < f.bins.size(); ++i) {
    limits += double_bytes(i + 1 == f.bins.size() ? f.most : f.least + width * static_cast<double>(i + 1));
    contents += double_bytes(static_cast<double>(f.bins[i]));
  }
  return double_field(1, f.least) + double_field(2, f.most) + double_field(3, count) + double_field(4, f.mean * count) +
         double_field(5, f.norm * f.norm) + bytes_field(6, limits) + bytes_field(7, contents);
}

std::string histogram_value(const char* kind, const LayerState& layer, const Figures& f) {
  if (f.bins.empty()) return "";
  return bytes_field(1, bytes_field(1, kind + ("/" + layer.layer)) + bytes_field(5, histogram_of(f)));
}

/// A google.protobuf.Value.
std::string protobuf_value(const Json& v) {
  if (v.is_boolean()) return number_field(4, v.get<bool>() ? 1 : 0);
  if (v.is_number()) return double_field(2, v.get<double>());
  return bytes_field(3, v.is_string() ? v.get<std::string>() : v.dump());
}

/// A value that holds only data of the plug-in; its tensor is empty (DT_FLOAT, one dimension of size 0).
std::string settings_value(const char* tag, std::string_view content) {
  const std::string tensor = number_field(1, 1) + bytes_field(2, bytes_field(2, ""));
  const std::string plugin = bytes_field(1, "hparams") + bytes_field(2, content);
  return bytes_field(1, bytes_field(1, tag) + bytes_field(8, tensor) + bytes_field(9, bytes_field(1, plugin)));
}

}  // namespace

std::string tensorboard_version_event(double wall_time) {
  return double_field(1, wall_time) + bytes_field(3, "brain.Event:2");
}

std::string tensorboard_scalars_event(double wall_time, std::int64_t step, const std::vector<Scalar>& scalars) {
  std::string summary;
  for (const Scalar& s : scalars)
    summary += bytes_field(1, bytes_field(1, s.tag) + float_field(2, static_cast<float>(s.value)));
  return summary_event(wall_time, step, summary);
}

std::string tensorboard_image_event(double wall_time, std::int64_t step, const std::string& tag, const Image& p) {
  const std::string image = number_field(1, static_cast<std::uint64_t>(p.height)) +
                            number_field(2, static_cast<std::uint64_t>(p.width)) +
                            number_field(3, p.channels == 3 ? 3 : 1) + bytes_field(4, png_of(p));
  return summary_event(wall_time, step, bytes_field(1, bytes_field(1, tag) + bytes_field(4, image)));
}

std::string tensorboard_histograms_event(double wall_time, const LayerStatistics& s) {
  std::string values;
  for (const LayerState& layer : s.layers)
    values += histogram_value("weights", layer, layer.weights) + histogram_value("gradients", layer, layer.gradients) +
              histogram_value("outputs", layer, layer.outputs);
  return summary_event(wall_time, s.step, values);
}

std::string tensorboard_settings_event(double wall_time, const Json& settings) {
  std::string start;
  for (const auto& [name, value] : settings.items())
    start += bytes_field(1, bytes_field(1, name) + bytes_field(2, protobuf_value(value)));
  start += double_field(5, wall_time);
  return summary_event(wall_time, 0, settings_value("_hparams_/session_start_info", bytes_field(3, start)));
}

std::string tensorboard_end_event(double wall_time, bool success) {
  const std::string end = number_field(1, success ? 1 : 2) + double_field(2, wall_time);
  return summary_event(wall_time, 0, settings_value("_hparams_/session_end_info", bytes_field(4, end)));
}

}  // namespace nw
