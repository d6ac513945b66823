// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/view_screens.hpp"

#include <QFileInfo>
#include <QListView>
#include <QPushButton>
#include <QSlider>
#include <QTableView>
#include <algorithm>

#include "tests/gallery/data_samples.hpp"
#include "tests/gallery/trained_runs.hpp"
#include "ui/data/check_panel.hpp"
#include "ui/data/data_panel.hpp"
#include "ui/predict/explain/map_view.hpp"
#include "ui/predict/explain/neighbor_strip.hpp"
#include "ui/predict/header_bar.hpp"
#include "ui/predict/images/label_issues_view.hpp"
#include "ui/predict/metrics/metrics_view.hpp"
#include "ui/predict/predict_page.hpp"
#include "ui/predict/sample_panel.hpp"
#include "ui/predict/source/class_bars.hpp"
#include "ui/predict/try/playground.hpp"
#include "ui/session/session.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

PredictPage& page(Stage& s) { return *static_cast<PredictPage*>(s.window->page(QStringLiteral("predict"))); }

QWidget* view(Stage& s, int which) {
  s.open("lenet5");
  QWidget* shown = s.show(QStringLiteral("predict"));
  if (!s.run.isEmpty()) s.window->openRun(s.run, QStringLiteral("predict"));
  page(s).header().views().setCurrent(which);
  return shown;
}

}  // namespace

QWidget* predictMetrics(Stage& s) { return view(s, 1); }

/// Shows the curves of the class with the lowest recall.
bool metricsShown(Stage& s) {
  if (s.run.isEmpty()) return true;
  MetricsView& metrics = page(s).metrics();
  if (!page(s).settled() || metrics.chart(QStringLiteral("roc"))->curveX(1).isEmpty()) return false;
  if (metrics.table().currentIndex().isValid())
    return metrics.chart(QStringLiteral("threshold"))->vertical().high > 50 &&
           metrics.chart(QStringLiteral("precision_recall"))->vertical().high > 50;
  metrics.table().setCurrentIndex(metrics.table().model()->index(8, 0));
  return false;
}

/// A network with multi-label or numeric targets.
QWidget* otherTargets(Stage& s, const char* name, int which) {
  s.open(name);
  QWidget* shown = s.show(QStringLiteral("predict"));
  const QString run = runOf(QString::fromLocal8Bit(s.usualRuns), name);
  if (!s.run.isEmpty() && QFileInfo::exists(run)) s.window->openRun(run, QStringLiteral("predict"));
  page(s).header().views().setCurrent(which);
  return shown;
}

QWidget* predictLabels(Stage& s) { return otherTargets(s, "shapes-labels", 0); }
QWidget* predictLabelMetrics(Stage& s) { return otherTargets(s, "shapes-labels", 1); }
QWidget* predictNumbers(Stage& s) { return otherTargets(s, "shapes-values", 0); }
QWidget* predictNumberMetrics(Stage& s) { return otherTargets(s, "shapes-values", 1); }
bool numbersShown(Stage& s) {
  if (s.run.isEmpty()) return true;
  const MetricChart& chart = *page(s).metrics().chart(QStringLiteral("numbers"));
  return page(s).settled() && !chart.curveX(1).isEmpty() && chart.vertical().high < 1;  // drawn
}
bool labelsMeasured(Stage& s) {
  if (s.run.isEmpty()) return true;
  MetricsView& metrics = page(s).metrics();
  return page(s).settled() && metrics.chart(QStringLiteral("threshold"))->vertical().high > 50 &&
         metrics.chart(QStringLiteral("precision_recall"))->vertical().high > 50;
}

QWidget* predictLabelIssues(Stage& s) { return view(s, 2); }
bool labelIssuesShown(Stage& s) {
  if (s.run.isEmpty()) return true;
  FindingList& list = page(s).suspects().list();
  if (!page(s).settled() || list.model().rowCount() == 0) return false;
  if (s.calm.isValid()) return list.settled();
  // Once: what is excluded changes the data, and the list that is made of them anew begins with another image.
  if (!list.model().settled(0)) list.toggleChosen();
  s.calm.start();
  return false;
}

QWidget* predictPlayground(Stage& s) { return view(s, 3); }
bool playgroundShown(Stage& s) {
  if (s.run.isEmpty()) return true;
  Playground& play = page(s).playground();
  if (!page(s).settled() || play.mine().bars().rows().empty()) return false;
  if (play.slider(0).value() == 0) {
    play.slider(0).setValue(35);
    play.slider(1).setValue(12);
    play.compareWith(s.run, QStringLiteral("latest"));
  }
  return play.settled() && !play.other().bars().rows().empty();
}

QWidget* predictMap(Stage& s) { return view(s, 4); }
bool mapShown(Stage& s) {
  return s.run.isEmpty() || (page(s).settled() && !page(s).map().canvas().map().points.empty());
}

/// Selects the other projection (t-SNE) of the map.
bool neighborsShown(Stage& s) {
  if (!mapShown(s) || s.run.isEmpty()) return s.run.isEmpty();
  if (page(s).map().kinds().current() == 1) return page(s).map().settled();
  page(s).map().kinds().setCurrent(1);
  return false;
}

/// Shows the nearest neighbors of the selected image.
bool similarShown(Stage& s) {
  if (s.run.isEmpty()) return true;
  if (!page(s).settled()) return false;
  if (!page(s).sample().similarButton().isChecked()) page(s).sample().similarButton().click();
  return page(s).sample().neighbours().pictured();
}

QWidget* dataDefects(Stage& s) {
  s.open("lenet5");
  s.work.session.push({PutData{defectsChoice()}}, QStringLiteral("Choose data"));
  auto* panel = new DataPanel(s.work.session);
  s.extra.reset(panel);
  panel->QWidget::show();
  return panel;
}
bool defectsShown(Stage& s) {
  CheckPanel& check = static_cast<DataPanel*>(s.extra.get())->check();
  if (!analysed(s)) return false;
  if (check.summary().isEmpty() && !check.busy()) check.start();
  if (check.summary().isEmpty()) return false;
  const auto& found = check.list().model().findings();
  const auto first = static_cast<int>(
      std::find_if(found.begin(), found.end(), [](const Finding& f) { return !f.superfluous().isEmpty(); }) -
      found.begin());
  if (first < static_cast<int>(found.size()) && !check.list().model().settled(first)) {
    check.list().view().setCurrentIndex(check.list().model().index(first));
    check.list().toggleChosen();
  }
  return check.settled();
}

}  // namespace nw::ui
