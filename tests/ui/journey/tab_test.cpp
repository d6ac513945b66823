// SPDX-License-Identifier: GPL-3.0-or-later
// Tab visits every control of every page: no widget keeps the focus, and every visible control is reached.
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QButtonGroup>
#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QScrollBar>
#include <QSlider>
#include <QTabBar>

#include "tests/ui/journey/journey.hpp"
#include "ui/shell/preferences/preferences_dialog.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int max_steps = 400;

std::string describe(const QWidget* w) {
  const auto* button = qobject_cast<const QAbstractButton*>(w);
  return std::string(w->metaObject()->className()) + " " + w->objectName().toStdString() + " \"" +
         (w->accessibleName().isEmpty() && button ? button->text() : w->accessibleName()).toStdString() + "\" in " +
         (w->parentWidget() ? std::string(w->parentWidget()->metaObject()->className()) + " " +
                                  w->parentWidget()->objectName().toStdString()
                            : "");
}

bool isControl(const QWidget* w) {
  return qobject_cast<const QAbstractButton*>(w) || qobject_cast<const QLineEdit*>(w) ||
         qobject_cast<const QComboBox*>(w) || qobject_cast<const QAbstractSpinBox*>(w) ||
         qobject_cast<const QAbstractItemView*>(w) || qobject_cast<const QTabBar*>(w) ||
         qobject_cast<const QSlider*>(w) || qobject_cast<const SegmentedControl*>(w) ||
         qobject_cast<const QPlainTextEdit*>(w) || (w->focusPolicy() & Qt::TabFocus);
}

/// True for a part of another control, which forwards its key events.
bool isPart(const QWidget* w) {
  for (const QWidget* up = w->parentWidget(); up && !up->isWindow(); up = up->parentWidget())
    if (qobject_cast<const QComboBox*>(up) || qobject_cast<const QAbstractSpinBox*>(up) ||
        qobject_cast<const QTabBar*>(up) || qobject_cast<const QLineEdit*>(up) ||
        qobject_cast<const QAbstractItemView*>(up))
      return true;
  return qobject_cast<const QHeaderView*>(w) || qobject_cast<const QScrollBar*>(w);
}

/// True for a button of an exclusive group of which another button was visited: the arrow keys reach it.
bool isReachableByArrowKeys(const QWidget* w, const QSet<const QWidget*>& seen) {
  const auto* button = qobject_cast<const QAbstractButton*>(w);
  if (!button) return false;
  const QButtonGroup* group = button->group();
  for (const QWidget* other : seen) {
    const auto* known = qobject_cast<const QAbstractButton*>(other);
    if (!known) continue;
    if (group && group->exclusive() && known->group() == group) return true;
    if (button->autoExclusive() && known->autoExclusive() && known->parentWidget() == button->parentWidget())
      return true;
  }
  return false;
}

/// The visible controls of a window that Tab has to reach.
QSet<const QWidget*> controls(const QWidget* top) {
  QSet<const QWidget*> found;
  for (const QWidget* w : top->findChildren<QWidget*>())
    if (w->isVisible() && w->isEnabled() && w->window() == top && isControl(w) && !isPart(w)) found.insert(w);
  return found;
}

struct Round {
  QSet<const QWidget*> seen;
  std::string fault;  // why it did not come back to its first stop; empty: it did
};

