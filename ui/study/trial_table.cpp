// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/trial_table.hpp"

#include <QHeaderView>
#include <QKeyEvent>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "ui/study/study_text.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {

constexpr int trial_row_height = 28;

QColor stateColour(search::TrialState state) {
  switch (state) {
    case search::TrialState::running:
      return theme().ok;
    case search::TrialState::failed:
      return theme().error;
    case search::TrialState::complete:
      return theme().text1;
    default:
      return theme().text2;
  }
}

void paintReports(QPainter& p, const QRectF& where, const StudySnapshot& study, const search::Trial& t,
                  const QColor& colour) {
  if (t.reports.size() < 2) return;
  double low = t.reports.front().value, high = low;
  for (const search::Report& r : t.reports) low = std::min(low, r.value), high = std::max(high, r.value);
  QPolygonF line;
  const std::size_t step = 1 + t.reports.size() / 60;
  for (std::size_t i = 0; i < t.reports.size(); i += step)
    line.append({where.left() + where.width() * static_cast<double>(t.reports[i].epoch) /
                                    static_cast<double>(std::max<qint64>(1, study.definition.epochs)),
                 where.bottom() - where.height() * (t.reports[i].value - low) / std::max(1e-12, high - low)});
  p.setPen(QPen(colour, 1.4));
  p.drawPolyline(line);
}

void paintRungs(QPainter& p, const QRectF& cell, const StudySnapshot& study, const search::Trial& t) {
  qreal x = cell.left() + 10;
  for (const qint64 epoch : study.rungs) {
    const QRectF box(x, cell.center().y() - 4.5, 9, 9);
    const bool done = epochsOf(t) >= epoch, running = t.state == search::TrialState::running && t.to_epoch == epoch;
    p.setPen(QPen(theme().border3, 1));
    p.setBrush(done ? QBrush(theme().text2) : QBrush(Qt::NoBrush));
    p.drawRoundedRect(box, 2, 2);
    if (running && !done) {
      p.setPen(Qt::NoPen);
      p.setBrush(theme().ok);
      p.drawEllipse(box.center(), 2, 2);
    }
    x += 11;
  }
}

}  // namespace

TrialTableModel::TrialTableModel(StudyModel& model, QObject* parent) : QAbstractTableModel(parent), model_(model) {
  connect(&model, &StudyModel::trialsChanged, this, &TrialTableModel::refresh);
}

int TrialTableModel::lastParameter() const {
  return model_.data() ? first_parameter + static_cast<int>(model_.data()->definition.space.parameters.size()) : 0;
}

int TrialTableModel::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(order_.size());
}

/// After the parameters: the second objective, the time.
int TrialTableModel::columnCount(const QModelIndex& parent) const {
  if (parent.isValid() || !model_.data()) return 0;
  return lastParameter() + static_cast<int>(model_.data()->definition.objectives.size());
}

double TrialTableModel::key(qint64 trial) const {
  const StudySnapshot& s = *model_.data();
  const search::Trial& t = s.trials[static_cast<std::size_t>(trial)];
  const double none = std::nan("");
  if (column_ == number) return static_cast<double>(trial);
  if (column_ == state) return static_cast<double>(t.state);
  if (column_ == value || column_ == curve) return s.values[trial];
  if (column_ == rungs) return static_cast<double>(epochsOf(t));
  if (column_ < lastParameter()) return t.point[static_cast<std::size_t>(column_ - first_parameter)];
  if (column_ + 1 == columnCount()) return s.seconds[trial];
  return t.values.size() > 1 ? t.values[1] : none;
}

void TrialTableModel::arrange() {
  const auto n = static_cast<qsizetype>(model_.data() ? model_.data()->trials.size() : 0);
  order_.resize(n);
  std::iota(order_.begin(), order_.end(), 0);
  if (n == 0) return;
  QVector<double> keys(n);
  for (qsizetype i = 0; i < n; ++i) keys[i] = key(i);
  const bool down = direction_ == Qt::DescendingOrder;
  std::stable_sort(order_.begin(), order_.end(), [&](qint64 a, qint64 b) {  // trials without a value come last
    const bool na = std::isnan(keys[a]), nb = std::isnan(keys[b]);
    if (na || nb) return !na && nb;
    return down ? keys[a] > keys[b] : keys[a] < keys[b];
  });
}

