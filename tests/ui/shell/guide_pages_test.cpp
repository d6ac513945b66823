// SPDX-License-Identifier: GPL-3.0-or-later
// F1 opens the user guide at the place where the user is.
#include "ui/shell/help/guide_pages.hpp"

#include <gtest/gtest.h>

#include <QDialog>
#include <QDir>
#include <QFile>
#include <QLineEdit>
#include <QSignalSpy>
#include <QStackedWidget>
#include <QTemporaryDir>
#include <QTest>
#include <QVBoxLayout>

#include "engine/design/layer_type.hpp"
#include "tests/support/paths.hpp"
#include "tests/ui/shell/browser.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/canvas/scene/graph_scene.hpp"
#include "ui/design/design_page.hpp"
#include "ui/design/inspector.hpp"
#include "ui/page/page.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/window/application.hpp"
#include "ui/shell/window/banner.hpp"
#include "ui/shell/window/main_window.hpp"

namespace nw::ui {
namespace {

struct GuidePages : testing::Test {
  QTemporaryDir data;
  QByteArray before = qgetenv("XDG_DATA_DIRS");
  Browser browser;
  WindowHost desk{StartOptions{{}, QStringLiteral("lenet5")}};
  GuidePages() { qputenv("XDG_DATA_DIRS", data.path().toLocal8Bit()); }
  ~GuidePages() override { qputenv("XDG_DATA_DIRS", before); }
  MainWindow& window() { return desk.window(); }
  void install(const QString& page, const QString& language = QStringLiteral("en")) {
    const QString file = QStringLiteral("%1/doc/netwright-doc/guide/%2/%3.html").arg(data.path(), language, page);
    QDir().mkpath(QFileInfo(file).path());
    QFile(file).open(QIODevice::WriteOnly);
  }
  /// The page that F1 opens, "LANGUAGE/PAGE"; empty: none.
  QString pressed(QWidget* in) {
    browser.opened.clear();
    QTest::keyClick(in, Qt::Key_F1);
    return browser.opened.section(QStringLiteral("/guide/"), -1).section(u'.', 0, -2);
  }
  QWidget* find(const char* page, const char* type) {
    for (QWidget* w : window().page(QLatin1String(page))->findChildren<QWidget*>())
      if (QLatin1String(w->metaObject()->className()) == QLatin1String("nw::ui::") + QLatin1String(type)) return w;
    return nullptr;
  }
  /// Brings it to the front where pages of a stack cover it.
  static void reveal(QWidget* part) {
    for (QWidget* w = part; w->parentWidget(); w = w->parentWidget()) {
      if (auto* stack = qobject_cast<QStackedWidget*>(w->parentWidget())) stack->setCurrentWidget(w);
      w->show();
    }
  }
  /// A child that takes the focus, as a control of that part of the window would.
  QWidget* focusIn(QWidget* part) {
    auto* field = new QLineEdit(part);
    field->show();
    field->setFocus();
    return field;
  }
};

TEST_F(GuidePages, F1OpensThePageOfThePlace) {
  const struct {
    const char *page, *part, *guide;
  } places[] = {
      {"welcome", "", "first_network"},
      {"design", "PaletteTree", "layers/index"},
      {"design", "DataPanel", "own_photos"},
      {"design", "SettingsPanel", "optimizers/index"},
      {"train", "", "charts"},
      {"train", "WhySlow", "speed"},
      {"predict", "", "explaining"},
      {"runs", "", "charts"},
      {"runs", "StudiesPanel", "searching"},
      {"runs", "QueuePanel", "machines"},
      {"deploy", "", "deployment"},
      {"design", "Canvas", "first_network"},
      {"design", "PlacementPanel", "machines"},
      {"design", "LaneView", "machines"},
      {"design", "DevicePlan", "planning"},
  };
  window().activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
  for (const auto& place : places) {
    install(QLatin1String(place.guide));
    window().showPage(QLatin1String(place.page));
    QWidget* part = *place.part ? find(place.page, place.part) : window().page(QLatin1String(place.page));
    ASSERT_NE(part, nullptr) << place.part;
    EXPECT_EQ(guidePageOf(part), QLatin1String(place.guide)) << place.page << ' ' << place.part;
    reveal(part);
    QWidget* field = focusIn(part);
    ASSERT_TRUE(field->hasFocus()) << place.page << ' ' << place.part;
    EXPECT_EQ(pressed(field), QStringLiteral("en/") + QLatin1String(place.guide)) << place.page << ' ' << place.part;
    delete field;
  }
}

TEST_F(GuidePages, ASelectedLayerOpensItsOwnPage) {
  install(QStringLiteral("layers/Conv2d"));
  install(QStringLiteral("losses/CrossEntropy"));
  auto* page = static_cast<DesignPage*>(window().page(QStringLiteral("design")));
  window().showPage(QStringLiteral("design"));
  Canvas& canvas = page->canvas();
  for (const auto& [type, guide] :
       {std::pair{"Conv2d", "en/layers/Conv2d"}, {"CrossEntropy", "en/losses/CrossEntropy"}}) {
    for (const auto& [id, node] : desk.workplace().session.doc().graph().nodes)
      if (node.type == type) canvas.scene().selection().setCurrent(id);
    QTest::qWait(50);
    canvas.setFocus();
    EXPECT_EQ(pressed(&canvas), QLatin1String(guide));
  }
  canvas.scene().selection().selectOnly({});
  QTest::qWait(50);
  EXPECT_EQ(guidePageOf(&canvas), QStringLiteral("first_network"));
}

TEST_F(GuidePages, TheGuideIsThatOfTheInterfacesLanguageElseEnglish) {
  install(QStringLiteral("charts"));
  EXPECT_TRUE(guideFile(QStringLiteral("charts"), QStringLiteral("zh_CN")).contains(QStringLiteral("/guide/en/")));
  install(QStringLiteral("charts"), QStringLiteral("zh_CN"));
  EXPECT_TRUE(guideFile(QStringLiteral("charts"), QStringLiteral("zh_CN")).contains(QStringLiteral("/guide/zh_CN/")));
  EXPECT_TRUE(guideFile(QStringLiteral("charts"), QStringLiteral("en")).contains(QStringLiteral("/guide/en/")));
}

TEST_F(GuidePages, DialogsHearTheKeyToo) {
  install(QStringLiteral("keys"));
  action(QStringLiteral("help"))->trigger();
  QDialog* dialog = nullptr;
  for (QDialog* d : window().findChildren<QDialog*>())
    if (QLatin1String(d->metaObject()->className()) == QLatin1String("nw::ui::HelpDialog")) dialog = d;
  ASSERT_NE(dialog, nullptr);
  ASSERT_TRUE(QTest::qWaitForWindowActive(dialog));
  EXPECT_EQ(pressed(focusIn(dialog)), QStringLiteral("en/keys"));
  dialog->close();
}

TEST_F(GuidePages, WithoutTheGuideASentenceNamesThePackage) {
  if (!guideFile(QStringLiteral("index"), QStringLiteral("en")).isEmpty())
    GTEST_SKIP() << "the build's folder has the guide";
  window().activateWindow();
  ASSERT_TRUE(QTest::qWaitForWindowActive(&window()));
  const QSignalSpy messages(&desk.workplace().session, &Session::message);
  EXPECT_EQ(pressed(focusIn(window().page(QStringLiteral("design")))), QString());
  ASSERT_EQ(messages.size(), 1);
  EXPECT_TRUE(messages[0][0].toString().contains(QStringLiteral("netwright-doc")));
}

TEST_F(GuidePages, AllPagesAreInTheGuide) {
  const QDir guide(QString::fromStdString(test::source_folder()) + QStringLiteral("/docs/guide"));
  for (const char* page : {"first_network", "own_photos", "charts", "speed", "wrong", "explaining", "searching",
                           "machines", "deployment", "exchange"})
    EXPECT_TRUE(guide.exists(QLatin1String(page) + QStringLiteral(".rst"))) << page;
}

}  // namespace
}  // namespace nw::ui
