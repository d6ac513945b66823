// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/core/csv_field.hpp"
#include "engine/predict/evaluation_metrics.hpp"
#include "engine/predict/inline_picture.hpp"
#include "engine/predict/metrics_json.hpp"
#include "engine/predict/report_parts.hpp"
#include "engine/predict/report_training.hpp"
#include "engine/runs/events.hpp"

namespace nw {
namespace {

using predicting::escaped;
using predicting::words;
using Rows = std::vector<std::vector<std::string>>;

constexpr std::int64_t most_classes_in_matrix = 50;
constexpr std::size_t most_classes_drawn = 12, most_points = 300, most_pictures = 36;

std::string percent(double share) { return fmt::format("{:.2f} %", share * 100); }
std::string heading(std::string_view english) { return fmt::format("<h2>{}</h2>\n", words(english)); }

const char* metric_title(Metric metric) {
  switch (metric) {
    case Metric::accuracy:
      return "Accuracy";
    case Metric::all_labels:
      return "All labels correct";
    case Metric::r2:
      break;
  }
  return "R²";
}

std::string figures(const ReportContent& c) {
  const Evaluation& e = *c.evaluation;
  const auto wrong = std::llround((1 - e.accuracy) * static_cast<double>(e.samples));
  std::vector<std::pair<const char*, std::string>> all = {
      {metric_title(metric_of(e.kind)), measure_text(e.kind, e.accuracy)},
      {"Loss", figure_text("{:.4f}", e.loss)},
      {"Images", std::to_string(e.samples)}};
  if (e.kind != TargetKind::values) all.emplace_back("Misclassified", std::to_string(wrong));
  std::string out = "<div class=\"figures\">";
  for (const auto& [name, value] : all)
    out += fmt::format("<div><span class=\"muted\">{}</span><b>{}</b></div>", words(name), value);
  return out + "</div>\n";
}

std::string origin(const ReportContent& c) {
  const std::string part = c.split == "train" ? "training" : c.split;
  return predicting::table_of({{words("Run"), escaped(c.run_name)},
                               {words("Weights"), escaped(c.checkpoint)},
                               {words("Data"), escaped(c.data)},
                               {words("Split"), words(part)},
                               {words("Version"), escaped(c.run->version)}},
                              "origin");
}

std::vector<std::string> row_of(const std::string& name, const ClassMetrics& m) {
  const auto three = [](double v) { return figure_text("{:.3f}", v); };
  return {name,        std::to_string(m.support), three(m.precision),        three(m.recall),
          three(m.f1), three(m.roc_auc),          three(m.average_precision)};
}

std::string class_table(const Metrics& m, const std::vector<std::string>& names) {
  Rows rows{{}};
  for (const char* head : {"Class", "Images", "Precision", "Recall", "F1", "ROC AUC", "Average precision"})
    rows[0].push_back(words(head));
  for (std::size_t k = 0; k < m.classes.size(); ++k)
    rows.push_back(row_of(escaped(name_of_class(names, k)), m.classes[k]));
  rows.push_back(row_of(words("Mean"), m.macro));
  rows.push_back(row_of(words("Mean by images"), m.weighted));
  std::string top;
  for (std::size_t k = 0; k < m.top_k.size(); ++k)
    top += fmt::format("{}{} {}: {}", k == 0 ? " " : ", ", words("Top"), k + 1, percent(m.top_k[k]));
  const std::string likely = top.empty() ? "" : fmt::format("<p>{}{}</p>\n", words("Among the most probable"), top);
  return heading("Classes") + predicting::table_of(rows, "classes") + likely;
}

std::string value_table(const std::vector<ValueMetrics>& all, const std::vector<std::string>& names) {
  Rows rows{{}};
  for (const char* head :
       {"Value", "Mean", "Standard deviation", "Mean absolute error", "Root mean squared error", "R²"})
    rows[0].push_back(words(head));
  for (std::size_t k = 0; k < all.size(); ++k) {
    rows.push_back({escaped(name_of_class(names, k))});
    for (const double v :
         {all[k].mean, all[k].deviation, all[k].mean_absolute_error, all[k].root_mean_squared_error, all[k].r2})
      rows.back().push_back(figure_text("{:.4g}", v));
  }
  return heading("Numbers") + predicting::table_of(rows, "classes");
}

std::string matrix(const Evaluation& e, const std::vector<std::string>& names) {
  if (e.classes > most_classes_in_matrix) return {};
  const std::int64_t most = std::max<std::int64_t>(1, *std::max_element(e.confusion.begin(), e.confusion.end()));
  Rows rows{{""}};
  for (std::int64_t k = 0; k < e.classes; ++k)
    rows[0].push_back(escaped(name_of_class(names, static_cast<std::size_t>(k))));
  for (std::int64_t truth = 0; truth < e.classes; ++truth) {
    rows.push_back({escaped(name_of_class(names, static_cast<std::size_t>(truth)))});
    for (std::int64_t read = 0; read < e.classes; ++read) {
      const std::int64_t n = e.confusion[static_cast<std::size_t>(truth * e.classes + read)];
      rows.back().push_back(fmt::format("<td style=\"background:rgba(var(--heat),{:.3f})\">{}</td>",
                                        0.6 * static_cast<double>(n) / static_cast<double>(most),
                                        n == 0 ? "" : std::to_string(n)));
    }
  }
  return heading("Confusion matrix") +
         fmt::format("<p class=\"muted\">{}</p>\n", words("Rows are true classes, columns are predicted classes.")) +
         predicting::table_of(rows, "matrix");
}

/// The classes whose curves are drawn: all, or the most frequent ones.
std::vector<std::size_t> drawn_classes(const Metrics& m) {
  std::vector<std::size_t> order(m.classes.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return m.classes[a].support > m.classes[b].support; });
  order.resize(std::min(order.size(), most_classes_drawn));
  std::sort(order.begin(), order.end());
  return order;
}

std::string curves(const Evaluation& e, const Metrics& m, const std::vector<std::string>& names) {
  std::vector<predicting::DrawnCurve> roc, recall;
  for (const std::size_t k : drawn_classes(m)) {
    const OneVsRest o = one_of(e, static_cast<std::int64_t>(k));
    const Curve a = thinned(roc_curve(o.score, o.positive), most_points),
                b = thinned(precision_recall_curve(o.score, o.positive), most_points);
    const bool again = roc.size() >= 6;  // the colours repeat, with dashed lines
    roc.push_back({name_of_class(names, k) + " " + figure_text("{:.3f}", m.classes[k].roc_auc),
                   static_cast<int>(roc.size()), again, a.x, a.y});
    recall.push_back({name_of_class(names, k) + " " + figure_text("{:.3f}", m.classes[k].average_precision),
                      static_cast<int>(recall.size()), again, b.x, b.y});
  }
  return heading("Curves") + "<div class=\"drawings\">" +
         predicting::drawing("ROC, each class against the rest", "False-positive rate", "True-positive rate", roc) +
         predicting::drawing("Precision and recall, each class against the rest", "Recall", "Precision", recall) +
         predicting::calibration_drawing(m.calibration) + "</div>\n" +
         fmt::format("<p>{} {:.4f}, {} {:.4f}</p>\n", words("Expected calibration error"), m.calibration.expected_error,
                     words("Largest calibration error"), m.calibration.largest_error);
}

std::vector<std::size_t> worst(const Evaluation& e) {
  std::vector<std::size_t> wrong;
  for (std::size_t i = 0; i < e.sample.size(); ++i)
    if (e.predicted[i] != e.label[i] && !std::isnan(e.loss_per_sample[i])) wrong.push_back(i);
  std::stable_sort(wrong.begin(), wrong.end(),
                   [&](std::size_t a, std::size_t b) { return e.loss_per_sample[a] > e.loss_per_sample[b]; });
  wrong.resize(std::min(wrong.size(), most_pictures));
  return wrong;
}

Result<std::string> pictures(const ReportContent& c) {
  const Evaluation& e = *c.evaluation;
  const std::vector<std::size_t> shown = c.images ? worst(e) : std::vector<std::size_t>();
  if (shown.empty()) return std::string();
  std::string out = heading("Misclassified images with the largest loss") + "<div class=\"pictures\">\n";
  Image p{c.images->height(), c.images->width(), c.images->channels(),
          std::vector<std::uint8_t>(static_cast<std::size_t>(c.images->bytes()))};
  const auto name = [&](std::int64_t k) {
    return escaped(name_of_class(names_of(e, *c.run), static_cast<std::size_t>(k)));
  };
  for (const std::size_t i : shown) {
    const std::string sure =
        e.confidence[i] < 0 ? "" : fmt::format(", {:.0f} %", 100 * static_cast<double>(e.confidence[i]));
    NW_TRY(c.images->pixels(e.sample[i], p.hwc));
    out += fmt::format("<figure><img alt=\"{}\" src=\"{}\"><figcaption>{} {}<br>{} {}{}</figcaption></figure>\n",
                       escaped(c.images->origin(e.sample[i])), predicting::data_uri(p), words("true"), name(e.label[i]),
                       words("predicted"), name(e.predicted[i]), sure);
  }
  return out + "</div>\n";
}

}  // namespace