void TrialTableModel::refresh() {
  const auto columns = model_.data() ? static_cast<std::size_t>(columnCount()) : 0;
  const bool sameShape =
      columns == shape_ && model_.data() && order_.size() == static_cast<qsizetype>(model_.data()->trials.size());
  if (!sameShape) {
    beginResetModel();
    if (columns != shape_ && model_.data()) {
      column_ = value;
      direction_ = model_.data()->definition.objectives.front().maximize ? Qt::DescendingOrder : Qt::AscendingOrder;
    }
    shape_ = columns;
    arrange();
    endResetModel();
    return;
  }
  arrange();
  if (!order_.isEmpty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void TrialTableModel::sort(int column, Qt::SortOrder order) {
  if (column < 0 || column >= columnCount()) return;
  Q_EMIT layoutAboutToBeChanged();
  column_ = column;
  direction_ = order;
  arrange();
  Q_EMIT layoutChanged();
}

QString TrialTableModel::text(qint64 trial, int column) const {
  const StudySnapshot& s = *model_.data();
  const search::Trial& t = s.trials[static_cast<std::size_t>(trial)];
  if (column == number) return QString::number(trial);
  if (column == state) return stateText(s, t);
  if (column == value) return objectiveText(s.definition.objectives.front().metric, s.values[trial]);
  if (column == curve) return {};
  if (column == rungs) return tr("%1 of %2").arg(epochsOf(t)).arg(s.definition.epochs);
  if (column < lastParameter()) {
    const auto i = static_cast<std::size_t>(column - first_parameter);
    return parameterText(s.definition.space.parameters[i], t.point[i]);
  }
  if (column + 1 == columnCount()) return durationText(s.seconds[trial]);
  return objectiveText(s.definition.objectives[1].metric, t.values.size() > 1 ? t.values[1] : std::nan(""));
}

QVariant TrialTableModel::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || !model_.data()) return {};
  const qint64 trial = order_[index.row()];
  if (role == Qt::DisplayRole) return text(trial, index.column());
  if (role == Qt::ToolTipRole && index.column() == state) return text(trial, state);
  if (role == Qt::AccessibleTextRole) return text(trial, index.column());
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((index.column() >= first_parameter ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  return {};
}

QVariant TrialTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || !model_.data()) return {};
  if (role == Qt::TextAlignmentRole)
    return static_cast<int>((section >= first_parameter ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  const StudySnapshot& s = *model_.data();
  const bool last = section + 1 == columnCount();
  QString title;
  if (section == number)
    title = tr("Trial");
  else if (section == state)
    title = tr("State");
  else if (section == value)
    title = objectiveTitle(s.definition.objectives.front());
  else if (section == curve)
    title = tr("Course");
  else if (section == rungs)
    title = s.rungs.isEmpty() ? tr("Epochs") : tr("Rungs");
  else if (section < lastParameter())
    title = parameterTitle(s.definition.space.parameters[static_cast<std::size_t>(section - first_parameter)].name);
  else
    title = last ? tr("Time") : objectiveTitle(s.definition.objectives[1]);
  return role == Qt::DisplayRole || role == Qt::ToolTipRole ? QVariant(title) : QVariant();
}

void TrialDelegate::paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  const auto& model = static_cast<const TrialTableModel&>(*index.model());
  const StudySnapshot* study = model.study().data();
  if (!study) return;
  const qint64 trial = model.trialAt(index.row());
  const search::Trial& t = study->trials[static_cast<std::size_t>(trial)];
  const bool selected = option.state.testFlag(QStyle::State_Selected);
  p->save();
  p->setRenderHint(QPainter::Antialiasing);
  if (selected || option.state.testFlag(QStyle::State_MouseOver))
    p->fillRect(option.rect, selected ? theme().accentSoft : theme().hover);
  p->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), theme().border1);
  p->setClipRect(option.rect);
  QRectF cell(option.rect);
  const bool best = trial == study->best || study->front.contains(trial);
  const QColor line = best ? theme().series[0] : selected ? theme().series[1] : theme().text3;
  QFont f = ui::font(TextRole::body);
  const int column = index.column();
  if (column == TrialTableModel::curve) {
    paintReports(*p, cell.adjusted(10, 7, -10, -7), *study, t, line);
  } else if (column == TrialTableModel::rungs && !study->rungs.isEmpty()) {
    paintRungs(*p, cell, *study, t);
  } else {
    QColor colour = theme().text1;
    if (column == TrialTableModel::state) {
      colour = stateColour(t.state);
      paintIcon(*p, stateIcon(t.state), QRectF(cell.left() + 10, cell.center().y() - 6, 12, 12), colour);
      cell.adjust(18, 0, 0, 0);
    }
    if (column == TrialTableModel::number || column == TrialTableModel::value) f.setWeight(QFont::DemiBold);
    const QString text = index.data().toString();
    p->setFont(f);
    p->setPen(colour);
    const QRectF where = cell.adjusted(10, 0, -10, 0);
    const bool right = column >= TrialTableModel::first_parameter;
    p->drawText(where, (right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter,
                QFontMetricsF(f).elidedText(text, Qt::ElideRight, where.width()));
    if (column == TrialTableModel::number && best)
      paintIcon(*p, QStringLiteral("star-filled"),
                QRectF(where.left() + textWidth(f, text) + 6, cell.center().y() - 6, 12, 12), theme().series[1]);
  }
  p->restore();
}

