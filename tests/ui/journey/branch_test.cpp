// SPDX-License-Identifier: GPL-3.0-or-later
// Time travel in the window: a checkpoint is chosen, something is changed, a new run begins with the full state, and
// the Runs page draws the tree.
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>

#include <algorithm>

#include "tests/ui/journey/runs_journey.hpp"
#include "ui/page/actions.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/train/branch_card.hpp"
#include "ui/train/branch_dialog.hpp"
#include "ui/train/train_charts.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class BranchJourney : public RunsJourney {
 protected:
  void trainFourEpochs() {
    openSmallProject(4, 300);
    startByButton();
    ASSERT_TRUE(isState(RunController::State::idle));
    parent = run().folder();
    ASSERT_TRUE(test::wait_for([&] {
      const QVector<RunCheckpoint> all = lanes().value(0).checkpoints;
      return all.size() >= 3 && all.last().epoch == 4 && all.last().latest;
    }));
  }
  const QVector<BranchLane>& lanes() { return train().branches().tree().lanes(); }
  /// Opens the dialog at the checkpoint, lets `act` change something, and starts the branch.
  template <class Act>
  void branchFrom(std::int64_t step, Act act) {
    train().branches().tree().choose(parent, step);
    inDialog([&] { hand.click(train().branches().findChild<QPushButton*>(QStringLiteral("branchButton"))); },
             [&](QDialog& shown) {
               auto& dialog = static_cast<BranchDialog&>(shown);
               ASSERT_TRUE(test::wait_for([&] { return dialog.isCurrent(); }));
               act(dialog);
               ASSERT_TRUE(test::wait_for([&] { return dialog.isCurrent(); }));
               said = dialog.findChild<QLabel*>(QStringLiteral("weightsText"))->text();
               exact = dialog.findChild<SeverityLabel*>(QStringLiteral("exactness"))->sentence();
               hand.click(dialog.findChild<QPushButton*>(QStringLiteral("start")));
             });
    ASSERT_TRUE(test::wait_for([&] { return run().folder() != parent; }));
    ASSERT_TRUE(test::wait_for([&] {
      return run().state() == RunController::State::idle && feed().status() == RunStatus::finished;
    })) << window().banner().text().toStdString();
  }
  RunDefinition definition() {
    const auto read = read_run_definition(run().folder().toStdString());
    EXPECT_TRUE(read);
    return read ? *read : RunDefinition();
  }
  static std::string weightsOf(const QString& folder) {
    const fs::path at(folder.toStdString());
    const auto latest = latest_checkpoint(at);
    if (!latest) return {};
    auto bytes = read_file(at / "checkpoints" / latest->name / "model.safetensors", 1 << 24);
    return bytes ? *bytes : std::string();
  }
  QString parent, said, exact;
};

TEST_F(BranchJourney, ABranchBeginsAtTheChosenCheckpointWithItsChangesAndHangsUnderItsParent) {
  trainFourEpochs();
  const RunCheckpoint second = lanes()[0].checkpoints[lanes()[0].checkpoints.size() - 3];
  branchFrom(second.step, [&](BranchDialog& dialog) {
    hand.fill(dialog.findChild<NumberSpin*>(QStringLiteral("learning_rate")), QStringLiteral("0.0031"));
    hand.key(Qt::Key_Tab);
    auto* frozen = dialog.findChild<QListWidget*>(QStringLiteral("branchFrozen"));
    ASSERT_EQ(frozen->item(0)->text(), QStringLiteral("conv1"));
    frozen->setFocus();
    frozen->setCurrentRow(0);
    hand.key(Qt::Key_Space);
    ASSERT_EQ(frozen->item(0)->checkState(), Qt::Checked);
  });
  EXPECT_EQ(said, QStringLiteral("All 10 weights are carried over."));
  EXPECT_TRUE(exact.startsWith(QStringLiteral("It begins with the full state"))) << exact.toStdString();
  const RunDefinition d = definition();
  EXPECT_EQ(d.parent, fs::path(parent.toStdString()).filename().string());
  EXPECT_EQ(d.parent_step, second.step);
  EXPECT_DOUBLE_EQ(d.doc.settings().learning_rate, 0.0031);
  EXPECT_TRUE(std::any_of(d.doc.graph().nodes.begin(), d.doc.graph().nodes.end(),
                          [](const auto& n) { return n.second.name == "conv1" && n.second.frozen; }));
  const fs::path branch(run().folder().toStdString());
  showRuns(2);
  const QModelIndex row = cell(branch);
  EXPECT_EQ(row.row(), 1) << "below its parent, though it is newer";
  EXPECT_EQ(page().filter().depth(row), 1);
  EXPECT_TRUE(text(branch, "changes").startsWith(QStringLiteral("Learning rate 0.001 → 0.0031")) ||
              text(branch, "changes").contains(QStringLiteral("→ 0.0031")))
      << text(branch, "changes").toStdString();
  EXPECT_TRUE(text(branch, "changes").contains(QStringLiteral("network"))) << "a layer is frozen";
  clickRow(branch);
  page().lowerViews().setCurrent(1);
  BranchTree& tree = page().branches().tree();
  ASSERT_TRUE(test::wait_for([&] { return tree.lanes().size() == 2 && !tree.lanes()[1].checkpoints.isEmpty(); }));
  EXPECT_EQ(tree.lanes()[1].run.toStdString(), branch.string());
  EXPECT_EQ(tree.lanes()[1].parent, 0);
  EXPECT_DOUBLE_EQ(tree.lanes()[1].fork, second.epoch);
}

