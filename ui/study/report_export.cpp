// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/study/report_export.hpp"

#include <QBuffer>
#include <QCoreApplication>
#include <QDir>
#include <QFileDialog>
#include <QLocale>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <algorithm>

#include "engine/predict/run_report.hpp"
#include "ui/session/background.hpp"
#include "ui/session/notification.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {

namespace {
struct ReportTexts {
  Q_DECLARE_TR_FUNCTIONS(ReportExport)
};
constexpr double sharpness = 3, most_pixels = 6000;  // of a drawing, for each of its own pixels; along a side
constexpr int page_margin_mm = 16, dots_per_inch = 96, widest_picture = 640;

constexpr const char* print_style =
    "body{font-size:10pt;color:#1b1b22}h1{font-size:18pt}h2{font-size:13pt;margin-top:18px}"
    "th,td{padding:2px 8px;border-bottom:1px solid #d9d9e0}th{text-align:left}.muted{color:#5c5c6b}"
    ".figures{margin-bottom:12px}";
constexpr const char* curve_colours[] = {"#0b4f8a", "#a63d00", "#1b7f4b", "#7a3fb5", "#8a6d00", "#b0215f"};

/// What the page's style sheet says of its drawings, as attributes: SVG in a document knows no style sheet.
QString withAttributes(QString svg) {
  static const std::pair<QRegularExpression, QString> rules[] = {
      {QRegularExpression(QStringLiteral("class=\"grid\"")), QStringLiteral("stroke=\"#d9d9e0\" fill=\"none\"")},
      {QRegularExpression(QStringLiteral("class=\"box\"")), QStringLiteral("fill=\"#ffffff\" stroke=\"#b8b8c4\"")},
      {QRegularExpression(QStringLiteral("class=\"edge\"")), QStringLiteral("fill=\"none\" stroke=\"#5c5c6b\"")},
      {QRegularExpression(QStringLiteral("class=\"tip\"")), QStringLiteral("fill=\"#5c5c6b\"")},
      {QRegularExpression(QStringLiteral("<text class=\"n\"")),
       QStringLiteral("<text fill=\"#1b1b22\" font-size=\"11\"")},
      {QRegularExpression(QStringLiteral("<text (?!fill)")),
       QStringLiteral("<text fill=\"#5c5c6b\" font-size=\"11\" ")},
      {QRegularExpression(QStringLiteral("</?tspan[^>]*>")), QString()},
  };
  int curve = 0;
  for (const char* colour : curve_colours)
    svg.replace(QStringLiteral("class=\"c s%1\"").arg(curve++),
                QStringLiteral("fill=\"none\" stroke-width=\"1.8\" stroke=\"%1\"").arg(QLatin1String(colour)));
  for (const auto& [from, to] : rules) svg.replace(from, to);
  return svg;
}

/// The page without the other language, its switch and its style.
QString oneLanguage(QString html, bool chinese) {
  const QString other = chinese ? QStringLiteral("en") : QStringLiteral("zh"),
                own = chinese ? QStringLiteral("zh") : QStringLiteral("en");
  html.remove(QRegularExpression(QStringLiteral("<(span|tspan) lang=\"%1\">[^<]*</\\1>").arg(other)));
  html.replace(QRegularExpression(QStringLiteral("<(span|tspan) lang=\"%1\">([^<]*)</\\1>").arg(own)),
               QStringLiteral("\\2"));
  html.remove(QRegularExpression(QStringLiteral("<style>.*?</style>"), QRegularExpression::DotMatchesEverythingOption));
  html.remove(QRegularExpression(QStringLiteral("<input[^>]*>|<label[^>]*>[^<]*</label>")));
  return html;
}

/// Legends and figures as text: a document knows no boxes that a style sheet sizes and sets apart.
QString withoutBoxes(QString html) {
  int curve = 0;
  for (const char* colour : curve_colours)
    html.replace(QStringLiteral("<i class=\"s%1\"></i>").arg(curve++),
                 QStringLiteral("&nbsp;&nbsp;<b style=\"color:%1\">\u2014</b>&nbsp;").arg(QLatin1String(colour)));
  html.replace(QStringLiteral("</span><b>"), QStringLiteral("</span>&nbsp;&nbsp;<b>"));
  return html;
}

QImage drawn(const QString& svg, QSize* size) {
  QSvgRenderer renderer(svg.toUtf8());
  *size = renderer.defaultSize();
  if (size->isEmpty()) return {};
  const double scale = std::min(sharpness, most_pixels / std::max(size->width(), size->height()));
  QImage image((QSizeF(*size) * scale).toSize(), QImage::Format_ARGB32_Premultiplied);
  image.fill(Qt::white);
  QPainter p(&image);
  renderer.render(&p);
  return image;
}
}  // namespace

