// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/judgement.hpp"

#include <QAbstractButton>
#include <QLabel>
#include <QRawFont>
#include <QRegularExpression>
#include <QSet>
#include <algorithm>

#include "tests/gallery/exceptions.hpp"
#include "tests/gallery/screen_rules.hpp"
#include "tests/gallery/text_form.hpp"

namespace nw::ui {
namespace {

bool isBlank(const QImage& image) {
  QSet<QRgb> colours;
  for (int y = 0; y < image.height(); y += 3)
    for (int x = 0; x < image.width(); x += 3)
      if (colours.insert(image.pixel(x, y)); colours.size() > 12) return false;
  return true;
}

/// Letters of labels and buttons that none of the program's fonts contains.
QString missingGlyphs(QWidget& root) {
  static const QList<QRawFont> fonts = [] {
    QList<QRawFont> list;
    for (const QString& family : ui::font(TextRole::body).families()) list << QRawFont::fromFont(QFont(family));
    return list;
  }();
  QString missing, text;
  for (const QLabel* label : root.findChildren<QLabel*>()) text += label->text();
  for (const QAbstractButton* button : root.findChildren<QAbstractButton*>()) text += button->text();
  for (const uint letter : text.toUcs4())
    if (letter > 32 &&
        std::none_of(fonts.begin(), fonts.end(), [&](const QRawFont& f) { return f.supportsCharacter(letter); }))
      missing += QString::fromUcs4(reinterpret_cast<const char32_t*>(&letter), 1);
  return missing;
}

/// Screens of drawing and choosing show figures that follow from the network and the data; others show measured ones.
Figures figuresOf(const QString& screen) {
  static const QRegularExpression settled(
      QStringLiteral("^(?:design|welcome|data|settings|guide|command|help|about|components|preferences|save|table|get|"
                     "explorer|photos)"));
  return screen.contains(settled) ? Figures::settled : Figures::measured;
}

/// Its devices, its libraries, or what it is faster with: not every build has the screens of GPUs, or the plug-in.
bool showsTheComputer(const QString& screen) {
  static const QRegularExpression some(QStringLiteral("^(?:gpu-|devices$|about$|deploy-compress)"));
  return screen.contains(some);
}

/// Screens of GPUs are painted alone: few builds have them.
bool isJudged(const QString& screen) { return !screen.startsWith(QLatin1String("gpu-")); }

}  // namespace

QStringList faultsOf(const QString& name, QWidget& window, const QImage& picture, const Look& look,
                     const Demands& demands) {
  QStringList faults;
  if (isBlank(picture)) faults << QStringLiteral("is blank");
  if (const QString missing = missingGlyphs(window); !missing.isEmpty())
    faults << QStringLiteral("has no glyph for ") + missing;
  const bool formed = demands.forms.wanted() && look.isFirst() && !showsTheComputer(name);
  const bool ruled = demands.rules && isJudged(name);
  if (!ruled && !formed) return faults;
  const QList<PaintedText> texts = paintedTexts(window);
  if (formed)
    if (const QString changed = demands.forms.take(name, textForm(window, texts, picture, figuresOf(name)));
        !changed.isEmpty())
      faults << changed;
  if (ruled) faults += withoutExceptions(name, screenFaults(window, texts, picture, look.chinese));
  return faults;
}

}  // namespace nw::ui
