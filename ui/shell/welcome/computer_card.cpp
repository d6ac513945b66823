// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/welcome/computer_card.hpp"

#include <QPainter>

#include "ui/session/machine_watch.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/shortened_text.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {
constexpr int rowHeight = 24, headHeight = 44;
}  // namespace

ComputerCard::ComputerCard(Session& session, MachineWatch& machine, QWidget* parent)
    : QWidget(parent), session_(session), machine_(machine) {
  setAccessibleName(tr("This computer"));
  connect(&session_, &Session::devicesChanged, this, [this] {
    updateGeometry();
    update();
  });
  connect(&machine_, &MachineWatch::sampled, this, [this] { update(); });
}

QList<ComputerCard::Row> ComputerCard::rows() const {
  const DeviceSample& now = machine_.last();
  QList<Row> list;
  std::size_t gpu = 0;
  for (const DeviceInfo& info : session_.devices()) {
    const bool cpu = info.name.rfind("cpu", 0) == 0;
    Row row;
    row.name = cpu ? QStringLiteral("CPU") : tr("GPU %1").arg(gpu);
    row.what = info.usable ? QString::fromStdString(info.description) : translated(info.why_not);
    row.load = cpu ? now.cpu / 100 : gpu < now.gpus.size() ? now.gpus[gpu].utilization / 100 : -1;
    row.series = cpu ? -1 : static_cast<int>(gpu++);
    list << row;
  }
  if (now.memory_total_bytes > 0)
    list << Row{tr("Memory"), tr("%1 of %2").arg(bytesText(now.memory_used_bytes), bytesText(now.memory_total_bytes)),
                now.memory_used_bytes / now.memory_total_bytes, -1};
  return list;
}

QSize ComputerCard::sizeHint() const {
  return {300, headHeight + static_cast<int>(std::max<std::size_t>(2, session_.devices().size() + 1)) * rowHeight + 12};
}

void ComputerCard::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  style::box(p, rect(), radius::card, t.sunken, t.border1);
  p.setFont(ui::font(TextRole::node));
  p.setPen(t.text1);
  p.drawText(QRectF(16, 8, width() - 32, 30), Qt::AlignVCenter, tr("This computer"));
  const QString ready = tr("Ready");
  QFont small = ui::font(TextRole::axis);
  small.setWeight(QFont::Medium);
  const int readyWidth = QFontMetrics(small).horizontalAdvance(ready) + 28;
  const QRectF pill(width() - 14 - readyWidth, 13, readyWidth, 20);
  style::box(p, pill, radius::pill, t.okSoft, Qt::transparent);
  paintIcon(p, QStringLiteral("check"), QRectF(pill.left() + 5, pill.top() + 4, 12, 12), t.ok);
  p.setFont(small);
  p.setPen(t.ok);
  p.drawText(pill.adjusted(19, 0, -6, 0), Qt::AlignVCenter, ready);
  qreal y = headHeight;
  for (const Row& row : rows()) {
    QFont bold = ui::font(TextRole::secondary);
    bold.setWeight(QFont::DemiBold);
    p.setFont(bold);
    p.setPen(t.text1);
    p.drawText(QRectF(16, y, 60, rowHeight), Qt::AlignVCenter, row.name);
    p.setFont(ui::font(TextRole::secondary));
    p.setPen(t.text2);
    const QRectF place(76, y, width() - 76 - 16 - 92, rowHeight);
    p.drawText(place, Qt::AlignVCenter, shortenedText(p, place, row.what));
    const QRectF track(width() - 16 - 84, y + rowHeight / 2.0 - 2.5, 84, 5);
    style::box(p, track, 2.5, t.track, Qt::transparent);
    if (row.load > 0)
      style::box(p, QRectF(track.left(), track.top(), qMax(5.0, track.width() * qMin(1.0, row.load)), 5), 2.5,
                 row.series < 0 ? t.text2 : t.series[row.series % 4], Qt::transparent);
    y += rowHeight;
  }
}

}  // namespace nw::ui
