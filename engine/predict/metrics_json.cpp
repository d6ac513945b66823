// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/metrics_json.hpp"

#include <cmath>

namespace nw {
namespace {

Json json_of(const ClassMetrics& c) {
  return {{"support", c.support}, {"precision", c.precision}, {"recall", c.recall},
          {"f1", c.f1},           {"roc_auc", c.roc_auc},     {"average_precision", c.average_precision}};
}

Json json_of(const Calibration& c) {
  Json bins = Json::array();
  for (const CalibrationBin& b : c.bins)
    bins.push_back(
        {{"from", b.from}, {"to", b.to}, {"count", b.count}, {"confidence", b.confidence}, {"accuracy", b.accuracy}});
  return {{"bins", bins}, {"expected_error", c.expected_error}, {"largest_error", c.largest_error}};
}

}  // namespace

std::string name_of_class(const std::vector<std::string>& names, std::size_t c) {
  return c < names.size() ? names[c] : std::to_string(c);
}

Json to_json(const Metrics& m, const std::vector<std::string>& names) {
  Json classes = Json::array();
  for (std::size_t c = 0; c < m.classes.size(); ++c) {
    classes.push_back(json_of(m.classes[c]));
    classes.back()["name"] = name_of_class(names, c);
  }
  return {{"classes", classes},
          {"macro", json_of(m.macro)},
          {"weighted", json_of(m.weighted)},
          {"top_k", m.top_k},
          {"calibration", json_of(m.calibration)}};
}

Json to_json(const Curve& c) {
  Json threshold = Json::array();
  for (const double t : c.threshold) threshold.push_back(std::isfinite(t) ? Json(t) : Json());
  return {{"x", c.x}, {"y", c.y}, {"threshold", threshold}};
}

Json to_json(const std::vector<Decisions>& all) {
  Json j{{"threshold", Json::array()},
         {"right_yes", Json::array()},
         {"wrong_yes", Json::array()},
         {"wrong_no", Json::array()},
         {"right_no", Json::array()}};
  for (const Decisions& d : all) {
    j["threshold"].push_back(d.threshold);
    j["right_yes"].push_back(d.right_yes);
    j["wrong_yes"].push_back(d.wrong_yes);
    j["wrong_no"].push_back(d.wrong_no);
    j["right_no"].push_back(d.right_no);
  }
  return j;
}

}  // namespace nw
