// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/info_line.hpp"

#include <QPainter>
#include <QStringList>

#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr qreal gap = 6, between = 22;

qreal advance(const QString& text, TextRole role) { return QFontMetricsF(ui::font(role)).horizontalAdvance(text); }
qreal widthOf(const QPair<QString, QString>& fact) {
  return advance(fact.first, TextRole::secondary) +
         (fact.second.isEmpty() ? 0 : gap + advance(fact.second, TextRole::button));
}

}  // namespace

InfoLine::InfoLine(QWidget* parent) : QWidget(parent) { setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed); }

void InfoLine::setFacts(const Facts& facts) {
  if (facts == facts_) return;
  facts_ = facts;
  QStringList spoken;
  for (const auto& [name, value] : facts_) spoken += (name + u' ' + value).trimmed();
  setAccessibleName(spoken.join(QStringLiteral(", ")));
  setToolTip(spoken.join(u'\n'));
  updateGeometry();
  update();
}

QSize InfoLine::sizeHint() const {
  qreal width = 0;
  for (const auto& fact : facts_) width += widthOf(fact) + between;
  return {static_cast<int>(width) + 1, 20};
}

void InfoLine::paintEvent(QPaintEvent*) {
  const Theme& t = theme();
  QPainter p(this);
  qreal x = 0;
  for (const auto& fact : facts_) {
    if (x + widthOf(fact) > width() + 1) return;
    p.setFont(ui::font(TextRole::secondary));
    p.setPen(t.text2);
    p.drawText(QRectF(x, 0, width(), height()), Qt::AlignVCenter | Qt::AlignLeft, fact.first);
    p.setFont(ui::font(TextRole::button));
    p.setPen(t.text1);
    p.drawText(QRectF(x + advance(fact.first, TextRole::secondary) + gap, 0, width(), height()),
               Qt::AlignVCenter | Qt::AlignLeft, fact.second);
    x += widthOf(fact) + between;
  }
}

}  // namespace nw::ui
