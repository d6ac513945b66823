// SPDX-License-Identifier: GPL-3.0-or-later
// Filters of a layer without any: the view goes to the next layer that has filters and says so.
#include <gtest/gtest.h>

#include <QLabel>
#include <QMenu>

#include "tests/support/run_writer.hpp"
#include "tests/ui/predict/fake_helper.hpp"
#include "ui/predict/explain/layer_view.hpp"
#include "ui/predict/predict_page.hpp"
#include "ui/predict/sample_panel.hpp"
#include "ui/predict/source/chooser.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

Message without_filters(const Message& request) {
  Message answer = fake_response(request);
  if (request.json["do"] == "open_run") answer.json["filters"] = Json::array();
  return answer;
}

class FiltersTest : public testing::Test {
 protected:
  ~FiltersTest() override { HelperClient::setDefaultLauncher({}); }
  /// Opens the page with a run of LeNet-5, and waits for the names of its layers and the first image.
  void open(FakeHelper::Handler handler = fake_response) {
    helper = std::make_unique<FakeHelper>(std::move(handler));
    HelperClient::setDefaultLauncher(helper->launcher());
    session = std::make_unique<Session>();
    page = std::make_unique<PredictPage>(*session);
    page->resize(1400, 860);
    page->source().setWeights(QString::fromStdString(run.folder().string()), QStringLiteral("best"));
    page->show();
    view = page->findChild<LayerView*>();
    ASSERT_TRUE(eventually([&] { return view->layer() == QStringLiteral("pool2") && page->sample().settled(); }));
    ASSERT_TRUE(eventually([&] { return !page->sample().image().isNull(); }));
  }
  QString note() const {
    for (const QLabel* label : view->findChildren<QLabel*>())
      if (!label->isHidden()) return label->text();
    return {};
  }
  QStringList layersOffered() const {
    QStringList names;
    for (ChooserButton* button : view->findChildren<ChooserButton*>()) {
      if (button->accessibleName() != QStringLiteral("Layer")) continue;
      Q_EMIT button->menu()->aboutToShow();
      for (const QAction* action : button->menu()->actions()) names << action->text();
    }
    return names;
  }

  test::TemporaryFolder runs;
  test::RunWriter run{runs.path(), test::definition_of()};
  std::unique_ptr<FakeHelper> helper;
  std::unique_ptr<Session> session;
  std::unique_ptr<PredictPage> page;
  LayerView* view = nullptr;
};

TEST_F(FiltersTest, OfALayerWithoutAnyTheNextConvolutionIsShown) {
  open();
  view->chooseLayer(QStringLiteral("pool1"));
  view->choose(overlay_named(QStringLiteral("filters")));
  EXPECT_EQ(view->layer(), QStringLiteral("conv2"));
  EXPECT_EQ(note(), QStringLiteral("pool1 has no filters. Those of conv2 are shown."));
  ASSERT_TRUE(eventually([&] { return !helper->requests("filters").empty() && !view->heat().isNull(); }));
  EXPECT_EQ(helper->requests("filters").back()["node"], "conv2") << "the first layer is never asked for its filters";
  EXPECT_EQ(helper->requests("filters").size(), 1u);
  EXPECT_EQ(note(), QStringLiteral("pool1 has no filters. Those of conv2 are shown.")) << "the answer leaves it";
  view->chooseLayer(QStringLiteral("conv1"));
  EXPECT_EQ(note(), QString());
  EXPECT_EQ(layersOffered(), (QStringList{QStringLiteral("conv1"), QStringLiteral("conv2")}));
}

TEST_F(FiltersTest, AfterTheLastConvolutionTheLastOneIsShown) {
  open();
  view->choose(overlay_named(QStringLiteral("filters")));
  EXPECT_EQ(view->layer(), QStringLiteral("conv2"));
  EXPECT_EQ(note(), QStringLiteral("pool2 has no filters. Those of conv2 are shown."));
}

TEST_F(FiltersTest, OfANetworkWithoutAnyAreNotAskedFor) {
  open(without_filters);
  view->choose(overlay_named(QStringLiteral("filters")));
  EXPECT_EQ(note(), QStringLiteral("No layer of this network has filters."));
  EXPECT_TRUE(helper->requests("filters").empty());
  view->choose(overlay_named(QStringLiteral("saliency")));
  EXPECT_EQ(note(), QString());
}

}  // namespace
}  // namespace nw::ui
