// SPDX-License-Identifier: GPL-3.0-or-later
// Own photos in the whole window: from a folder to a trained network, and out of every refusal.
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QRandomGenerator>

#include "tests/ui/journey/journey.hpp"
#include "ui/data/data_opener.hpp"
#include "ui/data/data_panel.hpp"
#include "ui/data/path_field.hpp"
#include "ui/data/photo_dialog.hpp"
#include "ui/design/problem_list.hpp"
#include "ui/session/fit_estimator.hpp"
#include "ui/shell/window/top_bar.hpp"
#include "ui/shell/window/train_button.hpp"
#include "ui/train/event_list.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class OwnPhotos : public Journey {
 protected:
  /// Noise around red or blue, `count` for each of the two classes. Several calls with other values of `first` add up.
  QString photos(int count, int width = 40, int height = 30, int first = 0) {
    QRandomGenerator random(7);
    const QString top = folder.filePath(QStringLiteral("photos"));
    for (const bool red : {true, false})
      for (int i = first; i < first + count; ++i) {
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
  /// Photos of two classes that differ in nothing.
  QString noise(int count) {
    QRandomGenerator random(11);
    const QString top = folder.filePath(QStringLiteral("noise"));
    for (const char* name : {"one", "two"})
      for (int i = 0; i < count; ++i) {
        QDir().mkpath(top + QLatin1Char('/') + QLatin1String(name));
        QFile file(QStringLiteral("%1/%2/%3.ppm").arg(top, QLatin1String(name)).arg(i));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write("P6\n32 32\n255\n");
        for (int p = 0; p < 3 * 32 * 32; ++p) file.putChar(static_cast<char>(random.bounded(256)));
      }
    return top;
  }
  bool isAsked() {
    return test::wait_for([&] { return dialog() && dialog()->isVisible() && dialog()->isCounted(); });
  }
  void drop(const QString& path) {
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    const QPoint at = window().rect().center();
    QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&window(), &enter);
    ASSERT_TRUE(enter.isAccepted());
    QDropEvent end(at, Qt::CopyAction, &data, Qt::LeftButton, {});
    QCoreApplication::sendEvent(&window(), &end);
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

TEST_F(OwnPhotos, AFailedMeasurementSaysWhyAndIsTriedAgain) {
  const struct Restore {
    ~Restore() { FitEstimator::setProgram({}); }
  } restore;
  FitEstimator::setProgram(QStringLiteral("/nowhere/netwright-cli"));
  openWindow();
  chooseFolder(photos(20));
  ASSERT_TRUE(isAsked());
  const auto estimate = [&](const char* words) {
    return test::wait_for([&] { return dialog()->estimateText().contains(QLatin1String(words)); });
  };
  ASSERT_TRUE(estimate("could not be measured: ")) << dialog()->estimateText().toStdString();
  FitEstimator::setProgram({});
  dialog()->choose({"convnet", 64});
  dialog()->choose({"convnet", 32});
  EXPECT_TRUE(estimate("on this computer")) << dialog()->estimateText().toStdString();
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

TEST_F(OwnPhotos, DroppedOnAProjectCanBecomeItsData) {
  const QString top = photos(6);
  openWindow({{}, QStringLiteral("convnet-tiny")});
  const Graph network = graph();
  drop(top);
  ASSERT_TRUE(isAsked());
  EXPECT_EQ(session().doc().data().kind, SourceKind::cifar) << "nothing is changed before the answer";
  hand.click(button(QStringLiteral("Use in this project"), dialog()));
  ASSERT_TRUE(test::wait_for([&] { return session().doc().data().kind == SourceKind::image_folder; }));
  EXPECT_TRUE(graph() == network);
  ASSERT_TRUE(opened(DataOpener::State::open));
  EXPECT_EQ(session().dataFacts().width, 32) << "what the network expects";
  session().undoStack().undo();
  EXPECT_EQ(session().doc().data().kind, SourceKind::cifar) << "one step";
}

TEST_F(OwnPhotos, DroppedOnAProjectCanBecomeANewOne) {
  const QString top = photos(6);
  openWindow({{}, QStringLiteral("lenet5")});
  drop(top);
  ASSERT_TRUE(isAsked());
  hand.click(button(QStringLiteral("Create project"), dialog()));
  ASSERT_TRUE(test::wait_for([&] { return session().displayName() == QStringLiteral("photos"); }));
  EXPECT_EQ(session().doc().data().width, 32);
}

TEST_F(OwnPhotos, NamedAtTheStartAreAskedAboutBelowTheWelcomePage) {
  openWindow({photos(6), {}});
  EXPECT_EQ(window().currentPage(), QStringLiteral("welcome"));
  ASSERT_TRUE(isAsked());
  for (const QAbstractButton* b : dialog()->findChildren<QAbstractButton*>())
    EXPECT_FALSE(b->isVisible() && b->text() == QStringLiteral("Use in this project")) << "there is no project";
  hand.click(button(QStringLiteral("Create project"), dialog()));
  ASSERT_TRUE(test::wait_for([&] { return window().currentPage() == QStringLiteral("design"); }));
}

TEST_F(OwnPhotos, OfUnequalSizesGetTheSizeTheUserChooses) {
  photos(3, 64, 48);
  const QString top = photos(5, 40, 30, 3);
  openWindow({{}, QStringLiteral("convnet-tiny")});
  action(QStringLiteral("show-data"))->trigger();
  hand.fill(panel().control(QStringLiteral("folder"))->findChild<QLineEdit*>(), top);
  ASSERT_TRUE(opened(DataOpener::State::open));
  const auto sizes = [&] {
    for (const Problem& p : session().analysis().problems)
      if (p.of_data) return translated(p.what);
    return QString();
  };
  EXPECT_TRUE(sizes().startsWith(QStringLiteral("10 images have another size than the first")))
      << sizes().toStdString();
  EXPECT_TRUE(button(QStringLiteral("Resize images to 48×64"), &panel()));
  hand.click(button(QStringLiteral("Resize images to 32×32"), &panel()));
  ASSERT_TRUE(test::wait_for([&] { return session().dataFacts().width == 32; }));
  ASSERT_TRUE(test::wait_for([&] { return session().analysisCurrent() && sizes().isEmpty(); }));
  EXPECT_TRUE(session().analysis().ok());
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

/// Colours without any class in them.
TEST_F(OwnPhotos, ThatTeachNothingEndWithAWarningWhateverTheLossIs) {
  openWindow();
  chooseFolder(noise(30));
  ASSERT_TRUE(test::wait_for([&] { return dialog()->isCounted(); }));
  hand.click(button(QStringLiteral("Create project"), dialog()));
  ASSERT_TRUE(opened(DataOpener::State::open));
  TrainSettings settings = session().doc().settings();
  settings.learning_rate = 30;
  settings.epochs = 5000;  // stopped below
  session().push({PutSettings{settings}}, QStringLiteral("far too high"));
  ASSERT_TRUE(test::wait_for([&] { return session().analysisCurrent(); }));
  hand.click(&trainButton());
  const auto health = [&] { return train().events().health(); };
  const QStringList quiet{QString(), QStringLiteral("Healthy")};
  ASSERT_TRUE(test::wait_for([&] { return !quiet.contains(health()); }, 120'000)) << "said while it trains";
  EXPECT_NE(feed().status(), RunStatus::finished);
  action(QStringLiteral("stop"))->trigger();
  ASSERT_TRUE(test::wait_for([&] { return run().state() == RunController::State::idle; }, 60'000));
  EXPECT_FALSE(quiet.contains(health())) << health().toStdString();
}

TEST_F(OwnPhotos, GivenToCifarTrainAfterTheirRepairs) {
  const QString top = photos(20);
  openWindow({{}, QStringLiteral("convnet-tiny")});
  DataChoice data = session().doc().data();
  data.path = top.toStdString();  // as an older project has it
  TrainSettings settings = session().doc().settings();
  settings.epochs = 1;
  session().push({PutData{data}, PutSettings{settings}}, QStringLiteral("Choose data"));
  ASSERT_TRUE(opened(DataOpener::State::failed));
  EXPECT_FALSE(session().analysis().ok());
  action(QStringLiteral("show-data"))->trigger();
  hand.click(button(QStringLiteral("Read as \"Image folder or archive\""), &panel()));
  ASSERT_TRUE(opened(DataOpener::State::open));
  ASSERT_TRUE(fixes().contains(QStringLiteral("Resize images to 32×32"))) << fixes().join(u'|').toStdString();
  action(QStringLiteral("next-problem"))->trigger();
  hand.click(button(QStringLiteral("Resize images to 32×32")));
  ASSERT_TRUE(test::wait_for([&] { return session().analysisCurrent() && session().analysis().ok(); }));
  EXPECT_TRUE(trainButton().isEnabled());
  hand.key(Qt::Key_F5);
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }, 60'000));
}

TEST_F(OwnPhotos, ARepairByKeyboardLeavesTheFocusInTheDataPanel) {
  const QString top = photos(6);
  openWindow({{}, QStringLiteral("convnet-tiny")});
  DataChoice data = session().doc().data();
  data.path = top.toStdString();  // no CIFAR there
  session().push({PutData{data}}, QStringLiteral("Choose data"));
  ASSERT_TRUE(opened(DataOpener::State::failed));
  action(QStringLiteral("show-data"))->trigger();
  auto* repair = button(QStringLiteral("Read as \"Image folder or archive\""), &panel());
  panel().setFocus();
  ASSERT_TRUE(hand.tabTo(repair));
  hand.key(Qt::Key_Space);
  ASSERT_TRUE(opened(DataOpener::State::open));
  QWidget* kind = panel().control(QStringLiteral("kind"));
  EXPECT_EQ(QApplication::focusWidget(), kind) << "what the repair changed";
  EXPECT_FALSE(kind->visibleRegion().isEmpty());
  hand.key(Qt::Key_Tab);
  EXPECT_TRUE(panel().isAncestorOf(QApplication::focusWidget())) << "and Tab goes on from there";
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
