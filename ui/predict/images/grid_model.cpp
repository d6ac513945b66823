// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/images/grid_model.hpp"

#include <algorithm>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {
constexpr int most_nearly_wrong = 120;
}

GridModel::GridModel(ThumbnailStore* thumbnails, QObject* parent)
    : QAbstractListModel(parent), thumbnails_(thumbnails) {
  if (thumbnails_ == nullptr) return;
  connect(thumbnails_, &ThumbnailStore::arrived, this, [this] {
    if (!rows_.empty()) Q_EMIT dataChanged(index(0), index(rowCount() - 1), {Qt::DecorationRole});
  });
}

void GridModel::setView(std::shared_ptr<const EvaluationView> view) {
  view_ = std::move(view);
  if (cell_ && (!view_ || cell_->truth >= view_->classes || cell_->read >= view_->classes)) cell_.reset();
  rebuild();
}
void GridModel::setShow(Show show) {
  if (show != show_) {
    show_ = show;
    rebuild();
  }
}
void GridModel::setCell(std::optional<Cell> cell) {
  if (cell != cell_) {
    cell_ = cell;
    rebuild();
  }
}
void GridModel::setOrder(Order order) {
  if (order != order_) {
    order_ = order;
    rebuild();
  }
}

bool GridModel::fits(const Sample& s) const {
  if (cell_ && (s.label != cell_->truth || s.predicted != cell_->read)) return false;
  switch (show_) {
    case Show::all:
      return true;
    case Show::wrong:
      return s.wrong() || (cell_ && cell_->truth == cell_->read);
    case Show::unsure:
      return s.confidence >= 0 && s.confidence < unsure_below;
  }
  return false;
}

bool GridModel::before(int a, int b) const {
  const Sample &x = view_->samples[static_cast<std::size_t>(a)], &y = view_->samples[static_cast<std::size_t>(b)];
  switch (order_) {
    case Order::most_confident:
      if (x.confidence != y.confidence) return x.confidence > y.confidence;
      break;
    case Order::least_confident:
      if (x.confidence != y.confidence) return x.confidence < y.confidence;
      break;
    case Order::largest_loss:
      if (x.loss != y.loss) return x.loss > y.loss;
      break;
    case Order::index:
      break;
  }
  return x.index < y.index;
}

void GridModel::appendSection(const QString& title, const QString& muted,
                              const std::function<bool(const Sample&)>& belongs, int limit) {
  const auto first = static_cast<std::ptrdiff_t>(rows_.size());
  for (std::size_t i = 0; i < view_->samples.size(); ++i)
    if (belongs(view_->samples[i])) rows_.push_back(static_cast<int>(i));
  if (limit >= 0) {  // the least confident samples
    const auto less = [&](int a, int b) {
      return view_->samples[static_cast<std::size_t>(a)].confidence <
             view_->samples[static_cast<std::size_t>(b)].confidence;
    };
    std::stable_sort(rows_.begin() + first, rows_.end(), less);
    if (static_cast<std::ptrdiff_t>(rows_.size()) - first > limit)
      rows_.resize(static_cast<std::size_t>(first + limit));
  } else {
    std::sort(rows_.begin() + first, rows_.end(), [this](int a, int b) { return before(a, b); });
  }
  const int count = static_cast<int>(static_cast<std::ptrdiff_t>(rows_.size()) - first);
  if (count > 0) sections_.push_back({title, muted, static_cast<int>(first), count});
}

/// The samples that pass the filters, under a heading that names the filters.
void GridModel::mainSection() {
  QString title = tr("All images");
  if (cell_ && cell_->truth == cell_->read)
    title = tr("%1, predicted correctly").arg(view_->names.value(cell_->truth));
  else if (cell_)
    title = tr("%1 predicted as %2").arg(view_->names.value(cell_->truth), view_->names.value(cell_->read));
  else if (show_ == Show::wrong)
    title = tr("Misclassified");
  else if (show_ == Show::unsure)
    title = tr("Low confidence");
  const auto count =
      std::count_if(view_->samples.begin(), view_->samples.end(), [this](const Sample& s) { return fits(s); });
  QString muted = tr("%1 of %2").arg(grouped(count), grouped(static_cast<qint64>(view_->samples.size())));
  if (cell_ && cell_->truth != cell_->read)
    muted = tr("%1 of %2 misclassified").arg(grouped(count), grouped(view_->wrong()));
  else if (show_ == Show::unsure)
    muted = tr("%1 with a confidence under 60 %").arg(grouped(count));
  appendSection(title, muted, [this](const Sample& s) { return fits(s); });
}

/// Correct samples of low confidence, listed below the wrong ones.
void GridModel::nearlyWrongSection() {
  if (show_ != Show::wrong || (cell_ && cell_->truth == cell_->read)) return;
  const auto nearly = [this](const Sample& s) {
    return s.label >= 0 && !s.wrong() && s.confidence >= 0 && s.confidence < 0.9f &&
           (!cell_ || s.label == cell_->truth);
  };
  const QString muted = cell_
                            ? tr("%1 predicted correctly, least confident first").arg(view_->names.value(cell_->truth))
                            : tr("correct, least confident first");
  appendSection(tr("Barely correct"), muted, nearly, most_nearly_wrong);
}

void GridModel::rebuild() {
  beginResetModel();
  ++generation_;
  rows_.clear();
  sections_.clear();
  if (view_) {
    mainSection();
    nearlyWrongSection();
  }
  endResetModel();
}

int GridModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(rows_.size());
}

QVariant GridModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Sample& s = sample(index.row());
  const QString read = view_->names.value(s.predicted), truth = view_->names.value(s.label);
  switch (role) {
    case Qt::DisplayRole:
    case Qt::ToolTipRole:  // names may be shortened
      return s.wrong() ? QStringLiteral("%1 › %2").arg(truth, read) : read;
    case Qt::DecorationRole:
      return thumbnails_ != nullptr ? thumbnails_->image(s.index) : QImage();
    case Qt::AccessibleTextRole:
      if (s.confidence < 0)
        return tr("Image %1, true class %2, predicted as %3")
            .arg(s.index)
            .arg(s.label < 0 ? QStringLiteral("–") : truth, read);
      return s.label < 0 ? tr("Image %1, predicted as %2, %3").arg(s.index).arg(read, percentText(s.confidence, 0))
                         : tr("Image %1, true class %2, predicted as %3, %4")
                               .arg(s.index)
                               .arg(truth, read, percentText(s.confidence, 0));
    case SampleRole:
      return s.index;
    case WrongRole:
      return s.wrong();
    default:
      return {};
  }
}

int GridModel::rowOf(qint64 sampleIndex) const {
  for (int row = 0; row < rowCount(); ++row)
    if (sample(row).index == sampleIndex) return row;
  return -1;
}

}  // namespace nw::ui
