// SPDX-License-Identifier: GPL-3.0-or-later
// Three clicks from a finished run to one that learns the user's own images with its network.
#include <QFile>
#include <QFileDialog>
#include <QPushButton>

#include "engine/design/start_from.hpp"
#include "engine/runs/run_folder.hpp"
#include "tests/support/variable.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/canvas/scene/node_item.hpp"
#include "ui/design/field_editor.hpp"
#include "ui/design/inspector.hpp"
#include "ui/shell/window/banner.hpp"
#include "ui/train/notice_bar.hpp"

namespace nw::ui {
namespace {

class AdaptJourney : public Journey {
 protected:
  /// Grey images, three classes.
  QString images() {
    const QString top = folder.filePath(QStringLiteral("marks"));
    for (int c = 0; c < 3; ++c)
      for (int i = 0; i < 12; ++i) {
        QDir().mkpath(QStringLiteral("%1/%2").arg(top).arg(QChar('a' + c)));
        QFile file(QStringLiteral("%1/%2/%3.pgm").arg(top).arg(QChar('a' + c)).arg(i));
        EXPECT_TRUE(file.open(QIODevice::WriteOnly));
        file.write("P5\n28 28\n255\n" + QByteArray(28 * 28, static_cast<char>(40 + 70 * c + i)));
      }
    return top;
  }
  void trainADigitReader() {
    openSmallProject(1, 500);
    startByButton();
    ASSERT_TRUE(isState(RunController::State::idle));
    ASSERT_TRUE(test::wait_for([&] { return train().notice().isVisible(); }));
  }
  void adapt() {
    hand.answerFile(images(), [&] { hand.click(button(QStringLiteral("Adapt to my images…"), &train().notice())); });
    ASSERT_TRUE(test::wait_for([&] { return session().path().endsWith(QLatin1String("marks.netwright")); }, 60'000))
        << window().banner().text().toStdString();
    analysed();
  }
  const NodeItem& card(const char* name) { return *scene().elements().node(find(name)); }
  test::Variable data{"XDG_DATA_HOME", fs::path(folder.path().toStdString()) / "data"};
};

TEST_F(AdaptJourney, ThreeClicksLeadFromAFinishedRunToATrainingOnOwnImages) {
  trainADigitReader();
  const QString parent = QFileInfo(trained).fileName();
  adapt();
  EXPECT_EQ(window().currentPage(), QStringLiteral("design"));
  EXPECT_TRUE(session().analysis().ok());
  EXPECT_EQ(graph().nodes.at(find("fc3")).attrs.at("out_features"), Attr(std::int64_t{3}));
  EXPECT_TRUE(card("conv1").look().frozen) << "its card shows a lock";
  EXPECT_TRUE(card("conv1").look().settings.startsWith(QStringLiteral("trains from epoch ")))
      << card("conv1").look().settings.toStdString();
  EXPECT_FALSE(card("fc3").look().frozen);
  EXPECT_TRUE(window().banner().text().contains(QStringLiteral("fc3"))) << window().banner().text().toStdString();
  ASSERT_TRUE(test::wait_for([&] { return !session().dataOpening() && session().analysisCurrent(); }));
  startByButton();
  ASSERT_TRUE(test::wait_for([&] { return feed().last().last > 0 || feed().ended(); }));
  const auto definition = read_run_definition(trained.toStdString());
  ASSERT_TRUE(definition) << definition.error().str();
  EXPECT_EQ(QString::fromStdString(definition->parent), parent);
  EXPECT_EQ(definition->classes.size(), 3U);
}

TEST_F(AdaptJourney, SavedElsewhereTheProjectStillFindsItsWeights) {
  trainADigitReader();
  adapt();
  QDir().mkpath(folder.filePath(QStringLiteral("else")));
  ASSERT_TRUE(session().save(folder.filePath(QStringLiteral("else/mine.netwright"))));
  const auto from = start_from(session().doc());
  ASSERT_TRUE(from);
  EXPECT_TRUE(fs::exists(from->weights)) << from->weights;
  startByButton();
  EXPECT_TRUE(test::wait_for([&] { return feed().last().last > 0 || feed().ended(); }));
  EXPECT_NE(feed().status(), RunStatus::failed);
}

TEST_F(AdaptJourney, FrozenEpochsAndTheFactorAreEditedInTheInspector) {
  trainADigitReader();
  adapt();
  scene().selection().selectOnly({find("conv2")});
  auto* epochs = child<FieldEditor>(QStringLiteral("frozen_epochs"));
  auto* factor = child<FieldEditor>(QStringLiteral("lr_scale"));
  hand.fill(epochs, QStringLiteral("7"));
  hand.key(Qt::Key_Return);
  EXPECT_EQ(graph().nodes.at(find("conv2")).frozen_epochs, 7);
  EXPECT_TRUE(card("conv2").look().settings.startsWith(QStringLiteral("trains from epoch 8")));
  hand.fill(factor, QStringLiteral("0.5"));
  hand.key(Qt::Key_Return);
  EXPECT_EQ(graph().nodes.at(find("conv2")).lr_scale, 0.5);
  hand.key(Qt::Key_Z, Qt::ControlModifier);
  EXPECT_NE(graph().nodes.at(find("conv2")).lr_scale, 0.5);
}

}  // namespace
}  // namespace nw::ui
