// SPDX-License-Identifier: GPL-3.0-or-later
// Every page in the pseudo-locale, whose texts are two fifths longer than the English ones: no text is clipped.
#include <QTabBar>
#include <QTabWidget>

#include "tests/ui/journey/journey.hpp"
#include "tests/ui/journey/pseudo_locale.hpp"
#include "ui/page/actions.hpp"
#include "ui/shell/help/about.hpp"
#include "ui/shell/help/help.hpp"
#include "ui/shell/preferences/preferences_dialog.hpp"
#include "ui/train/layer_board.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class LongTexts : public Journey {
 protected:
  void SetUp() override {
    Journey::SetUp();
    QCoreApplication::installTranslator(&language);
    retranslateActions();
  }
  void TearDown() override {
    Journey::TearDown();
    QCoreApplication::removeTranslator(&language);
    retranslateActions();
  }
  void expectRoom(QWidget* root, const char* where) {
    // nested layouts settle over several passes of the event loop
    (void)test::wait_for([&] { return clippedTexts(root).isEmpty(); }, 3000);
    for (const QString& clipped : clippedTexts(root)) ADD_FAILURE() << where << ": " << clipped.toStdString();
  }
  PseudoLocale language;
};

TEST_F(LongTexts, ArePseudoWordsWithTheirPlaceholders) {
  EXPECT_EQ(PseudoLocale::of(QStringLiteral("Train")), QStringLiteral("Ţřåîñöö"));
  EXPECT_EQ(PseudoLocale::of(QStringLiteral("%1 of {0}")), QStringLiteral("%1 ôf {0}ö"));
}

TEST_F(LongTexts, AreNotCutOffOnAnyPage) {
  openWindow();
  expectRoom(&window(), "welcome");
  closeWindow();
  openSmallProject(1, 300);
  scene().selection().setCurrent(find("conv1"));
  for (const char* bar : {"palettePanelTabs", "settingsPanelTabs", "problemsPanelTabs"})
    for (int i = 0; i < child<QTabBar>(QLatin1String(bar))->count(); ++i) {
      child<QTabBar>(QLatin1String(bar))->setCurrentIndex(i);
      expectRoom(&window(), (std::string("design ") + bar + " " + std::to_string(i)).c_str());
    }
  run().start();
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
  window().showPage(QStringLiteral("train"));
  expectRoom(&window(), "train");
  train().views().setCurrent(1);
  train().tints().setCurrent(1);
  ASSERT_TRUE(test::wait_for([&] { return train().board().figures().rowCount() > 0; }))
      << "a run looks at its layers by itself";
  expectRoom(&window(), "train, layers");
  window().showPage(QStringLiteral("predict"));
  expectPredictionsArrive();
  expectRoom(&window(), "predict");
  window().showPage(QStringLiteral("runs"));
  expectRoom(&window(), "runs");
  window().showPage(QStringLiteral("deploy"));
  ASSERT_TRUE(test::wait_for([&] { return window().findChild<QWidget*>(QStringLiteral("card-onnx"))->isVisible(); }));
  expectRoom(&window(), "deploy");
  child<QTabBar>(QStringLiteral("deployTabs"))->setCurrentIndex(1);
  expectRoom(&window(), "deploy, compress");
  child<QTabBar>(QStringLiteral("deployTabs"))->setCurrentIndex(2);
  expectRoom(&window(), "deploy, serve");
  child<QTabBar>(QStringLiteral("deployTabs"))->setCurrentIndex(3);
  expectRoom(&window(), "deploy, test");
}

TEST_F(LongTexts, AreNotCutOffInDialogs) {
  openWindow({{}, QStringLiteral("lenet5")});
  PreferencesDialog preferences(session());
  HelpDialog help;
  AboutDialog about;
  for (QDialog* dialog :
       {static_cast<QDialog*>(&preferences), static_cast<QDialog*>(&help), static_cast<QDialog*>(&about)}) {
    dialog->show();
    auto* tabs = dialog->findChild<QTabWidget*>();
    for (int i = 0; i < (tabs ? tabs->count() : 1); ++i) {
      if (tabs) tabs->setCurrentIndex(i);
      expectRoom(dialog, dialog->metaObject()->className());
    }
  }
}

}  // namespace
}  // namespace nw::ui
