// SPDX-License-Identifier: GPL-3.0-or-later
// "What's this?" explains every control of every page, dock and dialog, in both languages.
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSlider>
#include <QTabBar>
#include <QTabWidget>
#include <QWhatsThis>
#include <set>

#include "tests/ui/journey/journey.hpp"
#include "ui/page/actions.hpp"
#include "ui/page/page.hpp"
#include "ui/predict/header_bar.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/shell/help/about.hpp"
#include "ui/shell/help/help.hpp"
#include "ui/shell/help/whats_this.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/preferences/preferences_dialog.hpp"
#include "ui/study/search_dialog.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

bool isInteractive(const QWidget* w) {
  if (qobject_cast<const QHeaderView*>(w) || qobject_cast<const QScrollBar*>(w)) return false;
  return qobject_cast<const QAbstractButton*>(w) || qobject_cast<const QLineEdit*>(w) ||
         qobject_cast<const QComboBox*>(w) || qobject_cast<const QAbstractSpinBox*>(w) ||
         qobject_cast<const QAbstractItemView*>(w) || qobject_cast<const QTabBar*>(w) ||
         qobject_cast<const QSlider*>(w) || qobject_cast<const SegmentedControl*>(w) ||
         qobject_cast<const QPlainTextEdit*>(w);
}

class WhatsThisRule : public Journey, public testing::WithParamInterface<const char*> {
 protected:
  void SetUp() override {
    Journey::SetUp();
    setLanguage(QLatin1String(GetParam()));
    retranslateActions();
  }
  void TearDown() override {
    Journey::TearDown();
    setLanguage(QStringLiteral("en"));
    retranslateActions();
  }
  bool isChinese() const { return std::string_view(GetParam()) == "zh_CN"; }
  static QString around(const QWidget* w) {
    QStringList all;
    for (; w; w = w->isWindow() ? nullptr : w->parentWidget())
      all << QString::fromLatin1(w->metaObject()->className()).section(QStringLiteral("::"), -1) +
                 (w->objectName().isEmpty() ? QString() : u'#' + w->objectName());
    return all.join(QStringLiteral(" < "));
  }
  void expectExplained(QWidget* root, const char* where) {
    for (QWidget* w : root->findChildren<QWidget*>()) {
      if (!isInteractive(w) || !w->isVisible() || controlOf(w) != w ||
          !seen.insert(around(w) + w->accessibleName()).second)
        continue;
      ++controls;
      const auto* button = qobject_cast<QAbstractButton*>(w);
      const QString sentence = helpSentence(w);
      EXPECT_FALSE(sentence.isEmpty()) << where << ": " << around(w).toStdString() << " \""
                                       << (button ? button->text() : QString()).toStdString() << "\" / \""
                                       << w->accessibleName().toStdString() << "\" tip \"" << w->toolTip().toStdString()
                                       << '"';
      const bool hasChinese =
          std::any_of(sentence.begin(), sentence.end(), [](QChar c) { return c.unicode() >= 0x4e00; });
      if (isChinese() && !sentence.isEmpty()) EXPECT_TRUE(hasChinese) << where << ": " << sentence.toStdString();
      if (!sentence.isEmpty()) EXPECT_TRUE(helpBubble(w).contains(QStringLiteral("<a href="))) << where;
    }
  }
  void expectTabs(const char* bar, const char* where) {
    auto* tabs = child<QTabBar>(QLatin1String(bar));
    ASSERT_NE(tabs, nullptr);
    for (int i = 0; i < tabs->count(); ++i) {
      tabs->setCurrentIndex(i);
      QTest::qWait(50);
      expectExplained(&window(), where);
    }
  }
  void expectDialog(QDialog& dialog) {
    dialog.show();
    auto* tabs = dialog.findChild<QTabWidget*>();
    for (int i = 0; i < (tabs ? tabs->count() : 1); ++i) {
      if (tabs) tabs->setCurrentIndex(i);
      expectExplained(&dialog, dialog.metaObject()->className());
    }
  }
  std::set<QString> seen;
  int controls = 0;
};

TEST_P(WhatsThisRule, EveryControlOfEveryPageAndDialogIsExplained) {
  openWindow();
  expectExplained(&window(), "welcome");
  closeWindow();
  openSmallProject(1, 300);
  for (const char* name : {"conv1", "fc1"}) {
    scene().selection().setCurrent(find(name));
    QTest::qWait(50);
    expectExplained(&window(), "design");
  }
  for (const char* bar : {"palettePanelTabs", "settingsPanelTabs", "problemsPanelTabs"}) expectTabs(bar, "design");
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
  expectTabs("runsTabs", "runs");
  window().showPage(QStringLiteral("deploy"));
  ASSERT_TRUE(test::wait_for([&] { return window().findChild<QWidget*>(QStringLiteral("card-onnx"))->isVisible(); }));
  expectTabs("deployTabs", "deploy");
  PreferencesDialog preferences(session());
  HelpDialog help;
  AboutDialog about;
  SearchDialog search(session());
  ASSERT_TRUE(test::wait_for([&] { return search.loaded(); }));
  for (QDialog* dialog : std::initializer_list<QDialog*>{&preferences, &help, &about, &search}) expectDialog(*dialog);
  EXPECT_GT(controls, 150);
}

INSTANTIATE_TEST_SUITE_P(Languages, WhatsThisRule, testing::Values("en", "zh_CN"),
                         [](const auto& info) { return std::string(info.param); });

}  // namespace
}  // namespace nw::ui
