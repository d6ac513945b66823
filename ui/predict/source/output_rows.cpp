// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/source/output_rows.hpp"

#include <QCoreApplication>
#include <algorithm>

namespace nw::ui {
namespace {

struct AnswerRowsTexts {
  Q_DECLARE_TR_FUNCTIONS(AnswerRows)
};

QString numberText(double v) { return QString::number(v, 'g', 4); }

QStringList namesOf(const NetworkInfo& network, std::size_t outputs) {
  return network.kind() == TargetKind::classes ? class_names(network.names, static_cast<int>(outputs)) : network.names;
}

std::vector<ClassBars::Row> numberRows(const NetworkInfo& network, const std::vector<float>& outputs,
                                       const std::vector<float>& truth, int most) {
  std::vector<ClassBars::Row> rows;
  for (std::size_t k = 0; k < std::min(outputs.size(), static_cast<std::size_t>(most)); ++k) {
    const QString number = numberText(outputs[k]);
    rows.push_back(
        {.name = name_in(network.names, static_cast<int>(k)),
         .text = k < truth.size() ? AnswerRowsTexts::tr("%1 (true: %2)").arg(number, numberText(truth[k])) : number});
  }
  return rows;
}

}  // namespace

std::vector<ClassBars::Row> outputRows(const NetworkInfo& network, const std::vector<float>& outputs, int most) {
  if (network.kind() == TargetKind::values) return numberRows(network, outputs, {}, most);
  const QStringList names = namesOf(network, outputs.size());
  std::vector<int> shown = top_classes(outputs, most);
  const int best = shown.empty() ? -1 : shown.front();
  if (outputs.size() <= static_cast<std::size_t>(most)) std::sort(shown.begin(), shown.end());
  std::vector<ClassBars::Row> rows;
  for (const int c : shown) {
    const float p = outputs[static_cast<std::size_t>(c)];
    rows.push_back({names.value(c), p, network.kind() == TargetKind::labels ? p > 0.5f : c == best, false});
  }
  return rows;
}

std::vector<ClassBars::Row> sampleRows(const NetworkInfo& network, const EvaluationView* view, const Sample& sample,
                                       const std::vector<float>& outputs, int most) {
  if (network.kind() == TargetKind::values)
    return numberRows(network, outputs, view ? view->truthOf(sample) : std::vector<float>(), most);
  const bool labels = network.kind() == TargetKind::labels;
  const QStringList names = namesOf(network, outputs.size());
  const std::vector<int> truth = labels && view               ? view->labelsOf(sample.label)
                                 : labels || sample.label < 0 ? std::vector<int>()
                                                              : std::vector<int>{sample.label};
  std::vector<int> shown = top_classes(outputs, most);
  for (const int c : truth)
    if (std::find(shown.begin(), shown.end(), c) == shown.end() && c < static_cast<int>(outputs.size()))
      labels ? shown.push_back(c) : static_cast<void>(shown.back() = c);
  std::vector<ClassBars::Row> rows;
  for (const int c : shown) {
    const float p = outputs[static_cast<std::size_t>(c)];
    rows.push_back({names.value(c), p, labels ? p > 0.5f : c == sample.predicted,
                    std::find(truth.begin(), truth.end(), c) != truth.end()});
  }
  return rows;
}

}  // namespace nw::ui
