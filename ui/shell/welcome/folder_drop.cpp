// SPDX-License-Identifier: GPL-3.0-or-later
#include <QDragEnterEvent>
#include <QKeyEvent>
#include <QMimeData>
#include <QPainter>

#include "ui/shell/welcome/welcome_page.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

FolderDrop::FolderDrop(QWidget* parent) : QWidget(parent) {
  setAcceptDrops(true);
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_Hover);
  setCursor(Qt::PointingHandCursor);
  setMinimumHeight(120);
  setMaximumHeight(210);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  setAccessibleName(tr("Choose a folder of images"));
}

void FolderDrop::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  QColor fill = t.dark ? t.window : t.border1;
  fill.setAlphaF(0.5f);
  p.setBrush(over_ ? t.accentSoft : fill);
  p.setPen(QPen(over_ || hasFocus() || underMouse() ? t.ring : t.border3, 1.2, Qt::DashLine));
  p.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), radius::card, radius::card);
  const qreal middle = height() / 2.0;
  const QRectF tile(30, middle - 29, 58, 58);
  style::box(p, tile, radius::card, t.raised, QColor(0, 0, 0, 0));
  paintIcon(p, QStringLiteral("folder"), tile.adjusted(17, 17, -17, -17), t.accentText);
  p.setFont(ui::font(TextRole::title));
  p.setPen(t.text1);
  const bool stacks = width() > 760;
  const qreal room = width() - 110 - (stacks ? 330 : 20);
  const auto line = [&](qreal y, const QString& text) {
    p.drawText(QRectF(108, y, room, 20), Qt::AlignVCenter,
               p.fontMetrics().elidedText(text, Qt::ElideRight, static_cast<int>(room)));
  };
  line(middle - 32, tr("Drop a folder of images here"));
  p.setFont(ui::font(TextRole::body));
  p.setPen(t.text2);
  line(middle - 9, tr("One subfolder per class. Netwright splits the data and suggests a network."));
  line(middle + 11, tr("Also: project, run folder, CSV or IDX files. Nothing leaves this computer."));
  if (!stacks) return;
  const char* const names[] = {"cat/", "frog/", "ship/"};
  for (int i = 0; i < 3; ++i) {
    const QRectF card(width() - 318 + i * 100, middle - 40, 58, 58);
    for (int k = 2; k >= 0; --k)
      style::box(p, card.translated(k * 5, -k * 5), radius::control, k ? t.sunken : t.raised, t.border2);
    paintIcon(p, QStringLiteral("image"), card.adjusted(17, 17, -17, -17), t.group(QStringLiteral("Input")));
    p.setFont(ui::font(TextRole::mono));
    p.setPen(t.text2);
    p.drawText(QRectF(card.left() - 10, card.bottom() + 8, 78, 18), Qt::AlignCenter, QLatin1String(names[i]));
  }
}

void FolderDrop::dragEnterEvent(QDragEnterEvent* event) {
  const QList<QUrl> urls = event->mimeData()->urls();
  over_ = urls.size() == 1 && urls.front().isLocalFile();
  if (over_) event->acceptProposedAction();
  update();
}

void FolderDrop::dragLeaveEvent(QDragLeaveEvent*) {
  over_ = false;
  update();
}

void FolderDrop::dropEvent(QDropEvent* event) {
  over_ = false;
  update();
  event->acceptProposedAction();
  Q_EMIT dropped(event->mimeData()->urls().front().toLocalFile());
}

void FolderDrop::mouseReleaseEvent(QMouseEvent* event) {
  if (event->button() == Qt::LeftButton) Q_EMIT chooseRequested();
}

void FolderDrop::keyPressEvent(QKeyEvent* event) {
  if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Space)
    Q_EMIT chooseRequested();
  else
    QWidget::keyPressEvent(event);
}

}  // namespace nw::ui
