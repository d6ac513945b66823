// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/step_lanes.hpp"

#include <QCoreApplication>
#include <QLabel>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/why_slow.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int laneHeight = 44, mostLanesShown = 4, lanesTop = 26, lanesLegend = 42, lanesAxis = 20, laneName = 54;
constexpr int communicationSeries = 2;  // as in the bars of the devices

struct StepPartRow {
  StepPart part;
  const char* name;
};
/// In the order of the legend.
const StepPartRow stepPartRows[] = {{StepPart::forward, QT_TRANSLATE_NOOP("nw::ui::StepLanes", "Forward")},
                                    {StepPart::backward, QT_TRANSLATE_NOOP("nw::ui::StepLanes", "Backward")},
                                    {StepPart::exchange, QT_TRANSLATE_NOOP("nw::ui::StepLanes", "Exchanging")},
                                    {StepPart::wait, QT_TRANSLATE_NOOP("nw::ui::StepLanes", "Waiting")},
                                    {StepPart::update, QT_TRANSLATE_NOOP("nw::ui::StepLanes", "Update")},
                                    {StepPart::bucket, QT_TRANSLATE_NOOP("nw::ui::StepLanes", "Gradients under way")}};

QString stepPartName(const StepPartRow& row) { return QCoreApplication::translate("nw::ui::StepLanes", row.name); }

/// Invalid: hatched.
QColor stepPartColour(const Theme& t, StepPart part) {
  switch (part) {
    case StepPart::forward:
      return blend(t.series[0], t.window, 0.5);
    case StepPart::backward:
      return t.series[0];
    case StepPart::bucket:
      return blend(t.series[communicationSeries], t.window, 0.35);
    case StepPart::exchange:
      return t.series[communicationSeries];
    case StepPart::update:
      return t.text3;
    case StepPart::wait:
      break;
  }
  return {};
}

void paintStepPart(QPainter& p, const QRectF& where, StepPart part) {
  const QColor fill = stepPartColour(theme(), part);
  if (fill.isValid())
    p.fillRect(where, fill);
  else
    paintSplitPart(p, where, -1);
}

/// Seconds of all spans of a part.
double secondsOf(const std::vector<StepSpan>& spans, StepPart part) {
  double sum = 0;
  for (const StepSpan& s : spans)
    if (s.part == part) sum += s.end_s - s.begin_s;
  return sum;
}

/// The exchange lies on the backward pass, so it is painted after it; buckets have a row of their own.
void paintSpans(QPainter& p, const QRectF& track, const std::vector<StepSpan>& spans, double end) {
  const qreal computing = track.height() * 0.6;
  for (const bool exchanges : {false, true})
    for (const StepSpan& s : spans) {
      if ((s.part == StepPart::exchange) != exchanges) continue;
      const bool below = s.part == StepPart::bucket;
      const qreal from = track.left() + track.width() * s.begin_s / end,
                  to = track.left() + track.width() * s.end_s / end;
      const qreal top = track.top() + (below ? computing + 2 : 0),
                  height = below ? track.height() - computing - 2 : computing;
      paintStepPart(p, QRectF(from, top, std::max<qreal>(1, to - from - (below ? 1 : 0)), height), s.part);
    }
}

class StepLaneDelegate : public QStyledItemDelegate {
 public:
  StepLaneDelegate(const StepLaneModel& model, QObject* parent) : QStyledItemDelegate(parent), model_(model) {}
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {option.rect.width(), laneHeight};
  }
  void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const StepLane& lane = model_.lane(index.row());
    const QRectF row = option.rect;
    p->save();
    if (option.state.testFlag(QStyle::State_Selected)) p->fillRect(row, theme().hover);
    p->setFont(ui::font(TextRole::button));
    p->setPen(theme().text1);
    p->drawText(QRectF(row.left() + 12, row.top(), laneName - 4, row.height()), Qt::AlignVCenter,
                QFontMetricsF(p->font()).elidedText(lane.name, Qt::ElideRight, laneName - 4));
    const QRectF track = StepLanes::trackIn(row);
    p->fillRect(track, theme().track);
    if (model_.end() > 0) paintSpans(*p, track, lane.spans, model_.end());
    p->restore();
  }

 private:
  const StepLaneModel& model_;
};

}  // namespace

QString StepLane::whole() const {
  QStringList all{name};
  for (const StepPartRow& row : stepPartRows)
    if (const double seconds = secondsOf(spans, row.part); seconds > 0)
      all << StepLanes::tr("%1: %2").arg(stepPartName(row), stepTimeText(seconds));
  if (const auto hidden = hidden_share(spans))
    all << StepLanes::tr("%1 of the exchange while it computed").arg(percentText(*hidden, 0));
  return all.join(QStringLiteral(", "));
}

