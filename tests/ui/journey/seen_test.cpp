// SPDX-License-Identifier: GPL-3.0-or-later
// In the whole window: a switch that is on looks on, every chart shows the values under the pointer, the preview mixes
// images if the training does, and a network at chance is not trusted with suspicious labels.
#include <QLabel>
#include <QPushButton>

#include <algorithm>

#include "tests/ui/journey/journey.hpp"
#include "ui/charts/metric_chart.hpp"
#include "ui/charts/plot.hpp"
#include "ui/page/page.hpp"
#include "ui/predict/header_bar.hpp"
#include "ui/predict/images/label_issues_view.hpp"
#include "ui/settings/augment_preview.hpp"
#include "ui/settings/settings_panel.hpp"
#include "ui/train/train_charts.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class Seen : public Journey {
 protected:
  void openSettings() {
    openSmallProject(1, 500);
    action(QStringLiteral("show-settings"))->trigger();
    panel = window().findChild<SettingsPanel*>();
    ASSERT_NE(panel, nullptr);
  }
  /// Mean brightness of a widget as the window shows it, 0 to 255.
  double brightness(QWidget* widget) {
    const QImage image = window().grab({widget->mapTo(&window(), QPoint()), widget->size()}).toImage();
    double sum = 0;
    for (int y = 0; y < image.height(); ++y)
      for (int x = 0; x < image.width(); ++x) sum += qGray(image.pixel(x, y));
    return sum / (image.width() * image.height());
  }
  QImage preview() {
    auto* shown = panel->findChild<AugmentPreview*>();
    EXPECT_TRUE(test::wait_for([&] { return shown->isVisible() && shown->answered(); }, 60'000));
    return shown->grab().toImage();
  }
  bool says(QWidget& within, const char* words) {
    const auto labels = within.findChildren<QLabel*>();
    return std::any_of(labels.begin(), labels.end(), [&](const QLabel* label) {
      return label->isVisible() && label->text().contains(QLatin1String(words));
    });
  }
  void pointAt(MetricChart& chart, double x) {
    const QPointF at(chart.place(x, chart.vertical().low).x(), chart.plotRect().center().y());
    QTest::mouseMove(window().windowHandle(), chart.plot()->mapTo(&window(), at.toPoint()));
    QCoreApplication::processEvents();
  }
  SettingsPanel* panel = nullptr;
};

TEST_F(Seen, ASwitchThatIsOnIsTheBrighterOneInHighContrast) {
  openSettings();
  action(QStringLiteral("theme-contrast"))->trigger();
  auto* flip = qobject_cast<QAbstractButton*>(panel->control(QStringLiteral("horizontal_flip")));
  ASSERT_NE(flip, nullptr);
  ASSERT_FALSE(flip->isChecked());
  const auto seen = [&] {
    QTest::mouseMove(window().windowHandle(), {5, 5});
    view().setFocus();
    return brightness(flip);
  };
  hand.click(flip);
  ASSERT_TRUE(flip->isChecked());
  const double on = seen();
  hand.click(flip);
  ASSERT_FALSE(flip->isChecked());
  EXPECT_GT(on, seen());
  action(QStringLiteral("theme-dark"))->trigger();
}

TEST_F(Seen, EveryChartOfTheTrainPageShowsTheValuesAtThePointersEpoch) {
  openSmallProject(3, 1000);
  startByButton();
  ASSERT_TRUE(isState(RunController::State::idle));
  MetricChart& accuracy = *train().charts().chart(QStringLiteral("accuracy"));
  ASSERT_TRUE(
      test::wait_for([&] { return accuracy.curves() > 0 && accuracy.curveX(accuracy.curves() - 1).size() == 3; }));
  const QImage before = train().charts().grab().toImage();
  pointAt(accuracy, 2);
  EXPECT_TRUE(accuracy.isPointedAt());
  for (const char* id : {"loss", "accuracy", "learning_rate", "throughput"}) {
    const MetricChart* chart = train().charts().chart(QLatin1String(id));
    EXPECT_NEAR(chart->cursor().x(), 2, 0.1) << id;
    EXPECT_FALSE(std::isnan(chart->valueAt(chart->curves() - 1, 2))) << id;
  }
  EXPECT_NE(train().charts().grab().toImage(), before) << "the line and the values are painted";
  QTest::mouseMove(window().windowHandle(), {5, 5});
  ASSERT_TRUE(test::wait_for([&] { return !accuracy.isPointedAt(); }));
  EXPECT_TRUE(std::isnan(accuracy.cursor().x()));
}

TEST_F(Seen, ThePreviewOfATrainingThatMixesImagesShowsMixtures) {
  openSettings();
  auto* flip = qobject_cast<QAbstractButton*>(panel->control(QStringLiteral("horizontal_flip")));
  hand.click(flip);
  const QImage single = preview();
  EXPECT_FALSE(says(*panel, "clear mixture"));
  auto* add = child<QPushButton>(QStringLiteral("addTransform"));
  pick(QStringLiteral("MixUp"), [&] { hand.click(add); });
  ASSERT_EQ(session().doc().settings().transforms.size(), 1U);
  EXPECT_TRUE(test::wait_for([&] { return says(*panel, "clear mixture"); }));
  EXPECT_TRUE(test::wait_for([&] { return preview() != single; })) << "other images";
}

TEST_F(Seen, ANetworkAtChanceIsNotTrustedWithSuspiciousLabels) {
  openSmallProject(1, 500);
  TrainSettings settings = session().doc().settings();
  settings.learning_rate = 1e-7;
  session().push({PutSettings{settings}}, QStringLiteral("Set"));
  startByButton();
  ASSERT_TRUE(isState(RunController::State::idle));
  window().showPage(QStringLiteral("predict"));
  expectPredictionsArrive();
  hand.click(&predict().header().views(), predict().header().views().segmentRect(2).center().toPoint());
  ASSERT_TRUE(test::wait_for([&] { return predict().suspects().settled(); }, 60'000));
  EXPECT_TRUE(test::wait_for([&] { return says(predict().suspects(), "train further first"); }));
}

}  // namespace
}  // namespace nw::ui
