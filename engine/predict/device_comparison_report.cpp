// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "engine/predict/device_comparison.hpp"
#include "engine/predict/report_parts.hpp"

namespace nw {
namespace {

using predicting::escaped;
using predicting::words;
using Rows = std::vector<std::vector<std::string>>;

std::string sides(const DeviceComparison& r) {
  Rows rows{{"", escaped(r.first.speed.device), escaped(r.second.speed.device)}};
  const auto add = [&](std::string_view name, auto text) {
    rows.push_back({words(name), text(r.first), text(r.second)});
  };
  add("Device", [](const DeviceResult& s) { return escaped(s.speed.description); });
  add("Threads", [](const DeviceResult& s) { return std::to_string(s.speed.threads); });
  add("Loss", [](const DeviceResult& s) { return fmt::format("{:.6f}", s.loss); });
  add("Accuracy", [](const DeviceResult& s) { return fmt::format("{:.2f} %", 100 * s.accuracy); });
  add("Images per second", [](const DeviceResult& s) { return fmt::format("{:.0f}", s.speed.images_per_s); });
  add("Time of a batch, ms", [](const DeviceResult& s) { return fmt::format("{:.3f}", s.speed.latency_ms); });
  add("Energy per image, J", [](const DeviceResult& s) {
    return s.speed.energy_j < 0 ? std::string("–") : fmt::format("{:.6f}", s.speed.energy_j);
  });
  return predicting::table_of(rows, "sides");
}

std::string layers(const DeviceComparison& r) {
  Rows rows{{words("Layer"), words("Largest difference"), words("Largest value"), words("Relative")}};
  for (std::size_t i = 0; i < r.layers.size(); ++i) {
    const LayerDifference& l = r.layers[i];
    const bool here = static_cast<int>(i) == r.diverging;
    rows.push_back({here ? "<b>" + escaped(l.layer) + "</b>" : escaped(l.layer), fmt::format("{:.3g}", l.largest),
                    fmt::format("{:.3g}", l.scale),
                    l.finite ? fmt::format("{:.3g}", l.relative()) : words("not finite")});
  }
  return fmt::format("<h2>{}</h2>\n", words("Layers")) + predicting::table_of(rows, "layers");
}

}  // namespace

std::string html_report(const DeviceComparison& r, const std::string& run_name) {
  const std::string found = r.diverging < 0 ? words("No layer differs by more than the tolerance")
                                            : words("The first layer that differs by more than the tolerance") + ": " +
                                                  escaped(r.layers[static_cast<std::size_t>(r.diverging)].layer);
  return predicting::page_head(run_name) +
         fmt::format("<h1>{}</h1>\n<p class=\"muted\">{}</p>\n", escaped(run_name),
                     words("One network on two devices")) +
         fmt::format("<p>{} ({:g}).</p>\n<p>{}: {} / {}</p>\n", found, r.tolerance,
                     words("Images predicted as another class"), r.otherwise, r.images) +
         sides(r) + layers(r) + "</main>\n</body>\n</html>\n";
}

}  // namespace nw