TrialTable::TrialTable(StudyModel& model, QWidget* parent)
    : QTableView(parent), model_(model), trials_(new TrialTableModel(model, this)) {
  setObjectName(QStringLiteral("trials"));
  setAccessibleName(tr("Trials"));
  setModel(trials_);
  setItemDelegate(new TrialDelegate(this));
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setEditTriggers(NoEditTriggers);
  setShowGrid(false);
  setFrameShape(NoFrame);
  setMouseTracking(true);
  setTabKeyNavigation(false);
  setVerticalScrollMode(ScrollPerPixel);
  setHorizontalScrollMode(ScrollPerPixel);
  verticalHeader()->hide();
  verticalHeader()->setDefaultSectionSize(trial_row_height);
  verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setMinimumSectionSize(48);
  setMinimumHeight(200);
  horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder);
  setSortingEnabled(true);
  connect(trials_, &QAbstractItemModel::modelReset, this, &TrialTable::fitColumns);
  connect(trials_, &QAbstractItemModel::layoutChanged, this, &TrialTable::showCurrent);
  connect(trials_, &QAbstractItemModel::dataChanged, this, &TrialTable::showCurrent);
  connect(&model, &StudyModel::currentChanged, this, &TrialTable::showCurrent);
  connect(&model, &StudyModel::changed, this, &TrialTable::showCurrent);
  connect(selectionModel(), &QItemSelectionModel::currentRowChanged, this, &TrialTable::takeCurrent);
  connect(this, &QTableView::doubleClicked, this, [this] { model_.open(model_.current()); });
}

void TrialTable::fitColumns() {
  const QFont f = ui::font(TextRole::body);
  for (int c = 0; c < trials_->columnCount(); ++c) {
    const QString title = trials_->headerData(c, Qt::Horizontal, Qt::DisplayRole).toString();
    const int least = c == TrialTableModel::state    ? 150
                      : c == TrialTableModel::curve  ? 120
                      : c == TrialTableModel::number ? 70
                                                     : 84;
    setColumnWidth(c, std::max(least, static_cast<int>(textWidth(f, title)) + 40));
  }
  showCurrent();
}

void TrialTable::takeCurrent() {
  if (!following_ && currentIndex().isValid()) model_.setCurrent(trials_->trialAt(currentIndex().row()));
}

void TrialTable::showCurrent() {
  const int row = trials_->rowOf(model_.current());
  if (row < 0 || row == currentIndex().row()) return;
  following_ = true;
  selectRow(row);
  following_ = false;
}

void TrialTable::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return model_.open(model_.current());
  QTableView::keyPressEvent(event);
}

}  // namespace nw::ui
