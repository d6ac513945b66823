// SPDX-License-Identifier: GPL-3.0-or-later
// The tours "own photos", "find a better network" and "deploy", each played to its end in both languages: every step
// waits for the real action, and points at a control that is there.
#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTabBar>

#include <algorithm>

#include "engine/examples/shape_photos.hpp"
#include "tests/support/variable.hpp"
#include "tests/ui/journey/runs_journey.hpp"
#include "ui/data/check_panel.hpp"
#include "ui/data/data_panel.hpp"
#include "ui/data/photo_dialog.hpp"
#include "ui/deploy/deploy_page.hpp"
#include "ui/deploy/serve_tab.hpp"
#include "ui/page/actions.hpp"
#include "ui/page/page.hpp"
#include "ui/predict/metrics/confusion_matrix.hpp"
#include "ui/shell/help/coach_mark.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/window/guide.hpp"
#include "ui/shell/window/top_bar.hpp"
#include "ui/shell/window/tour.hpp"
#include "ui/study/search_dialog.hpp"
#include "ui/study/studies_panel.hpp"
#include "ui/study/study_model.hpp"
#include "ui/study/study_snapshot.hpp"
#include "ui/study/study_view.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class Tours : public RunsJourney, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    RunsJourney::SetUp();
    setLanguage(QLatin1String(GetParam()));
    retranslateActions();
  }
  void TearDown() override {
    RunsJourney::TearDown();
    setLanguage(QStringLiteral("en"));
    retranslateActions();
  }
  Guide& guide() { return window().guide(); }
  void begin(const char* id) {
    action(QLatin1String(id))->trigger();
    ASSERT_TRUE(guide().isOn());
    EXPECT_FALSE(guide().mark()->title().isEmpty());
  }
  bool isAt(int step, int timeout_ms = 60'000) {
    return test::wait_for([&] { return guide().isOn() && guide().step() == step; }, timeout_ms);
  }
  /// The step is not passed by itself, says its sentence in the interface's language, and points at something.
  void expectWaiting(int step, bool points = true) {
    ASSERT_TRUE(isAt(step)) << "at " << guide().step() << ", not " << step;
    if (points)
      EXPECT_TRUE(test::wait_for([&] { return !guide().mark()->place().isEmpty(); }, 5000)) << "step " << step;
    QTest::qWait(300);
    EXPECT_EQ(guide().step(), step) << "nothing was done";
    const QString title = guide().mark()->title();
    const bool chinese = std::any_of(title.begin(), title.end(), [](QChar c) { return c.unicode() >= 0x4e00; });
    EXPECT_EQ(chinese, std::string_view(GetParam()) == "zh_CN") << title.toStdString();
    EXPECT_TRUE(window().rect().contains(guide().mark()->geometry())) << "step " << step;
  }
  void clickPage(int index) {
    SegmentedControl& pages = window().topBar().pages();
    hand.click(&pages, pages.segmentRect(index).center().toPoint());
  }
  void expectEnd() {
    ASSERT_TRUE(isAt(guide().steps())) << "at " << guide().step();
    hand.click(&guide().mark()->onward());
    EXPECT_FALSE(guide().isOn());
  }
  void trainShortly() {
    TrainSettings settings = session().doc().settings();
    settings.epochs = 2;
    session().push({PutSettings{settings}}, QStringLiteral("-"));
    analysed();
  }
};

