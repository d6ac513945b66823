// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/player.hpp"

#include <QApplication>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMimeData>
#include <QPointer>
#include <QScreen>
#include <QTest>
#include <QWheelEvent>
#include <csignal>

#include "engine/design/project_file.hpp"
#include "tests/monkey/hostile_texts.hpp"
#include "tests/monkey/targets.hpp"
#include "ui/canvas/canvas.hpp"
#include "ui/design/design_page.hpp"
#include "ui/page/actions.hpp"
#include "ui/session/helper_client.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/shell/preferences/preferences.hpp"

namespace nw::ui {
namespace {

struct Key {
  int key;
  int modifiers;
};
constexpr Key keys[] = {
    {Qt::Key_Delete, 0},
    {Qt::Key_Delete, Qt::ControlModifier},
    {Qt::Key_Backspace, 0},
    {Qt::Key_Return, 0},
    {Qt::Key_Return, 0},
    {Qt::Key_Escape, 0},
    {Qt::Key_Escape, 0},
    {Qt::Key_Tab, 0},
    {Qt::Key_Backtab, Qt::ShiftModifier},
    {Qt::Key_Space, 0},
    {Qt::Key_Up, 0},
    {Qt::Key_Down, 0},
    {Qt::Key_Left, 0},
    {Qt::Key_Right, 0},
    {Qt::Key_Right, Qt::ShiftModifier},
    {Qt::Key_Down, Qt::ControlModifier},
    {Qt::Key_Home, 0},
    {Qt::Key_End, 0},
    {Qt::Key_PageDown, 0},
    {Qt::Key_PageUp, 0},
    {Qt::Key_Z, Qt::ControlModifier},
    {Qt::Key_Z, Qt::ControlModifier},
    {Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier},
    {Qt::Key_A, Qt::ControlModifier},
    {Qt::Key_D, Qt::ControlModifier},
    {Qt::Key_G, Qt::ControlModifier},
    {Qt::Key_G, Qt::ControlModifier | Qt::ShiftModifier},
    {Qt::Key_C, Qt::ControlModifier},
    {Qt::Key_X, Qt::ControlModifier},
    {Qt::Key_V, Qt::ControlModifier},
    {Qt::Key_F, Qt::ControlModifier},
    {Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier},
    {Qt::Key_F2, 0},
    {Qt::Key_F6, 0},
    {Qt::Key_F10, 0},
    {Qt::Key_Slash, 0},
    {Qt::Key_M, 0},
    {Qt::Key_H, 0},
    {Qt::Key_W, 0},
    {Qt::Key_C, 0},
    {Qt::Key_C, Qt::ShiftModifier},
    {Qt::Key_O, 0},
    {Qt::Key_L, 0},
    {Qt::Key_X, 0},
    {Qt::Key_1, 0},
    {Qt::Key_9, 0},
    {Qt::Key_Menu, 0},
    {Qt::Key_A, Qt::ShiftModifier},
};

constexpr QSize sizes[] = {{900, 600},   {1024, 700},  {1280, 720},  {1366, 768},
                           {1600, 1000}, {1920, 1080}, {2560, 1440}, {3840, 2160}};

/// Actions that end the window or need another program.
constexpr const char* left_out[] = {"-", "quit", "fullscreen"};

constexpr Qt::KeyboardModifier held[] = {Qt::NoModifier, Qt::NoModifier,      Qt::NoModifier,
                                         Qt::NoModifier, Qt::ControlModifier, Qt::ShiftModifier};

QString nameOf(const QWidget& w) {
  QStringList path;
  for (const QWidget* up = &w; up && path.size() < 3; up = up->parentWidget())
    path << QLatin1String(up->metaObject()->className()) +
                (up->objectName().isEmpty() ? QString() : u' ' + up->objectName());
  return path.join(QStringLiteral(" < "));
}

Qt::MouseButton buttonOf(std::uint32_t n) {
  return n % 12 == 0 ? Qt::RightButton : n % 30 == 1 ? Qt::MiddleButton : Qt::LeftButton;
}

// A press may replace the window, as a change of the language does; QTest's clicks would then release in a deleted one.

// QTest sends the keys of the modifiers first and processes events after each: what is waiting must not be a new
// window.
void press(const QPointer<QWindow>& window, Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
  QCoreApplication::processEvents();
  if (!window) return;
  QTest::keyPress(window, key, modifiers);
  if (window) QTest::keyRelease(window, key, modifiers);
}

void press(const QPointer<QWindow>& window, Qt::MouseButton button, Qt::KeyboardModifiers modifiers, QPoint at) {
  QTest::mousePress(window, button, modifiers, at);
  if (window) QTest::mouseRelease(window, button, modifiers, at);
}

}  // namespace

QWidget& Player::top() const { return *topWindow(host_.window()); }

QWidget* Player::target(std::uint32_t n) const {
  const QVector<QWidget*> all = reachable(top());
  return all[static_cast<qsizetype>(n) % all.size()];
}

GraphView* Player::canvas() const {
  if (host_.window().currentPage() != QLatin1String("design") || &top() != &host_.window()) return nullptr;
  return &static_cast<DesignPage*>(host_.window().page(QStringLiteral("design")))->canvas().view();
}

void Player::play(const Step& step) {
  pause_ = 0;
  description_.clear();
  if (answerFileDialog(step)) return;
  switch (step.kind) {
    case StepKind::click:
    case StepKind::double_click:
      return click(step, step.kind == StepKind::double_click);
    case StepKind::canvas_click:
      return clickCanvas(step);
    case StepKind::canvas_drag:
      return dragOnCanvas(step);
    case StepKind::drag:
      return drag(step);
    case StepKind::wheel:
      return wheel(step);
    case StepKind::key:
      return key(step);
    case StepKind::type:
      return type(step);
    case StepKind::action:
      return runAction(step);
    case StepKind::page:
      return showPage(step);
    case StepKind::resize:
      return resize(step);
    case StepKind::drop:
      return drop(step);
    case StepKind::open:
      return open(step);
    case StepKind::theme:
      describe(QStringLiteral("theme"));
      return applyTheme(static_cast<ThemeMode>(step.a % 4));
    case StepKind::language:
      if (QApplication::activeModalWidget() || QApplication::activePopupWidget()) return;
      describe(QStringLiteral("language"));
      return host_.setWindowLanguage(step.a % 2 == 0 ? QStringLiteral("en") : QStringLiteral("zh_CN"));
    case StepKind::screen:
      return changeScreen(step);
    case StepKind::wait:
      pause_ = static_cast<int>(step.b % 300);
      return;
    case StepKind::train:
      return train();
    case StepKind::kill:
      return kill(step);
  }
}

/// A file dialog could rename and delete files of the machine: it gets a path and Return, or Escape.
bool Player::answerFileDialog(const Step& step) {
  auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
  if (!dialog) return false;
  const auto* field = dialog->findChild<QLineEdit*>();
  describe(QStringLiteral("answer a file dialog"));
  if (step.a % 2 == 0 || !field) return dialog->reject(), true;
  dialog->selectFile(files_[static_cast<qsizetype>(step.b) % files_.size()]);
  press(dialog->windowHandle(), Qt::Key_Return);
  pause_ = 20;
  return true;
}

void Player::click(const Step& step, bool twice) {
  QWidget* widget = target(step.a);
  const QPoint at = positionIn(*widget, step.b);
  describe(QStringLiteral("click %1").arg(nameOf(*widget)));
  QWindow* window = widget->window()->windowHandle();
  if (at.x() < 0 || !window) return;
  const QPoint place = widget->mapTo(widget->window(), at);
  const Qt::KeyboardModifiers modifiers = held[step.c / 64 % std::size(held)];
  const QPointer<QWindow> held = window;
  if (twice) press(window, Qt::LeftButton, modifiers, place);
  if (held) press(window, twice ? Qt::LeftButton : buttonOf(step.c), modifiers, place);
}

void Player::clickCanvas(const Step& step) {
  GraphView* view = canvas();
  if (!view) return click(step, false);
  const QVector<QPoint> places = canvasPositions(*view);
  if (places.isEmpty()) return;
  const QPoint at = places[static_cast<qsizetype>(step.a) % places.size()];
  describe(QStringLiteral("click the canvas at %1, %2").arg(at.x()).arg(at.y()));
  press(view->window()->windowHandle(), buttonOf(step.c), held[step.c / 64 % std::size(held)],
        view->viewport()->mapTo(view->window(), at));
}

void Player::move(QWidget& from, QPoint start, QPoint end) {
  QWindow* window = from.window()->windowHandle();
  if (!window) return;
  const QPoint a = from.mapTo(from.window(), start);
  const QPoint b = end;
  const QPointer<QWindow> still = window;
  const auto act = [&](QTest::MouseAction action, QPoint at) {
    if (still)
      QTest::mouseEvent(action, still.data(), action == QTest::MouseMove ? Qt::NoButton : Qt::LeftButton, {}, at);
  };
  act(QTest::MouseMove, a);
  act(QTest::MousePress, a);
  for (const double share : {0.1, 0.5, 1.0}) act(QTest::MouseMove, a + (b - a) * share);
  act(QTest::MouseRelease, b);
}

void Player::dragOnCanvas(const Step& step) {
  GraphView* view = canvas();
  if (!view) return;
  const QVector<QPoint> places = canvasPositions(*view);
  if (places.isEmpty()) return;
  QWidget& port = *view->viewport();
  const QPoint from = places[static_cast<qsizetype>(step.a) % places.size()];
  QPoint to = places[static_cast<qsizetype>(step.b) % places.size()];
  if (step.c % 2 == 0) to = positionIn(port, step.c);
  describe(
      QStringLiteral("drag on the canvas from %1, %2 to %3, %4").arg(from.x()).arg(from.y()).arg(to.x()).arg(to.y()));
  move(port, from, port.mapTo(port.window(), to));
}

void Player::drag(const Step& step) {
  QWidget *from = target(step.a), *to = target(step.b);
  const QPoint start = positionIn(*from, step.c), end = positionIn(*to, step.c / 16);
  describe(QStringLiteral("drag from %1 at %2, %3 to %4 at %5, %6")
               .arg(nameOf(*from))
               .arg(start.x())
               .arg(start.y())
               .arg(nameOf(*to))
               .arg(end.x())
               .arg(end.y()));
  if (start.x() >= 0 && end.x() >= 0) move(*from, start, to->mapTo(to->window(), end));
}

void Player::wheel(const Step& step) {
  QWidget* widget = target(step.a);
  const QPoint at = positionIn(*widget, step.b);
  QWindow* window = widget->window()->windowHandle();
  if (at.x() < 0 || !window) return;
  describe(QStringLiteral("turn the wheel over %1").arg(nameOf(*widget)));
  const QPointF place = widget->mapTo(widget->window(), at);
  QWheelEvent event(place, window->mapToGlobal(place), {}, {0, step.b % 2 == 0 ? 120 : -240}, Qt::NoButton,
                    held[step.c % std::size(held)], Qt::NoScrollPhase, false);
  QCoreApplication::sendEvent(window, &event);
}

void Player::key(const Step& step) {
  const Key& row = keys[step.a % std::size(keys)];
  QWindow* window = top().windowHandle();
  if (!window) return;
  describe(QStringLiteral("press %1").arg(QKeySequence(row.key | row.modifiers).toString()));
  press(window, static_cast<Qt::Key>(row.key), Qt::KeyboardModifiers(row.modifiers));
}

void Player::type(const Step& step) {
  QWindow* window = top().windowHandle();
  if (!window) return;
  const QString text = hostileText(step.a);
  describe(QStringLiteral("type %1").arg(text.left(40)));
  for (const QChar c : text) {
    QWindow* receiver = top().windowHandle();
    if (!receiver) return;
    QTest::sendKeyEvent(QTest::Press, receiver, Qt::Key_unknown, QString(c), Qt::NoModifier);
  }
  if (step.b % 2 == 0 && top().windowHandle())
    press(top().windowHandle(), step.b % 4 == 0 ? Qt::Key_Return : Qt::Key_Tab);
}

void Player::runAction(const Step& step) {
  const QList<ActionRow>& rows = actionTable();
  const ActionRow& row = rows[static_cast<qsizetype>(step.a) % rows.size()];
  for (const char* name : left_out)
    if (QLatin1String(row.id) == QLatin1String(name)) return;
  QAction* found = action(QLatin1String(row.id));
  if (!found || !found->isEnabled() || QApplication::activeModalWidget() || QApplication::activePopupWidget()) return;
  describe(QStringLiteral("action %1").arg(QLatin1String(row.id)));
  found->trigger();
}

void Player::showPage(const Step& step) {
  constexpr const char* ids[] = {"design", "train", "predict", "runs", "welcome"};
  if (QApplication::activeModalWidget()) return;
  const char* id = ids[step.a % std::size(ids)];
  describe(QStringLiteral("page %1").arg(QLatin1String(id)));
  host_.window().showPage(QLatin1String(id));
}

void Player::resize(const Step& step) {
  const QSize size = sizes[step.a % std::size(sizes)] / host_.window().devicePixelRatioF();
  describe(QStringLiteral("resize to %1×%2").arg(size.width()).arg(size.height()));
  host_.window().resize(size);
}

void Player::changeScreen(const Step& step) {
  const QList<QScreen*> screens = QGuiApplication::screens();
  QScreen* screen = screens[static_cast<qsizetype>(step.a) % screens.size()];
  describe(QStringLiteral("move to the screen %1").arg(screen->name()));
  host_.window().setScreen(screen);
  host_.window().move(screen->availableGeometry().topLeft());
}

void Player::drop(const Step& step) {
  QWidget* widget = target(step.b);
  while (widget && !widget->acceptDrops()) widget = widget->parentWidget();
  if (!widget) return;
  const QString file = files_[static_cast<qsizetype>(step.a) % files_.size()];
  describe(QStringLiteral("drop %1 onto %2").arg(file, nameOf(*widget)));
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(file)});
  const QPoint at = widget->rect().center();
  QDragEnterEvent enter(at, Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(widget, &enter);
  if (!enter.isAccepted()) return;
  QDragMoveEvent over(at, Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(widget, &over);
  QDropEvent end(at, Qt::CopyAction, &data, Qt::LeftButton, {});
  QCoreApplication::sendEvent(widget, &end);
}

void Player::open(const Step& step) {
  if (QApplication::activeModalWidget()) return;
  ProjectFiles& files = host_.window().files();
  const auto templates = all_templates();
  if (step.b % 2 == 0) {
    const auto name = templates[step.a % templates.size()].name;
    describe(QStringLiteral("template %1").arg(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size()))));
    files.newFromTemplate(QString::fromUtf8(name.data(), static_cast<qsizetype>(name.size())));
    return;
  }
  const QString file = files_[static_cast<qsizetype>(step.a) % files_.size()];
  describe(QStringLiteral("open %1").arg(file));
  files.openPath(file);
}

void Player::train() {
  RunController& run = host_.workplace().session.run();
  describe(run.state() == RunController::State::idle ? QStringLiteral("train") : QStringLiteral("stop"));
  if (run.state() == RunController::State::idle)
    run.start();
  else
    run.stop();
}

void Player::kill(const Step& step) {
  Session& session = host_.workplace().session;
  const qint64 pid = step.a % 2 == 0 ? session.run().processId() : session.helper().processId();
  describe(step.a % 2 == 0 ? QStringLiteral("kill the training process") : QStringLiteral("kill the helper"));
  if (pid > 0) ::kill(static_cast<pid_t>(pid), SIGKILL);
}

}  // namespace nw::ui
