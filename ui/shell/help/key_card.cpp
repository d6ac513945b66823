// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help/key_card.hpp"

#include <QApplication>
#include <QBuffer>
#include <QDesktopServices>
#include <QDir>
#include <QFontDatabase>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QStandardPaths>
#include <QUrl>
#include <cstdio>
#include <string_view>

#include "ui/page/actions.hpp"
#include "ui/page/page.hpp"
#include "ui/shell/help/help.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

constexpr int dots = 300, columns = 3;                      // per inch
constexpr double smallest_points = 6, largest_points = 10;  // size of the letters
constexpr double page_margin = 10;                          // mm
constexpr double keys_share = 0.34;                         // of a column

QString tell(const char* text) { return QCoreApplication::translate("KeyCard", text); }

/// Where the rows of one size lie.
struct CardLayout {
  QFont text, head;
  QList<QRectF> places;
  bool fits = false;
};

QRectF textRect(const QRectF& row) { return row.adjusted(row.width() * keys_share, 0, 0, 0); }
QRectF keysRect(const QRectF& row) {
  return QRectF(row.topLeft(), QSizeF(row.width() * (keys_share - 0.02), row.height()));
}

double heightOf(const KeyCardRow& row, const QRectF& column, const CardLayout& card, QPaintDevice* on) {
  if (row.keys.isEmpty()) return QFontMetricsF(card.head, on).height() * 1.5;
  const QFontMetricsF metrics(card.text, on);
  const double text = metrics.boundingRect(textRect(column), Qt::TextWordWrap, row.text).height();
  const double keys = metrics.boundingRect(keysRect(column), Qt::TextWordWrap, row.keys).height();
  return std::max(text, keys) + metrics.height() * 0.22;
}

CardLayout cardLayout(const QList<KeyCardRow>& rows, const QRectF& page, double points, QPaintDevice* on) {
  CardLayout card;
  card.text = ui::font(TextRole::body);
  card.text.setPointSizeF(points);
  card.head = card.text;
  card.head.setBold(true);
  card.head.setPointSizeF(points * 1.15);
  const double gap = page.width() * 0.02, wide = (page.width() - (columns - 1) * gap) / columns;
  int column = 0;
  double y = page.top();
  for (qsizetype i = 0; i < rows.size(); ++i) {
    const QRectF full(page.left() + column * (wide + gap), y, wide, page.height());
    const double height = heightOf(rows[i], full, card, on);
    // a heading does not stand alone at the end of a column
    const double needed =
        height + (rows[i].keys.isEmpty() && i + 1 < rows.size() ? heightOf(rows[i + 1], full, card, on) : 0);
    if (y + needed > page.bottom()) {
      if (++column == columns) return card;
      y = page.top();
    }
    card.places << QRectF(page.left() + column * (wide + gap), y, wide, height);
    y += height;
  }
  card.fits = true;
  return card;
}

void paintCard(QPainter& p, const QList<KeyCardRow>& rows, const CardLayout& card) {
  for (qsizetype i = 0; i < rows.size(); ++i) {
    const QRectF& place = card.places[i];
    p.setFont(rows[i].keys.isEmpty() ? card.head : card.text);
    if (rows[i].keys.isEmpty()) {
      p.drawText(place, Qt::AlignLeft | Qt::AlignVCenter, rows[i].text);
      continue;
    }
    p.drawText(textRect(place), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, rows[i].text);
    QFont keys = card.text;
    keys.setBold(true);
    p.setFont(keys);
    p.drawText(keysRect(place), Qt::AlignRight | Qt::AlignTop | Qt::TextWordWrap, rows[i].keys);
  }
}

QString keysText(const QAction& of) {
  QStringList all;
  for (const QKeySequence& key : of.shortcuts()) all << key.toString(QKeySequence::NativeText);
  if (all.isEmpty() && !shortcutText(of).isEmpty()) all << shortcutText(of);
  return all.join(QStringLiteral(", "));
}

void addActions(QList<KeyCardRow>& rows, bool onPages) {
  for (const ActionRow& row : actionTable()) {
    const QAction* a = action(QLatin1String(row.id));
    if (a && (*row.page != 0) == onPages && !keysText(*a).isEmpty())
      rows << KeyCardRow{keysText(*a), QCoreApplication::translate("Actions", row.text)};
  }
}

}  // namespace

QList<KeyCardRow> keyCardRows() {
  QList<KeyCardRow> rows{{{}, tell(QT_TRANSLATE_NOOP("KeyCard", "Netwright: everywhere"))}};
  addActions(rows, false);
  rows << KeyCardRow{{}, tell(QT_TRANSLATE_NOOP("KeyCard", "On the canvas"))};
  addActions(rows, true);
  rows << KeyCardRow{{}, tell(QT_TRANSLATE_NOOP("KeyCard", "Gestures on the canvas"))};
  for (const auto& [keys, text] : canvasGestures()) rows << KeyCardRow{keys, text};
  return rows;
}

QByteArray keyCardPdf(const QList<KeyCardRow>& rows) {
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setPageLayout(QPageLayout(QPageSize(QPageSize::A4), QPageLayout::Landscape,
                                   QMarginsF(page_margin, page_margin, page_margin, page_margin),
                                   QPageLayout::Millimeter));
  writer.setResolution(dots);
  writer.setCreator(QStringLiteral("Netwright"));
  writer.setTitle(tell(QT_TRANSLATE_NOOP("KeyCard", "Netwright: keys and gestures")));
  const QRectF page(0, 0, writer.width(), writer.height());
  CardLayout card;
  for (double points = largest_points; !card.fits && points >= smallest_points; points -= 0.25)
    card = cardLayout(rows, page, points, &writer);
  if (!card.fits) return {};
  QPainter p(&writer);
  paintCard(p, rows, card);
  p.end();
  buffer.close();
  return bytes;
}

namespace {

bool saveCard(const QString& path) {
  const QByteArray pdf = keyCardPdf(keyCardRows());
  QSaveFile out(path);
  return !pdf.isEmpty() && out.open(QIODevice::WriteOnly) && out.write(pdf) == pdf.size() && out.commit();
}

int refuseCard(const char* sentence, int code) {
  std::fprintf(stderr, "netwright: %s\n", sentence);
  return code;
}

}  // namespace

bool openKeyCard() {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation);
  const QString path = QStringLiteral("%1/netwright-keys-%2.pdf").arg(folder, currentLanguage());
  return QDir().mkpath(folder) && saveCard(path) && QDesktopServices::openUrl(QUrl::fromLocalFile(path));
}

bool asksForKeyCard(int argc, char** argv) { return argc > 1 && std::string_view(argv[1]) == "--key-card"; }

int writeKeyCard(int argc, char** argv) {
  const std::string_view language = argc == 4 ? argv[2] : "";
  if (language != "zh" && language != "en") return refuseCard("--key-card needs en or zh, and a PDF file", 2);
  const QString path = QString::fromLocal8Bit(argv[3]);
  qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication app(argc, argv);
  QCoreApplication::setOrganizationName(QStringLiteral("netwright-key-card"));  // the keys of the table, not the user's
  setLanguage(language == "zh" ? QStringLiteral("zh_CN") : QStringLiteral("en"));
  applyTheme(ThemeMode::light);
  if (language == "zh" && QFontDatabase::families(QFontDatabase::SimplifiedChinese).isEmpty())
    return refuseCard("no font with Chinese characters is installed (in Debian: fonts-noto-cjk)", 1);
  return saveCard(path) ? 0 : refuseCard("the card could not be written", 1);
}

}  // namespace nw::ui