TEST_F(BranchJourney, WithoutAChangeItRepeatsTheRestOfTheRunBitByBit) {
  trainFourEpochs();
  const std::string whole = weightsOf(parent);
  ASSERT_FALSE(whole.empty());
  branchFrom(lanes()[0].checkpoints[lanes()[0].checkpoints.size() - 2].step, [](BranchDialog&) {});
  EXPECT_EQ(exact, QStringLiteral("Without a change it repeats the rest of the run bit by bit."));
  EXPECT_EQ(weightsOf(run().folder()), whole);
}

TEST_F(BranchJourney, AnotherNetworkAndOtherDevicesAreSaidBeforehand) {
  trainFourEpochs();
  Node wider = graph().nodes.at(find("fc2"));
  wider.attrs["out_features"] = std::int64_t{50};
  ASSERT_TRUE(session().push({PutNode{"", find("fc2"), wider}}, QStringLiteral("Narrow")));
  branchFrom(lanes()[0].checkpoints.last().step - 0, [&](BranchDialog& dialog) {
    auto* devices = dialog.findChild<QComboBox*>(QStringLiteral("branchDevices"));
    devices->addItem(QStringLiteral("two"), QStringLiteral("cpu:0,cpu:1"));
    devices->setCurrentIndex(devices->count() - 1);
    dialog.findChild<NumberSpin*>(QStringLiteral("epochs"))->setValue(5);
    dialog.findChild<QComboBox*>(QStringLiteral("branchNetwork"))->setCurrentIndex(1);
    ASSERT_TRUE(test::wait_for([&] { return dialog.isCurrent() && !dialog.planned()->same_network; }));
    const auto* weights = dialog.findChild<QListWidget*>(QStringLiteral("branchWeights"));
    QStringList anew;
    for (int i = 0; i < weights->count(); ++i)
      if (!weights->item(i)->text().contains(QStringLiteral("carried over"))) anew += weights->item(i)->text();
    EXPECT_TRUE(anew.contains(QStringLiteral("fc2.weight  50×120  begins anew: 84×120 in the run")))
        << anew.join(u'\n').toStdString();
    EXPECT_EQ(anew.size(), 3) << anew.join(u'\n').toStdString();
  });
  EXPECT_EQ(said, QStringLiteral("7 of 10 weights are carried over, the others begin anew."));
  EXPECT_EQ(exact, QStringLiteral("It trains on other devices than the run: its numbers will not be bit-exact."));
  const RunDefinition d = definition();
  EXPECT_EQ(d.doc.settings().devices, (std::vector<std::string>{"cpu:0", "cpu:1"}));
  EXPECT_EQ(d.doc.settings().epochs, 5);
}

TEST_F(BranchJourney, TheKeyboardChoosesACheckpointAndOpensTheDialog) {
  trainFourEpochs();
  BranchTree& tree = train().branches().tree();
  tree.setFocus();
  hand.key(Qt::Key_Left);
  ASSERT_NE(tree.chosen(), nullptr);
  EXPECT_TRUE(tree.chosen()->latest);
  hand.key(Qt::Key_Left);
  const std::int64_t step = tree.chosen()->step;
  EXPECT_FALSE(tree.chosen()->latest);
  const auto shows = [&](QDialog& shown) {
    auto& dialog = static_cast<BranchDialog&>(shown);
    ASSERT_TRUE(test::wait_for([&] { return dialog.isCurrent(); }));
    EXPECT_EQ(dialog.planned()->step, step);
    QTest::keyClick(&dialog, Qt::Key_Escape);
  };
  inDialog([&] { hand.key(Qt::Key_Return); }, shows);
  inDialog([&] { action(QStringLiteral("branch"))->trigger(); }, shows);
  EXPECT_EQ(run().folder(), parent) << "nothing was started";
}

TEST_F(BranchJourney, TheMenuOfAChartBranchesFromTheCheckpointUnderTheCursor) {
  trainFourEpochs();
  const RunCheckpoint first = lanes()[0].checkpoints.first();
  train().charts().cursor().moveTo(first.epoch + 0.1);
  QMenu menu;
  Q_EMIT train().charts().chart(QStringLiteral("loss"))->menuAboutToShow(&menu, train().charts().cursor().x());
  ASSERT_FALSE(menu.actions().isEmpty());
  EXPECT_EQ(menu.actions().last()->text(), QStringLiteral("Branch from %1…").arg(checkpointTitle(first)));
}

}  // namespace
}  // namespace nw::ui
