// SPDX-License-Identifier: GPL-3.0-or-later
// After a normal quit, the next start restores the last view.
#include "ui/shell/window/last_view.hpp"

#include <gtest/gtest.h>

#include <QFile>
#include <QSettings>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>

#include "engine/design/project_file.hpp"
#include "ui/design/design_page.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/window/application.hpp"

namespace nw::ui {
namespace {

struct LastViewTest : testing::Test {
  LastViewTest() { QSettings().remove(QStringLiteral("last")); }
  ~LastViewTest() override { QSettings().remove(QStringLiteral("last")); }
  void open(const StartOptions& options = {}) {
    desk.reset();
    desk.emplace(options);
    EXPECT_TRUE(QTest::qWaitForWindowExposed(&desk->window()));
    QCoreApplication::processEvents();
  }
  void quit() {
    ASSERT_TRUE(desk->window().close());
    desk.reset();
  }
  QString saved(const char* name) {
    const QString file = folder.filePath(QLatin1String(name) + QStringLiteral(".netwright"));
    EXPECT_TRUE(ProjectFile::save(find_template(name)->make(), file.toStdString()));
    return file;
  }
  Canvas& canvas() { return static_cast<DesignPage*>(desk->window().page(QStringLiteral("design")))->canvas(); }
  NodeId layer(const char* name) {
    for (const auto& [id, node] : canvas().scene().graph().nodes)
      if (node.name == name) return id;
    return 0;
  }
  QTemporaryDir folder;
  std::optional<WindowHost> desk;
};

TEST_F(LastViewTest, RestoresProjectLayerAndPosition) {
  const QString file = saved("lenet5");
  open({file, {}});
  canvas().scene().selection().setCurrent(layer("conv2"));
  canvas().view().camera().setZoom(1.7, QPointF(0, 0));
  canvas().view().centerOn(60, 420);
  QCoreApplication::processEvents();
  const QPointF centre = canvas().view().mapToScene(canvas().view().viewport()->rect().center());
  desk->window().resize(1300, 900);
  quit();
  open();
  EXPECT_EQ(desk->workplace().session.path(), file);
  EXPECT_EQ(desk->window().currentPage(), QStringLiteral("design"));
  EXPECT_EQ(canvas().scene().selection().current(), layer("conv2"));
  EXPECT_NEAR(canvas().view().camera().zoom(), 1.7, 0.001);
  const QPointF now = canvas().view().mapToScene(canvas().view().viewport()->rect().center());
  EXPECT_LT(QLineF(now, centre).length(), 120) << now.x() << ", " << now.y();
  EXPECT_EQ(desk->window().size(), QSize(1300, 900));
}

TEST_F(LastViewTest, RestoresThePageAndTheOpenBlock) {
  open({saved("resnet18-cifar"), {}});
  canvas().scene().setScope("BasicBlock");
  desk->window().findChild<QTabBar*>(QStringLiteral("settingsPanelTabs"))->setCurrentIndex(2);
  desk->window().showPage(QStringLiteral("runs"));
  quit();
  open();
  EXPECT_EQ(desk->window().currentPage(), QStringLiteral("runs"));
  EXPECT_EQ(canvas().scene().scope(), "BasicBlock");
  EXPECT_EQ(desk->window().findChild<QTabBar*>(QStringLiteral("settingsPanelTabs"))->currentIndex(), 2);
}

TEST_F(LastViewTest, IsEmptyIfNoFileWasOpenOrTheFileIsGone) {
  open({{}, QStringLiteral("lenet5")});
  quit();
  open();
  EXPECT_EQ(desk->window().currentPage(), QStringLiteral("welcome"));
  const QString file = saved("mlp");
  open({file, {}});
  quit();
  EXPECT_TRUE(lastView().has_value());
  QFile::remove(file);
  EXPECT_FALSE(lastView().has_value());
  open();
  EXPECT_EQ(desk->window().currentPage(), QStringLiteral("welcome"));
}

TEST_F(LastViewTest, IsNotRestoredIfTurnedOff) {
  open({saved("mlp"), {}});
  quit();
  Preferences p = preferences();
  p.reopen = false;
  setPreferences(p);
  open();
  EXPECT_EQ(desk->window().currentPage(), QStringLiteral("welcome"));
  p.reopen = true;
  setPreferences(p);
  open({{}, QStringLiteral("lenet5")});
  EXPECT_TRUE(desk->workplace().session.path().isEmpty()) << "what is asked for comes first";
}

}  // namespace
}  // namespace nw::ui
