// SPDX-License-Identifier: GPL-3.0-or-later
// The design tokens: colours, sizes, type. Paint functions read the tokens when they paint, so a change of theme needs
// no bookkeeping: the application's palette changes, every widget repaints (QEvent::ApplicationPaletteChange /
// PaletteChange).
#pragma once
#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

namespace nw::ui {

enum class ThemeMode { system, light, dark, contrast };

struct Theme {
  bool dark = false, highContrast = false;  // high contrast is dark too
  QColor canvas, canvasDots, window, sunken, raised, overlay, hover, chosen, track;
  QColor border1, border2, border3, text1, text2, text3;
  QColor accent, onAccent, ring, accentText, accentSoft;
  QColor ok, okSoft, warn, warnSoft, error, errorSoft;
  QColor chartCard, field;  // white in light
  QColor series[6];         // with the dash pattern of the same index
  QColor costRamp[5], countRamp[5];
  /// Colour of a layer group (LayerType::group); text 3 for unknown ones.
  QColor group(const QString& name) const;
  /// Group colour 17 % (dark) / 13 % (light) over raised.
  QColor tile(const QString& name) const;
  /// 0…1 along a ramp.
  static QColor ramp(const QColor (&stops)[5], double v);
};
const Theme& theme();                  // the current one; GUI thread
QVector<qreal> seriesDash(int index);  // in line widths; empty = solid
/// The colour of category `index` of any number of categories: those of the series first, then other hues.
QColor categoryColour(int index);

/// Applies style, palette and fonts to the application. Called once at start and at each change of mode.
void applyTheme(ThemeMode mode);
ThemeMode themeMode();
/// The mode that matches the desktop's palette: light, dark, or high contrast.
ThemeMode modeOf(const QPalette& desktop);

enum class TextRole {
  figure /*18/600*/,
  title /*14/600*/,
  node /*13/600*/,
  body /*12.5/400*/,
  button /*12/500*/,
  secondary /*11.5/400*/,
  axis /*11/400*/,
  small /*10.5/400*/,
  mono /*11/500*/
};
QFont font(TextRole role);
/// Pixels that a line of text takes.
qreal textWidth(const QFont& f, const QString& text);

namespace space {
inline constexpr int xs = 4, s = 8, m = 12, l = 16, xl = 20, xxl = 24;
}
namespace radius {
inline constexpr qreal mark = 2.5, pill = 5, control = 6, compact = 7, group = 8, node = 9, card = 10, frame = 12;
}

/// "60 000" (thin space), "2.4 k", "61 706"; "0.61 GB"; "7 min 38 s"; "98.9 %"
QString grouped(qint64 n);
QString rounded(double n);
QString bytesText(double bytes);
QString durationText(double seconds);
/// "0.061 ms", "1 240 ms": a measured time, three digits of it below a second; "–" where there is none.
QString millisecondsText(double ms);
QString percentText(double fraction, int decimals = 1);
/// The devices a run reports ("cpu (Intel …, avx512)", "cuda:0, cuda:1 (…)") in short: "CPU", "GPU 0, GPU 1", "4 ×
/// GPU".
QString deviceText(const std::string& described);

}  // namespace nw::ui