QVector<StepLane> stepLanes(const RankTimes& times) {
  QVector<StepLane> lanes;
  for (const RankUse& r : times.ranks)
    if (!r.spans.empty())
      lanes.append({r.device.empty() ? StepLanes::tr("Rank %1").arg(r.rank) : deviceText(r.device), r.spans});
  return lanes;
}

/// The rows stay the same devices from epoch to epoch, so that the choice stays where it is.
void StepLaneModel::setLanes(QVector<StepLane> lanes) {
  const bool others = lanes.size() != lanes_.size();
  if (others) beginResetModel();
  lanes_ = std::move(lanes);
  end_ = 0;
  for (const StepLane& l : lanes_)
    for (const StepSpan& s : l.spans) end_ = std::max(end_, s.end_s);
  if (others) endResetModel();
  if (!others && !lanes_.isEmpty()) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

QVariant StepLaneModel::data(const QModelIndex& index, int role) const {
  if (index.row() < 0 || index.row() >= rowCount()) return {};
  if (role == Qt::DisplayRole) return lane(index.row()).name;
  if (role == Qt::AccessibleTextRole) return lane(index.row()).whole();
  if (role == Qt::ToolTipRole) return lane(index.row()).whole().replace(QStringLiteral(", "), QStringLiteral("\n"));
  return {};
}

StepLanes::StepLanes(QWidget* parent)
    : QWidget(parent),
      model_(new StepLaneModel(this)),
      view_(new QListView),
      summary_(makeLabel({}, 1, static_cast<int>(TextRole::secondary))) {
  setAccessibleName(tr("One step"));
  view_->setModel(model_);
  view_->setItemDelegate(new StepLaneDelegate(*model_, view_));
  view_->setFrameShape(QFrame::NoFrame);
  view_->setUniformItemSizes(true);
  view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  view_->viewport()->setAutoFillBackground(false);
  view_->setAccessibleName(tr("Timeline of one step, by device"));
  summary_->setWordWrap(true);
  summary_->setContentsMargins(space::m, 0, space::m, 0);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, lanesTop, 0, 0);
  column->setSpacing(0);
  column->addWidget(summary_);
  column->addSpacing(lanesLegend);
  column->addWidget(view_);
  column->addSpacing(lanesAxis);
  setTimes({});
}

QString StepLanes::summary() const { return summary_->text(); }

void StepLanes::setTimes(const RankTimes& epoch) {
  model_->setLanes(stepLanes(epoch));
  setVisible(model_->rowCount() > 0);
  view_->setFixedHeight(laneHeight * std::clamp(model_->rowCount(), 1, mostLanesShown) + 2);
  const auto hidden = hidden_share(epoch);
  summary_->setText(hidden ? tr("%1 of the exchange while devices computed, at the end of epoch %2")
                                 .arg(percentText(*hidden, 0))
                                 .arg(epoch.epoch)
                           : QString());
  update();
}

QRectF StepLanes::trackIn(const QRectF& row) { return row.adjusted(laneName + 16, 6, -14, -6); }

void StepLanes::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  p.fillRect(QRect(10, 0, width() - 20, 1), theme().border1);
  p.setFont(ui::font(TextRole::node));
  p.setPen(theme().text1);
  p.drawText(QRectF(14, 2, width() - 24, lanesTop - 2), Qt::AlignVCenter, tr("One step"));
  paintLegend(p);
  paintAxis(p);
}

/// In as many rows as there is room for.
void StepLanes::paintLegend(QPainter& p) const {
  p.setFont(ui::font(TextRole::axis));
  qreal x = 14, y = view_->y() - lanesLegend + 3;
  for (const StepPartRow& row : stepPartRows) {
    const QString name = stepPartName(row);
    const qreal width = textWidth(p.font(), name);
    if (x > 14 && x + 14 + width > this->width() - 8) x = 14, y += 18;
    paintStepPart(p, QRectF(x, y + 5, 9, 9), row.part);
    p.setPen(theme().text2);
    p.drawText(QRectF(x + 14, y, width + 2, 19), Qt::AlignVCenter, name);
    x += 14 + width + 10;
  }
}

void StepLanes::paintAxis(QPainter& p) const {
  const double end = model_->end();
  if (end <= 0) return;
  const QRectF track = trackIn(QRectF(view_->x(), 0, view_->viewport()->width(), laneHeight));
  const qreal top = view_->geometry().bottom();
  p.setFont(ui::font(TextRole::axis));
  p.setPen(theme().text2);
  for (const double share : {0.0, 0.5, 1.0}) {
    const QRectF where(track.left() + track.width() * share - 40, top, 80, lanesAxis - 2);
    const QRectF inside = where.translated(std::min(0.0, this->width() - 4 - where.right()), 0);
    p.drawText(inside, Qt::AlignCenter, share == 0 ? QStringLiteral("0") : stepTimeText(end * share));
  }
}

}  // namespace nw::ui
