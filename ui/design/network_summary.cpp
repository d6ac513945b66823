// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/network_summary.hpp"

#include <QPainter>
#include <algorithm>

#include "engine/design/data_facts.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/canvas/scene/node_text.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/shortened_text.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr int titleHeight = 34, rowHeight = 24, partGap = 14, mostBars = 6;
qreal words(QPainter& p, const QRectF& where, const QString& text, TextRole role, const QColor& colour,
            Qt::Alignment side = Qt::AlignLeft) {
  p.setFont(ui::font(role));
  p.setPen(colour);
  p.drawText(where, side | Qt::AlignVCenter | Qt::TextSingleLine, shortenedText(p, where, text));
  return QFontMetricsF(p.font()).horizontalAdvance(text);
}

qreal paintTitle(QPainter& p, qreal y, int width, const QString& title) {
  QFont strong = ui::font(TextRole::body);
  strong.setWeight(QFont::DemiBold);
  p.setFont(strong);
  p.setPen(theme().text1);
  p.drawText(QRectF(0, y, width, titleHeight), Qt::AlignVCenter, title);
  return y + titleHeight;
}

qreal paintBars(QPainter& p, qreal y, int width, const QString& title, const QVector<NetworkSummary::Bar>& bars) {
  if (bars.isEmpty()) return y;
  const Theme& t = theme();
  p.fillRect(QRectF(0, y + partGap / 2.0, width, 1), t.border1);
  y = paintTitle(p, y + partGap, width, title);
  for (const NetworkSummary::Bar& bar : bars) {
    const QRectF row(0, y, width, rowHeight);
    words(p, row.adjusted(0, 0, 84.0 - width, 0), bar.layer, TextRole::secondary, t.text2);
    const QRectF track(92, row.center().y() - 3, width - 92.0 - 62, 6);
    style::box(p, track, 3, t.dark ? t.border1 : t.sunken, Qt::transparent);
    style::box(p, QRectF(track.left(), track.top(), std::max(3.0, track.width() * bar.share), 6), 3, t.group(bar.group),
               Qt::transparent);
    words(p, row.adjusted(width - 58.0, 0, 0, 0), bar.value, TextRole::button, t.text1, Qt::AlignRight);
    y += rowHeight;
  }
  return y;
}

}  // namespace

NetworkSummary::NetworkSummary(GraphScene& scene, QWidget* parent) : QWidget(parent), scene_(scene) {
  setObjectName(QStringLiteral("networkFacts"));
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
  connect(&scene_, &GraphScene::lookChanged, this, &NetworkSummary::refresh);
  refresh();
}

QVector<NetworkSummary::Bar> NetworkSummary::bars(bool computation) const {
  QVector<std::pair<std::int64_t, Bar>> all;
  for (const auto& [id, node] : scene_.graph().nodes) {
    const NodeInfo* facts = scene_.facts(id);
    const std::int64_t n = !facts ? 0 : computation ? facts->multiply_adds : facts->parameters;
    if (n > 0) all.append({n, {QString::fromStdString(node.name), groupOf(node), rounded(static_cast<double>(n)), 0}});
  }
  std::stable_sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  QVector<Bar> most;
  for (auto& [n, bar] : all.mid(0, mostBars)) {
    bar.share = static_cast<double>(n) / static_cast<double>(std::max<std::int64_t>(1, all.front().first));
    most.append(bar);
  }
  return most;
}

void NetworkSummary::refresh() {
  const Analysis& a = scene_.session().analysis();
  const DataFacts data = scene_.session().dataFacts();
  figures_ = {{tr("Layers"), grouped(static_cast<qint64>(a.expanded.size()))},
              {tr("Parameters"), grouped(a.parameters)},
              {tr("Multiply-adds, one image"), rounded(static_cast<double>(a.multiply_adds))},
              {tr("Memory, batch %1").arg(scene_.doc().settings().batch),
               a.memory_bytes > 0 ? bytesText(static_cast<double>(a.memory_bytes)) : QStringLiteral("?")}};
  if (data.known()) figures_.append({tr("Training images"), grouped(data.train)});
  parameters_ = bars(false);
  computation_ = bars(true);
  QStringList spoken;
  for (const Figure& f : figures_) spoken += f.name + u' ' + f.value;
  setAccessibleName(spoken.join(QStringLiteral(", ")));
  updateGeometry();
  update();
}

QSize NetworkSummary::sizeHint() const {
  const auto part = [](qsizetype rows) {
    return rows > 0 ? partGap + titleHeight + static_cast<int>(rows) * rowHeight : 0;
  };
  return {240, titleHeight + static_cast<int>(figures_.size()) * rowHeight + part(parameters_.size()) +
                   part(computation_.size()) + 8};
}

void NetworkSummary::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  qreal y = paintTitle(p, 0, width(), tr("Network"));
  for (const Figure& f : figures_) {
    const QRectF row(0, y, width(), rowHeight);
    const qreal used = words(p, row, f.value, TextRole::button, t.text1, Qt::AlignRight);
    words(p, row.adjusted(0, 0, -used - 8, 0), f.name, TextRole::body, t.text2);
    y += rowHeight;
  }
  y = paintBars(p, y, width(), tr("Parameters by layer"), parameters_);
  paintBars(p, y, width(), tr("Computation by layer"), computation_);
}

}  // namespace nw::ui
