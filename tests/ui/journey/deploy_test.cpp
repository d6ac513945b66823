// SPDX-License-Identifier: GPL-3.0-or-later
// The Deploy page by mouse and keyboard: a network leaves with its proof, what is changed afterwards is told.
#include <QClipboard>
#include <QFile>
#include <QGuiApplication>
#include <QLabel>
#include <QPushButton>
#include <QTabBar>
#include <cstdlib>

#include "tests/support/run_writer.hpp"
#include "tests/support/variable.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/deploy/deploy_page.hpp"
#include "ui/deploy/export_card.hpp"
#include "ui/deploy/export_tab.hpp"
#include "ui/deploy/golden_strip.hpp"
#include "ui/deploy/proof_panel.hpp"
#include "ui/page/actions.hpp"
#include "ui/predict/header_bar.hpp"
#include "ui/session/command_process.hpp"
#include "ui/shell/window/banner.hpp"
#include "ui/shell/window/top_bar.hpp"
#include "ui/widgets/panes.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class DeployJourney : public Journey {
 protected:
  void TearDown() override {
    CommandProcess::setProgram({});
    Journey::TearDown();
  }
  DeployPage& page() { return *static_cast<DeployPage*>(window().page(QStringLiteral("deploy"))); }
  ExportTab& exports() { return *static_cast<ExportTab*>(page().tab(QStringLiteral("export"))); }
  ExportCard& card(const char* format) { return *exports().card(QLatin1String(format)); }
  void trainAndDeploy() {
    openSmallProject(1, 300);
    startByButton();
    ASSERT_TRUE(isState(RunController::State::idle));
    ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
    const QRectF segment = window().topBar().pages().segmentRect(4);
    hand.click(&window().topBar().pages(), segment.center().toPoint());
    ASSERT_EQ(window().currentPage(), QStringLiteral("deploy"));
    ASSERT_TRUE(test::wait_for([&] { return page().weights().step > 0; }));
  }
  void press(const char* format, const char* name) {
    hand.click(card(format).findChild<QPushButton*>(QLatin1String(name)));
  }
  void exportTo(const char* format, const QString& file) {
    hand.answerFile(file, [&] { press(format, "export"); });
  }
  bool becomes(const char* format, ExportState state) {
    const bool is = test::wait_for([&] { return card(format).state() == state; }, 120'000);
    EXPECT_TRUE(is) << stateText(card(format).state()).text.toStdString() << "; "
                    << card(format).accessibleDescription().toStdString();
    return is;
  }
  QString verdict() { return exports().panel().findChild<QLabel*>(QStringLiteral("proofVerdict"))->text(); }
  static void flipByte(const QString& file, qint64 at) {
    QFile out(file);
    ASSERT_TRUE(out.open(QIODevice::ReadWrite));
    ASSERT_TRUE(out.seek(at));
    char byte = 0;
    ASSERT_TRUE(out.getChar(&byte));
    ASSERT_TRUE(out.seek(at));
    out.putChar(static_cast<char>(byte ^ 1));
  }
  QString file = folder.filePath(QStringLiteral("digits.onnx"));
};

TEST_F(DeployJourney, ANetworkLeavesWithItsProofWhichIsThereAfterARestart) {
  const test::Variable python("NETWRIGHT_PYTHON", "");
  trainAndDeploy();
  const QString title = window().windowTitle();
  EXPECT_TRUE(title.contains(u'·') && !title.contains(u'/')) << "the run's name, not its path: " << title.toStdString();
  EXPECT_EQ(card("onnx").state(), ExportState::none);
  exportTo("onnx", file);
  ASSERT_TRUE(becomes("onnx", ExportState::proved));
  EXPECT_TRUE(QFile::exists(file));
  EXPECT_TRUE(card("onnx").accessibleDescription().contains(QStringLiteral("Proved")));
  EXPECT_EQ(page().findChild<QLabel*>(QStringLiteral("provedCount"))->text(), QStringLiteral("1 of 9 proved"));
  hand.click(child<QPushButton>(QStringLiteral("copyProof")));
  const QString copied = QGuiApplication::clipboard()->text();
  for (const char* part :
       {"the class is the same for 64 of 64 images", "Read and run in fresh processes: ", "digits.onnx"})
    EXPECT_TRUE(copied.contains(QLatin1String(part))) << part << "\n" << copied.toStdString();
  const QString run = trained;
  openWindow();
  feed().follow(run);
  window().showPage(QStringLiteral("deploy"));
  ASSERT_TRUE(becomes("onnx", ExportState::proved));
  EXPECT_EQ(exports().panel().text(), copied);
}

