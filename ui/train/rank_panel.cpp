// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/rank_panel.hpp"

#include <QCoreApplication>
#include <QLabel>
#include <QPainter>
#include <QPainterPath>
#include <QStyledItemDelegate>
#include <QVBoxLayout>
#include <algorithm>
#include <set>

#include "ui/charts/energy_text.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/step_lanes.hpp"
#include "ui/train/why_slow.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int rankRowHeight = 78, rankHeader = 64, rankBar = 12;

struct RankPartRow {
  const char* name;
  std::optional<double> RankUse::*seconds;
  int series;
};
const RankPartRow rankPartRows[] = {
    {QT_TRANSLATE_NOOP("nw::ui::RankPanel", "Computing"), &RankUse::compute_s, 0},
    {QT_TRANSLATE_NOOP("nw::ui::RankPanel", "Communicating"), &RankUse::communication_s, 2},
    {QT_TRANSLATE_NOOP("nw::ui::RankPanel", "Waiting"), &RankUse::wait_s, -1},
    {QT_TRANSLATE_NOOP("nw::ui::RankPanel", "Images"), &RankUse::input_s, 1}};

QString rankPartName(const RankPartRow& part) { return QCoreApplication::translate("nw::ui::RankPanel", part.name); }

QString rankDetails(const RankUse& r) {
  QStringList all;
  if (r.busy) all << RankPanel::tr("busy %1").arg(percentText(*r.busy, 0));
  if (r.memory_bytes) all << bytesText(*r.memory_bytes);
  if (r.power_w) all << QStringLiteral("%1 W").arg(*r.power_w, 0, 'f', 0);
  return all.join(QStringLiteral(" · "));
}

QString waitText(const PipelineWait& wait) {
  const QString predicted = percentText(wait.predicted, 0);
  if (wait.measured < 0) return RankPanel::tr("Idle share (bubble): %1 predicted").arg(predicted);
  const QString measured = percentText(wait.measured, 0);
  return wait.predicted < 0 ? RankPanel::tr("Idle share (bubble): %1").arg(measured)
                            : RankPanel::tr("Idle share (bubble): %1, predicted %2").arg(measured, predicted);
}

/// Known parts in order; what remains is the track.
void paintRankBar(QPainter& p, const QRectF& where, const RankRow& row) {
  QPainterPath rounded;
  rounded.addRoundedRect(where, radius::mark, radius::mark);
  p.save();
  p.setClipPath(rounded);
  p.fillRect(where, theme().track);
  qreal x = where.left();
  for (const RankPart& part : row.parts) {
    const qreal width = row.seconds > 0 ? where.width() * part.seconds / row.seconds : 0;
    paintSplitPart(p, QRectF(x, where.top(), std::max(0.0, width - 1), where.height()), part.series);
    x += width;
  }
  p.restore();
}

class RankDelegate : public QStyledItemDelegate {
 public:
  RankDelegate(const RankModel& model, QObject* parent) : QStyledItemDelegate(parent), model_(model) {}
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override {
    return {option.rect.width(), rankRowHeight};
  }
  void paint(QPainter* p, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const RankRow& row = model_.row(index.row());
    p->save();
    p->setRenderHint(QPainter::Antialiasing);
    const QRectF card = QRectF(option.rect).adjusted(6, 1, -6, -1);
    const bool chosen = option.state.testFlag(QStyle::State_Selected);
    if (chosen || !row.slower.isEmpty()) {
      p->setPen(Qt::NoPen);
      p->setBrush(row.slower.isEmpty() ? theme().hover : theme().warnSoft);
      p->drawRoundedRect(card, radius::control, radius::control);
    }
    const QRectF inner = card.adjusted(8, 6, -10, -6);
    paintHead(*p, QRectF(inner.left(), inner.top(), inner.width(), 20), row);
    paintRankBar(*p, QRectF(inner.left(), inner.top() + 25, inner.width(), rankBar), row);
    paintLine(*p, QRectF(inner.left(), inner.top() + 42, inner.width(), 20), row);
    p->restore();
  }