class EveryPage : public Journey {
 protected:
  /// Presses Tab until the first stop has the focus again; Ctrl+Tab where Tab has another function.
  Round round(QWidget* top) {
    Round r;
    const QWidget* first = nullptr;  // the page itself has the focus when it is shown, and is not a stop
    for (int i = 0; i < max_steps; ++i) {
      QWidget* before = QApplication::focusWidget();
      if (!before) return {r.seen, "nothing has the keys at step " + std::to_string(i)};
      if (i == 1) first = before;
      r.seen.insert(before);
      const bool takesTab = qobject_cast<GraphView*>(before) != nullptr;
      const std::string here = describe(before);
      hand.key(Qt::Key_Tab, takesTab ? Qt::ControlModifier : Qt::NoModifier);
      QWidget* now = QApplication::focusWidget();
      if (now == before) return {r.seen, here + " holds the keys"};
      if (!now || !top->isAncestorOf(now)) return {r.seen, "after " + here + " the keys are lost"};
      if (now == first) return r;
    }
    return {r.seen, "the round does not come back to its start"};
  }
  /// Those of `there` that a round has not come to.
  static std::vector<const QWidget*> missed(const QSet<const QWidget*>& there, const Round& r) {
    std::vector<const QWidget*> all;
    for (const QWidget* w : there)
      if (!r.seen.contains(w) && !(w->focusProxy() && r.seen.contains(w->focusProxy())) &&
          !isReachableByArrowKeys(w, r.seen))
        all.push_back(w);
    return all;
  }
  /// A round during which a page's content arrives says nothing: it is made again. So is one that misses controls,
  /// twice: content that takes the place of other content, with as many controls, changes the order in the round.
  void expectAllReachable(QWidget* top, const char* where) {
    SCOPED_TRACE(where);
    Round r;
    QSet<const QWidget*> there;
    int again = 2;
    const bool settled = test::wait_for([&] {
      there = controls(top);
      r = round(top);
      const bool unchanged = there == controls(top);
      if (!unchanged && !QApplication::focusWidget()) hand.key(Qt::Key_Tab);  // its control went away
      return unchanged && (missed(there, r).empty() || again-- == 0);
    });
    EXPECT_TRUE(settled) << "its controls change for ever";
    EXPECT_EQ(r.fault, "");
    for (const QWidget* w : missed(there, r)) ADD_FAILURE() << describe(w) << " cannot be reached";
  }
  void page(int key, const char* id) {
    hand.key(key, Qt::ControlModifier);
    ASSERT_EQ(window().currentPage(), QLatin1String(id));
  }
};

TEST_F(EveryPage, TabVisitsEveryControl) {
  openWindow();
  expectAllReachable(&window(), "welcome");
  closeWindow();
  openSmallProject(1, 300);
  startByButton();
  ASSERT_TRUE(isState(RunController::State::idle));
  ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
  expectAllReachable(&window(), "train");
  page(Qt::Key_3, "predict");
  expectPredictionsArrive();
  expectAllReachable(&window(), "predict");
  page(Qt::Key_4, "runs");
  expectAllReachable(&window(), "runs");
  page(Qt::Key_5, "deploy");
  ASSERT_TRUE(test::wait_for([&] { return window().findChild<QWidget*>(QStringLiteral("card-onnx"))->isVisible(); }));
  expectAllReachable(&window(), "deploy");
  child<QTabBar>(QStringLiteral("deployTabs"))->setCurrentIndex(1);
  expectAllReachable(&window(), "deploy, compress");
  child<QTabBar>(QStringLiteral("deployTabs"))->setCurrentIndex(2);
  expectAllReachable(&window(), "deploy, serve");
  child<QTabBar>(QStringLiteral("deployTabs"))->setCurrentIndex(3);
  expectAllReachable(&window(), "deploy, test");
  page(Qt::Key_1, "design");
  expectAllReachable(&window(), "design");
}

TEST_F(EveryPage, TabVisitsEveryControlOfTheDesignPanels) {
  openSmallProject(1);
  scene().selection().setCurrent(find("conv1"));
  for (const char* bar : {"palettePanelTabs", "settingsPanelTabs", "problemsPanelTabs"})
    for (int i = 0; i < child<QTabBar>(QLatin1String(bar))->count(); ++i) {
      child<QTabBar>(QLatin1String(bar))->setCurrentIndex(i);
      QCoreApplication::processEvents();
      view().setFocus();
      expectAllReachable(&window(), (std::string(bar) + " " + std::to_string(i)).c_str());
    }
}

TEST_F(EveryPage, TabVisitsEveryControlOfTheDialogs) {
  openWindow();
  PreferencesDialog dialog(session());
  dialog.show();
  ASSERT_TRUE(
      test::wait_for([&] { return QApplication::focusWidget() && dialog.isAncestorOf(QApplication::focusWidget()); }));
  expectAllReachable(&dialog, "preferences");
}

}  // namespace
}  // namespace nw::ui
