// SPDX-License-Identifier: GPL-3.0-or-later
// Of a finished run every place gives the same best epoch and the same accuracy, letter by letter.
#include <QTableView>

#include "engine/runs/epochs.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/runs/run_details.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/session/metric.hpp"
#include "ui/train/event_list.hpp"
#include "ui/train/progress.hpp"
#include "ui/train/train_charts.hpp"

namespace nw::ui {
namespace {

class OneAnswer : public Journey {
 protected:
  void trainThree() {
    openSmallProject(3, 900);
    startByButton();
    ASSERT_TRUE(test::wait_for([&] { return feed().status() == RunStatus::finished; }));
    ASSERT_TRUE(test::wait_for([&] { return train().strip().progress().best > 0; }));
  }
  /// The newest "Best so far" of the events.
  EventRow bestEvent() {
    EventModel& events = train().events().model();
    for (int row = 0; row < events.rowCount(); ++row)
      if (events.entry(row).tone == QLatin1String("best")) return events.entry(row);
    return {};
  }
};

TEST_F(OneAnswer, OfHeaderChartEventsAndRunsAboutTheBestEpoch) {
  trainThree();
  const EpochEnd* best = best_epoch(feed().epochs());
  ASSERT_NE(best, nullptr);
  const QString value = metricText(feed().started().metric, compared_accuracy(*best)),
                epoch = QStringLiteral("epoch %1").arg(best->epoch);
  EXPECT_EQ(train().strip().progress().figures.front().value, value);
  EXPECT_EQ(train().strip().progress().figures.front().unit, epoch);
  const auto marksNow = [&] { return train().charts().chart(QStringLiteral("accuracy"))->marks(); };
  ASSERT_TRUE(test::wait_for([&] { return marksNow().size() == 1 && marksNow().front().text.endsWith(value); }))
      << "charts follow a moment later";
  const QVector<ChartMark> marks = marksNow();
  EXPECT_EQ(marks.front().text, QStringLiteral("best ") + value);
  EXPECT_EQ(marks.front().x, static_cast<double>(best->epoch));
  EXPECT_TRUE(bestEvent().title.endsWith(value)) << bestEvent().title.toStdString();
  EXPECT_EQ(bestEvent().detail, epoch);

  window().showPage(QStringLiteral("runs"));
  auto& runs = *static_cast<RunsPage*>(window().page(QStringLiteral("runs")));
  ASSERT_TRUE(test::wait_for([&] { return runs.model().find(trained) >= 0; }));
  const RunRow& row = runs.model().row(runs.model().find(trained));
  EXPECT_EQ(runColumns()[runColumn("best")].text(row), value);
  EXPECT_EQ(runProperties(row).front().value, value);

  window().showPage(QStringLiteral("predict"));
  expectPredictionsArrive();
  EXPECT_EQ(predict().source().network().step, best->step) << "the checkpoint \"best\" is that of the best epoch";
}

}  // namespace
}  // namespace nw::ui