 private:
  static void write(QPainter& p, const QRectF& where, const QString& text, TextRole role, const QColor& colour,
                    Qt::Alignment side = Qt::AlignLeft) {
    p.setFont(ui::font(role));
    p.setPen(colour);
    p.drawText(where, side | Qt::AlignVCenter, QFontMetricsF(p.font()).elidedText(text, Qt::ElideRight, where.width()));
  }
  static void paintHead(QPainter& p, const QRectF& where, const RankRow& row) {
    const QString step = stepTimeText(row.stepSeconds);
    write(p, where, step, TextRole::node, theme().text1, Qt::AlignRight);
    const qreal room = where.width() - QFontMetricsF(p.font()).horizontalAdvance(step) - 10;
    write(p, QRectF(where.left(), where.top(), room, where.height()), row.name, TextRole::node, theme().text1);
    const qreal name = QFontMetricsF(p.font()).horizontalAdvance(row.name) + 8;
    if (!row.host.isEmpty() && name < room)
      write(p, QRectF(where.left() + name, where.top(), room - name, where.height()), row.host, TextRole::secondary,
            theme().text3);
  }
  static void paintLine(QPainter& p, const QRectF& where, const RankRow& row) {
    qreal used = 0;
    if (!row.slower.isEmpty()) {
      used = 20 + QFontMetricsF(ui::font(TextRole::secondary)).horizontalAdvance(row.slower);
      paintIcon(p, QStringLiteral("alert-triangle"), QRectF(where.right() - used, where.top() + 3, 14, 14),
                theme().warn);
      write(p, QRectF(where.right() - used + 18, where.top(), used, where.height()), row.slower, TextRole::secondary,
            theme().warn);
      used += 8;
    }
    write(p, where.adjusted(0, 0, -used, 0), row.details, TextRole::secondary, theme().text2);
  }
  const RankModel& model_;
};

}  // namespace

QString RankRow::whole() const {
  QStringList all{host.isEmpty() ? name : RankPanel::tr("%1 on %2").arg(name, host),
                  RankPanel::tr("%1 a step").arg(stepTimeText(stepSeconds))};
  for (const RankPart& part : parts)
    all << RankPanel::tr("%1: %2").arg(part.name, percentText(part.seconds / seconds, 0));
  if (!details.isEmpty()) all << details;
  if (!slower.isEmpty()) all << RankPanel::tr("the others wait for it, %1").arg(slower);
  return all.join(QStringLiteral(", "));
}

QVector<RankRow> rankRows(const RankTimes& times) {
  std::set<std::string> hosts;
  for (const RankUse& r : times.ranks) hosts.insert(r.host);
  QVector<RankRow> rows;
  for (const RankUse& r : times.ranks) {
    RankRow row{.name = r.device.empty() ? RankPanel::tr("Rank %1").arg(r.rank) : deviceText(r.device)};
    if (hosts.size() > 1) row.host = QString::fromStdString(r.host);
    row.stepSeconds = step_seconds(r);
    double known = 0;
    for (const RankPartRow& part : rankPartRows)
      if (const auto& seconds = r.*part.seconds; seconds && *seconds > 0) {
        row.parts.append({rankPartName(part), *seconds, part.series});
        known += *seconds;
      }
    row.seconds = std::max(known, r.seconds);
    row.details = rankDetails(r);
    if (r.rank == times.slowest) row.slower = RankPanel::tr("%1 slower").arg(percentText(times.slower_by, 0));
    rows.append(row);
  }
  return rows;
}

/// The rows stay the same devices while a run trains, so that the choice and the place stay where they are.
void RankModel::setRows(QVector<RankRow> rows) {
  if (rows.size() != rows_.size()) {
    beginResetModel();
    rows_ = std::move(rows);
    endResetModel();
    return;
  }
  rows_ = std::move(rows);
  if (!rows_.isEmpty()) Q_EMIT dataChanged(index(0), index(rowCount() - 1));
}

QVariant RankModel::data(const QModelIndex& index, int role) const {
  if (index.row() < 0 || index.row() >= rowCount()) return {};
  if (role == Qt::DisplayRole) return row(index.row()).name;
  if (role == Qt::AccessibleTextRole) return row(index.row()).whole();
  if (role == Qt::ToolTipRole) return row(index.row()).whole().replace(QStringLiteral(", "), QStringLiteral("\n"));
  return {};
}

