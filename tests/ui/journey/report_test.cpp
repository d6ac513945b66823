// SPDX-License-Identifier: GPL-3.0-or-later
// Reports from the window: of a run as a page in both languages, and as a PDF in one.
#include <QPushButton>
#include <QTextBlock>
#include <QTextDocument>

#include "engine/predict/run_report.hpp"
#include "tests/ui/journey/runs_journey.hpp"
#include "ui/study/report_export.hpp"

namespace nw::ui {
namespace {

class ReportJourney : public RunsJourney {
 protected:
  static QVector<QImage> pictures(const QTextDocument& document) {
    QVector<QImage> all;
    for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
      for (auto at = block.begin(); !at.atEnd(); ++at)
        if (const QTextImageFormat image = at.fragment().charFormat().toImageFormat(); image.isValid())
          all += document.resource(QTextDocument::ImageResource, QUrl(image.name())).value<QImage>();
    return all;
  }
  static int colours(const QImage& image) {
    QSet<QRgb> all;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) all += image.pixel(x, y);
    return static_cast<int>(all.size());
  }
};

TEST_F(ReportJourney, ARunsReportIsSavedAsAPage) {
  addThree();
  openRuns(3);
  clickRow(best);
  const QString file = folder.filePath(QStringLiteral("best.html"));
  hand.answerFile(file, [&] { hand.click(button(QStringLiteral("Report…"), &page())); });
  ASSERT_TRUE(says(QStringLiteral("The report was saved to"))) << window().banner().text().toStdString();
  const auto html = read_file(file.toStdString(), 1 << 24);
  ASSERT_TRUE(html);
  EXPECT_NE(html->find(best.filename().string()), html->npos);
  EXPECT_NE(html->find("运行报告"), html->npos);
}

TEST_F(ReportJourney, APdfIsInOneLanguageWithItsDrawings) {
  addThree();
  const auto html = folder_report(best, PageLanguage::english);
  ASSERT_TRUE(html);
  const QString page = QString::fromStdString(*html);
  const QString chinese = reportDocument(page, true)->toPlainText(),
                english = reportDocument(page, false)->toPlainText();
  EXPECT_TRUE(chinese.contains(QStringLiteral("运行报告")));
  EXPECT_FALSE(chinese.contains(QStringLiteral("Report of a run")));
  EXPECT_TRUE(english.contains(QStringLiteral("Report of a run")));
  EXPECT_FALSE(english.contains(QStringLiteral("运行报告")));
  EXPECT_FALSE(english.contains(QStringLiteral("{"))) << "no style sheet among the text";
  const auto document = reportDocument(page, false);
  const QVector<QImage> drawings = pictures(*document);
  ASSERT_EQ(drawings.size(), 3) << "loss, accuracy, the network";
  for (const QImage& drawing : drawings) EXPECT_GT(colours(drawing), 20) << "curves and text";
  const QByteArray pdf = reportPdf(page, true);
  EXPECT_TRUE(pdf.startsWith("%PDF"));
  EXPECT_GT(pdf.size(), 20'000);
}

}  // namespace
}  // namespace nw::ui
