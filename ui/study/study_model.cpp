// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/study_model.hpp"

#include <algorithm>
#include <cmath>

namespace nw::ui {

namespace {
constexpr qsizetype fewest_best = 10;
constexpr double best_part = 0.2;
constexpr double tolerance = 1e-6;  // places are floats
}  // namespace

void StudyModel::setData(const StudyData& data) {
  const bool other = !data_ || data_->folder != data->folder;
  const bool newTrials = other || data_->version != data->version;
  if (other) {
    current_ = -1;
    brushes_.clear();
    usual_ = true;
  }
  data_ = data;
  for (const int axis : brushes_.keys())
    if (!data_->axis(axis)) brushes_.remove(axis);
  if (current_ < 0) current_ = !data_->front.isEmpty() ? data_->front.first() : data_->best;
  if (newTrials) {
    if (usual_) brushTheBest();
    select();
    Q_EMIT trialsChanged();
  }
  Q_EMIT changed();
}

void StudyModel::clear() {
  data_.reset();
  current_ = -1;
  brushes_.clear();
  selected_.clear();
  Q_EMIT trialsChanged();
  Q_EMIT changed();
}

const search::Trial* StudyModel::currentTrial() const {
  const bool has = data_ && current_ >= 0 && current_ < static_cast<qint64>(data_->trials.size());
  return has ? &data_->trials[static_cast<std::size_t>(current_)] : nullptr;
}

void StudyModel::setCurrent(qint64 trial) {
  if (trial == current_) return;
  current_ = trial;
  Q_EMIT currentChanged();
}

void StudyModel::setBrush(int axis, std::optional<Range> places) {
  if (usual_) brushes_.clear();
  usual_ = false;
  if (places)
    brushes_[axis] = *places;
  else
    brushes_.remove(axis);
  select();
  Q_EMIT brushChanged();
}

void StudyModel::clearBrushes() {
  brushes_.clear();
  usual_ = false;
  select();
  Q_EMIT brushChanged();
}

/// By the first objective: the best fifth, ten at least.
void StudyModel::brushTheBest() {
  brushes_.clear();
  const StudyAxis& objective = *data_->axis(-1);
  QVector<float> places;
  for (const float place : objective.places)
    if (!std::isnan(place)) places.append(objective.better ? place : 1 - place);
  if (places.isEmpty()) return;
  std::sort(places.begin(), places.end(), std::greater<>());
  const auto wanted = std::max(fewest_best, static_cast<qsizetype>(best_part * static_cast<double>(places.size())));
  const double worst = places[std::min(wanted, places.size()) - 1];
  brushes_[-1] = objective.better ? Range{worst, 1} : Range{0, 1 - worst};
}

void StudyModel::select() {
  const auto n = static_cast<qsizetype>(data_ ? data_->trials.size() : 0);
  selected_.fill(true, n);
  for (auto brush = brushes_.cbegin(); brush != brushes_.cend(); ++brush) {
    const QVector<float>& places = data_->axis(brush.key())->places;
    for (qsizetype i = 0; i < n; ++i)
      if (!(places[i] >= brush->low - tolerance && places[i] <= brush->high + tolerance)) selected_[i] = false;
  }
}

}  // namespace nw::ui