RankPanel::RankPanel(QWidget* parent)
    : QWidget(parent),
      model_(new RankModel(this)),
      view_(new QListView),
      summary_(makeLabel({}, 1, static_cast<int>(TextRole::body))),
      straggler_(makeLabel({}, 1, static_cast<int>(TextRole::secondary))),
      step_(new StepLanes) {
  setAccessibleName(tr("Devices"));
  view_->setModel(model_);
  view_->setItemDelegate(new RankDelegate(*model_, view_));
  view_->setFrameShape(QFrame::NoFrame);
  view_->setUniformItemSizes(true);
  view_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  view_->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
  view_->viewport()->setAutoFillBackground(false);
  view_->setAccessibleName(tr("Devices of the run"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(2, rankHeader, 2, 6);
  column->setSpacing(space::xs);
  for (QLabel* label : {summary_, straggler_}) {
    label->setWordWrap(true);
    label->setContentsMargins(space::m, 0, space::m, 0);
    column->addWidget(label);
  }
  column->addWidget(view_, 1);
  column->addWidget(step_);
  setTimes({}, {});
}

QString RankPanel::summary() const { return summary_->text(); }
QString RankPanel::straggler() const { return straggler_->isHidden() ? QString() : straggler_->text(); }

void RankPanel::showRun(const RunFeed& run) {
  setTimes(run.ranks(), run.ranksOfEpoch(), {run.predictedBubble(), run.bubble()});
}

void RankPanel::setTimes(const RankTimes& newest, const RankTimes& epoch, const PipelineWait& wait) {
  const RankTimes& shown = newest.ranks.empty() ? epoch : newest;
  const QVector<RankRow> rows = rankRows(shown);
  model_->setRows(rows);
  QStringList all;
  const bool pipeline = wait.predicted >= 0 || wait.measured >= 0;
  if (pipeline)
    all << waitText(wait);
  else if (const auto efficiency = scaling_efficiency(shown); efficiency && shown.ranks.size() > 1)
    all << tr("Efficiency beside one device: %1").arg(percentText(*efficiency, 0));
  double step = 0, joules = 0;
  for (const RankRow& row : rows) step = std::max(step, row.stepSeconds);
  for (const RankUse& r : epoch.ranks) joules += r.energy_j.value_or(0);
  if (step > 0) all << tr("Step: %1").arg(stepTimeText(step));
  if (joules > 0) all << tr("Energy of an epoch: %1").arg(energyText(joules));
  summary_->setText(all.isEmpty() ? tr("What each device does appears here about once a second; what the stages of a "
                                       "pipeline do, after each epoch.")
                                  : all.join(QStringLiteral(" · ")));
  const auto slow = std::find_if(rows.begin(), rows.end(), [](const RankRow& row) { return !row.slower.isEmpty(); });
  step_->setTimes(epoch);
  straggler_->setVisible(slow != rows.end() && rows.size() > 1);
  if (slow != rows.end()) straggler_->setText(tr("The other devices wait for %1: %2.").arg(slow->name, slow->slower));
}

void RankPanel::paintLegend(QPainter& p) const {
  p.setFont(ui::font(TextRole::axis));
  qreal x = 14;
  for (const RankPartRow& part : rankPartRows) {
    const QString name = rankPartName(part);
    const qreal width = QFontMetricsF(p.font()).horizontalAdvance(name);
    if (x + 14 + width > this->width() - 8) break;
    paintSplitPart(p, QRectF(x, 43, 9, 9), part.series);
    p.setPen(theme().text2);
    p.drawText(QRectF(x + 14, 38, width + 2, 19), Qt::AlignVCenter, name);
    x += 14 + width + 12;
  }
}

void RankPanel::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  style::box(p, rect(), radius::card, theme().chartCard, theme().border1);
  p.setFont(ui::font(TextRole::node));
  p.setPen(theme().text1);
  p.drawText(QRectF(14, 0, width() - 24, 38), Qt::AlignLeft | Qt::AlignVCenter, tr("Devices"));
  paintLegend(p);
}

}  // namespace nw::ui