Result<std::string> html_report(const ReportContent& c) {
  const Evaluation& e = *c.evaluation;
  std::string page =
      predicting::page_head(c.run_name + ", " + c.checkpoint) +
      fmt::format("<h1>{}</h1>\n<p class=\"muted\">{}</p>\n", escaped(c.run->name), words("Evaluation")) + figures(c) +
      origin(c) + matrix(e, names_of(e, *c.run));
  if (e.kind == TargetKind::values) {
    page += value_table(values_of(e), c.run->classes);
  } else if (!e.probability.empty()) {
    const Metrics m = metrics_of(e);
    page += class_table(m, c.run->classes) + curves(e, m, c.run->classes);
  }
  NW_ASSIGN(const std::string images, pictures(c));
  return page + images + predicting::training_curves(c.epochs, e.kind) + predicting::network_drawing(*c.run) +
         predicting::data_table(*c.run) + predicting::settings_table(*c.run) + "</main>\n</body>\n</html>\n";
}

std::string values_csv(const std::vector<ValueMetrics>& all, const std::vector<std::string>& names) {
  std::string out = "value,mean,deviation,mae,rmse,r2\n";
  for (std::size_t k = 0; k < all.size(); ++k)
    out += fmt::format("{},{:.6g},{:.6g},{:.6g},{:.6g},{}\n", csv_field(name_of_class(names, k)), all[k].mean,
                       all[k].deviation, all[k].mean_absolute_error, all[k].root_mean_squared_error,
                       figure_text("{:.6f}", all[k].r2, ""));
  return out;
}

std::string metrics_csv(const Metrics& m, const std::vector<std::string>& names) {
  std::string out = "class,support,precision,recall,f1,roc_auc,average_precision\n";
  const auto add = [&](const std::string& name, const ClassMetrics& c) {
    out += fmt::format("{},{},{:.6f},{:.6f},{:.6f},{},{}\n", name, c.support, c.precision, c.recall, c.f1,
                       figure_text("{:.6f}", c.roc_auc, ""), figure_text("{:.6f}", c.average_precision, ""));
  };
  for (std::size_t k = 0; k < m.classes.size(); ++k) add(csv_field(name_of_class(names, k)), m.classes[k]);
  add("mean", m.macro);
  add("mean by images", m.weighted);
  return out;
}

}  // namespace nw
