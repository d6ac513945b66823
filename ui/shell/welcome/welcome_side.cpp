// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/welcome/welcome_side.hpp"

#include <QAction>
#include <QDateTime>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>

#include "ui/page/actions.hpp"
#include "ui/shell/welcome/recent_list.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

void WelcomeSide::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.fillRect(rect(), theme().window);
  p.fillRect(width() - 1, 0, 1, height(), theme().border1);
}

Brand::Brand(QWidget* parent) : QWidget(parent) {
  setFixedHeight(48);
  setAccessibleName(QStringLiteral("Netwright"));
}

void Brand::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  paintIcon(p, QStringLiteral("netwright"), QRectF(12, 2, 44, 44), t.accent);
  QFont big = ui::font(TextRole::figure);
  big.setPointSizeF(big.pointSizeF() * 20 / 18);
  p.setFont(big);
  p.setPen(t.text1);
  p.drawText(QRectF(70, 0, width() - 70, 27), Qt::AlignVCenter, QStringLiteral("Netwright"));
  p.setFont(ui::font(TextRole::body));
  p.setPen(t.text2);
  p.drawText(QRectF(70, 26, width() - 70, 20), Qt::AlignVCenter,
             QCoreApplication::translate("Brand", "Draw it, train it, see why"));
}

ThinLine::ThinLine(QWidget* parent) : QWidget(parent) { setFixedHeight(1); }

void ThinLine::paintEvent(QPaintEvent*) {
  QPainter p(this);
  p.fillRect(rect().adjusted(12, 0, -8, 0), theme().border2);
}

CommandRow::CommandRow(QAction& a, QWidget* parent) : QAbstractButton(parent), action_(a) {
  setObjectName(QStringLiteral("welcome-") + a.objectName());
  setAccessibleName(a.text());
  setFocusPolicy(Qt::StrongFocus);
  setAttribute(Qt::WA_Hover);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  connect(this, &QAbstractButton::clicked, &action_, &QAction::trigger);
}

void CommandRow::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  p.setRenderHint(QPainter::Antialiasing);
  const QColor none(0, 0, 0, 0);
  if (underMouse() || hasFocus()) style::box(p, rect(), radius::group, t.hover, none);
  paintIcon(p, action_.icon().name(), QRectF(12, 11, 16, 16), underMouse() || hasFocus() ? t.accentText : t.text2);
  QFont f = ui::font(TextRole::body);
  f.setWeight(QFont::Medium);
  p.setFont(f);
  p.setPen(t.text1);
  p.drawText(QRectF(42, 0, width() - 42, height()), Qt::AlignVCenter, action_.text());
  QString keys = shortcutText(action_);
  if (keys.isEmpty()) return;
  keys.replace(QLatin1Char('+'), QLatin1Char(' '));
  p.setFont(ui::font(TextRole::small));
  const int keyWidth = p.fontMetrics().horizontalAdvance(keys) + 12;
  const QRectF key(width() - 12 - keyWidth, height() / 2.0 - 9, keyWidth, 18);
  style::box(p, key, radius::mark + 1, t.window, t.border2);
  p.setPen(t.text3);
  p.drawText(key, Qt::AlignCenter, keys);
}

RecoveredRow::RecoveredRow(const RecoveredProject& project, QWidget* parent) : QWidget(parent) {
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(12, 4, 4, 4);
  auto* texts = new QVBoxLayout;
  texts->setSpacing(0);
  texts->addWidget(makeLabel(project.name, 1, static_cast<int>(TextRole::node), this));
  texts->addWidget(
      makeLabel(relativeTimeText(QDateTime::fromSecsSinceEpoch(project.savedAt), QDateTime::currentDateTime()), 3,
                static_cast<int>(TextRole::axis), this));
  row->addLayout(texts, 1);
  QPushButton* open = makeButton(tr("Recover"), ButtonKind::tonal, {}, this);
  QPushButton* drop =
      makeIconButton(QStringLiteral("trash"), tr("Delete the recovered changes of %1").arg(project.name), this);
  row->addWidget(open);
  row->addWidget(drop);
  connect(open, &QPushButton::clicked, this, &RecoveredRow::openRequested);
  connect(drop, &QPushButton::clicked, this, &RecoveredRow::discardRequested);
}

QLabel* sideTitle(const QString& text) {
  QLabel* label = makeLabel(text, 1, static_cast<int>(TextRole::node));
  label->setContentsMargins(12, 4, 12, 4);
  return label;
}

}  // namespace nw::ui
