// SPDX-License-Identifier: GPL-3.0-or-later
// Small things painted in several places: tiles with a layer's icon, badges, crosses, floating shadows.
#pragma once
#include <QColor>
#include <QImage>
#include <QPainter>
#include <QRectF>

#include "ui/theme/theme.hpp"

namespace nw::ui {

enum class Badge : quint8 { fine, warning, error, frozen };

QColor blend(const QColor& from, const QColor& to, qreal share);
QColor connectionColour(const Theme&);
/// Colour of the heatmap's ramp for costs; 0: no cost, 1: the highest.
QColor heatmapColour(const Theme&, double share);
/// Background of a node with this heatmap value: pale enough for text in the theme's first text colour.
QColor heatmapFill(const Theme&, double share);
/// Contrast of two opaque colours, 1…21 (WCAG 2.1, relative luminance and 1.4.3).
double contrastOf(const QColor& a, const QColor& b);
/// `ink` if its contrast on `ground` suffices (4.5, in high contrast 7), else the theme's first text colour.
QColor inkOn(const Theme&, const QColor& ground, const QColor& ink);
/// Rounded tile in the group's tint with the layer's icon; rendered once per size, pixel ratio and theme.
void paintTile(QPainter&, const QString& icon, const QString& group, const QRectF& where, qreal radius);
void paintSample(QPainter&, const QImage&, const QRectF& where, qreal radius);
void paintBadge(QPainter&, Badge, const QRectF& where);
/// A small x in a circle: marks a port that does not fit.
void paintCross(QPainter&, QPointF centre, qreal radius, const QColor& colour, const QColor& fill);
/// Soft shadow of a floating element.
void paintFloat(QPainter&, const QRectF& card, qreal radius, const QColor& fill, const QColor& border);

}  // namespace nw::ui
