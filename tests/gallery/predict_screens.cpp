// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/predict_screens.hpp"

#include <QCoreApplication>
#include <QMenu>
#include <QMouseEvent>

#include "ui/predict/explain/layer_view.hpp"
#include "ui/predict/predict_page.hpp"
#include "ui/predict/try/drawing_pad.hpp"
#include "ui/predict/try/own_image_panel.hpp"

namespace nw::ui {
namespace {

PredictPage& predictPage(Stage& s) { return *static_cast<PredictPage*>(s.window->page(QStringLiteral("predict"))); }

/// Draws the digit 4 in two strokes.
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

/// A layer's feature maps for the selected image; or a convolution's weights.
bool pictured(Stage& s, const char* overlay, const char* layer) {
  if (s.run.isEmpty()) return true;
  auto* view = predictPage(s).findChild<LayerView*>();
  if (!predictPage(s).settled() || view->layer().isEmpty()) return false;
  if (view->layer() != QLatin1String(layer)) view->chooseLayer(QLatin1String(layer));
  if (&view->overlay() != &overlay_named(QLatin1String(overlay))) view->choose(overlay_named(QLatin1String(overlay)));
  return !view->heat().isNull();
}

}  // namespace

QWidget* predict(Stage& s) {
  s.open("lenet5");
  QWidget* shown = s.show(QStringLiteral("predict"));
  if (!s.run.isEmpty()) s.window->openRun(s.run, QStringLiteral("predict"));
  return shown;
}
/// The rows of the Export menu.
QWidget* predictExport(Stage& s) {
  predict(s);
  auto* menu = predictPage(s).findChild<QMenu*>(QStringLiteral("exportMenu"));
  menu->popup(QPoint(0, 0));
  return menu;
}
bool predicted(Stage& s) { return s.run.isEmpty() || predictPage(s).settled(); }

bool confusedPairs(Stage& s) {
  if (s.run.isEmpty()) return true;
  PredictPage& page = predictPage(s);
  if (!page.settled() || page.grid().cell()) return page.settled();
  const std::vector<ConfusedPair> mixups = most_confused_pairs(*page.source().view(), 1);
  if (!mixups.empty()) page.filterCell(GridModel::Cell{mixups.front().truth, mixups.front().read});
  drawFour(page.ownImagePanel().pad());
  return mixups.empty();
}

bool explained(Stage& s) {
  if (s.run.isEmpty()) return true;
  auto* view = predictPage(s).findChild<LayerView*>();
  if (!predictPage(s).settled() || view->layer().isEmpty()) return false;
  if (&view->overlay() == &overlays().front()) view->choose(overlay_named(QStringLiteral("grad-cam")));
  return !view->heat().isNull();
}

bool mapsShown(Stage& s) { return pictured(s, "feature-maps", "conv2"); }
bool filtersShown(Stage& s) { return pictured(s, "filters", "conv2"); }

}  // namespace nw::ui
