// SPDX-License-Identifier: GPL-3.0-or-later
// Own photos in the whole window: from a folder to a trained network, and out of every refusal.
#include <QDialog>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRandomGenerator>

#include "tests/ui/journey/journey.hpp"
#include "ui/data/data_opener.hpp"
#include "ui/data/data_panel.hpp"
#include "ui/data/path_field.hpp"
#include "ui/data/photo_dialog.hpp"
#include "ui/design/problem_list.hpp"
#include "ui/shell/window/top_bar.hpp"
#include "ui/shell/window/train_button.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class OwnPhotos : public Journey {
 protected:
  /// Noise around red or blue, `count` for each of the two classes.
  QString photos(int count, int width = 40, int height = 30) {
    QRandomGenerator random(7);
    const QString top = folder.filePath(QStringLiteral("photos"));
    for (const bool red : {true, false})
      for (int i = 0; i < count; ++i) {
        const QString name = red ? QStringLiteral("red") : QStringLiteral("blue");
        QDir().mkpath(top + QLatin1Char('/') + name);
        QFile file(QStringLiteral("%1/%2/%3.ppm").arg(top, name).arg(i));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write(QStringLiteral("P6\n%1 %2\n255\n").arg(width).arg(height).toLatin1());
        for (int p = 0; p < width * height; ++p) {
          const int low = random.bounded(140), high = 90 + random.bounded(160);
          const char pixel[] = {static_cast<char>(red ? high : low), static_cast<char>(random.bounded(200)),
                                static_cast<char>(red ? low : high)};
          file.write(pixel, 3);
        }
      }
    return top;
  }
  PhotoDialog* dialog() { return window().findChild<PhotoDialog*>(QStringLiteral("photoDialog")); }
  /// Welcome › Use a folder of images, then the folder in the file dialog.
  void chooseFolder(const QString& path) {
    hand.answerFile(path, [&] { hand.click(child<QWidget>(QStringLiteral("useFolder"))); });
    ASSERT_TRUE(test::wait_for([&] { return dialog() && dialog()->isVisible(); }));
  }
  DataPanel& panel() { return *window().findChild<DataPanel*>(); }
  DataOpener& opener() { return dataOpener(session()); }
  bool opened(DataOpener::State state) {
    return test::wait_for([&] { return opener().state() == state && session().analysisCurrent(); });
  }
  QStringList fixes() {
    QStringList all;
    for (const Problem& p : session().analysis().problems)
      for (const Fix& fix : p.fixes) all << translated(fix.label);
    return all;
  }
  QAbstractButton& trainButton() { return *window().findChild<QAbstractButton*>(QStringLiteral("trainButton")); }
};

TEST_F(OwnPhotos, ThreeClicksLeadToANetworkThatLearnsThem) {
  openWindow();
  chooseFolder(photos(24));
  ASSERT_TRUE(test::wait_for([&] { return dialog()->isCounted(); }));
  EXPECT_EQ(dialog()->recipe(), (Recipe{"convnet", 32}));
  hand.click(button(QStringLiteral("Create project"), dialog()));
  ASSERT_TRUE(test::wait_for([&] { return window().currentPage() == QStringLiteral("design"); }));
  ASSERT_TRUE(opened(DataOpener::State::open));
  EXPECT_EQ(session().displayName(), QStringLiteral("photos"));
  EXPECT_TRUE(session().analysis().ok()) << fixes().join(u'|').toStdString();
  hand.click(&trainButton());
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }, 120'000));
  const std::vector<EpochEnd>& epochs = feed().epochs();
  ASSERT_FALSE(epochs.empty());
  EXPECT_GE(epochs.back().validation_accuracy, 0.99);
}

TEST_F(OwnPhotos, TheChoiceOfSizeAndNetworkIsMadeOnceWithItsTime) {
  openWindow();
  chooseFolder(photos(20));
  ASSERT_TRUE(test::wait_for([&] { return dialog()->isCounted(); }));
  ASSERT_TRUE(test::wait_for([&] { return dialog()->estimateText().contains(QStringLiteral("on this computer")); }))
      << dialog()->estimateText().toStdString();
  dialog()->choose({"resnet18", 64});
  EXPECT_FALSE(dialog()->estimateText().contains(QStringLiteral("on this computer"))) << "measured again";
  hand.click(button(QStringLiteral("Create project"), dialog()));
  ASSERT_TRUE(test::wait_for([&] { return window().currentPage() == QStringLiteral("design"); }));
  EXPECT_EQ(session().doc().data().height, 64);
  ASSERT_TRUE(opened(DataOpener::State::open));
  EXPECT_EQ(session().dataFacts().width, 64);
  EXPECT_TRUE(session().analysis().ok());
}

