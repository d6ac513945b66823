// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.hpp"

#include <QApplication>
#include <QFontDatabase>
#include <QGuiApplication>
#include <QPalette>
#include <QScreen>
#include <QStyle>
#include <QToolTip>
#include <QWidget>

#include "ui/theme/style.hpp"
#include "ui/theme/tokens.hpp"

namespace nw::ui {
namespace {

Theme current = lightTheme();
ThemeMode mode = ThemeMode::system;

/// The theme of the desktop, from its palette before this program replaced it.
ThemeMode systemMode() {
  static const ThemeMode wanted = modeOf(QGuiApplication::palette());
  return wanted;
}

void loadFonts() {
  static const bool once = [] {
    for (const char* weight : {"Regular", "Medium", "SemiBold", "Bold"})
      QFontDatabase::addApplicationFont(QStringLiteral(":/fonts/NwSans-%1.otf").arg(QLatin1String(weight)));
    return true;
  }();
  Q_UNUSED(once);
}

QPalette paletteOf(const Theme& t) {
  QPalette p;
  const auto set = [&p](QPalette::ColorRole role, const QColor& normal, const QColor& disabled) {
    p.setColor(QPalette::All, role, normal);
    p.setColor(QPalette::Disabled, role, disabled);
  };
  QColor faint = t.text3;
  faint.setAlphaF(0.6f);
  set(QPalette::Window, t.window, t.window);
  set(QPalette::WindowText, t.text1, faint);
  set(QPalette::Base, t.field, t.sunken);
  set(QPalette::AlternateBase, t.sunken, t.sunken);
  set(QPalette::Text, t.text1, faint);
  set(QPalette::PlaceholderText, t.text3, faint);
  set(QPalette::Button, t.raised, t.sunken);
  set(QPalette::ButtonText, t.text1, faint);
  set(QPalette::BrightText, t.error, faint);
  set(QPalette::Highlight, t.accent, t.border3);
  set(QPalette::HighlightedText, t.onAccent, t.onAccent);
  set(QPalette::ToolTipBase, t.overlay, t.overlay);
  set(QPalette::ToolTipText, t.text1, t.text1);
  set(QPalette::Link, t.accentText, faint);
  set(QPalette::LinkVisited, t.accentText, faint);
  set(QPalette::Light, t.raised, t.raised);
  set(QPalette::Midlight, t.border1, t.border1);
  set(QPalette::Mid, t.border2, t.border2);
  set(QPalette::Dark, t.border3, t.border3);
  set(QPalette::Shadow, t.border3, t.border3);
  return p;
}

struct Type {
  double px;
  QFont::Weight weight;
  bool mono;
};
constexpr Type types[] = {{18, QFont::DemiBold, false}, {14, QFont::DemiBold, false}, {13, QFont::DemiBold, false},
                          {12.5, QFont::Normal, false}, {12, QFont::Medium, false},   {11.5, QFont::Normal, false},
                          {11, QFont::Normal, false},   {10.5, QFont::Normal, false}, {11, QFont::Medium, true}};

}  // namespace

ThemeMode modeOf(const QPalette& desktop) {
  const QColor window = desktop.color(QPalette::Window), text = desktop.color(QPalette::WindowText),
               field = desktop.color(QPalette::Base);
  const bool extremes = std::min(window.lightnessF(), text.lightnessF()) < 0.01F &&
                        std::max(window.lightnessF(), text.lightnessF()) > 0.99F;
  // black on white everywhere, or white on black
  if (extremes && field == window && desktop.color(QPalette::Button) == window) return ThemeMode::contrast;
  return window.lightnessF() < 0.5F ? ThemeMode::dark : ThemeMode::light;
}

const Theme& theme() { return current; }
ThemeMode themeMode() { return mode; }

qreal textWidth(const QFont& f, const QString& text) { return QFontMetricsF(f).horizontalAdvance(text); }

QFont font(TextRole role) {
  const Type& type = types[static_cast<int>(role)];
  QFont f;
  f.setFamilies({type.mono ? QStringLiteral("JetBrains Mono") : QStringLiteral("NwSans"),
                 QStringLiteral("Noto Sans CJK SC"), QStringLiteral("DejaVu Sans")});
  // setPixelSize() takes whole pixels only; a size in points keeps half pixels.
  const QScreen* screen = QGuiApplication::primaryScreen();
  f.setPointSizeF(type.px * 72.0 / (screen ? screen->logicalDotsPerInchY() : 96.0));
  f.setWeight(type.weight);
  f.setHintingPreference(QFont::PreferNoHinting);
  if (type.mono) f.setStyleHint(QFont::Monospace);
  return f;
}

void applyTheme(ThemeMode wanted) {
  const ThemeMode system = systemMode();  // read before the palette is replaced
  mode = wanted;
  const ThemeMode shown = wanted == ThemeMode::system ? system : wanted;
  current = shown == ThemeMode::contrast ? contrastTheme() : shown == ThemeMode::dark ? darkTheme() : lightTheme();
  loadFonts();
  static bool styled = false;
  if (!styled) QApplication::setStyle(makeStyle());
  styled = true;
  QApplication::setPalette(paletteOf(current));
  QApplication::setFont(font(TextRole::body));
  QToolTip::setPalette(paletteOf(current));
  QToolTip::setFont(font(TextRole::secondary));
  for (QWidget* w : QApplication::allWidgets()) w->update();
}

}  // namespace nw::ui
