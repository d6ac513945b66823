// SPDX-License-Identifier: GPL-3.0-or-later
// Class bars of non-square inputs equal those of the sample's own pixels. Uses the real helper on a thread.
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "engine/data/cache/open.hpp"
#include "engine/design/graph_doc.hpp"
#include "engine/predict/predictor.hpp"
#include "tests/engine/train/trial.hpp"
#include "tests/support/data_files.hpp"
#include "tests/ui/predict/fake_helper.hpp"
#include "ui/predict/explain/layer_view.hpp"
#include "ui/predict/predict_page.hpp"
#include "ui/predict/sample_panel.hpp"
#include "ui/predict/source/class_bars.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

struct Input {
  std::uint32_t height, width;
  const char* network;
};

class InputShape : public testing::TestWithParam<Input> {
 protected:
  InputShape() {
    HelperClient::setDefaultLauncher([this]() -> Result<HelperClient::Link> {
      int ends[2];
      if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return fail(Errc::other, "socketpair");
      threads_.emplace_back([fd = ends[1]] {
        serve(fd);
        ::close(fd);
      });
      return HelperClient::Link{ends[0], 0};
    });
  }
  ~InputShape() override {
    page.reset();
    session.reset();
    HelperClient::setDefaultLauncher({});
    for (std::thread& t : threads_) t.join();
  }
  static void setInputSize(GraphDoc& doc, const Input& in) {
    const auto& nodes = doc.graph().nodes;
    const auto input = std::find_if(nodes.begin(), nodes.end(), [](const auto& n) { return n.second.type == "Input"; });
    ASSERT_NE(input, nodes.end());
    const NodeId id = input->first;
    ASSERT_TRUE(doc.apply(set_attr(doc, "", id, "height", std::int64_t{in.height})));
    ASSERT_TRUE(doc.apply(set_attr(doc, "", id, "width", std::int64_t{in.width})));
  }
  /// Trains one epoch on 400 generated images of the input's size.
  void train() {
    const Input in = GetParam();
    const fs::path images = place.path / "images.idx", labels = place.path / "labels.idx";
    test::write_bytes(images, test::idx_images(400, in.height, in.width));
    test::write_bytes(labels, test::idx_labels(400, 10));
    trial = std::make_unique<Trial>(
        [&](TrainSettings& s, DataChoice& d) {
          d.kind = SourceKind::idx;
          d.path = images.string();
          d.labels_path = labels.string();
          s.epochs = 1;
        },
        in.network);
    setInputSize(trial->request.definition.doc, in);
    const auto result = trial->run();
    ASSERT_TRUE(result) << result.error().str();
  }
  void open() {
    session = std::make_unique<Session>();
    page = std::make_unique<PredictPage>(*session);
    page->resize(1400, 860);
    page->source().setWeights(QString::fromStdString(trial->request.run.string()), QStringLiteral("latest"));
    page->show();
    ASSERT_TRUE(eventually([&] { return page->source().view() != nullptr; }));
  }
  std::vector<float> predicted(qint64 sample) {
    const auto predictor = *Predictor::open(trial->request.run, "latest");
    const auto data = *predictor->data();
    const auto& set = data->set_of("test");
    std::vector<std::uint8_t> hwc(static_cast<std::size_t>(set->bytes()));
    EXPECT_TRUE(set->pixels(sample, hwc));
    return (*predictor->predict(hwc, 1))[0].probability;
  }

  Folder place;
  std::unique_ptr<Trial> trial;
  std::unique_ptr<Session> session;
  std::unique_ptr<PredictPage> page;

 private:
  std::vector<std::thread> threads_;
};

TEST_P(InputShape, TheBarsAreThoseOfThePredictorForTheSameSample) {
  ASSERT_NO_FATAL_FAILURE(train());
  ASSERT_NO_FATAL_FAILURE(open());
  auto* bars = page->findChild<SamplePanel*>()->findChild<ClassBars*>();
  ASSERT_NE(bars, nullptr);
  const auto view = page->source().view();
  for (std::size_t i = 0; i < 3; ++i) {
    const Sample& sample = view->samples[i];
    auto* panel = page->findChild<SamplePanel*>();
    panel->setSample(&sample);
    ASSERT_TRUE(eventually([&] { return !bars->rows().empty(); }));
    const std::vector<float> expected = predicted(sample.index);
    for (const ClassBars::Row& row : bars->rows()) {
      const auto name = page->source().network().names.indexOf(row.name);
      ASSERT_GE(name, 0) << row.name.toStdString();
      EXPECT_NEAR(row.share, expected[static_cast<std::size_t>(name)], 1e-5) << "sample " << sample.index;
    }
    EXPECT_EQ(panel->image().size(), QSize(static_cast<int>(GetParam().width), static_cast<int>(GetParam().height)));
  }
}

INSTANTIATE_TEST_SUITE_P(Inputs, InputShape,
                         testing::Values(Input{1, 2, "mlp"}, Input{7, 50, "mlp"}, Input{28, 20, "lenet5"}),
                         [](const auto& info) {
                           return "Of" + std::to_string(info.param.height) + "x" + std::to_string(info.param.width);
                         });

}  // namespace
}  // namespace nw::ui
