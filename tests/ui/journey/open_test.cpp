// SPDX-License-Identifier: GPL-3.0-or-later
// Open… and Open a folder… in the whole window: they start where the user was last and list what can be opened.
#include <QApplication>
#include <QFile>
#include <QFileDialog>
#include <QFileInfo>
#include <QRegularExpression>
#include <QTimer>
#include <algorithm>

#include "engine/design/project_file.hpp"
#include "tests/support/run_writer.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/canvas/scene/diagram_export.hpp"
#include "ui/page/page.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/shell/welcome/recent_list.hpp"

namespace nw::ui {
namespace {

class OpenDialog : public Journey {
 protected:
  /// What the dialog of the keys shows; it is cancelled.
  struct Shown {
    QString folder;
    QStringList filters;
    QFileDialog::FileMode mode = QFileDialog::AnyFile;
  };
  Shown look(int key, Qt::KeyboardModifiers held) {
    Shown shown;
    QTimer timer;
    QObject::connect(&timer, &QTimer::timeout, &timer, [&] {
      auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
      if (!dialog) return;
      timer.stop();
      shown = {dialog->directory().absolutePath(), dialog->nameFilters(), dialog->fileMode()};
      dialog->reject();
    });
    timer.start(10);
    hand.key(key, held);
    EXPECT_FALSE(timer.isActive()) << "no dialog was opened";
    return shown;
  }
  QString project(const QString& where) {
    QDir().mkpath(folder.filePath(where));
    const QString path = folder.filePath(where + QStringLiteral("/net.netwright"));
    EXPECT_TRUE(ProjectFile::save(find_template("mlp")->make(), path.toStdString()));
    return path;
  }
};

TEST_F(OpenDialog, StartsWhereTheUserWasLast) {
  const QString first = project(QStringLiteral("first")), second = project(QStringLiteral("second"));
  openWindow();
  for (const QString& path : {first, second}) {
    hand.answerFile(path, [&] { hand.key(Qt::Key_O, Qt::ControlModifier); });
    EXPECT_EQ(session().path(), path);
    EXPECT_EQ(look(Qt::Key_O, Qt::ControlModifier).folder, QFileInfo(path).absolutePath());
  }
  QDir().mkpath(folder.filePath(QStringLiteral("elsewhere")));
  QFile table(folder.filePath(QStringLiteral("elsewhere/table.csv")));
  ASSERT_TRUE(table.open(QIODevice::WriteOnly));
  table.write("label,a,b,c,d\n1,0,0,0,0\n0,255,255,255,255\n");
  table.close();
  window().files().openPath(table.fileName());
  EXPECT_EQ(look(Qt::Key_O, Qt::ControlModifier).folder, folder.filePath(QStringLiteral("elsewhere")))
      << "also where data were opened, while a project lies in another folder";
  EXPECT_EQ(look(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier).folder,
            folder.filePath(QStringLiteral("elsewhere")));
}

TEST_F(OpenDialog, ListsEveryKindOfFileThatItOpens) {
  openWindow();
  const Shown shown = look(Qt::Key_O, Qt::ControlModifier);
  ASSERT_GE(shown.filters.size(), 3);
  const QString all = shown.filters.front();
  const QStringList patterns = all.section(u'(', 1).chopped(1).split(u' ', Qt::SkipEmptyParts);
  for (const char* name : {"net.netwright", "diagram.png", "table.csv", "table.tsv", "table.csv.gz", "coco.json",
                           "photos.zip", "photos.tar", "photos.tgz", "photos.tar.gz", "train-images-idx3-ubyte",
                           "train-images-idx3-ubyte.gz", "train-images.idx3-ubyte", "train.txt"}) {
    const bool listed = std::any_of(patterns.begin(), patterns.end(), [&](const QString& pattern) {
      return QRegularExpression(QRegularExpression::wildcardToRegularExpression(pattern))
          .match(QLatin1String(name))
          .hasMatch();
    });
    EXPECT_TRUE(listed) << name;
  }
}

TEST_F(OpenDialog, AFolderIsOpenedAsIfItWereDropped) {
  const QString top = folder.filePath(QStringLiteral("grey"));
  for (const char* name : {"a", "b"})
    for (int i = 0; i < 4; ++i) {
      QDir().mkpath(top + u'/' + QLatin1String(name));
      QFile file(QStringLiteral("%1/%2/%3.pgm").arg(top, QLatin1String(name)).arg(i));
      ASSERT_TRUE(file.open(QIODevice::WriteOnly));
      file.write("P5\n8 8\n255\n");
      file.write(QByteArray(64, static_cast<char>(i * 9)));
    }
  openWindow({{}, QStringLiteral("lenet5")});
  hand.answerFile(top, [&] { hand.key(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier); });
  QAbstractButton* here = button(QStringLiteral("Use in this project"));
  ASSERT_TRUE(test::wait_for([&] { return here->isEnabled(); })) << "when the photos are counted";
  hand.click(here);
  ASSERT_TRUE(test::wait_for([&] { return session().doc().data().kind == SourceKind::image_folder; }));
  EXPECT_EQ(session().doc().data().path, top.toStdString());
  EXPECT_EQ(window().currentPage(), QStringLiteral("design"));
}

TEST_F(OpenDialog, TheFileOfARunOpensTheRunAsItsFolderDoes) {
  const test::TemporaryFolder runs;
  test::RunWriter written(runs.path(), test::definition_of("mlp"));
  openWindow();
  const QString run = QString::fromStdString(written.folder().string());
  EXPECT_TRUE(window().files().openPath(run + QStringLiteral("/run.json")));
  EXPECT_EQ(window().currentPage(), QStringLiteral("train"));
  EXPECT_EQ(session().feed().folder(), run);
}

TEST_F(OpenDialog, AnOpenedPictureIsARecentProject) {
  openWindow({{}, QStringLiteral("mlp")});
  analysed();
  const QString picture = folder.filePath(QStringLiteral("drawing.png"));
  ASSERT_TRUE(exportDrawing(scene(), picture));
  hand.answerFile(picture, [&] { hand.key(Qt::Key_O, Qt::ControlModifier); });
  ASSERT_TRUE(test::wait_for([&] { return session().displayName() == QStringLiteral("drawing"); }));
  openWindow();
  ASSERT_EQ(window().currentPage(), QStringLiteral("welcome"));
  RecentRow* row = nullptr;
  ASSERT_TRUE(test::wait_for([&] {
    for (RecentRow* each : window().findChildren<RecentRow*>())
      if (each->isVisible() && each->toolTip() == picture) row = each;
    return row != nullptr;
  })) << "a picture that holds a project is listed";
  hand.click(row);
  EXPECT_TRUE(test::wait_for([&] { return session().displayName() == QStringLiteral("drawing"); }));
  EXPECT_EQ(graph().nodes.size(), find_template("mlp")->make().graph("").nodes.size());
}

}  // namespace
}  // namespace nw::ui