std::unique_ptr<QTextDocument> reportDocument(const QString& html, bool chinese) {
  auto document = std::make_unique<QTextDocument>();
  QFont letters = ui::font(TextRole::body);
  // A PDF says of each sign which letter it is. Of the signs that shaping puts in a letter's place it could not say so:
  // dates would be copied without their hyphens.
  letters.setStyleStrategy(QFont::PreferNoShaping);
  document->setDefaultFont(letters);
  document->setDefaultStyleSheet(QLatin1String(print_style));
  QString page = withoutBoxes(oneLanguage(html, chinese));
  static const QRegularExpression svg(QStringLiteral("<svg.*?</svg>"), QRegularExpression::DotMatchesEverythingOption);
  for (int n = 0;; ++n) {
    const QRegularExpressionMatch found = svg.match(page);
    if (!found.hasMatch()) break;
    QSize size;
    const QImage image = drawn(withAttributes(found.captured()), &size);
    const QString name = QStringLiteral("drawing%1").arg(n);
    document->addResource(QTextDocument::ImageResource, QUrl(name), image);
    if (size.width() > widest_picture) size.scale(widest_picture, size.height(), Qt::KeepAspectRatio);
    page.replace(found.capturedStart(), found.capturedLength(),
                 QStringLiteral("<br><img src=\"%1\" width=\"%2\" height=\"%3\"><br>")
                     .arg(name)
                     .arg(size.width())
                     .arg(size.height()));
  }
  document->setHtml(page);
  return document;
}

QByteArray reportPdf(const QString& html, bool chinese) {
  const auto document = reportDocument(html, chinese);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  QPdfWriter writer(&buffer);
  writer.setPageSize(QPageSize(QPageSize::A4));
  writer.setPageMargins(QMarginsF(page_margin_mm, page_margin_mm, page_margin_mm, page_margin_mm),
                        QPageLayout::Millimeter);
  writer.setResolution(dots_per_inch);
  writer.setCreator(QStringLiteral("Netwright"));
  writer.setTitle(document->metaInformation(QTextDocument::DocumentTitle));
  document->print(&writer);
  buffer.close();
  return bytes;
}

void saveReport(Session& session, const fs::path& folder, QWidget* parent) {
  const QString name = QString::fromStdString(folder.filename().string());
  const QString page = ReportTexts::tr("HTML, both languages (*.html)"),
                english = ReportTexts::tr("PDF in English (*.pdf)"),
                chinesePdf = ReportTexts::tr("PDF in Chinese (*.pdf)");
  const bool isChinese = QLocale().language() == QLocale::Chinese;
  QString kind = page;
  const QString file = QFileDialog::getSaveFileName(
      parent, ReportTexts::tr("Save the report"), name + QStringLiteral(".html"),
      (isChinese ? QStringList{page, chinesePdf, english} : QStringList{page, english, chinesePdf})
          .join(QStringLiteral(";;")),
      &kind);
  if (file.isEmpty()) return;
  const bool chinese = kind == chinesePdf || (kind == page && isChinese);
  const auto language = chinese ? PageLanguage::chinese : PageLanguage::english;
  inBackground(
      &session, [folder, language] { return folder_report(folder, language); },
      [&session, file, chinese](const Result<std::string>& page) {
        if (!page) return void(Q_EMIT session.message(translated(page.error().what), 2));
        const bool pdf = file.endsWith(QLatin1String(".pdf"), Qt::CaseInsensitive);
        const std::string bytes = pdf ? reportPdf(QString::fromStdString(*page), chinese).toStdString() : *page;
        if (const Status saved = save_file(fs::path(file.toStdString()), bytes); !saved)
          return void(Q_EMIT session.message(translated(saved.error().what), 2));
        Q_EMIT session.message(ReportTexts::tr("The report was saved to %1.").arg(QDir::toNativeSeparators(file)), 0,
                               fileActions(file));
      });
}

}  // namespace nw::ui
