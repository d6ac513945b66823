// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/speed_dialog.hpp"

#include <gtest/gtest.h>

#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QPushButton>
#include <QTableWidget>
#include <QTemporaryDir>

#include "tests/ui/predict/fake_helper.hpp"
#include "ui/session/command_process.hpp"

namespace nw::ui {
namespace {

/// A script in place of netwright-cli.
QString program(const QTemporaryDir& folder, const char* name, const char* text) {
  const QString path = folder.filePath(QLatin1String(name));
  QFile file(path);
  EXPECT_TRUE(file.open(QIODevice::WriteOnly | QIODevice::Truncate));
  file.write(text);
  file.close();
  file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return path;
}

TEST(SpeedDialog, ShowsEachLineAsARowAndReportsErrors) {
  const QTemporaryDir folder;
  CommandProcess::setProgram(
      program(folder, "good",
              "#!/bin/sh\necho nonsense\necho "
              "'{\"device\":\"cpu\",\"threads\":2,\"batch\":8,\"latency_ms\":0.5,\"slowest_ms\":0."
              "75,\"images_per_s\":16000}'\n"));
  SpeedDialog good(QStringLiteral("/run"), QStringLiteral("best"), {QStringLiteral("cpu")});
  ASSERT_TRUE(eventually([&] { return !good.measuring(); }));
  ASSERT_EQ(good.table().rowCount(), 1);
  EXPECT_EQ(good.table().item(0, 3)->text(), QStringLiteral("0.500"));
  EXPECT_TRUE(good.error().isEmpty());
  CommandProcess::setProgram(program(folder, "bad", "#!/bin/sh\necho 'cuda:0 is not in this machine' >&2\nexit 4\n"));
  SpeedDialog bad(QStringLiteral("/run"), QStringLiteral("best"), {QStringLiteral("cuda:0")});
  ASSERT_TRUE(eventually([&] { return !bad.measuring(); }));
  EXPECT_EQ(bad.error(), QStringLiteral("cuda:0 is not in this machine"));
  CommandProcess::setProgram(QStringLiteral("/nowhere/netwright-cli"));
  SpeedDialog missing(QStringLiteral("/run"), QStringLiteral("best"), {QStringLiteral("cpu")});
  ASSERT_TRUE(eventually([&] { return !missing.measuring(); }));
  EXPECT_FALSE(missing.error().isEmpty());
  CommandProcess::setProgram({});
}

TEST(SpeedDialog, ADeviceThatIsCalledLikeAFormulaIsCopiedAsAText) {
  const QTemporaryDir folder;
  CommandProcess::setProgram(program(folder, "odd",
                                     "#!/bin/sh\necho "
                                     "'{\"device\":\"=HYPERLINK(1,2)\",\"threads\":2,\"batch\":8,\"latency_ms\":0.5,"
                                     "\"slowest_ms\":0.75,\"images_per_s\":16000}'\n"));
  SpeedDialog odd(QStringLiteral("/run"), QStringLiteral("best"), {QStringLiteral("cpu")});
  ASSERT_TRUE(eventually([&] { return !odd.measuring(); }));
  for (QPushButton* each : odd.findChildren<QPushButton*>())
    if (each->text() == SpeedDialog::tr("Copy as CSV")) each->click();
  EXPECT_TRUE(QApplication::clipboard()->text().contains(QStringLiteral("\n\"'=HYPERLINK(1,2)\",2,8,")))
      << QApplication::clipboard()->text().toStdString();
  CommandProcess::setProgram({});
}

}  // namespace
}  // namespace nw::ui