TEST_F(DeployJourney, AChangedFileIsToldOnItsCardAndAFreshProofSaysItIsWhole) {
  const test::Variable python("NETWRIGHT_PYTHON", "");
  trainAndDeploy();
  exportTo("onnx", file);
  ASSERT_TRUE(becomes("onnx", ExportState::proved));
  hand.click(child<QPushButton>(QStringLiteral("proveAgain")));
  ASSERT_TRUE(test::wait_for([&] { return verdict().contains(QStringLiteral("computes the run's outputs")); }, 60'000))
      << verdict().toStdString();
  EXPECT_EQ(card("onnx").state(), ExportState::proved);

  flipByte(file, QFile(file).size() / 2);
  window().showPage(QStringLiteral("runs"));
  window().showPage(QStringLiteral("deploy"));
  ASSERT_TRUE(becomes("onnx", ExportState::changed)) << "told when the page is shown";
  EXPECT_TRUE(verdict().contains(QStringLiteral("digits.onnx"))) << verdict().toStdString();
  press("onnx", "export");
  ASSERT_TRUE(becomes("onnx", ExportState::proved)) << "exported again, to the same place";
}

TEST_F(DeployJourney, ABundleShowsItsGoldenSamplesAndTellsWhichFileWasChanged) {
  if (std::system("cc --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "no C compiler is installed";
  const test::Variable python("NETWRIGHT_PYTHON", "");
  trainAndDeploy();
  const QString place = folder.filePath(QStringLiteral("digits-bundle"));
  exportTo("bundle", place);
  ASSERT_TRUE(becomes("bundle", ExportState::proved));
  ASSERT_TRUE(test::wait_for([&] { return exports().panel().golden().count() == 8; }));
  EXPECT_TRUE(exports().panel().golden().isVisible());
  QFile more(place + QStringLiteral("/c/more.c"));
  ASSERT_TRUE(more.open(QIODevice::WriteOnly));
  more.close();
  action(QStringLiteral("deploy-prove-all"))->trigger();
  ASSERT_TRUE(becomes("bundle", ExportState::changed)) << "verify tells a file that was added";
  EXPECT_TRUE(verdict().contains(QStringLiteral("c/more.c"))) << verdict().toStdString();
}

TEST_F(DeployJourney, StopEndsAnExportAtOnceAndTheKeyboardDoesWhatTheMouseDoes) {
  trainAndDeploy();
  const QString script = folder.filePath(QStringLiteral("endless.sh"));
  QFile out(script);
  ASSERT_TRUE(out.open(QIODevice::WriteOnly));
  out.write("#!/bin/sh\nexec sleep 600\n");
  out.close();
  QFile::setPermissions(script, QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
  CommandProcess::setProgram(script);
  exportTo("onnx", file);
  ASSERT_TRUE(becomes("onnx", ExportState::running));
  EXPECT_EQ(card("onnx").findChild<QPushButton*>(QStringLiteral("export"))->text(), QStringLiteral("Stop"));
  press("onnx", "export");
  EXPECT_EQ(card("onnx").state(), ExportState::none);
  EXPECT_FALSE(QFile::exists(file));

  card("weights").setFocus();
  hand.key(Qt::Key_Return);
  EXPECT_EQ(exports().chosen(), QStringLiteral("weights"));
  hand.answerFile(folder.filePath(QStringLiteral("w.safetensors")), [&] { hand.key(Qt::Key_E); });
  ASSERT_TRUE(becomes("weights", ExportState::running));
  hand.key(Qt::Key_E);
  EXPECT_EQ(card("weights").state(), ExportState::none);
}

TEST_F(DeployJourney, AnExportOfThePredictMenuIsRemembered) {
  trainAndDeploy();
  window().showPage(QStringLiteral("predict"));
  ASSERT_TRUE(test::wait_for([&] { return predict().settled() && predict().source().view(); }, 60'000));
  const QString weights = folder.filePath(QStringLiteral("digits.safetensors"));
  hand.answerFile(weights, [&] {
    pick(QStringLiteral("Weights by PyTorch's names (safetensors)…"),
         [&] { hand.click(button(QStringLiteral("Export"), &predict().header())); });
  });
  ASSERT_TRUE(test::wait_for([&] { return !readExports(trained.toStdString()).isEmpty(); }, 60'000));
  window().showPage(QStringLiteral("deploy"));
  ASSERT_TRUE(becomes("weights", ExportState::proved));
  const ExportRecord record = readExports(trained.toStdString()).front();
  EXPECT_EQ(record.file, weights);
  EXPECT_EQ(record.step, page().weights().step);
  EXPECT_EQ(record.digests.size(), 1) << "a change of the file will be told";
}

TEST_F(DeployJourney, F6VisitsThePanesOfATrainedRun) {
  trainAndDeploy();
  const QVector<QWidget*> panes = panesOf(page());
  ASSERT_EQ(panes.size(), 3) << "tabs, cards, proof";
  QSet<const QWidget*> visited;
  for (int i = 0; i < 3; ++i) {
    hand.key(Qt::Key_F6);
    for (const QWidget* pane : panes)
      if (pane == QApplication::focusWidget() || pane->isAncestorOf(QApplication::focusWidget())) visited.insert(pane);
  }
  EXPECT_EQ(visited.size(), 3);
}

TEST_F(DeployJourney, WithoutATrainedRunThePageSaysWhatWouldBeHere) {
  const test::TemporaryFolder none;
  const test::Variable runs("NETWRIGHT_RUNS", none.path());
  openWindow({{}, QStringLiteral("mlp")});
  hand.key(Qt::Key_5, Qt::ControlModifier);
  ASSERT_EQ(window().currentPage(), QStringLiteral("deploy"));
  hand.click(button(QStringLiteral("Go to Train"), &page()));
  EXPECT_EQ(window().currentPage(), QStringLiteral("train"));
}

}  // namespace
}  // namespace nw::ui
