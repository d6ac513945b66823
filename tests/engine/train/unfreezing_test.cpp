// SPDX-License-Identifier: Apache-2.0
// Training with frozen layers, with layers that are frozen at first, and with their own learning rates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "engine/io/safetensors.hpp"
#include "engine/runs/run_folder.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw {
namespace {

void put(GraphDoc& doc, const char* name, const std::function<void(Node&)>& change) {
  for (const auto& [id, node] : doc.graph().nodes) {
    if (node.name != name) continue;
    Node changed = node;
    change(changed);
    EXPECT_TRUE(doc.apply({PutNode{"", id, changed}}));
    return;
  }
  ADD_FAILURE() << "no layer " << name;
}

/// The first two layers are frozen at first.
struct LateTrial : Trial {
  LateTrial(const char* backend, std::int64_t epochs, std::int64_t frozen_epochs)
      : Trial([&](TrainSettings& s, DataChoice&) { s.epochs = epochs, s.keep_checkpoints = 100; }, "mlp", backend) {
    for (const char* name : {"fc1", "fc2"})
      put(request.definition.doc, name, [&](Node& n) {
        n.frozen_epochs = frozen_epochs;
        n.lr_scale = 0.25;
      });
  }
};

class Unfreezing : public testing::TestWithParam<const char*> {
 protected:
  static std::vector<float> weight_at(const fs::path& run, std::int64_t step, const std::string& name) {
    const auto file = SafetensorsFile::open(run / "checkpoints" / checkpoint_name(step) / "model.safetensors");
    EXPECT_TRUE(file) << file.error().str();
    const TensorInfo* info = file->find(name);
    std::vector<std::byte> bytes(info->bytes());
    EXPECT_TRUE(file->read(*info, bytes));
    std::vector<float> values(bytes.size() / 4);
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
};

TEST_P(Unfreezing, AFrozenLayerKeepsItsWeightsUntilItsEpochAndLearnsFromThenOn) {
  LateTrial t(GetParam(), 3, 2);
  ASSERT_TRUE(t.run());
  const std::int64_t epoch = t.sink.all<Started>().front().steps_per_epoch;
  const auto at = [&](std::int64_t e, const char* name) { return weight_at(t.request.run, e * epoch, name); };
  EXPECT_EQ(at(1, "fc1.weight"), at(2, "fc1.weight"));
  EXPECT_NE(at(2, "fc1.weight"), at(3, "fc1.weight"));
  EXPECT_NE(at(1, "fc3.weight"), at(2, "fc3.weight"));
  const auto notes = t.sink.all<Health>();
  ASSERT_EQ(notes.size(), 1U);
  EXPECT_EQ(notes.front().level, HealthLevel::note);
  EXPECT_EQ(notes.front().step, 2 * epoch);
  EXPECT_EQ(notes.front().message.str(), "fc1 of the network and 1 more are trained from now on.");
}

TEST_P(Unfreezing, ARunThatIsStoppedAroundTheEpochHasTheBytesOfAnUninterruptedOne) {
  LateTrial whole(GetParam(), 4, 2);
  ASSERT_TRUE(whole.run());
  const std::int64_t epoch = whole.sink.all<Started>().front().steps_per_epoch;
  for (const std::int64_t stop_at : {2 * epoch - 1, 2 * epoch, 2 * epoch + 1}) {
    LateTrial t(GetParam(), 4, 2);
    t.sink.then = [&](const Event& e) {
      if (const auto* s = std::get_if<Steps>(&e.what); s && s->last >= stop_at) t.control.stop(false);
    };
    ASSERT_TRUE(t.run());
    Recording events;
    const auto resumed = t.resume(events);
    ASSERT_TRUE(resumed) << resumed.error().str();
    EXPECT_EQ(t.final_weights(), whole.final_weights()) << "stopped at step " << stop_at;
    for (const Health& h : events.all<Health>()) EXPECT_EQ(h.message.str().find("kernels"), std::string::npos);
  }
}

/// A frozen activation changes nothing, but the network is prepared anew when its epochs are over.
TEST_P(Unfreezing, PreparingTheNetworkAnewChangesNothingElse) {
  const auto weights = [&](std::int64_t frozen_epochs) {
    Trial t([](TrainSettings& s, DataChoice&) { s.epochs = 4, s.optimizer.set("momentum", 0.9); }, "mlp", GetParam());
    put(t.request.definition.doc, "relu1", [&](Node& n) { n.frozen_epochs = frozen_epochs; });
    EXPECT_TRUE(t.run());
    return t.final_weights();
  };
  EXPECT_EQ(weights(2), weights(0));
}

/// Plain descent: the change of a step is proportional to the rate.
TEST_P(Unfreezing, AQuarterOfTheRateChangesWeightsByAQuarter) {
  const auto change_of = [&](double scale) {
    Trial t(
        [](TrainSettings& s, DataChoice& d) {
          s.epochs = 1;
          s.batch = 288;  // one step
          s.optimizer.set("momentum", 0);
          d.synthetic_train = 320;
        },
        "mlp", GetParam());
    put(t.request.definition.doc, "fc1", [&](Node& n) { n.lr_scale = scale; });
    EXPECT_TRUE(t.run());
    Trial before([](TrainSettings& s, DataChoice&) { s.epochs = 1, s.batch = 288, s.learning_rate = 1e-30; }, "mlp",
                 GetParam());
    EXPECT_TRUE(before.run());
    const auto now = weight_at(t.request.run, 1, "fc1.weight"), then = weight_at(before.request.run, 1, "fc1.weight");
    double sum = 0;
    for (std::size_t i = 0; i < now.size(); ++i) sum += std::abs(static_cast<double>(now[i]) - then[i]);
    return sum;
  };
  const double whole = change_of(1);
  EXPECT_GT(whole, 0);
  EXPECT_NEAR(change_of(0.25) / whole, 0.25, 1e-4);
}

/// A layer scale's only weight has the layer's name.
TEST_P(Unfreezing, WeightsNamedLikeTheirLayerAreTakenFromAFile) {
  const auto put_scale = [](Trial& t) {
    GraphDoc& doc = t.request.definition.doc;
    const auto& all = doc.graph().connections;
    const auto c = std::find_if(all.begin(), all.end(),
                                [&](const Connection& w) { return doc.graph().nodes.at(w.to).name == "flatten"; });
    ASSERT_NE(c, all.end());
    ASSERT_TRUE(doc.apply(insert_on(doc, "", *c, Node{.type = "LayerScale", .name = "scale"})));
  };
  Trial first({}, "mlp", GetParam());
  put_scale(first);
  ASSERT_TRUE(first.run());
  const std::string checkpoint = latest_checkpoint(first.request.run)->name;
  Trial second([](TrainSettings& s, DataChoice&) { s.learning_rate = 1e-30; }, "mlp", GetParam());
  put_scale(second);
  second.request.weights = first.request.run / "checkpoints" / checkpoint / "model.safetensors";
  ASSERT_TRUE(second.run());
  EXPECT_TRUE(second.sink.all<Health>().empty()) << "nothing begins anew";
  EXPECT_EQ(second.final_weights(), first.final_weights());
}

INSTANTIATE_TEST_SUITE_P(Backends, Unfreezing, testing::Values("reference", "cpu"));

}  // namespace
}  // namespace nw
