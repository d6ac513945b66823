// SPDX-License-Identifier: GPL-3.0-or-later
// One style over Fusion: geometry is Fusion's, every surface is painted from theme(). Split by family of controls; each
// paint function returns false if Fusion has to paint.
#pragma once
#include <QPainter>
#include <QProxyStyle>
#include <QStyleOption>

namespace nw::ui {

QStyle* makeStyle();

namespace style {

/// Rounded rectangle with a crisp 1 px line.
void box(QPainter& p, const QRectF& rect, qreal radius, const QColor& fill, const QColor& line, qreal width = 1);
/// 2.5 px ring at 25 % around the widget with the keyboard focus.
void focusRing(QPainter& p, const QRectF& rect, qreal radius);
void chevron(QPainter& p, const QRectF& rect, const char* direction, const QColor& colour);

bool buttonPrimitive(QStyle::PrimitiveElement element, const QStyleOption* o, QPainter& p, const QWidget* w);
bool buttonControl(const QStyle& s, QStyle::ControlElement element, const QStyleOption* o, QPainter& p,
                   const QWidget* w);
bool fieldPrimitive(QStyle::PrimitiveElement element, const QStyleOption* o, QPainter& p, const QWidget* w);
/// The label of a combo box, its text shortened to the room that it has; the whole is a tool tip of the box then.
QStyleOptionComboBox elidedLabel(const QStyle& s, const QStyleOptionComboBox& o, QPainter& p, const QWidget* w);
bool fieldComplex(const QStyle& s, QStyle::ComplexControl control, const QStyleOptionComplex* o, QPainter& p,
                  const QWidget* w);
bool rangeComplex(const QStyle& s, QStyle::ComplexControl control, const QStyleOptionComplex* o, QPainter& p,
                  const QWidget* w);
bool menuControl(const QStyle& s, QStyle::ControlElement element, const QStyleOption* o, QPainter& p, const QWidget* w);
bool viewPrimitive(QStyle::PrimitiveElement element, const QStyleOption* o, QPainter& p, const QWidget* w);
bool viewControl(const QStyle& s, QStyle::ControlElement element, const QStyleOption* o, QPainter& p, const QWidget* w);

}  // namespace style
}  // namespace nw::ui
