// SPDX-License-Identifier: GPL-3.0-or-later
// From a cell of the confusion matrix to its images, the attribution of one of them, and a run that trains without
// that image.
#include <numeric>

#include "engine/runs/run_folder.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/predict/explain/explanation.hpp"
#include "ui/predict/explain/layer_view.hpp"
#include "ui/predict/header_bar.hpp"
#include "ui/predict/metrics/confusion_matrix.hpp"
#include "ui/predict/sample_panel.hpp"
#include "ui/session/exclusion.hpp"

namespace nw::ui {
namespace {

class JourneyFromAMistake : public Journey {
 public:
  std::optional<GridModel::Cell> worst() {
    const auto view = predict().source().view();
    std::optional<GridModel::Cell> found;
    for (int t = 0; t < view->classes; ++t)
      for (int r = 0; r < view->classes; ++r)
        if (t != r && view->at(t, r) > 0 && (!found || view->at(t, r) > view->at(found->truth, found->read)))
          found = {t, r};
    return found;
  }
  void train(int run) {
    startByButton();
    ASSERT_TRUE(test::wait_for([&] {
      return this->run().state() == RunController::State::idle && feed().status() == RunStatus::finished;
    })) << run;
  }
};

TEST_F(JourneyFromAMistake, ToItsImagesTheirExplanationsAndATrainingWithoutOne) {
  openSmallProject(1, 1500);
  train(1);
  const std::int64_t before = feed().started().train;
  hand.click(button(QStringLiteral("See predictions")));
  expectPredictionsArrive();
  predict().source().setSplit(QStringLiteral("train"));  // an image excluded here is missing in training
  ASSERT_TRUE(test::wait_for([&] { return predict().source().view() && predict().settled(); }));
  const auto cell = worst();
  ASSERT_TRUE(cell) << "one epoch over 1,350 digits leaves mistakes";
  hand.click(&predict().matrix(), predict().matrix().cellRect(cell->truth, cell->read).center().toPoint());
  ASSERT_EQ(predict().grid().cell(), cell);
  ASSERT_TRUE(test::wait_for([&] { return predict().settled() && !predict().sample().name().isEmpty(); }));
  auto* layers = window().findChild<LayerView*>();
  layers->choose(overlay_named(QStringLiteral("grad-cam")));
  ASSERT_TRUE(test::wait_for([&] { return !layers->heat().isNull(); })) << "Grad-CAM is laid over the image";
  const QString name = predict().sample().name();
  hand.click(button(QStringLiteral("Exclude"), &predict().sample()));
  ASSERT_TRUE(isExcluded(session(), name));
  EXPECT_TRUE(session().isModified());

  train(2);
  EXPECT_EQ(feed().started().train, before - 1);
  const auto definition = read_run_definition(trained.toStdString());
  ASSERT_TRUE(definition) << definition.error().str();
  EXPECT_EQ(definition->doc.data().excluded, std::vector<std::string>{name.toStdString()});
  session().undoStack().undo();
  EXPECT_FALSE(isExcluded(session(), name)) << "nothing was destroyed";
}

}  // namespace
}  // namespace nw::ui
