// SPDX-License-Identifier: GPL-3.0-or-later
// Who reads Chinese only gets from the installed program to a network trained on own photos by the guide's page alone:
// each step of its list is played, and each name that it mentions is on the screen. CTest also runs it at 200 %.
#include <QComboBox>
#include <QLabel>
#include <QRegularExpression>
#include <QTabBar>

#include "engine/examples/shape_photos.hpp"
#include "tests/support/paths.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/data/check_panel.hpp"
#include "ui/data/data_opener.hpp"
#include "ui/data/data_panel.hpp"
#include "ui/data/photo_dialog.hpp"
#include "ui/page/actions.hpp"
#include "ui/predict/metrics/confusion_matrix.hpp"
#include "ui/predict/try/own_image_panel.hpp"
#include "ui/shell/preferences/preferences.hpp"
#include "ui/shell/window/top_bar.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

QString textOf(const char* file) {
  QFile in(QString::fromStdString(test::source_folder()) + QLatin1String(file));
  EXPECT_TRUE(in.open(QIODevice::ReadOnly)) << file;
  return QString::fromUtf8(in.readAll());
}

/// The Chinese text of the page's steps "In the window", in their order.
QStringList stepsInChinese() {
  const QString page = textOf("/docs/guide/own_photos.rst"),
                catalogue = textOf("/docs/guide/locale/zh_CN/LC_MESSAGES/own_photos.po");
  QStringList steps;
  static const QRegularExpression item(QStringLiteral("^\\d\\. (.*(?:\\n   .*)*)$"),
                                       QRegularExpression::MultilineOption);
  const QString list = page.section(QStringLiteral("In the window"), 1).section(QStringLiteral("In a terminal"), 0, 0);
  for (auto found = item.globalMatch(list); found.hasNext();) {
    const QString english = found.next().captured(1).simplified();
    const QString after = catalogue.section(QStringLiteral("msgid \"%1\"\nmsgstr \"").arg(english), 1, 1);
    EXPECT_FALSE(after.isEmpty()) << "not translated: " << english.toStdString();
    steps << after.section(u'"', 0, 0);
  }
  return steps;
}

QStringList namesIn(const QString& step) {
  static const QRegularExpression emphasized(QStringLiteral("\\*([^*]+)\\*"));
  QStringList names;
  for (auto found = emphasized.globalMatch(step); found.hasNext();) names << found.next().captured(1);
  return names;
}

class ChinesePhotos : public Journey {
 protected:
  void SetUp() override {
    Journey::SetUp();
    setLanguage(QStringLiteral("zh_CN"));
    retranslateActions();
  }
  void TearDown() override {
    Journey::TearDown();
    setLanguage(QStringLiteral("en"));
    retranslateActions();
  }
  static bool shows(const QWidget& w, const QString& name) {
    if (const auto* button = qobject_cast<const QAbstractButton*>(&w); button && button->text() == name) return true;
    if (const auto* label = qobject_cast<const QLabel*>(&w)) return label->text() == name;
    if (const auto* box = qobject_cast<const QComboBox*>(&w)) return box->currentText() == name;
    if (const auto* pages = qobject_cast<const SegmentedControl*>(&w)) {
      for (int i = 0; i < pages->count(); ++i)
        if (pages->shownText(i) == name) return true;
    }
    if (const auto* tabs = qobject_cast<const QTabBar*>(&w)) {
      for (int i = 0; i < tabs->count(); ++i)
        if (tabs->tabText(i) == name) return true;
    }
    return w.accessibleName() == name;
  }
  bool isOnTheScreen(const QString& name) {
    return test::wait_for([&] {
      for (const QWidget* top : QApplication::topLevelWidgets())
        for (const QWidget* w : top->findChildren<QWidget*>())
          if (w->isVisible() && !w->visibleRegion().isEmpty() && shows(*w, name)) return true;
      return false;
    });
  }
  void reads(int step) {
    for (const QString& name : namesIn(steps[step]))
      EXPECT_TRUE(isOnTheScreen(name)) << "step " << step + 1 << " says " << name.toStdString();
  }
  void openTab(const char* bar, const QString& name) {
    auto* tabs = child<QTabBar>(QLatin1String(bar));
    for (int i = 0; i < tabs->count(); ++i)
      if (tabs->tabText(i) == name) return hand.click(tabs, tabs->tabRect(i).center());
    ADD_FAILURE() << "no tab " << name.toStdString();
  }
  PhotoDialog* dialog() { return window().findChild<PhotoDialog*>(QStringLiteral("photoDialog")); }
  QStringList steps = stepsInChinese();
};

TEST_F(ChinesePhotos, AreTrainedOnByTheGuideAlone) {
  ASSERT_EQ(steps.size(), 6) << "the page has other steps than are played here";
  const QString photos = folder.filePath(QStringLiteral("photos"));
  ASSERT_TRUE(write_shape_photos(photos.toStdString(), {PhotoShape::circle, PhotoShape::cross}, 30));
  openWindow();
  reads(0);
  hand.answerFile(photos, [&] { hand.click(button(namesIn(steps[0])[0])); });
  ASSERT_TRUE(test::wait_for([&] { return dialog() && dialog()->isVisible() && dialog()->isCounted(); }));
  reads(1);
  hand.click(button(namesIn(steps[1])[0], dialog()));
  ASSERT_TRUE(test::wait_for([&] { return window().currentPage() == QStringLiteral("design"); }));
  ASSERT_TRUE(test::wait_for([&] { return dataOpener(session()).state() == DataOpener::State::open; }));
  ASSERT_TRUE(isOnTheScreen(namesIn(steps[2])[0]));
  openTab("settingsPanelTabs", namesIn(steps[2])[0]);
  auto* panel = window().findChild<DataPanel*>();
  QAbstractButton* check = button(namesIn(steps[2])[1], panel);
  panel->ensureWidgetVisible(check);
  reads(2);
  hand.click(check);
  ASSERT_TRUE(test::wait_for([&] { return panel->check().settled() && !panel->check().summary().isEmpty(); }));
  TrainSettings settings = session().doc().settings();
  settings.epochs = 3;  // a short training; the guide says to wait
  session().push({PutSettings{settings}}, QStringLiteral("-"));
  analysed();
  reads(3);
  hand.key(Qt::Key_F5);
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }, 120'000));
  SegmentedControl& pages = window().topBar().pages();
  ASSERT_EQ(pages.segmentText(2), namesIn(steps[4])[0]);
  hand.click(&pages, pages.segmentRect(2).center().toPoint());
  expectPredictionsArrive();
  reads(4);
  reads(5);
  const QString photo = photos + QStringLiteral("/crosses/001.png");
  hand.answerFile(photo, [&] { hand.click(button(namesIn(steps[5])[1])); });
  EXPECT_TRUE(test::wait_for([&] { return predict().settled(); }));
}

}  // namespace
}  // namespace nw::ui
