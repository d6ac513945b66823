// SPDX-License-Identifier: GPL-3.0-or-later
// The dialog with a script that prints the output of netwright-cli data get.
#include "ui/data/get_data_dialog.hpp"

#include <gtest/gtest.h>

#include <QFile>
#include <QPushButton>
#include <QTemporaryDir>
#include <QTreeWidget>

#include "tests/ui/predict/fake_helper.hpp"
#include "ui/data/data_fetch.hpp"
#include "ui/data/data_opener.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

class GetDataTest : public testing::Test {
 protected:
  GetDataTest() : helper(fake_response), data_(qgetenv("NETWRIGHT_DATA")), home_(qgetenv("XDG_DATA_HOME")) {
    qunsetenv("NETWRIGHT_DATA");
    qputenv("XDG_DATA_HOME", folder.path().toUtf8());
    HelperClient::setDefaultLauncher(helper.launcher());
    session = std::make_unique<Session>();
    dialog = std::make_unique<GetDataDialog>(*session);
    dialog->show();
  }
  ~GetDataTest() override {
    dialog.reset();
    session.reset();
    HelperClient::setDefaultLauncher({});
    DataFetch::setProgram({});
    if (!data_.isNull()) qputenv("NETWRIGHT_DATA", data_);
    if (home_.isNull())
      qunsetenv("XDG_DATA_HOME");
    else
      qputenv("XDG_DATA_HOME", home_);
  }
  /// Installs a shell script with these lines; $3 is the name of the data set.
  void program(const QByteArray& lines) {
    QFile file(folder.filePath(QStringLiteral("cli")));
    ASSERT_TRUE(file.open(QIODevice::WriteOnly));
    file.write("#!/bin/sh\n" + lines);
    file.close();
    file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
    DataFetch::setProgram(file.fileName());
  }
  DataFetch& fetch() { return dataFetch(*session); }
  bool ended() {
    return eventually([&] { return !fetch().isRunning(); });
  }
  QString state(int row) { return dialog->list().topLevelItem(row)->text(4); }
  void make_files(const PublicSet& set) {
    const fs::path place = place_of(set);
    ASSERT_TRUE(make_folder(place));
    for (const PublicFile& f : set.files) {
      ASSERT_TRUE(save_file(place / f.name, ""));
      fs::resize_file(place / f.name, static_cast<std::uintmax_t>(f.bytes));  // sparse: occupies no disk space
    }
  }
  QTemporaryDir folder;
  FakeHelper helper;
  QByteArray data_, home_;
  std::unique_ptr<Session> session;
  std::unique_ptr<GetDataDialog> dialog;
};

const char* const progress_line =
    R"(echo '{"type":"progress","phase":"downloading","file":"train.gz","host":"example.org","done_bytes":5000000,"total_bytes":10000000,"bytes_per_s":1000000,"remaining_s":5}')"
    "\n";

TEST_F(GetDataTest, EverySetIsARowWithSizeLicenceAndState) {
  ASSERT_EQ(dialog->list().topLevelItemCount(), static_cast<int>(public_sets().size()));
  EXPECT_EQ(dialog->list().topLevelItem(0)->text(0), QStringLiteral("MNIST"));
  EXPECT_EQ(state(0), QStringLiteral("not downloaded"));
  EXPECT_TRUE(dialog->fetchButton().isEnabled());
  EXPECT_FALSE(dialog->useButton().isEnabled());
}

TEST_F(GetDataTest, ProgressShowsBytesRateAndTimeLeftAndStopEndsIt) {
  program(QByteArray(progress_line) + "trap 'exit 8' TERM\nwhile :; do sleep 0.05; done\n");
  dialog->fetchButton().click();
  ASSERT_TRUE(eventually([&] { return dialog->progressText().contains(QStringLiteral("example.org")); }));
  EXPECT_TRUE(dialog->progressText().contains(durationText(5))) << dialog->progressText().toStdString();
  EXPECT_EQ(dialog->fetchButton().text(), QStringLiteral("Stop"));
  EXPECT_EQ(state(0), QStringLiteral("downloading"));
  dialog->choose(QStringLiteral("cifar-10"));
  EXPECT_FALSE(dialog->fetchButton().isEnabled()) << "one at a time";
  dialog->choose(QStringLiteral("mnist"));
  dialog->fetchButton().click();
  ASSERT_TRUE(ended());
  EXPECT_TRUE(dialog->errorText().isEmpty()) << "to stop is no error";
  EXPECT_TRUE(dialog->progressText().isEmpty());
}

TEST_F(GetDataTest, AnErrorIsReportedInTheWindow) {
  program(
      R"(echo '{"type":"error","code":3,"source":"{0} responded with HTTP status {1}","args":["example.org","404"]}')"
      "\nexit 3\n");
  dialog->fetchButton().click();
  ASSERT_TRUE(ended());
  EXPECT_EQ(dialog->errorText(), QStringLiteral("example.org responded with HTTP status 404"));
  dialog->choose(QStringLiteral("cifar-10"));
  EXPECT_TRUE(dialog->errorText().isEmpty()) << "it belongs to the other set";
}

TEST_F(GetDataTest, AProgramThatCrashesOrIsMissingIsReported) {
  program("kill -9 $$\n");
  dialog->fetchButton().click();
  ASSERT_TRUE(ended());
  EXPECT_FALSE(dialog->errorText().isEmpty());
  DataFetch::setProgram(QStringLiteral("/nowhere/at/all"));
  dialog->fetchButton().click();
  ASSERT_TRUE(ended());
  EXPECT_FALSE(dialog->errorText().isEmpty());
}

TEST_F(GetDataTest, ACompleteSetCanBeUsedAndIsOneUndoStep) {
  program("exit 0\n");
  const PublicSet& set = *find_public_set("fashion-mnist");
  dialog->choose(QStringLiteral("fashion-mnist"));
  make_files(set);  // as if the script had downloaded them
  dialog->fetchButton().click();
  ASSERT_TRUE(ended());
  EXPECT_EQ(state(1), QStringLiteral("downloaded"));
  ASSERT_TRUE(dialog->useButton().isEnabled());
  DataChoice before = session->doc().data();
  before.validation_fraction = 0.25;
  session->push({PutData{before}}, QStringLiteral("a quarter"));
  dialog->useButton().click();
  const DataChoice now = session->doc().data();
  EXPECT_EQ(now.kind, SourceKind::mnist);
  EXPECT_EQ(now.path, "fashion-mnist");
  EXPECT_EQ(now.validation_fraction, 0.25) << "the split stays as it was chosen";
  session->undoStack().undo();
  EXPECT_EQ(session->doc().data(), before);
}

TEST_F(GetDataTest, ADownloadContinuesWhileTheDialogIsClosed) {
  program(QByteArray(progress_line) + "trap 'exit 8' TERM\nwhile :; do sleep 0.05; done\n");
  dialog->fetchButton().click();
  ASSERT_TRUE(eventually([&] { return fetch().progress().doneBytes > 0; }));
  dialog.reset();
  EXPECT_TRUE(fetch().isRunning());
  dialog = std::make_unique<GetDataDialog>(*session);
  dialog->show();
  EXPECT_FALSE(dialog->progressText().isEmpty());
  fetch().stop();
  ASSERT_TRUE(ended());
}

}  // namespace
}  // namespace nw::ui
