// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/invariants.hpp"

#include <QAbstractButton>
#include <QAbstractScrollArea>
#include <QAbstractSpinBox>
#include <QComboBox>
#include <QDockWidget>
#include <QLineEdit>
#include <QMainWindow>
#include <algorithm>

#include "engine/design/project_file.hpp"
#include "tests/ui/journey/pseudo_locale.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/design/design_page.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

/// Inside a scroll area a control may be out of sight.
bool scrolls(const QWidget* w) {
  for (const QWidget* up = w->parentWidget(); up; up = up->parentWidget())
    if (qobject_cast<const QAbstractScrollArea*>(up)) return true;
  return false;
}

/// The child of the window that holds `w`.
const QWidget* topOf(const QWidget& window, const QWidget* w) {
  while (w->parentWidget() && w->parentWidget() != &window) w = w->parentWidget();
  return w;
}

/// Lists that a click beside them closes may lie over everything; a notification and the guide, which can be closed,
/// over the page, but not over each other.
bool mayCover(const QWidget& window, const QWidget* hit, const QWidget* control) {
  const auto is = [](const QWidget* w, std::initializer_list<const char*> classes) {
    return std::any_of(classes.begin(), classes.end(), [&](const char* name) { return w->inherits(name); });
  };
  const QWidget *over = topOf(window, hit), *under = topOf(window, control);
  if (is(over, {"nw::ui::AddList", "nw::ui::CommandPalette"})) return true;
  return is(over, {"nw::ui::Banner", "nw::ui::CoachMark"}) && !is(under, {"nw::ui::Banner", "nw::ui::CoachMark"});
}

/// Panels that share a place: Qt keeps those behind the chosen tab visible, outside the window.
bool behindATab(const QWidget* w) {
  while (w && !qobject_cast<const QDockWidget*>(w)) w = w->parentWidget();
  auto* dock = const_cast<QDockWidget*>(qobject_cast<const QDockWidget*>(w));
  const auto* frame = dock ? qobject_cast<const QMainWindow*>(dock->parentWidget()) : nullptr;
  return frame && !frame->tabifiedDockWidgets(dock).isEmpty() && !frame->rect().intersects(dock->geometry());
}

void placeOf(QWidget& window, const QWidget* w, QStringList& faults) {
  const QRect place(w->mapTo(&window, QPoint()), w->size());
  if (scrolls(w) || behindATab(w)) return;
  if (!window.rect().contains(place)) {
    faults << QStringLiteral("outside the window: %1").arg(describedWidget(w));
    return;
  }
  const QWidget* hit = window.childAt(place.center());
  if (!hit || hit == w || w->isAncestorOf(hit) || hit->isAncestorOf(w) || mayCover(window, hit, w)) return;
  faults << QStringLiteral("covered: %1 by %2").arg(describedWidget(w), describedWidget(hit));
}

/// Connections, frames and notes.
QString brokenSelectionOfOthers(const GraphScene& scene) {
  const SceneElements& elements = scene.elements();
  const auto known = [](const auto& items, const auto& selected) {
    return std::all_of(selected.begin(), selected.end(), [&](const auto& id) { return items.contains(id); });
  };
  if (!known(elements.connections(), scene.selection().connections()))
    return QStringLiteral("a connection is selected, but not on the canvas");
  if (!known(elements.frames(), scene.selection().frames()))
    return QStringLiteral("a frame is selected, but not on the canvas");
  if (!known(elements.notes(), scene.selection().notes()))
    return QStringLiteral("a note is selected, but not on the canvas");
  return {};
}

/// Controls with the same parent share an area.
void overlaps(const QVector<QWidget*>& controls, QStringList& faults) {
  for (qsizetype i = 0; i < controls.size(); ++i)
    for (qsizetype k = i + 1; k < controls.size(); ++k)
      if (controls[i]->parentWidget() == controls[k]->parentWidget() &&
          controls[i]->geometry().adjusted(1, 1, -1, -1).intersects(controls[k]->geometry().adjusted(1, 1, -1, -1)))
        faults << QStringLiteral("overlap: %1 and %2").arg(describedWidget(controls[i]), describedWidget(controls[k]));
}

}  // namespace

bool isInputControl(const QWidget* w) {
  return qobject_cast<const QAbstractButton*>(w) || qobject_cast<const QLineEdit*>(w) ||
         qobject_cast<const QComboBox*>(w) || qobject_cast<const QAbstractSpinBox*>(w) ||
         qobject_cast<const SegmentedControl*>(w);
}

QString describedWidget(const QWidget* w) {
  QStringList path;
  for (const QWidget* up = w; up && path.size() < 4; up = up->parentWidget())
    path << QLatin1String(up->metaObject()->className()) +
                (up->objectName().isEmpty() ? QString() : u' ' + up->objectName());
  const auto* button = qobject_cast<const QAbstractButton*>(w);
  return (button && !button->text().isEmpty() ? u'"' + button->text() + QStringLiteral("\" ") : QString()) +
         path.join(QStringLiteral(" < "));
}

QString brokenSelection(WindowHost& host) {
  const GraphScene& scene = static_cast<DesignPage*>(host.window().page(QStringLiteral("design")))->canvas().scene();
  for (const NodeId id : scene.selection().nodes()) {
    if (!scene.graph().nodes.contains(id))
      return QStringLiteral("node %1 is selected, but not in the document").arg(id);
    if (!scene.elements().node(id)) return QStringLiteral("node %1 is selected, but not on the canvas").arg(id);
  }
  return brokenSelectionOfOthers(scene);
}

QString brokenUndo(WindowHost& host) {
  Session& session = host.workplace().session;
  QUndoStack& stack = session.undoStack();
  const int index = stack.index();
  const std::string here = ProjectFile::text(session.doc());
  stack.setIndex(0);
  const std::string first = ProjectFile::text(session.doc());
  stack.setIndex(stack.count());
  const std::string last = ProjectFile::text(session.doc());
  stack.setIndex(0);
  if (ProjectFile::text(session.doc()) != first) return QStringLiteral("undo does not restore the first state");
  stack.setIndex(stack.count());
  if (ProjectFile::text(session.doc()) != last) return QStringLiteral("redo does not restore the last state");
  stack.setIndex(index);
  return ProjectFile::text(session.doc()) == here ? QString() : QStringLiteral("undo and redo change the document");
}

QStringList layoutFaults(QWidget& window) {
  QStringList faults;
  for (const QString& text : clippedTexts(&window, WithToolTip::is_fine))
    faults << QStringLiteral("cut off: %1").arg(text);
  QVector<QWidget*> controls;
  for (QWidget* w : window.findChildren<QWidget*>())
    if (w->window() == &window && w->isVisible() && !w->size().isEmpty() && isInputControl(w)) controls << w;
  for (const QWidget* w : controls) placeOf(window, w, faults);
  overlaps(controls, faults);
  return faults;
}

}  // namespace nw::ui
