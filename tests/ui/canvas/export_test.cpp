// SPDX-License-Identifier: GPL-3.0-or-later
// The exported diagram: its content, and the project embedded in a PNG.
#include <QImageReader>
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QSvgRenderer>
#include <QTemporaryDir>

#include "engine/core/png_text.hpp"
#include "engine/design/project_file.hpp"
#include "tests/ui/canvas/bench.hpp"
#include "ui/canvas/scene/diagram_export.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

class ExportTest : public CanvasTest {
 protected:
  QString file(const char* name) { return folder.filePath(QLatin1String(name)); }
  QByteArray bytesOf(const QString& path) {
    QFile f(path);
    return f.open(QIODevice::ReadOnly) ? f.readAll() : QByteArray();
  }
  QTemporaryDir folder;
};

TEST_F(ExportTest, AnSvgShowsEveryLayerAndIsAsLargeAsTheDrawing) {
  open("lenet5");
  ASSERT_TRUE(exportDrawing(scene(), file("a.svg")));
  QSvgRenderer svg(file("a.svg"));
  ASSERT_TRUE(svg.isValid());
  EXPECT_NEAR(svg.viewBoxF().width(), scene().elements().contentRect().width() + 64, 2);
  EXPECT_NEAR(svg.viewBoxF().height(), scene().elements().contentRect().height() + 64, 2);
  const QByteArray text = bytesOf(file("a.svg"));
  for (const char* word : {"conv1", "conv2", "fc3", "MaxPool2d"}) EXPECT_TRUE(text.contains(word)) << word;
  EXPECT_TRUE(text.contains("28")) << "the shapes stand on the connections";
}

TEST_F(ExportTest, APdfIsOnePageOfTheDrawingsSize) {
  open("lenet5");
  ASSERT_TRUE(exportDrawing(scene(), file("a.pdf")));
  const QByteArray pdf = bytesOf(file("a.pdf"));
  ASSERT_TRUE(pdf.startsWith("%PDF"));
  EXPECT_TRUE(pdf.contains("/Count 1"));
  const qsizetype box = pdf.indexOf("/MediaBox [");
  ASSERT_GE(box, 0);
  const QList<QByteArray> numbers = pdf.mid(box + 11, 60).split(']').front().simplified().split(' ');
  ASSERT_EQ(numbers.size(), 4);
  EXPECT_NEAR(numbers[2].toDouble(), scene().elements().contentRect().width() + 64, 2);
  EXPECT_NEAR(numbers[3].toDouble(), scene().elements().contentRect().height() + 64, 2);
}

TEST_F(ExportTest, TikzHasTheGeometryOfTheSvgAndItsWordsEscaped) {
  open("lenet5");
  ASSERT_TRUE(
      session.push({PutNote{"", 1, Note{"50 % of a_b & \\write18{rm}", {10, -200, 200, 80}}}}, QStringLiteral("note")));
  ASSERT_TRUE(exportDrawing(scene(), file("a.tex")));
  const QString tex = QString::fromUtf8(bytesOf(file("a.tex")));
  EXPECT_TRUE(tex.startsWith(QStringLiteral("% ")) || tex.startsWith(QStringLiteral("%%")))
      << tex.left(80).toStdString();
  for (const char* word : {"{conv1}", "{conv2}", "{fc3}", "\\documentclass[tikz]{standalone}", "\\end{tikzpicture}"})
    EXPECT_TRUE(tex.contains(QLatin1String(word))) << word << "\n" << tex.left(3000).toStdString();
  EXPECT_TRUE(tex.contains(QStringLiteral("50 \\% of a\\_b \\&"))) << "a note's signs are escaped";
  EXPECT_TRUE(tex.contains(QStringLiteral("write18\\{rm\\}"))) << "braces open no group";
  EXPECT_FALSE(tex.contains(QStringLiteral("\\write18"))) << "no word of the project is a command";
  const auto box = QRegularExpression(QStringLiteral("rectangle \\(([0-9.]+),([0-9.]+)\\)")).match(tex);
  ASSERT_TRUE(box.hasMatch());
  EXPECT_NEAR(box.captured(1).toDouble(), scene().elements().contentRect().width() + 64, 2);
  EXPECT_NEAR(box.captured(2).toDouble(), scene().elements().contentRect().height() + 64, 2);
  EXPECT_EQ(tex.count(u'{') - tex.count(QStringLiteral("\\{")), tex.count(u'}') - tex.count(QStringLiteral("\\}")));
  EXPECT_GT(tex.count(QStringLiteral("\\path[")), 20) << "cards, connections and icons";
}

