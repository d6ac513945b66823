// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluations of many classes and of many images, from the real helper process to what the page reads and paints.
#include <gtest/gtest.h>

#include <QElapsedTimer>
#include <QPixmap>
#include <numeric>

#include "tests/engine/train/trial.hpp"
#include "tests/support/data_files.hpp"
#include "tests/ui/predict/fake_helper.hpp"
#include "ui/predict/metrics/confusion_matrix.hpp"
#include "ui/predict/source/predict_source.hpp"

namespace nw::ui {
namespace {

/// A layer of 1×2 images to `classes` classes, trained for one step; the test set has `tested` images.
struct TinyRun {
  TinyRun(int classes, int tested) {
    const int rows = 20 * tested / 19;
    std::string table = "label,a,b\n";
    for (int i = 0; i < rows; ++i)
      table += std::to_string(i % classes) + ',' + std::to_string(i % 251) + ',' + std::to_string(i / 251 % 251) + '\n';
    test::write_bytes(trial.folder.path / "table.csv", table);
    DataChoice data = trial.request.definition.doc.data();
    data.kind = SourceKind::csv;
    data.path = (trial.folder.path / "table.csv").string();
    data.height = 1;
    data.width = 2;
    data.test_fraction = 0.95;
    data.validation_fraction = 0;
    data.stratified = false;
    change(PutData{data});
    TrainSettings s = trial.request.definition.doc.settings();
    s.epochs = 1;
    s.batch = 4096;
    change(PutSettings{s});
    resize(classes);
  }
  void change(Put put) { EXPECT_TRUE(trial.request.definition.doc.apply({std::move(put)})); }
  void resize(int classes) {
    GraphDoc& doc = trial.request.definition.doc;
    std::map<std::string, NodeId> ids;
    for (const auto& [id, node] : doc.graph().nodes) ids[node.type == "Input" ? "input" : node.name] = id;
    const auto set = [&](const char* node, const char* name, std::int64_t value) {
      EXPECT_TRUE(doc.apply(set_attr(doc, "", ids[node], name, value)));
    };
    set("input", "height", 1);
    set("input", "width", 2);
    set("fc1", "out_features", 4);
    set("fc2", "out_features", 4);
    set("fc3", "out_features", classes);
  }
  Trial trial;
};

std::shared_ptr<const EvaluationView> evaluated(TinyRun& run) {
  const auto trained = run.trial.run();
  EXPECT_TRUE(trained) << trained.error().str();
  HelperClient client;
  PredictSource source(client);
  QString refusal;
  QObject::connect(&source, &PredictSource::failed, &source, [&](const QString& why) { refusal = why; });
  source.setWeights(QString::fromStdString(run.trial.request.run.string()), QStringLiteral("latest"));
  for (int i = 0; i < 6 && !source.view() && refusal.isEmpty(); ++i)
    eventually([&] { return source.view() || !refusal.isEmpty(); });
  EXPECT_EQ(refusal.toStdString(), "");
  return source.view();
}

TEST(LargeAnswers, OfThreeThousandClassesAreReadAndPainted) {
  TinyRun run(3000, 6000);
  const auto view = evaluated(run);
  ASSERT_TRUE(view);
  ASSERT_EQ(view->classes, 3000);
  ASSERT_EQ(view->confusion.size(), 9000000u);
  const qint64 counted = std::accumulate(view->confusion.begin(), view->confusion.end(), qint64{0});
  EXPECT_EQ(counted, static_cast<qint64>(view->samples.size()));
  qint64 right = 0;
  for (int c = 0; c < 3000; ++c) right += view->at(c, c);
  EXPECT_EQ(counted - right, view->wrong());
  ConfusionMatrix matrix;
  matrix.resize(800, 800);
  matrix.setView(view);
  QElapsedTimer clock;
  clock.start();
  const QImage picture = matrix.grab().toImage();
  EXPECT_LT(clock.elapsed(), 3000) << "only what can be seen is painted";
  const auto colour = [&](int truth, int read) {
    return picture.pixelColor(matrix.cellRect(truth, read).center().toPoint());
  };
  EXPECT_NE(colour(2, 2), colour(2, 9)) << "the diagonal is marked";
}

TEST(LargeAnswers, OfThreeHundredThousandImagesAreRead) {
  TinyRun run(2, 300000);
  const auto view = evaluated(run);
  ASSERT_TRUE(view);
  ASSERT_GE(view->samples.size(), 299000u);
  for (const Sample& s : view->samples) {
    ASSERT_EQ(s.label, s.index % 2);
    ASSERT_GE(s.confidence, 0.5F - 1e-6F);
  }
  const double right = 1 - static_cast<double>(view->wrong()) / static_cast<double>(view->samples.size());
  EXPECT_NEAR(view->accuracy, right, 1e-9) << "the lists belong together";
}

}  // namespace
}  // namespace nw::ui
