// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/screens.hpp"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QMouseEvent>
#include <QLineEdit>

#include "engine/design/project_file.hpp"
#include "tests/gallery/component_sheet.hpp"
#include "tests/gallery/run_screens.hpp"
#include "ui/data/data_probe.hpp"
#include "ui/data/data_views.hpp"
#include "ui/predict/drawing_pad.hpp"
#include "ui/predict/predict_page.hpp"
#include "ui/predict/try_panel.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/shell/about.hpp"
#include "ui/shell/command_palette.hpp"
#include "ui/shell/help.hpp"
#include "ui/shell/page.hpp"
#include "ui/shell/preferences_dialog.hpp"
#include "ui/shell/project_files.hpp"
#include "ui/shell/welcome_page.hpp"

namespace nw::ui {
namespace {

template <class W>
QWidget* dialog(Stage& stage, W* made) {
  stage.extra.reset(made);
  made->setVisible(true);
  return made;
}

QWidget* welcome(Stage& s) { return s.show(QStringLiteral("welcome")); }
bool welcomeReady(Stage& s) { return static_cast<WelcomePage*>(s.window->page(QStringLiteral("welcome")))->loaded(); }

QWidget* design(Stage& s) {
  s.open("lenet5");
  return s.show(QStringLiteral("design"));
}
/// LeNet-5 whose Flatten is missing: a card in red with its repair.
QWidget* broken(Stage& s) {
  s.open("lenet5");
  for (const auto& [id, node] : s.work.session.doc().graph().nodes)
    if (node.type == "Flatten") {
      s.work.session.push(remove_nodes(s.work.session.doc(), "", {id}, true), QStringLiteral("Delete"));
      break;
    }
  return s.show(QStringLiteral("design"));
}
QWidget* residual(Stage& s) {
  s.open("resnet18-cifar");
  return s.show(QStringLiteral("design"));
}
bool analysed(Stage& s) {
  return s.work.session.analysisCurrent() && dataProbe(s.work.session).state() != DataProbe::State::opening;
}

QWidget* train(Stage& s) {
  s.open("lenet5");
  QWidget* shown = s.show(QStringLiteral("train"));
  if (!s.run.isEmpty()) s.window->openRun(s.run, QStringLiteral("train"));
  return shown;
}
QWidget* predict(Stage& s) {
  s.open("lenet5");
  QWidget* shown = s.show(QStringLiteral("predict"));
  if (!s.run.isEmpty()) s.window->openRun(s.run, QStringLiteral("predict"));
  return shown;
}
PredictPage& predictPage(Stage& s) { return *static_cast<PredictPage*>(s.window->page(QStringLiteral("predict"))); }
bool predicted(Stage& s) { return s.run.isEmpty() || predictPage(s).settled(); }

/// A four in two strokes.
void drawFour(DrawingPad& pad) {
  const auto stroke = [&](std::initializer_list<QPointF> points) {
    const auto send = [&](QEvent::Type type, const QPointF& unit) {
      const QPointF at = unit * pad.width();
      QMouseEvent event(type, at, pad.mapToGlobal(at), Qt::LeftButton, Qt::LeftButton, Qt::NoModifier);
      QCoreApplication::sendEvent(&pad, &event);
    };
    send(QEvent::MouseButtonPress, *points.begin());
    for (const QPointF& point : points) send(QEvent::MouseMove, point);
    send(QEvent::MouseButtonRelease, *(points.end() - 1));
  };
  stroke({{.46, .18}, {.40, .30}, {.35, .44}, {.34, .54}, {.42, .56}, {.54, .53}, {.64, .48}});
  stroke({{.64, .20}, {.63, .42}, {.60, .62}, {.57, .82}});
}

/// The most frequent mix-up is chosen in the matrix, and something is drawn on the pad.
bool mixedUp(Stage& s) {
  if (s.run.isEmpty()) return true;
  PredictPage& page = predictPage(s);
  if (!page.settled() || page.grid().cell()) return page.settled();
  const std::vector<Mixup> mixups = frequent_mixups(*page.source().view(), 1);
  if (!mixups.empty()) page.filterCell(GridModel::Cell{mixups.front().truth, mixups.front().read});
  drawFour(page.tryPanel().pad());
  return mixups.empty();
}

QWidget* dataPanel(Stage& s) {
  s.open("lenet5");
  return dialog(s, makeDataPanel(s.work.session));
}
bool sampled(Stage& s) {
  const auto* preview = s.extra->findChild<SamplePreview*>();
  return analysed(s) && preview != nullptr && preview->loaded() > 0;
}
QWidget* settingsPanel(Stage& s) {
  s.open("resnet18-cifar");
  return dialog(s, makeSettingsPanel(s.work.session));
}
bool followed(Stage& s) { return s.run.isEmpty() || (s.work.session.feed().loaded() && analysed(s)); }
QWidget* runs(Stage& s) {
  s.open("lenet5");
  return s.show(QStringLiteral("runs"));
}

QWidget* palette(Stage& s) {
  design(s);
  action(QStringLiteral("command-palette"))->trigger();
  return s.window.get();
}
QWidget* preferencesScreen(Stage& s) { return dialog(s, new PreferencesDialog(s.work.session)); }
QWidget* help(Stage& s) { return dialog(s, new HelpDialog); }
QWidget* about(Stage& s) { return dialog(s, new AboutDialog); }
QWidget* components(Stage& s) { return dialog(s, makeComponentSheet()); }
bool always(Stage&) { return true; }

constexpr QSize whole(1600, 1000);

}  // namespace

const std::vector<Screen>& screens() {
  static const std::vector<Screen> table = {
      {"welcome", whole, welcome, welcomeReady},
      {"design", whole, design, analysed},
      {"design-error", whole, broken, analysed},
      {"design-resnet18", whole, residual, analysed},
      {"train", whole, train, followed},
      {"train-running", whole, trainRunning, charted},
      {"train-four-gpus", whole, trainFourGpus, charted},
      {"train-interrupted", whole, trainInterrupted, charted},
      {"train-empty", whole, trainEmpty, analysed},
      {"predict", whole, predict, predicted},
      {"predict-mixup", whole, predict, mixedUp},
      {"data-panel", {328, 960}, dataPanel, sampled},
      {"settings-panel", {328, 1120}, settingsPanel, analysed},
      {"runs", whole, runs, analysed},
      {"runs-many", whole, manyRuns, listed},
      {"command-palette", whole, palette, analysed},
      {"preferences", {600, 480}, preferencesScreen, always},
      {"help", {760, 620}, help, always},
      {"about", {640, 560}, about, always},
      {"components", {1100, 760}, components, always},
  };
  return table;
}

void Stage::open(const char* templateName) {
  const Template* found = find_template(templateName);
  GraphDoc doc = found->make();
  work.session.replace(std::move(doc), {}, QString::fromUtf8(templateName));
}

QWidget* Stage::show(const QString& page) {
  window = std::make_unique<MainWindow>(work);
  window->showPage(page);
  window->show();
  return window.get();
}

bool waitFor(const std::function<bool()>& condition, int milliseconds) {
  QElapsedTimer clock;
  clock.start();
  while (!condition()) {
    if (clock.elapsed() > milliseconds) return false;
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents, 20);
  }
  return true;
}

}  // namespace nw::ui
