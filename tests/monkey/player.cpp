// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/monkey/player.hpp"

#include <QApplication>
#include <QDragEnterEvent>
#include <QFileDialog>
#include <QLineEdit>
#include <QMimeData>
#include <QScreen>
#include <QSpinBox>
#include <QWheelEvent>
#include <csignal>

#include "engine/design/project_file.hpp"
#include "tests/monkey/hands.hpp"
#include "tests/monkey/hostile_texts.hpp"
#include "tests/monkey/places.hpp"
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

}  // namespace

QWidget& Player::top() const { return *topWindow(host_.window()); }

/// After a step to a place, three of four are in it.
QWidget* Player::target(std::uint32_t n) const {
  QVector<QWidget*> all = reachable(top()), here;
  if (place_ && place_->window() == &top() && n / 1024 % 4 > 0)
    for (QWidget* w : all)
      if (place_->isAncestorOf(w)) here << w;
  if (!here.isEmpty()) all = here;
  return all[static_cast<qsizetype>(n) % all.size()];
}

GraphView* Player::canvas() const {
  if (host_.window().currentPage() != QLatin1String("design") || &top() != &host_.window()) return nullptr;
  return &static_cast<DesignPage*>(host_.window().page(QStringLiteral("design")))->canvas().view();
}

void Player::play(const Step& step) {
  pause_ = 0;
  description_.clear();
  keepSmall();
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
    case StepKind::place:
      return goTo(step);
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
  pressKey(dialog->windowHandle(), {Qt::Key_Return, 0});
  pause_ = 20;
  return true;
}

void Player::click(const Step& step, bool twice) {
  if (closePopup(step)) return;
  QWidget* widget = target(step.a);
  const QPoint at = positionIn(*widget, step.b);
  describe(QStringLiteral("click %1").arg(nameOf(*widget)));
  if (at.x() < 0) return;
  const QPoint place = widget->mapTo(widget->window(), at);
  const Qt::KeyboardModifiers modifiers = held[step.c / 64 % std::size(held)];
  if (twice) return doubleClickAt(widget->window()->windowHandle(), modifiers, place);
  clickAt(widget->window()->windowHandle(), buttonOf(step.c), modifiers, place);
}

/// A click beside a menu or a panel closes it; else the monkey would stay in it for long.
bool Player::closePopup(const Step& step) {
  const QWidget* popup = QApplication::activePopupWidget();
  if (!popup || step.b % 6 != 0) return false;
  describe(QStringLiteral("click beside %1").arg(nameOf(*popup)));
  clickAt(popup->windowHandle(), Qt::LeftButton, {}, QPoint(-9, -9));
  return true;
}

void Player::clickCanvas(const Step& step) {
  GraphView* view = canvas();
  if (!view) return click(step, false);
  const QVector<QPoint> places = canvasPositions(*view);
  if (places.isEmpty()) return;
  const QPoint at = places[static_cast<qsizetype>(step.a) % places.size()];
  describe(QStringLiteral("click the canvas at %1, %2").arg(at.x()).arg(at.y()));
  clickAt(view->window()->windowHandle(), buttonOf(step.c), held[step.c / 64 % std::size(held)],
          view->viewport()->mapTo(view->window(), at));
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
  dragBetween(port.window()->windowHandle(), port.mapTo(port.window(), from), port.mapTo(port.window(), to));
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
  if (start.x() >= 0 && end.x() >= 0)
    dragBetween(from->window()->windowHandle(), from->mapTo(from->window(), start), to->mapTo(to->window(), end));
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
  const Key& row = keyOf(step.a);
  describe(QStringLiteral("press %1").arg(QKeySequence(row.key | row.modifiers).toString()));
  pressKey(top().windowHandle(), row);
}

void Player::type(const Step& step) {
  const QString text = hostileText(step.a);
  describe(QStringLiteral("type %1").arg(text.left(40)));
  typeText(text, [this] { return top().windowHandle(); });
  if (step.b % 2 == 0) pressKey(top().windowHandle(), {step.b % 4 == 0 ? Qt::Key_Return : Qt::Key_Tab, 0});
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
  constexpr const char* ids[] = {"design", "train", "predict", "runs", "deploy", "welcome"};
  if (QApplication::activeModalWidget()) return;
  const char* id = ids[step.a % std::size(ids)];
  describe(QStringLiteral("page %1").arg(QLatin1String(id)));
  host_.window().showPage(QLatin1String(id));
}

void Player::goTo(const Step& step) {
  if (QApplication::activeModalWidget() || QApplication::activePopupWidget()) return;
  const Place& place = placeOf(step.a);
  describe(QStringLiteral("place %1").arg(QLatin1String(place.name)));
  place_ = place.show(host_, step.b, files_.front());
}

/// A study of a million trials would go on for the rest of the seed.
void Player::keepSmall() {
  const QWidget* dialog = QApplication::activeModalWidget();
  if (!dialog) return;
  for (const auto& [name, most] : {std::pair("searchJobs", 2), {"searchTrials", 6}, {"searchEpochs", 3}})
    if (auto* spin = dialog->findChild<QSpinBox*>(QLatin1String(name))) spin->setMaximum(most);
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
