// SPDX-License-Identifier: Apache-2.0
// A trained network made ready for other data: its head, loss, images, stages and settings.
#include "engine/compile/adapt.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"
#include "tests/support/net_text.hpp"

namespace nw {
namespace {

using test::id_of;
using testing::ElementsAre;
using testing::HasSubstr;

class Adapt : public testing::Test {
 protected:
  const Node& node(const GraphDoc& doc, const char* name) { return doc.graph().nodes.at(id_of(doc, name)); }
  Adaptation adapted(const AdaptOptions& options = {}) {
    auto made = adapt(source, data, facts, options);
    EXPECT_TRUE(made) << made.error().str();
    return made ? *std::move(made) : Adaptation{};
  }
  std::string refusal(const AdaptOptions& options = {}) {
    const auto made = adapt(source, data, facts, options);
    return made ? "" : made.error().what.str();
  }
  AdaptSource source{.doc = find_template("lenet5")->make(),
                     .channels = 1,
                     .height = 28,
                     .width = 28,
                     .mean = {0.25F},
                     .deviation = {0.5F}};
  DataChoice data{.kind = SourceKind::image_folder, .path = "/photos"};
  DataFacts facts{.channels = 1, .height = 28, .width = 28, .classes = 4, .train = 400, .validation = 40, .test = 40};
};

TEST_F(Adapt, TheLastLinearLayerGetsOneOutputForEachClass) {
  const Adaptation made = adapted();
  EXPECT_EQ(made.head, "fc3");
  EXPECT_EQ(node(made.doc, "fc3").attrs.at("out_features"), Attr(std::int64_t{4}));
  const Analysis a = analyse(made.doc, {.data = facts});
  EXPECT_TRUE(a.ok()) << a.problems.front().what.str();
}

TEST_F(Adapt, ImagesArePreparedAsThoseOfTheSource) {
  const DataChoice d = adapted().doc.data();
  EXPECT_EQ(d.path, "/photos");
  EXPECT_EQ(d.channels, 1);
  EXPECT_EQ(d.height, 28);
  EXPECT_EQ(d.width, 28);
  EXPECT_TRUE(d.normalize);
  EXPECT_THAT(d.mean, ElementsAre(0.25F));
  EXPECT_THAT(d.deviation, ElementsAre(0.5F));
  source.mean = source.deviation = {};
  EXPECT_TRUE(adapted().doc.data().normalize && adapted().doc.data().mean.empty()) << "measured on the new images";
  source.normalize = false;
  EXPECT_FALSE(adapted().doc.data().normalize) << "the source's images were not normalized";
}

TEST_F(Adapt, TheHeadTrainsAloneFirstAndEarlyLayersTrainMoreSlowly) {
  const Adaptation made = adapted({.frozen_up_to = {}, .epochs = 20});
  EXPECT_EQ(made.doc.settings().epochs, 20);
  EXPECT_EQ(node(made.doc, "fc3").frozen_epochs, 0);
  EXPECT_EQ(node(made.doc, "fc3").lr_scale, 1);
  double before = 0;
  for (const char* name : {"conv1", "fc1", "fc2"}) {
    const Node& n = node(made.doc, name);
    EXPECT_FALSE(n.frozen) << name;
    EXPECT_EQ(n.frozen_epochs, 2) << name;
    EXPECT_GT(n.lr_scale, before) << name;
    EXPECT_LT(n.lr_scale, 1) << name;
    before = n.lr_scale;
  }
  EXPECT_EQ(node(made.doc, "images").frozen_epochs, 0);
  ASSERT_GE(made.stages.size(), 2U);
  EXPECT_THAT(made.stages.back().nodes, ElementsAre("fc3"));
  EXPECT_EQ(made.stages.front().nodes.front(), "conv1");
}

TEST_F(Adapt, ANamedLayerAndAllBeforeItAreNeverTrained) {
  const Adaptation made = adapted({.frozen_up_to = "conv2"});
  for (const char* name : {"conv1", "conv2"}) EXPECT_TRUE(node(made.doc, name).frozen) << name;
  EXPECT_FALSE(node(made.doc, "fc1").frozen);
  EXPECT_EQ(made.stages.front().from_epoch, -1);
  EXPECT_THAT(refusal({.frozen_up_to = "conv9"}), HasSubstr("conv9"));
  EXPECT_THAT(refusal({.frozen_up_to = "fc3"}), HasSubstr("fc3")) << "the head itself is trained";
}

TEST_F(Adapt, AnotherKindOfTargetsGetsItsLoss) {
  facts.targets = TargetKind::labels;
  EXPECT_EQ(node(adapted().doc, "loss").type, "BCEWithLogits");
  EXPECT_FALSE(adapted().doc.settings().transforms.empty());
  facts.targets = TargetKind::values;
  EXPECT_EQ(node(adapted().doc, "loss").type, "MSE");
  EXPECT_TRUE(adapted().doc.settings().transforms.empty()) << "a transform could change what the number says";
  facts.targets = TargetKind::classes;
  EXPECT_EQ(node(adapted().doc, "loss").type, "CrossEntropy");
  source.doc =
      test::net("images: Input 1x28x28; flatten: Flatten; fc: Linear out_features=1; sigmoid: Sigmoid; loss: BCE");
  const Adaptation made = adapted();
  EXPECT_TRUE(node(made.doc, "sigmoid").bypassed) << "the loss has a softmax of its own";
  EXPECT_EQ(node(made.doc, "loss").type, "CrossEntropy");
}

TEST_F(Adapt, ABinaryTargetIsOneOutput) {
  facts.classes = 2;
  const Adaptation made = adapted({.binary = true});
  EXPECT_EQ(node(made.doc, "fc3").attrs.at("out_features"), Attr(std::int64_t{1}));
  EXPECT_EQ(node(made.doc, "loss").type, "BCEWithLogits");
  const Analysis a = analyse(made.doc, {.data = facts});
  EXPECT_TRUE(a.ok()) << a.problems.front().what.str();
  facts.classes = 3;
  EXPECT_THAT(refusal({.binary = true}), HasSubstr("the data have 3"));
  facts.targets = TargetKind::values;
  EXPECT_NE(refusal({.binary = true}), "");
  facts.targets = TargetKind::labels;
  facts.classes = 1;
  EXPECT_EQ(refusal({.binary = true}), "");
}

TEST_F(Adapt, EveryTemplateWithImagesFitsOtherClasses) {
  for (const Template& t : all_templates()) {
    SCOPED_TRACE(t.name);
    source.doc = t.make();
    if (source.doc.data().synthetic_set == "two_moons") continue;
    const Node& input = node(source.doc, "images");
    const auto size = [&](const char* name) { return std::get<std::int64_t>(input.attrs.at(name)); };
    source.channels = size("channels"), source.height = size("height"), source.width = size("width");
    source.mean.assign(static_cast<std::size_t>(source.channels), 0.5F);
    source.deviation = source.mean;
    const Adaptation made = adapted();
    DataFacts of_photos = facts;
    of_photos.channels = source.channels, of_photos.height = source.height, of_photos.width = source.width;
    const Analysis a = analyse(made.doc, {.data = of_photos});
    EXPECT_TRUE(a.ok()) << a.problems.front().what.str();
  }
}

TEST_F(Adapt, ANetworkWithoutAHeadIsRefused) {
  source.doc = test::net("images: Input 1x28x28; flatten: Flatten; loss: CrossEntropy");
  EXPECT_THAT(refusal(), HasSubstr("no Linear or Conv2d"));
  source.doc = test::net("images: Input 1x28x28; conv: Conv2d kernel_size=99; flatten: Flatten; loss: CrossEntropy");
  EXPECT_THAT(refusal(), HasSubstr("conv"));
}

}  // namespace
}  // namespace nw