TEST_P(Tours, OwnPhotosFromTheFolderToTheMistakes) {
  const QString photos = folder.filePath(QStringLiteral("photos"));
  ASSERT_TRUE(write_shape_photos(photos.toStdString(), {PhotoShape::circle, PhotoShape::cross}, 24));
  openWindow({{}, QStringLiteral("lenet5")});
  child<QTabBar>(QStringLiteral("settingsPanelTabs"))->setCurrentIndex(0);  // an earlier window may have left the data
  openWindow();
  begin("tour-own-photos");
  expectWaiting(0);
  hand.answerFile(photos, [&] { hand.click(child<QWidget>(QStringLiteral("useFolder"))); });
  ASSERT_TRUE(isAt(1));
  auto* dialog = window().findChild<PhotoDialog*>(QStringLiteral("photoDialog"));
  ASSERT_TRUE(test::wait_for([&] { return dialog->isCounted(); }));
  expectWaiting(1, false);
  dialog->accept();
  expectWaiting(2);
  trainShortly();
  action(QStringLiteral("show-data"))->trigger();
  ASSERT_TRUE(isAt(3));
  auto* panel = window().findChild<DataPanel*>();
  panel->ensureWidgetVisible(child<QWidget>(QStringLiteral("checkData")));
  expectWaiting(3);
  hand.click(child<QWidget>(QStringLiteral("checkData")));
  expectWaiting(4);
  hand.click(child<QWidget>(QStringLiteral("trainButton")), {60, 18});
  ASSERT_TRUE(isAt(6, 120'000)) << "trained to its end";
  clickPage(2);
  ASSERT_TRUE(isAt(7));
  expectPredictionsArrive();
  expectWaiting(7);
  auto* matrix = child<ConfusionMatrix>(QStringLiteral("confusionMatrix"));
  matrix->setFocus();
  hand.key(Qt::Key_Down);
  hand.key(Qt::Key_Return);
  expectEnd();
}

TEST_P(Tours, FindABetterNetworkFromAProjectToTheBestTrial) {
  openSmallProject(1, 300);
  begin("tour-better-network");
  expectWaiting(1);
  clickPage(3);
  expectWaiting(2);
  QTabBar& tabs = page().tabs();
  hand.click(&tabs, tabs.tabRect(1).center());
  expectWaiting(3);
  inDialog([&] { hand.click(child<QPushButton>(QStringLiteral("newSearch"))); },
           [&](QDialog& asks) {
             auto& dialog = static_cast<SearchDialog&>(asks);
             EXPECT_TRUE(test::wait_for([&] { return dialog.loaded(); }));
             EXPECT_TRUE(isAt(4));
             hand.fill(dialog.findChild<QSpinBox*>(QStringLiteral("searchTrials")), QStringLiteral("2"));
             hand.fill(dialog.findChild<QSpinBox*>(QStringLiteral("searchEpochs")), QStringLiteral("1"));
             hand.click(dialog.findChild<QPushButton*>(QStringLiteral("startSearch")));
           });
  ASSERT_TRUE(isAt(6, 120'000)) << "the study has ended";
  const StudyModel& model = page().studies().study().model();
  page().studies().study().model().setCurrent(model.data()->best);
  expectWaiting(6);
  hand.click(child<QPushButton>(QStringLiteral("openTrialNetwork")));
  expectEnd();
}

TEST_P(Tours, DeployFromARunToAServer) {
  const test::Variable python("NETWRIGHT_PYTHON", "");
  openSmallProject(1, 300);
  startByButton();
  ASSERT_TRUE(isState(RunController::State::idle));
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
  begin("tour-deploy");
  expectWaiting(0);
  clickPage(4);
  expectWaiting(2);
  auto& deploy = *static_cast<DeployPage*>(window().page(QStringLiteral("deploy")));
  auto* card = window().findChild<QWidget*>(QStringLiteral("card-onnx"));
  hand.answerFile(folder.filePath(QStringLiteral("digits.onnx")),
                  [&] { hand.click(card->findChild<QPushButton*>(QStringLiteral("export"))); });
  expectWaiting(3);
  hand.click(child<QPushButton>(QStringLiteral("proveAgain")));
  expectWaiting(4);
  hand.click(&deploy.tabs(), deploy.tabs().tabRect(2).center());
  expectWaiting(5);
  auto& serve = *static_cast<ServeTab*>(deploy.tab(QStringLiteral("serve")));
  child<QSpinBox>(QStringLiteral("servePort"))->setValue(InferenceServer::freePort());
  hand.click(child<QPushButton>(QStringLiteral("serveStart")));
  expectEnd();
  serve.server().stop();
  EXPECT_TRUE(test::wait_for([&] { return serve.server().state() == InferenceServer::State::stopped; }));
}

TEST_P(Tours, CanBePassedThroughToTheEnd) {
  openWindow();
  for (const Tour* tour : allTours()) {
    begin(tour->action);
    for (int clicks = 0; guide().isOn() && guide().step() < guide().steps() && clicks < 40; ++clicks) {
      guide().mark()->onward().click();
      QCoreApplication::processEvents();
    }
    EXPECT_EQ(guide().step(), guide().steps()) << tour->action;
    guide().stop();
  }
}

INSTANTIATE_TEST_SUITE_P(Languages, Tours, testing::Values("en", "zh_CN"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace nw::ui
