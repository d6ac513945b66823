// SPDX-License-Identifier: GPL-3.0-or-later
// "What's this?" explains every control of every page and panel, in both languages.
#include "tests/ui/journey/whats_this_rule.hpp"
#include "ui/page/page.hpp"
#include "ui/predict/header_bar.hpp"

namespace nw::ui {
namespace {

class WhatsThisPages : public WhatsThisRule {};

TEST_P(WhatsThisPages, ExplainEveryControl) {
  openWindow();
  expectExplained(&window(), "welcome");
  closeWindow();
  openSmallProject(1, 300);
  for (const char* name : {"conv1", "fc1"}) {
    scene().selection().setCurrent(find(name));
    QTest::qWait(50);
    expectExplained(&window(), "design");
  }
  expectTabs("design");
  run().start();
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
  window().showPage(QStringLiteral("train"));
  for (int i = 0; i < train().views().count(); ++i) {
    train().views().setCurrent(i);
    QTest::qWait(50);
    expectExplained(&window(), "train");
  }
  window().showPage(QStringLiteral("predict"));
  expectPredictionsArrive();
  for (int i = 0; i < predict().header().views().count(); ++i) {
    predict().header().views().setCurrent(i);
    QTest::qWait(50);
    expectExplained(&window(), "predict");
  }
  window().showPage(QStringLiteral("runs"));
  expectTabs("runs");
  window().showPage(QStringLiteral("deploy"));
  ASSERT_TRUE(test::wait_for([&] { return window().findChild<QWidget*>(QStringLiteral("card-onnx"))->isVisible(); }));
  expectTabs("deploy");
  EXPECT_GT(controls, 150);
}

INSTANTIATE_TEST_SUITE_P(Languages, WhatsThisPages, testing::Values("en", "zh_CN"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace nw::ui
