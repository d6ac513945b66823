// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/source/evaluation.hpp"
#include "ui/session/json_values.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <numeric>

namespace nw::ui {
namespace {

TargetKind kind_of(const Json& answer) {
  const auto found = answer.find("kind");
  if (found == answer.end()) return TargetKind::classes;
  return *found == "labels" ? TargetKind::labels : *found == "values" ? TargetKind::values : TargetKind::classes;
}

/// The helper names a set of labels by its labels; the empty set is named in the window's language.
void name_sets(EvaluationView& view) {
  for (int i = 0; i < view.classes; ++i) {
    const auto at = static_cast<std::size_t>(i);
    if (at < view.sets.size() && view.sets[at].empty())
      view.names[i] = QCoreApplication::translate("Predict", "no label");
    if (at == view.sets.size()) view.names[i] = QCoreApplication::translate("Predict", "other labels");
    if (at > view.sets.size()) view.names[i] = QCoreApplication::translate("Predict", "different other labels");
  }
}

/// The confusion matrix and the samples, whose classes must be among the view's.
Status take_arrays(const Message& m, EvaluationView& view) {
  const auto classes = static_cast<std::size_t>(view.classes);
  NW_ASSIGN(view.confusion, array_in<std::int32_t>(m, "confusion", classes * classes));
  NW_ASSIGN(const auto index, array_in<std::int64_t>(m, "sample"));
  const std::size_t n = index.size();
  NW_ASSIGN(const auto label, array_in<std::int32_t>(m, "label", n));
  NW_ASSIGN(const auto predicted, array_in<std::int32_t>(m, "predicted", n));
  NW_ASSIGN(const auto confidence, array_in<float>(m, "confidence", n, -1));
  NW_ASSIGN(const auto loss, array_in<float>(m, "loss_per_sample", n, -1));
  const auto known = [&](int c) { return c >= 0 && c < view.classes; };
  view.samples.reserve(n);
  for (std::size_t i = 0; i < n; ++i) {
    if (!known(label[i]) || !known(predicted[i])) return shape_error();
    view.samples.push_back({index[i], label[i], predicted[i], confidence[i], loss[i]});
  }
  return {};
}

}  // namespace

std::vector<int> EvaluationView::labelsOf(int set) const {
  return set >= 0 && static_cast<std::size_t>(set) < sets.size() ? sets[static_cast<std::size_t>(set)]
                                                                 : std::vector<int>();
}
std::vector<float> EvaluationView::truthOf(const Sample& sample) const {
  const auto it =
      std::find_if(samples.begin(), samples.end(), [&](const Sample& s) { return s.index == sample.index; });
  const auto at = static_cast<std::size_t>(it - samples.begin()), width = numbers.size();
  if (it == samples.end() || truth.size() < (at + 1) * width) return {};
  return {truth.begin() + static_cast<std::ptrdiff_t>(at * width),
          truth.begin() + static_cast<std::ptrdiff_t>((at + 1) * width)};
}

qint64 EvaluationView::wrong() const {
  return std::count_if(samples.begin(), samples.end(), [](const Sample& s) { return s.wrong(); });
}
bool EvaluationView::atChance() const {
  if (kind != TargetKind::classes || !measured() || classes < 2) return false;
  qint64 all = 0, most = 0, right = 0;
  for (int truth = 0; truth < classes; ++truth) {
    qint64 row = 0;
    for (int predicted = 0; predicted < classes; ++predicted) row += at(truth, predicted);
    all += row;
    most = std::max(most, row);
    right += at(truth, truth);
  }
  if (all == 0) return false;
  const double n = static_cast<double>(all), p = static_cast<double>(most) / n;
  return static_cast<double>(right) / n <= p + 2 * std::sqrt(p * (1 - p) / n);
}
qint64 EvaluationView::unsure() const {
  return std::count_if(samples.begin(), samples.end(),
                       [](const Sample& s) { return s.confidence >= 0 && s.confidence < unsure_below; });
}

std::vector<ConfusedPair> most_confused_pairs(const EvaluationView& view, int limit) {
  std::vector<ConfusedPair> all;
  if (view.confusion.empty()) return all;
  for (int truth = 0; truth < view.classes; ++truth)
    for (int read = 0; read < view.classes; ++read)
      if (truth != read && view.at(truth, read) > 0) all.push_back({truth, read, view.at(truth, read)});
  std::stable_sort(all.begin(), all.end(),
                   [](const ConfusedPair& a, const ConfusedPair& b) { return a.count > b.count; });
  if (all.size() > static_cast<std::size_t>(limit)) all.resize(static_cast<std::size_t>(limit));
  return all;
}

QStringList class_names(const QStringList& given, int classes) {
  if (given.size() == classes) return given;
  if (classes == 2)
    return {QCoreApplication::translate("Predict", "even"), QCoreApplication::translate("Predict", "odd")};
  QStringList numbers;
  for (int i = 0; i < classes; ++i) numbers << QString::number(i);
  return numbers;
}

QString name_in(const QStringList& names, int number) { return names.value(number, QString::number(number)); }

Result<std::vector<float>> probabilities_from(const Json& answer, TargetKind kind) {
  const auto found = answer.find("probability");
  if (found == answer.end() || !found->is_array() || found->empty()) return shape_error();
  NW_ASSIGN(std::vector<float> p, numbers_in<float>(answer, "probability", found->size()));
  if (p.size() == 1 && kind == TargetKind::classes) p = {1 - p[0], p[0]};
  return p;
}

Result<EvaluationView> evaluation_from(const Message& message, const QStringList& names) {
  const Json& answer = message.json;
  const std::int64_t k = integerAt(answer, "classes");
  if (k < 1 || k > 100000) return shape_error();
  EvaluationView view;
  view.kind = kind_of(answer);
  const bool classes_learned = view.kind == TargetKind::classes;
  view.classes = static_cast<int>(classes_learned ? std::max<std::int64_t>(k, 2) : k);
  view.names = classes_learned ? class_names(names, view.classes) : textsAt(answer, "names");
  view.outputs = classes_learned ? view.names : names;
  view.groups = textsAt(answer, "groups");
  if (view.names.size() != view.classes) return shape_error();
  view.loss = numberAt(answer, "loss", -1);
  view.accuracy = numberAt(answer, "accuracy", undefined);
  view.crossEntropy = numberAt(answer, "cross_entropy", view.loss);
  view.smoothing = numberAt(answer, "label_smoothing", 0);
  view.notFinite = static_cast<qint64>(numberAt(answer, "not_finite", 0));
  NW_TRY(take_arrays(message, view));
  if (const auto metrics = answer.find("metrics"); metrics != answer.end()) {
    NW_ASSIGN(view.metrics, metrics_from(*metrics, static_cast<std::size_t>(view.outputs.size())));
  }
  if (const auto values = answer.find("values"); values != answer.end()) {
    NW_ASSIGN(view.numbers, numbers_from(*values));
    const auto numbers = view.samples.size() * view.numbers.size();
    NW_ASSIGN(view.truth, array_in<float>(message, "targets", numbers));
  }
  if (const auto sets = answer.find("sets"); sets != answer.end() && sets->is_array())
    for (const Json& set : *sets) {
      view.sets.emplace_back();
      for (const Json& label : set)
        if (label.is_number_integer()) view.sets.back().push_back(label.get<int>());
    }
  if (view.kind == TargetKind::labels) name_sets(view);
  return view;
}

std::vector<int> top_classes(const std::vector<float>& probability, int count) {
  std::vector<int> order(probability.size());
  std::iota(order.begin(), order.end(), 0);
  const auto kept = std::min<std::ptrdiff_t>(count, static_cast<std::ptrdiff_t>(order.size()));
  std::partial_sort(order.begin(), order.begin() + kept, order.end(), [&](int a, int b) {
    return probability[static_cast<std::size_t>(a)] > probability[static_cast<std::size_t>(b)];
  });
  order.resize(static_cast<std::size_t>(kept));
  return order;
}

}  // namespace nw::ui
