// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/text_colours.hpp"

#include <QFontInfo>
#include <QHash>
#include <algorithm>

#include "ui/canvas/scene/paint_tools.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

struct Token {
  QString name;
  QColor colour;
};

/// Several names may share a colour; the first one counts.
QList<Token> tokens() {
  const Theme& t = theme();
  QList<Token> all{{"text1", t.text1},
                   {"text2", t.text2},
                   {"text3", t.text3},
                   {"accent", t.accent},
                   {"accentText", t.accentText},
                   {"accentSoft", t.accentSoft},
                   {"ok", t.ok},
                   {"okSoft", t.okSoft},
                   {"warn", t.warn},
                   {"warnSoft", t.warnSoft},
                   {"error", t.error},
                   {"errorSoft", t.errorSoft},
                   {"raised", t.raised},
                   {"window", t.window},
                   {"canvas", t.canvas},
                   {"sunken", t.sunken},
                   {"overlay", t.overlay},
                   {"hover", t.hover},
                   {"chosen", t.chosen},
                   {"field", t.field},
                   {"chartCard", t.chartCard},
                   {"track", t.track},
                   {"onAccent", t.onAccent},
                   {"border1", t.border1},
                   {"border2", t.border2},
                   {"border3", t.border3}};
  for (int i = 0; i < 6; ++i) all << Token{QStringLiteral("series%1").arg(i), t.series[i]};
  for (const char* group : {"Input", "Convolution", "Pooling", "Normalization", "Activation", "Linear",
                            "Regularization", "Shape", "Loss", "Attention"}) {
    all << Token{QStringLiteral("group ") + QLatin1String(group), t.group(QLatin1String(group))};
    all << Token{QStringLiteral("tile ") + QLatin1String(group), t.tile(QLatin1String(group))};
  }
  return all;
}

QColor over(const QColor& ink, const QColor& ground) {
  const auto mix = [&](float a, float b) { return a + (b - a) * ink.alphaF(); };
  return QColor::fromRgbF(mix(ground.redF(), ink.redF()), mix(ground.greenF(), ink.greenF()),
                          mix(ground.blueF(), ink.blueF()));
}

}  // namespace

QString tokenOf(const QColor& colour) {
  for (const Token& token : tokens())
    if (token.colour.rgb() == colour.rgb()) return token.name;
  return {};
}

Ground groundOf(const PaintedText& text, const QImage& picture) {
  const qreal ratio = picture.devicePixelRatio();
  const QRectF seen = text.shown();
  const QRect place = QRectF(seen.topLeft() * ratio, seen.size() * ratio).toAlignedRect().intersected(picture.rect());
  QHash<QRgb, int> counted;
  int whole = 0;
  for (int y = place.top(); y <= place.bottom(); ++y)
    for (int x = place.left(); x <= place.right(); ++x, ++whole) ++counted[picture.pixel(x, y) | 0xFF000000];
  counted.remove(text.ink.rgb());
  const auto most = std::max_element(counted.begin(), counted.end());
  if (most == counted.end()) return {};
  return {QColor(most.key()), most.value() * 4 > whole};
}

double contrastOn(const QColor& ink, const QColor& ground) { return contrastOf(over(ink, ground), ground); }

bool isLarge(const PaintedText& text) {
  const double pixels = QFontInfo(text.font).pixelSize() * text.scale;
  return pixels >= 24 || (pixels >= 18.66 && text.font.weight() >= QFont::Bold);
}

}  // namespace nw::ui
