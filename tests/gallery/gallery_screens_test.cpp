// SPDX-License-Identifier: GPL-3.0-or-later
// Screens that show no run, painted by the program that the tests of all screens run.
#include <gtest/gtest.h>

#include <QCoreApplication>
#include <QDir>
#include <QProcess>
#include <QTemporaryDir>

#include "tests/support/paths.hpp"

namespace nw::ui {
namespace {

/// What the gallery complains of.
std::string complaints(const QString& looks) {
  const QTemporaryDir folder;
  const QString runs = folder.filePath(QStringLiteral("runs")), out = folder.filePath(QStringLiteral("pictures"));
  QDir().mkpath(runs + QStringLiteral("/none"));  // not empty: nothing is trained
  QProcess gallery;
  gallery.setProcessChannelMode(QProcess::SeparateChannels);
  gallery.start(QCoreApplication::applicationDirPath() + QStringLiteral("/netwright_gallery"),
                {QStringLiteral("--rules"), QStringLiteral("--expected"),
                 QString::fromStdString(test::tests_folder() + "/gallery/expected"), QStringLiteral("--scales"),
                 QStringLiteral("100"), QStringLiteral("--runs"), runs, out, looks});
  if (!gallery.waitForFinished(120000)) return "it does not end";
  if (gallery.exitCode() == 77) return "skipped";
  const QString said = QString::fromUtf8(gallery.readAllStandardError());
  return gallery.exitCode() ? said.toStdString() + "exit code " + std::to_string(gallery.exitCode()) : std::string();
}

constexpr const char* screens =
    "^(components|about|help|preferences|submit-here|submit-wrong|settings-panel|save-block|compare|table-targets|"
    "study|design-empty)-";
/// The palette lies over a page whose panels are as high as the screens before it have left them.
constexpr const char* screensWithRulesAlone = "^command-palette-";

void expectNone(const QString& look, const char* of = screens) {
  const std::string said = complaints(QLatin1String(of) + look);
  if (said == "skipped") GTEST_SKIP() << "NETWRIGHT_DATA holds no mnist";
  EXPECT_EQ(said, "");
}

TEST(GalleryScreens, ExpectedFormsAreThere) {
  const QDir folder(QString::fromStdString(test::tests_folder() + "/gallery/expected"));
  EXPECT_GE(folder.entryList({QStringLiteral("*.txt")}).size(), 40);
}

TEST(GalleryScreens, LookAsExpected) { expectNone(QStringLiteral("light-en")); }
TEST(GalleryScreens, KeepTheRulesInChinese) { expectNone(QStringLiteral("light-zh")); }
/// Windows that were made in light.
TEST(GalleryScreens, KeepTheRulesInDark) {
  expectNone(QStringLiteral("(dark|contrast)-en"));
  expectNone(QStringLiteral("(dark|contrast)-en"), screensWithRulesAlone);
}

}  // namespace
}  // namespace nw::ui
