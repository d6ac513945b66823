// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/compress/flip_model.hpp"

#include <algorithm>
#include <cmath>

#include "ui/predict/source/evaluation.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr qint64 most_classes = 1'000'000;

std::optional<ChangedAnswer> answerIn(const Json& j) {
  if (!j.is_object()) return {};
  const auto classAt = [&](const char* key) { return static_cast<int>(integerAt(j, key, -1)); };
  ChangedAnswer a{.sample = integerAt(j, "sample", -1),
                  .label = classAt("label"),
                  .before = classAt("before"),
                  .after = classAt("after"),
                  .margin = numberAt(j, "margin", -1),
                  .confidenceBefore = numberAt(j, "confidence_before"),
                  .confidenceAfter = numberAt(j, "confidence_after")};
  const bool known = a.sample >= 0 && std::min({a.label, a.before, a.after}) >= 0 &&
                     std::max({a.label, a.before, a.after}) < most_classes && a.before != a.after;
  return known ? std::optional(a) : std::nullopt;
}

}  // namespace

std::vector<ChangedAnswer> changedAnswersIn(const Json& result) {
  std::vector<ChangedAnswer> all;
  const auto changes = result.find("changes");
  if (changes == result.end() || !changes->is_object() || !changes->contains("flips")) return all;
  const Json& flips = (*changes)["flips"];
  if (!flips.is_array()) return all;
  for (const Json& each : flips)
    if (const auto answer = answerIn(each)) all.push_back(*answer);
  return all;
}

void FlipModel::setAnswers(std::vector<ChangedAnswer> answers, QStringList names) {
  answers_ = std::move(answers);
  names_ = std::move(names);
  choose();
}

void FlipModel::setFilter(std::optional<FlipKind> kind, int label) {
  kind_ = kind;
  label_ = label;
  choose();
}

void FlipModel::setLargestFirst(bool largest) {
  largest_ = largest;
  choose();
}

void FlipModel::choose() {
  beginResetModel();
  shown_.clear();
  for (std::size_t i = 0; i < answers_.size(); ++i)
    if ((!kind_ || answers_[i].kind() == *kind_) && (label_ < 0 || answers_[i].label == label_)) shown_.push_back(i);
  std::stable_sort(shown_.begin(), shown_.end(), [this](std::size_t a, std::size_t b) {
    const double first = answers_[a].margin, second = answers_[b].margin;
    return largest_ ? first > second : first < second;
  });
  endResetModel();
}

qint64 FlipModel::count(std::optional<FlipKind> kind) const {
  return std::count_if(answers_.begin(), answers_.end(),
                       [&](const ChangedAnswer& a) { return !kind || a.kind() == *kind; });
}

QString FlipModel::nameOf(int label) const { return inOneLine(name_in(names_, label)); }

int FlipModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant FlipModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const ChangedAnswer& a = at(index.row());
  const QString what = a.kind() == FlipKind::now_wrong   ? tr("now wrong")
                       : a.kind() == FlipKind::now_right ? tr("now right")
                                                         : tr("still wrong");
  if (role == Qt::AccessibleTextRole || role == Qt::ToolTipRole)
    return tr("Image %1: %2, before %3 (%4), now %5 (%6), %7; margin %8")
        .arg(a.sample)
        .arg(nameOf(a.label), nameOf(a.before), percentText(a.confidenceBefore), nameOf(a.after),
             percentText(a.confidenceAfter), what)
        .arg(a.margin, 0, 'f', 2);
  return {};
}

}  // namespace nw::ui
