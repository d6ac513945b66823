// SPDX-License-Identifier: GPL-3.0-or-later
// About: every component with its version and licence, and the licence's text.
#include "ui/shell/help/about.hpp"

#include <gtest/gtest.h>

#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>

#include <algorithm>

#include "tests/support/run_writer.hpp"

namespace nw::ui {
namespace {

QStringList labelsOf(const QWidget& dialog) {
  QStringList all;
  for (const QLabel* label : dialog.findChildren<QLabel*>()) all << label->text();
  return all;
}

TEST(About, ListsEveryComponentWithVersionAndLicence) {
  const AboutDialog dialog;
  const QStringList labels = labelsOf(dialog);
  for (const Component& c : all_components()) {
    EXPECT_TRUE(labels.contains(QString::fromUtf8(c.name.data(), qsizetype(c.name.size())))) << c.name;
    const std::string built = built_version(c.name);
    if (c.name == "Qt") continue;
    if (built.empty()) {
      const bool said =
          labels.contains(c.with_system ? QStringLiteral("with the system") : QStringLiteral("not in this build"));
      EXPECT_TRUE(said) << c.name << " has neither a version nor a word about it";
      continue;
    }
    EXPECT_TRUE(labels.contains(QString::fromStdString(built))) << c.name << ' ' << built;
  }
  const bool qt = std::any_of(labels.begin(), labels.end(),
                              [](const QString& text) { return text.contains(QLatin1String(qVersion())); });
  EXPECT_TRUE(qt) << "Qt as it is loaded";
}

TEST(About, ListsLibrariesOfTheArchiveThatNoComponentIs) {
  const test::TemporaryFolder archive;
  for (const char* package : {"libicu72", "libglib2.0-0", "zlib1g", "libqt6core6", "libqt6core6t64", "libcurl4",
                              "libsqlite3-0", "libprotobuf-lite32", "libpng16-16"})
    ASSERT_TRUE(save_file(archive.path() / package, "licence"));
  std::vector<std::string> names;
  for (const BundledPackage& p : bundled_packages(archive.path())) names.push_back(p.name);
  EXPECT_EQ(names, (std::vector<std::string>{"libglib2.0-0", "libicu72"}));
  EXPECT_TRUE(bundled_packages(archive.path() / "none").empty());
}

TEST(About, TellsTheVersionsOfLibrariesOfTheArchive) {
  const test::TemporaryFolder archive;
  for (const char* package : {"libicu72", "libglib2.0-0", "libxcb1"})
    ASSERT_TRUE(save_file(archive.path() / package, "licence of it"));
  ASSERT_TRUE(
      save_file(archive.path() / "versions.txt", "libglib2.0-0 2.74.6-2+deb12u7\nno_version\n\nlibicu72 72.1-3\n"));
  const auto packages = bundled_packages(archive.path());
  ASSERT_EQ(packages.size(), 3U) << "the file with the versions is no package";
  EXPECT_EQ(packages[0].version, "2.74.6-2+deb12u7");
  EXPECT_EQ(packages[1].version, "72.1-3");
  EXPECT_EQ(packages[2].version, "") << "not told";
  EXPECT_EQ(packages[2].licence, archive.path() / "libxcb1");
  const AboutDialog dialog(nullptr, archive.path());
  EXPECT_TRUE(labelsOf(dialog).contains(QStringLiteral("2.74.6-2+deb12u7")));
}

TEST(About, ALicenceIsOneClickAway) {
  AboutDialog dialog;
  dialog.show();
  int shown = 0;
  for (const Component& c : all_components()) {
    const bool installed = c.name == "Inter" || !licence_file(c).empty();
    EXPECT_TRUE(QString::fromStdString(licence_address(c)).startsWith(QStringLiteral("https://"))) << c.name;
    if (!installed) continue;
    dialog.showLicence(c);
    EXPECT_EQ(dialog.findChild<QTabWidget*>()->currentIndex(), 1) << c.name;
    EXPECT_GT(dialog.findChild<QPlainTextEdit*>()->toPlainText().size(), 200) << c.name;
    ++shown;
  }
  EXPECT_GE(shown, 1) << "the font's licence is inside the program";
  int buttons = 0;
  for (const QPushButton* button : dialog.findChildren<QPushButton*>())
    if (button->accessibleName().contains(QStringLiteral("Licence of"))) ++buttons;
  EXPECT_EQ(buttons, static_cast<int>(all_components().size()));
}

}  // namespace
}  // namespace nw::ui
