// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/source/metric_responses.hpp"
#include "ui/session/json_values.hpp"

namespace nw::ui {
namespace {

constexpr std::size_t most_points = 100000;

ClassMetrics class_from(const Json& j) {
  return {static_cast<std::int64_t>(numberAt(j, "support")),
          numberAt(j, "precision"),
          numberAt(j, "recall"),
          numberAt(j, "f1"),
          numberAt(j, "roc_auc", undefined),
          numberAt(j, "average_precision", undefined)};
}

/// nullptr if the response has no such member.
const Json* list(const Json& from, const char* key) {
  const auto found = from.is_object() ? from.find(key) : from.end();
  return found != from.end() && found->is_array() && found->size() <= most_points ? &*found : nullptr;
}

Result<Curve> curve_from(const Json& answer, const char* key) {
  const auto found = answer.find(key);
  const Json* x = found != answer.end() ? list(*found, "x") : nullptr;
  if (!x) return shape_error();
  Curve c;
  NW_ASSIGN(c.x, numbers_in<double>(*found, "x", x->size()));
  NW_ASSIGN(c.y, numbers_in<double>(*found, "y", x->size()));
  NW_ASSIGN(c.threshold, numbers_in<double>(*found, "threshold", x->size()));
  return c;
}

Result<std::vector<Decisions>> decisions_from(const Json& answer) {
  const auto found = answer.find("decisions");
  const Json* threshold = found != answer.end() ? list(*found, "threshold") : nullptr;
  if (!threshold) return shape_error();
  const std::size_t n = threshold->size();
  NW_ASSIGN(const auto at, numbers_in<double>(*found, "threshold", n));
  NW_ASSIGN(const auto right_yes, numbers_in<std::int64_t>(*found, "right_yes", n));
  NW_ASSIGN(const auto wrong_yes, numbers_in<std::int64_t>(*found, "wrong_yes", n));
  NW_ASSIGN(const auto wrong_no, numbers_in<std::int64_t>(*found, "wrong_no", n));
  NW_ASSIGN(const auto right_no, numbers_in<std::int64_t>(*found, "right_no", n));
  std::vector<Decisions> all;
  for (std::size_t i = 0; i < n; ++i) all.push_back({at[i], right_yes[i], wrong_yes[i], wrong_no[i], right_no[i]});
  return all;
}

double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

}  // namespace

Error shape_error() { return inconsistent_answer(); }

Result<Metrics> metrics_from(const Json& answer, std::size_t classes) {
  const Json* all = list(answer, "classes");
  const auto calibration = answer.is_object() ? answer.find("calibration") : answer.end();
  if (!all || all->size() != classes || calibration == answer.end()) return shape_error();
  Metrics m;
  for (const Json& c : *all) m.classes.push_back(class_from(c));
  m.macro = class_from(answer.value("macro", Json()));
  m.weighted = class_from(answer.value("weighted", Json()));
  if (const Json* top = list(answer, "top_k")) { NW_ASSIGN(m.top_k, numbers_in<double>(answer, "top_k", top->size())); }
  m.calibration.expected_error = numberAt(*calibration, "expected_error");
  m.calibration.largest_error = numberAt(*calibration, "largest_error");
  if (const Json* bins = list(*calibration, "bins"))
    for (const Json& b : *bins)
      m.calibration.bins.push_back({numberAt(b, "from"), numberAt(b, "to"),
                                    static_cast<std::int64_t>(numberAt(b, "count")), numberAt(b, "confidence"),
                                    numberAt(b, "accuracy")});
  return m;
}

Result<std::vector<NumberFigures>> numbers_from(const Json& list) {
  if (!list.is_array() || list.size() > most_points) return shape_error();
  std::vector<NumberFigures> all;
  for (const Json& j : list) {
    const auto name = j.is_object() ? j.find("name") : j.end();
    all.push_back({name != j.end() && name->is_string() ? QString::fromStdString(name->get<std::string>()) : QString(),
                   {numberAt(j, "mae"), numberAt(j, "rmse"), numberAt(j, "r2", undefined), numberAt(j, "mean"),
                    numberAt(j, "deviation")}});
  }
  return all;
}

Result<ClassCurves> curves_from(const Json& answer) {
  ClassCurves c{.one = static_cast<int>(numberAt(answer, "class"))};
  if (!answer.is_object()) return shape_error();
  if (const Json* truth = list(answer, "targets")) {
    NW_ASSIGN(c.truth, numbers_in<double>(answer, "targets", truth->size()));
    NW_ASSIGN(c.predicted, numbers_in<double>(answer, "predictions", truth->size()));
    return c;
  }
  NW_ASSIGN(c.roc, curve_from(answer, "roc"));
  NW_ASSIGN(c.precision_recall, curve_from(answer, "precision_recall"));
  NW_ASSIGN(c.decisions, decisions_from(answer));
  return c;
}

double precision_of(const Decisions& d) { return share(d.right_yes, d.right_yes + d.wrong_yes); }
double recall_of(const Decisions& d) { return share(d.right_yes, d.right_yes + d.wrong_no); }
double f1_of(const Decisions& d) { return share(2 * d.right_yes, 2 * d.right_yes + d.wrong_yes + d.wrong_no); }

}  // namespace nw::ui
