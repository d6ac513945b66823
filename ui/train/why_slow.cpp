// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/why_slow.hpp"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>

#include "ui/session/session.hpp"
#include "ui/theme/contrast.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/severity_icon.hpp"

namespace nw::ui {
namespace {

constexpr int bar_height = 36, legend_height = 22, max_recommendations = 2;

struct PartRow {
  const char* name;
  double StepSplit::*seconds;
  int series;
};
const PartRow part_rows[] = {{QT_TRANSLATE_NOOP("WhySlow", "Decode"), &StepSplit::decode_s, 1},
                             {QT_TRANSLATE_NOOP("WhySlow", "Augment"), &StepSplit::augment_s, 4},
                             {QT_TRANSLATE_NOOP("WhySlow", "Copy"), &StepSplit::copy_s, 5},
                             {QT_TRANSLATE_NOOP("WhySlow", "Compute"), &StepSplit::compute_s, 0},
                             {QT_TRANSLATE_NOOP("WhySlow", "Reduce"), &StepSplit::reduce_s, 2},
                             {QT_TRANSLATE_NOOP("WhySlow", "Wait"), &StepSplit::wait_s, -1}};

}  // namespace

void paintSplitPart(QPainter& p, const QRectF& where, int series) {
  const Theme& t = theme();
  p.fillRect(where, series >= 0 ? t.series[series] : t.track);
  if (series >= 0) return;
  p.save();
  p.setClipRect(where, Qt::IntersectClip);
  p.setPen(QPen(t.text3, 1.2));
  for (qreal x = where.left() - where.height(); x < where.right(); x += 7)
    p.drawLine(QPointF(x, where.bottom()), QPointF(x + where.height(), where.top()));
  p.restore();
}

QVector<SplitPart> splitParts(const StepSplit& split) {
  QVector<SplitPart> parts;
  for (const PartRow& row : part_rows)
    if (split.*row.seconds > 0)
      parts.append({QCoreApplication::translate("WhySlow", row.name), split.*row.seconds, row.series});
  return parts;
}

QString stepTimeText(double seconds) {
  if (seconds < 1e-3) return SplitBar::tr("%1 µs").arg(seconds * 1e6, 0, 'f', 0);
  if (seconds < 1) return SplitBar::tr("%1 ms").arg(seconds * 1e3, 0, 'f', seconds < 0.1 ? 1 : 0);
  return SplitBar::tr("%1 s").arg(seconds, 0, 'f', 2);
}

SplitBar::SplitBar(QWidget* parent) : QWidget(parent) {
  setAccessibleName(tr("Time of a training step"));
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize SplitBar::sizeHint() const { return {400, bar_height + legend_height}; }

void SplitBar::setSplit(const StepSplit& split) {
  parts_ = splitParts(split);
  seconds_ = split.seconds;
  QStringList parts;
  for (const SplitPart& part : parts_)
    parts << QStringLiteral("%1 %2").arg(part.name, percentText(part.seconds / seconds_, 0));
  setAccessibleDescription(parts.join(QStringLiteral(", ")));
  update();
}

QRectF SplitBar::rectOf(int part) const {
  double before = 0;
  for (int i = 0; i < part; ++i) before += parts_[i].seconds;
  const double room = width();
  return {room * before / seconds_, 0,
          std::max(1.0, room * parts_[part].seconds / seconds_ - (part + 1 < parts_.size() ? 1 : 0)), bar_height};
}

void SplitBar::paintEvent(QPaintEvent*) {
  if (parts_.isEmpty() || seconds_ <= 0) return;
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  QPainterPath rounded;
  rounded.addRoundedRect(QRectF(0, 0, width(), bar_height), radius::control, radius::control);
  p.save();
  p.setClipPath(rounded);
  for (int i = 0; i < parts_.size(); ++i) paintSplitPart(p, rectOf(i), parts_[i].series);
  p.restore();
  const QFont small = ui::font(TextRole::axis);
  const QFontMetricsF metrics(small);
  for (int i = 0; i < parts_.size(); ++i) {  // texts that fit
    const QRectF where = rectOf(i).adjusted(8, 4, -4, -4);
    const QString time = stepTimeText(parts_[i].seconds);
    if (parts_[i].series < 0 ||
        where.width() < std::max(metrics.horizontalAdvance(parts_[i].name), metrics.horizontalAdvance(time)))
      continue;
    p.setFont(small);
    p.setPen(blackOrWhiteOn(t.series[parts_[i].series]));
    p.drawText(where, Qt::AlignLeft | Qt::AlignTop, parts_[i].name);
    p.drawText(where, Qt::AlignLeft | Qt::AlignBottom, time);
  }
  qreal x = 0;
  for (const SplitPart& part : parts_) {
    const QString share = percentText(part.seconds / seconds_, 0);
    const qreal name = metrics.horizontalAdvance(part.name), needed = 14 + name + 6 + metrics.horizontalAdvance(share);
    if (x + needed > width()) break;
    paintSplitPart(p, QRectF(x, bar_height + 10, 9, 9), part.series);
    p.setFont(small);
    p.setPen(t.text2);
    p.drawText(QRectF(x + 14, bar_height + 4, name + 2, legend_height - 2), Qt::AlignVCenter, part.name);
    p.setPen(t.text1);
    p.drawText(QRectF(x + 14 + name + 6, bar_height + 4, 60, legend_height - 2), Qt::AlignVCenter, share);
    x += needed + 16;
  }
}

bool SplitBar::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  auto* help = static_cast<QHelpEvent*>(event);
  for (int i = 0; i < parts_.size(); ++i)
    if (rectOf(i).contains(help->pos())) {
      QToolTip::showText(
          help->globalPos(),
          QStringLiteral("%1: %2, %3")
              .arg(parts_[i].name, stepTimeText(parts_[i].seconds), percentText(parts_[i].seconds / seconds_, 1)),
          this);
      return true;
    }
  QToolTip::hideText();
  return true;
}

WhySlow::WhySlow(QWidget* parent) : Card(tr("Where the time goes"), parent), bar_(new SplitBar) {
  setTitle(tr("Where the time goes"), tr("one step, mean of the last measured steps"));
  total_ = makeLabel({}, 1, static_cast<int>(TextRole::node), titleRow());
  static_cast<QHBoxLayout*>(titleRow()->layout())->addWidget(total_);
  verdict_ = makeLabel({}, 1, static_cast<int>(TextRole::body));
  verdict_->setWordWrap(true);
  auto* line = new QHBoxLayout;
  line->setSpacing(space::s);
  line->addWidget(new PlainIcon(QStringLiteral("bolt"), &Theme::warn), 0, Qt::AlignTop);
  line->addWidget(verdict_, 1);
  auto* column = static_cast<QVBoxLayout*>(body()->layout());
  column->setSpacing(space::s);
  column->addLayout(line);
  column->addWidget(bar_);
  recommendations_ = new QVBoxLayout;
  recommendations_->setSpacing(space::xs);
  column->addLayout(recommendations_);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  hide();
}

QString WhySlow::verdictText() const { return verdict_->text(); }

void WhySlow::setSplit(const StepSplit& split) {
  setVisible(split.count > 0);
  if (split.count == 0 || split.last == shown_.last) return;
  shown_ = split;
  const StepDiagnosis verdict = diagnose_step(split);
  total_->setText(stepTimeText(split.seconds));
  verdict_->setText(translated(verdict.sentence));
  bar_->setSplit(split);
  while (QLayoutItem* old = recommendations_->takeAt(0)) {
    delete old->widget();
    delete old;
  }
  for (std::size_t i = 0; i < verdict.remedies.size() && i < max_recommendations; ++i) {
    const Recommendation& r = verdict.remedies[i];
    auto* row = new QWidget;
    auto* cells = new QHBoxLayout(row);
    cells->setContentsMargins(0, 0, 0, 0);
    cells->setSpacing(space::s);
    cells->addWidget(makeLabel(translated(r.what), 2, static_cast<int>(TextRole::secondary)));
    if (r.gain >= 0.005) cells->addWidget(makePill(tr("up to +%1").arg(percentText(r.gain, 0)), QStringLiteral("ok")));
    cells->addStretch(1);
    recommendations_->addWidget(row);
  }
}

}  // namespace nw::ui