TEST_F(OwnPhotos, TheFolderOfOneClassIsRefusedWithTheFolderAbove) {
  const QString top = photos(4);
  openWindow();
  chooseFolder(top + QStringLiteral("/red"));
  ASSERT_TRUE(test::wait_for([&] { return !dialog()->errorText().isEmpty(); }));
  hand.click(button(QStringLiteral("Use ") + top, dialog()));
  ASSERT_TRUE(test::wait_for([&] { return dialog()->isCounted(); }));
  EXPECT_EQ(dialog()->folder(), top);
  EXPECT_TRUE(dialog()->errorText().isEmpty());
}

TEST_F(OwnPhotos, ChosenWhileTheKindIsCifarChangeTheKind) {
  const QString top = photos(6);
  openWindow({{}, QStringLiteral("convnet-tiny")});
  action(QStringLiteral("show-data"))->trigger();
  auto* field = panel().control(QStringLiteral("folder"))->findChild<QLineEdit*>();
  hand.fill(field, top);
  EXPECT_EQ(session().doc().data().kind, SourceKind::image_folder);
  EXPECT_EQ(session().doc().data().path, top.toStdString());
  ASSERT_TRUE(opened(DataOpener::State::open));
  session().undoStack().undo();
  EXPECT_EQ(session().doc().data().kind, SourceKind::cifar) << "one step";
}

TEST_F(OwnPhotos, AChangeOfTheKindAndBackKeepsTheFolder) {
  const QString top = photos(6);
  openWindow({{}, QStringLiteral("convnet-tiny")});
  DataChoice data = session().doc().data();
  data.kind = SourceKind::image_folder;
  data.path = top.toStdString();
  session().push({PutData{data}}, QStringLiteral("Choose data"));
  action(QStringLiteral("show-data"))->trigger();
  auto* kind = qobject_cast<QComboBox*>(panel().control(QStringLiteral("kind")));
  const QString folders = kind->currentText();
  hand.choose(kind, QStringLiteral("MNIST"));
  EXPECT_TRUE(session().doc().data().path.empty());
  hand.choose(kind, folders);
  EXPECT_EQ(session().doc().data().path, top.toStdString());
}

TEST_F(OwnPhotos, RefusedDataBlockTrainingWithTheReasonAndARepair) {
  const QString top = photos(6);
  openWindow({{}, QStringLiteral("convnet-tiny")});
  DataChoice data = session().doc().data();
  data.path = top.toStdString();  // no CIFAR there
  session().push({PutData{data}}, QStringLiteral("Choose data"));
  ASSERT_TRUE(opened(DataOpener::State::failed));
  EXPECT_FALSE(session().analysis().ok());
  EXPECT_EQ(trainButton().toolTip(), opener().error());
  window().showPage(QStringLiteral("train"));
  hand.click(&trainButton());
  EXPECT_EQ(run().state(), RunController::State::idle) << "no failed run is left behind";
  ASSERT_TRUE(test::wait_for([&] { return panel().isVisible(); })) << "the data panel says why";
  const auto& list = *window().findChild<ProblemList*>();
  EXPECT_EQ(list.findChildren<QPushButton*>().size(), 1) << "the list has room for the best repair only";
  QStringList words;
  for (const QLabel* label : list.findChildren<QLabel*>()) words << label->text();
  EXPECT_FALSE(words.join(u'|').contains(top)) << "the words come before the path: " << words.join(u'|').toStdString();
  hand.click(button(QStringLiteral("Read as \"Image folder or archive\""), &panel()));
  ASSERT_TRUE(opened(DataOpener::State::open));
  EXPECT_EQ(session().doc().data().kind, SourceKind::image_folder);
  EXPECT_TRUE(opener().repairs().empty());
  EXPECT_TRUE(trainButton().toolTip() != opener().error());
}

TEST_F(OwnPhotos, OfAnotherSizeAreResizedToTheInputIfTheUserWants) {
  openWindow({{}, QStringLiteral("lenet5")});
  DataChoice data = session().doc().data();
  data.kind = SourceKind::image_folder;
  data.path = photos(6).toStdString();
  session().push({PutData{data}}, QStringLiteral("Choose data"));
  ASSERT_TRUE(opened(DataOpener::State::open));
  EXPECT_EQ(session().dataFacts().width, 40) << "not resized silently";
  EXPECT_TRUE(fixes().contains(QStringLiteral("Set Input to 3×30×40"))) << fixes().join(u'|').toStdString();
  action(QStringLiteral("next-problem"))->trigger();
  hand.click(button(QStringLiteral("Resize images to 1×28×28")));
  ASSERT_TRUE(test::wait_for([&] { return session().dataFacts().width == 28; }));
  EXPECT_EQ(session().dataFacts().channels, 1);
  EXPECT_EQ(session().doc().data().height, 28);
}

}  // namespace
}  // namespace nw::ui