TEST_F(ExportTest, PdflatexSetsTheTikz) {
  const QString latex = QStandardPaths::findExecutable(QStringLiteral("pdflatex"));
  if (latex.isEmpty()) GTEST_SKIP() << "pdflatex is not installed";
  open("lenet5");
  ASSERT_TRUE(exportDrawing(scene(), file("a.tex")));
  QProcess process;
  process.setWorkingDirectory(folder.path());
  process.start(
      latex, {QStringLiteral("-interaction=nonstopmode"), QStringLiteral("-halt-on-error"), QStringLiteral("a.tex")});
  ASSERT_TRUE(process.waitForFinished(120000));
  const QByteArray said = process.readAllStandardOutput();
  if (said.contains("standalone.cls' not found")) GTEST_SKIP() << "LaTeX has no class standalone";
  EXPECT_EQ(process.exitCode(), 0) << said.right(2000).toStdString();
  EXPECT_TRUE(bytesOf(file("a.pdf")).startsWith("%PDF"));
}

TEST_F(ExportTest, PngContainsTheCompleteProject) {
  open("lenet5");
  ASSERT_TRUE(session.push({PutNote{"", 1, Note{"手写数字\nsecond line, \"quoted\"", {10, -200, 200, 80}}}},
                           QStringLiteral("note")));
  const std::string before = ProjectFile::text(session.doc());
  ASSERT_TRUE(exportDrawing(scene(), file("a.png")));
  const auto carried = projectInPicture(file("a.png"));
  ASSERT_TRUE(carried) << carried.error().str();
  EXPECT_EQ(ProjectFile::text(*carried), before);
  const QImage picture(file("a.png"));
  ASSERT_FALSE(picture.isNull());
  EXPECT_NEAR(picture.width(), 2 * (scene().elements().contentRect().width() + 64), 4);
  EXPECT_EQ(picture.pixelColor(3, 3), theme().canvas);
}

TEST_F(ExportTest, SelectionIsNotExported) {
  open("lenet5");
  ASSERT_TRUE(exportDrawing(scene(), file("before.svg")));
  scene().selection().setCurrent(find("conv1"));
  ASSERT_TRUE(exportDrawing(scene(), file("after.svg")));
  EXPECT_EQ(bytesOf(file("before.svg")), bytesOf(file("after.svg")));
  EXPECT_EQ(scene().selection().current(), find("conv1")) << "and stays selected";
}

TEST_F(ExportTest, MissingFolderIsReported) {
  open("lenet5");
  const Status done = exportDrawing(scene(), file("nowhere/a.svg"));
  ASSERT_FALSE(done);
  EXPECT_NE(done.error().str().find("nowhere"), std::string::npos);
}

/// The texts of a PNG that Qt writes in each of the three kinds of chunks, and a text that unpacks to a gigabyte.
TEST_F(ExportTest, TextsAreReadWithoutDecodingThePicture) {
  QImage plain(8, 8, QImage::Format_RGB32);
  plain.fill(Qt::red);
  for (const QString& text : {QStringLiteral("short"), QString(500, u'x'), QStringLiteral("naïve"), QString(90, u'ï'),
                              QStringLiteral("手写数字"), QString(5000, u'字')}) {
    plain.setText(QStringLiteral("netwright"), text);
    ASSERT_TRUE(plain.save(file("t.png")));
    const QByteArray bytes = bytesOf(file("t.png"));
    const auto found = png_text(bytes.toStdString(), "netwright", 1 << 20, "t.png");
    ASSERT_TRUE(found) << found.error().str();
    ASSERT_TRUE(found->has_value());
    EXPECT_EQ(**found, text.toStdString());
    EXPECT_FALSE(png_text(bytes.toStdString(), "netwright", 4, "t.png")) << "longer than allowed";
    QByteArray damaged = bytes;
    damaged[bytes.indexOf("netwright") + 12] ^= 1;
    EXPECT_FALSE(png_text(damaged.toStdString(), "netwright", 1 << 20, "t.png"));
    for (qsizetype cut = 0; cut < bytes.size(); cut += 7)
      (void)png_text(bytes.left(cut).toStdString(), "netwright", 1 << 20, "t.png");
  }
}

TEST_F(ExportTest, ImagesWithoutAProjectAreRejectedInOneSentence) {
  QImage plain(8, 8, QImage::Format_RGB32);
  plain.fill(Qt::red);
  ASSERT_TRUE(plain.save(file("plain.png")));
  plain.setText(QStringLiteral("netwright"), QStringLiteral("{\"format\": 1, "));
  ASSERT_TRUE(plain.save(file("broken.png")));
  ASSERT_TRUE(plain.save(file("other.jpg")));
  QFile garbage(file("garbage.png"));
  ASSERT_TRUE(garbage.open(QIODevice::WriteOnly));
  garbage.write("\x89PNG\r\n\x1a\n and then nothing");
  garbage.close();
  for (const char* name : {"plain.png", "broken.png", "other.jpg", "garbage.png", "missing.png"}) {
    const auto carried = projectInPicture(file(name));
    ASSERT_FALSE(carried) << name;
    EXPECT_EQ(carried.error().code, Errc::bad_input) << name;
    EXPECT_NE(carried.error().str().find(name), std::string::npos) << carried.error().str();
  }
}

}  // namespace
}  // namespace nw::ui
