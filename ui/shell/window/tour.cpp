// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/tour.hpp"

#include <QCoreApplication>
#include <QDialog>

#include "ui/deploy/deploy_page.hpp"
#include "ui/design/design_page.hpp"
#include "ui/predict/predict_page.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/shell/window/top_bar.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

DesignPage& Now::design() const { return *static_cast<DesignPage*>(window.page(QStringLiteral("design"))); }
PredictPage& Now::predict() const { return *static_cast<PredictPage*>(window.page(QStringLiteral("predict"))); }
RunsPage& Now::runs() const { return *static_cast<RunsPage*>(window.page(QStringLiteral("runs"))); }
DeployPage& Now::deploy() const { return *static_cast<DeployPage*>(window.page(QStringLiteral("deploy"))); }

QRect Now::of(const QWidget* control) const {
  if (!control || !control->isVisible() || control->window() != &window) return {};
  QRect seen(control->mapTo(&window, QPoint(0, 0)), control->size());
  for (const QWidget* w = control->parentWidget(); w && w != &window; w = w->parentWidget())
    seen &= QRect(w->mapTo(&window, QPoint(0, 0)), w->size());
  return seen.height() < control->height() / 2 ? QRect() : seen;
}

bool Now::asks(const char* dialog) const {
  const auto* found = window.findChild<QDialog*>(QLatin1String(dialog));
  return found && found->isVisible();
}

QRect Now::segment(int page) const {
  const SegmentedControl& pages = window.topBar().pages();
  const QRect at = pages.segmentRect(page).toRect();
  return pages.isVisible() ? QRect(pages.mapTo(&window, at.topLeft()), at.size()) : QRect();
}

namespace steps {

constinit const TourStep openNetwork{
    "welcome",
    QT_TRANSLATE_NOOP("Guide", "Open a network"),
    QT_TRANSLATE_NOOP("Guide",
                      "Click this template. LeNet-5 classifies handwritten digits; it is ready to train, which takes "
                      "a minute or two."),
    [](const Now& n) { return n.of("template-lenet5"); },
    [](const Now& n) { return n.isOn("design") && n.session.version() != n.version; },
    [](const Now& n) {
      if (!n.hasNetwork()) n.window.files().newFromTemplate(QStringLiteral("lenet5"));
      n.window.showPage(QStringLiteral("design"));
    }};
constinit const TourStep startTraining{
    "design", QT_TRANSLATE_NOOP("Guide", "Train it"),
    QT_TRANSLATE_NOOP("Guide", "Press Train. Training runs in a separate process, so the window stays responsive."),
    [](const Now& n) { return n.of("trainButton"); },
    [](const Now& n) { return n.run() != RunController::State::idle; }};
constinit const TourStep waitForTraining{
    "train", QT_TRANSLATE_NOOP("Guide", "Watch it learn"),
    QT_TRANSLATE_NOOP("Guide",
                      "The loss falls and the accuracy rises. Press Stop at any time: the trained weights are kept. "
                      "Or wait until training has finished."),
    [](const Now& n) { return n.of("stopButton"); },
    [](const Now& n) { return n.run() == RunController::State::idle; }};
constinit const TourStep seePredictions{
    "train",
    QT_TRANSLATE_NOOP("Guide", "See its predictions"),
    QT_TRANSLATE_NOOP("Guide",
                      "Click Predict, or press Ctrl+3, to see the test images with the network's predictions."),
    [](const Now& n) { return n.segment(2); },
    [](const Now& n) { return n.isOn("predict"); },
    nullptr,
    true};

}  // namespace steps

std::span<const Tour* const> allTours() {
  static const Tour* const all[] = {&firstNetworkTour, &ownPhotosTour, &betterNetworkTour, &deployTour};
  return all;
}

}  // namespace nw::ui
