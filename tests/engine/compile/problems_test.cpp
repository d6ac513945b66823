// SPDX-License-Identifier: Apache-2.0
// The problems of a network under edit: the sentence, the node it is attached to, and that the quick fix removes the
// problem.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"
#include "tests/support/net_text.hpp"

namespace nw {
namespace {
using test::edit;
using test::id_of;
using test::net;
using testing::HasSubstr;

const DataFacts mnist{
    .channels = 1, .height = 28, .width = 28, .classes = 10, .train = 54000, .validation = 6000, .test = 10000};

struct Case {
  const char* name;
  const char* net;
  const char* node;  // the node that the problem must be attached to; "" = the whole document
  const char* says;
  std::vector<const char*> fixes;
  Severity severity = Severity::error;
};
void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }

const Case cases[] = {
    {"LinearNeedsAVector",
     "images: Input; conv: Conv2d; fc: Linear; loss: CrossEntropy",
     "fc",
     "Needs a vector, gets 16×26×26",
     {"Insert Flatten", "Insert GlobalAvgPool2d"}},
    {"LossNeedsAVector",
     "images: Input; conv: Conv2d out_channels=10; loss: CrossEntropy",
     "loss",
     "Needs one score per class, gets 10×26×26",
     {"Insert Flatten", "Insert GlobalAvgPool2d"}},
    {"KernelTooLarge",
     "images: Input; conv: Conv2d kernel_size=31; f: Flatten; fc: Linear; loss: CrossEntropy",
     "conv",
     "The kernel 31×31 is larger than the padded image 28×28",
     {"Set padding to 2×2"}},
    {"WindowTooLarge",
     "images: Input; p1: MaxPool2d kernel_size=15 stride=15; p2: MaxPool2d; f: Flatten; fc: Linear; loss: CrossEntropy",
     "p2",
     "The window 2×2 is larger than the padded image 1×1",
     {"Set window to 1×1", "Remove MaxPool2d"}},
    {"PaddingMoreThanHalfTheWindow",
     "images: Input; p: MaxPool2d padding=2; f: Flatten; fc: Linear; loss: CrossEntropy",
     "p",
     "more than half of the window",
     {"Set padding to 1×1"}},
    {"GroupsDoNotDivide",
     "images: Input; conv: Conv2d groups=3; f: Flatten; fc: Linear; loss: CrossEntropy",
     "conv",
     "3 groups do not divide 1",
     {"Use one group"}},
    {"AddNeedsEqualShapes",
     "images: Input; a: Conv2d out_channels=4 padding=1; b: Conv2d out_channels=8 padding=1 stride=2; sum: Add <- b, "
     "a; f: Flatten; fc: Linear; loss: CrossEntropy",
     "sum",
     "Needs equal shapes, gets 8×14×14 and 4×28×28",
     {"Insert a 1×1 projection to 8×14×14"}},
    {"ConcatNeedsEqualSizes",
     "images: Input; a: Conv2d; sum: Concat <- a, images; f: Flatten; fc: Linear; loss: CrossEntropy",
     "sum",
     "Needs images of one size",
     {}},
    {"ConvNeedsAnImage",
     "images: Input; f: Flatten; conv: Conv2d; fc: Linear; loss: CrossEntropy",
     "conv",
     "Needs an image, gets a vector of 784",
     {}},
    {"BatchNormNeedsAnImage",
     "images: Input; f: Flatten; bn: BatchNorm2d; fc: Linear; loss: CrossEntropy",
     "bn",
     "Needs an image",
     {"Remove BatchNorm2d"}},
    {"InputDoesNotFitTheData",
     "images: Input 3x32x32; f: Flatten; fc: Linear; loss: CrossEntropy",
     "images",
     "Expects images of 3×32×32, the data set has 1×28×28",
     {"Set Input to 1×28×28"}},
    {"TooFewClasses",
     "images: Input; f: Flatten; fc: Linear out_features=7; loss: CrossEntropy",
     "loss",
     "10 classes, the network outputs 7",
     {"Set fc to 10 outputs"}},
    {"BceNeedsASigmoid",
     "images: Input; f: Flatten; fc: Linear; loss: BCE",
     "loss",
     "add a Sigmoid before it",
     {"Insert Sigmoid", "Use BCEWithLogits"}},
    {"TwoSigmoids",
     "images: Input; f: Flatten; fc: Linear; s: Sigmoid; loss: BCEWithLogits",
     "loss",
     "contains a sigmoid",
     {"Use BCE", "Remove Sigmoid"}},
    {"SoftmaxBeforeCrossEntropy",
     "images: Input; f: Flatten; fc: Linear; s: Softmax; loss: CrossEntropy",
     "s",
     "includes a softmax",
     {"Remove Softmax"},
     Severity::warning},
    {"NoLoss", "images: Input; f: Flatten; fc: Linear", "", "There is no loss", {"Add CrossEntropy"}},
    {"NoInput", "f: Flatten <- ; fc: Linear; loss: CrossEntropy", "", "There is no Input", {"Add Input"}},
    {"TwoLosses",
     "images: Input; f: Flatten; fc: Linear; loss: CrossEntropy; second: CrossEntropy <- fc",
     "second",
     "There is a loss already",
     {}},
    {"NotConnected",
     "images: Input; f: Flatten; fc: Linear <- ; loss: CrossEntropy",
     "fc",
     "Its input is not connected",
     {"Connect to f", "Connect to images"}},
    {"Idle",
     "images: Input; f: Flatten; fc: Linear; loss: CrossEntropy; aside: Conv2d <- images; r: ReLU",
     "aside",
     "Training leaves these 2 layers out",
     {"Remove them"},
     Severity::note},
    {"UnknownType", "images: Input; f: Flatten; fc: Linera; loss: CrossEntropy", "fc", "did you mean Linear", {}},
    {"UnknownBlock",
     "images: Input; b: Block block=Nowhere; f: Flatten; fc: Linear; loss: CrossEntropy",
     "b",
     "The block \"Nowhere\" is not in this project",
     {}},
    {"OutOfRange",
     "images: Input; conv: Conv2d out_channels=0; f: Flatten; fc: Linear; loss: CrossEntropy",
     "conv",
     "out_channels must be between 1 and 65536",
     {"Use the default"}},
    {"NoSuchChoice",
     "images: Input; f: Flatten; fc: Linear; g: GELU approximate=maybe; loss: CrossEntropy",
     "g",
     "must be one of none, tanh",
     {"Use the default"}},
    {"NoSuchSetting",
     "images: Input; conv: Conv2d colour=3; f: Flatten; fc: Linear; loss: CrossEntropy",
     "conv",
     "no setting \"colour\"",
     {},
     Severity::warning},
    {"ParameterOutsideOfABlock",
     "images: Input; conv: Conv2d out_channels=$filters; f: Flatten; fc: Linear; loss: CrossEntropy",
     "conv",
     "no parameter \"filters\"",
     {}},
    {"NameOfTheData",
     "images: Input; labels: Flatten; fc: Linear; loss: CrossEntropy",
     "labels",
     "reserved for the data set's values",
     {"Rename it"}},
    {"OutputTooLarge",
     "images: Input 64x4096x4096; conv: Conv2d out_channels=65536; f: Flatten; fc: Linear; loss: CrossEntropy",
     "conv",
     "too large for any memory",
     {}},
};

struct Problems : testing::TestWithParam<Case> {};

const Problem* find(const Analysis& a, const char* says) {
  for (const Problem& p : a.problems)
    if (p.what.str().find(says) != std::string::npos) return &p;
  return nullptr;
}

TEST_P(Problems, AreReportedAtTheirNodeWithWorkingQuickFixes) {
  const Case& c = GetParam();
  const GraphDoc doc = net(c.net);
  const Analysis a = analyse(doc, {.data = mnist});
  const Problem* p = find(a, c.says);
  ASSERT_NE(p, nullptr) << (a.problems.empty() ? "no problem at all"
                                               : a.problems[0].node_name + ": " + a.problems[0].what.str());
  EXPECT_EQ(p->node, id_of(doc, c.node));
  EXPECT_EQ(p->node_name, c.node);
  EXPECT_EQ(p->severity, c.severity);
  EXPECT_EQ(a.ok(), c.severity != Severity::error);
  EXPECT_EQ(static_cast<bool>(compile(doc, {.data = mnist})), a.ok());
  std::vector<std::string> labels;
  for (const Fix& f : p->fixes) labels.push_back(f.label.str());
  EXPECT_EQ(labels, std::vector<std::string>(c.fixes.begin(), c.fixes.end()));
  for (const Fix& f : p->fixes) {
    GraphDoc repaired = doc;
    edit(repaired, f.edit);
    const Analysis after = analyse(repaired, {.data = mnist});
    EXPECT_EQ(find(after, c.says), nullptr) << f.label.str() << " leaves the problem";
  }
}
INSTANTIATE_TEST_SUITE_P(All, Problems, testing::ValuesIn(cases),
                         [](const auto& info) { return std::string(info.param.name); });

TEST(Problem, OneQuickFixOfAMissingFlattenResolvesAllErrors) {
  GraphDoc doc = net("images: Input; conv: Conv2d; fc: Linear; loss: CrossEntropy");
  const Analysis before = analyse(doc, {.data = mnist});
  ASSERT_EQ(before.problems.size(), 1u) << "one cause is one problem, not one for every layer behind it";
  edit(doc, before.problems[0].fixes[0].edit);
  EXPECT_TRUE(analyse(doc, {.data = mnist}).problems.empty());
}

TEST(Problem, AProjectionInsertedByTheQuickFixResolvesTheShapeError) {
  GraphDoc doc = net(cases[6].net);
  edit(doc, analyse(doc, {.data = mnist}).problems[0].fixes[0].edit);
  EXPECT_TRUE(analyse(doc, {.data = mnist}).ok());
}

TEST(Problem, WithoutValidationSplitOneCanBeHeldOut) {
  GraphDoc doc = net("images: Input; f: Flatten; fc: Linear; loss: CrossEntropy");
  DataChoice data;
  data.validation_fraction = 0;
  edit(doc, {PutData{data}});
  const Analysis a = analyse(doc, {.data = mnist});
  ASSERT_EQ(a.problems.size(), 1u);
  EXPECT_EQ(a.problems[0].severity, Severity::warning);
  EXPECT_EQ(a.problems[0].fixes[0].label.str(), "Hold out 10 %");
  edit(doc, a.problems[0].fixes[0].edit);
  EXPECT_EQ(doc.data().validation_fraction, 0.1);
  EXPECT_TRUE(analyse(doc, {.data = mnist}).problems.empty());
}

// ---- what PyTorch refuses although the shapes fit
struct Batches {
  std::int64_t batch = 64, train = 54000, devices = 1;
  bool shared = true;
};
GraphDoc after_pooling(const char* net_text, const Batches& b) {
  GraphDoc doc = net(net_text);
  TrainSettings s = doc.settings();
  s.batch = b.batch;
  s.devices.assign(static_cast<std::size_t>(b.devices), "cpu");
  s.sync_batch_norm = b.shared;
  edit(doc, {PutSettings{s}});
  return doc;
}
Analysis analysed(const GraphDoc& doc, const Batches& b, bool training = true) {
  DataFacts facts = mnist;
  facts.train = b.train;
  return analyse(doc, {.training = training, .data = facts});
}
constexpr const char* pooled_norm =
    "images: Input; conv: Conv2d; pool: GlobalAvgPool2d; bn: BatchNorm2d; f: Flatten; fc: Linear; loss: CrossEntropy";
constexpr const char* norm_of_images =
    "images: Input; conv: Conv2d; bn: BatchNorm2d; f: Flatten; fc: Linear; loss: CrossEntropy";

TEST(Problem, BatchNormOverOneValueIsAProblemWhereverABatchGivesOne) {
  const std::pair<Batches, bool> cases[] = {
      {{.batch = 64}, false},
      {{.batch = 1}, true},
      {{.batch = 2}, false},
      {{.batch = 64, .train = 1}, true},
      {{.batch = 10, .train = 101}, false},  // the last batch of one image is left out
      {{.batch = 2, .devices = 2}, false},
      {{.batch = 2, .devices = 2, .shared = false}, true},
      {{.batch = 4, .devices = 2, .shared = false}, false},
      {{.batch = 5, .devices = 2, .shared = false}, false},                     // 3 and 2
      {{.batch = 4, .devices = 3, .shared = false}, false},                     // 2, 2 and none
      {{.batch = 7, .devices = 3, .shared = false}, true},                      // 3, 3 and 1
      {{.batch = 64, .train = 128 + 33, .devices = 2, .shared = false}, true},  // 32 and 1 at the end of an epoch
      {{.batch = 64, .train = 128 + 34, .devices = 2, .shared = false}, false},
  };
  for (const auto& [b, refused] : cases) {
    const GraphDoc doc = after_pooling(pooled_norm, b);
    const Analysis a = analysed(doc, b);
    const Problem* p = find(a, "Gets a single value per channel");
    SCOPED_TRACE(fmt::format("batch {} of {} on {} devices", b.batch, b.train, b.devices));
    ASSERT_EQ(p != nullptr, refused);
    EXPECT_EQ(a.ok(), !refused);
    EXPECT_EQ(find(analysed(doc, b, false), "Gets a single value"), nullptr) << "evaluating is possible";
    EXPECT_EQ(find(analysed(after_pooling(norm_of_images, b), b), "Gets a single value"), nullptr);
    for (const Fix& f : p ? p->fixes : std::vector<Fix>()) {
      GraphDoc repaired = doc;
      edit(repaired, f.edit);
      if (b.train == 1 && f.label.str() != "Remove BatchNorm2d") continue;
      EXPECT_EQ(find(analysed(repaired, b), "Gets a single value"), nullptr) << f.label.str() << " leaves the problem";
    }
  }
}

TEST(Problem, NesterovWithoutMomentumIsAProblemWithTwoFixes) {
  GraphDoc doc = net("images: Input; f: Flatten; fc: Linear; loss: CrossEntropy");
  TrainSettings s = doc.settings();
  s.optimizer.set("nesterov", 1);
  edit(doc, {PutSettings{s}});
  EXPECT_TRUE(analyse(doc, {.data = mnist}).ok());
  s.optimizer.set("momentum", 0);
  edit(doc, {PutSettings{s}});
  const Analysis a = analyse(doc, {.data = mnist});
  const Problem* p = find(a, "Nesterov needs a momentum above 0");
  ASSERT_NE(p, nullptr);
  EXPECT_FALSE(compile(doc, {.data = mnist}));
  EXPECT_TRUE(compile(doc, {.training = false, .data = mnist}));
  ASSERT_EQ(p->fixes.size(), 2u);
  for (const Fix& f : p->fixes) {
    GraphDoc repaired = doc;
    edit(repaired, f.edit);
    EXPECT_TRUE(analyse(repaired, {.data = mnist}).ok()) << f.label.str();
  }
  s.optimizer.choose("adam");  // has no such field
  edit(doc, {PutSettings{s}});
  EXPECT_TRUE(analyse(doc, {.data = mnist}).ok());
}

TEST(Problem, ACycleIsReportedOnItsNodesOnly) {
  GraphDoc doc = net("images: Input; a: Add; r: ReLU; f: Flatten; fc: Linear; loss: CrossEntropy");
  edit(doc, {PutConnection{"", {id_of(doc, "r"), 0, id_of(doc, "a"), 1}, true}});
  std::vector<std::string> on;
  for (const Problem& p : analyse(doc, {}).problems)
    if (p.what.str().find("connected back") != std::string::npos) on.push_back(p.node_name);
  EXPECT_THAT(on, testing::UnorderedElementsAre("a", "r"));
}

TEST(Problem, AnEmptyNetworkIsReportedAsOneProblem) {
  const Analysis a = analyse(GraphDoc(), {});
  ASSERT_EQ(a.problems.size(), 1u);
  EXPECT_THAT(a.problems[0].what.str(), HasSubstr("The network is empty"));
}

TEST(Problem, CompileErrorsContainTheLayerName) {
  EXPECT_EQ(compile(net(cases[0].net), {}).error().str(), "fc: Needs a vector, gets 16×26×26");
  EXPECT_EQ(compile(net(cases[0].net), {}).error().code, Errc::bad_input);
}

TEST(Problem, ABlockWithAnUnconnectedInputIsReportedOnItsInstance) {
  GraphDoc doc;
  edit(doc, {PutBlock{"B", Block{}}});
  test::add_net(doc, "in: BlockInput; conv: Conv2d padding=1; out: BlockOutput", "B");
  test::add_net(doc, "images: Input; b: Block block=B <- ; f: Flatten; fc: Linear; loss: CrossEntropy");
  const Analysis a = analyse(doc, {});
  const Problem* p = find(a, "Its input is not connected");
  ASSERT_NE(p, nullptr);
  EXPECT_EQ(p->scope, "");
  EXPECT_EQ(p->node_name, "b");
  EXPECT_FALSE(compile(doc, {}));
}

TEST(Problem, OffersConnectionsThatCloseNoCycleLooseEndsFirst) {
  GraphDoc doc =
      net("images: Input; c: Conv2d <- images; b: Flatten <- images; f: Flatten <- ; fc: Linear <- f; e: ReLU <- fc; "
          "sum: Add <- b, fc; loss: CrossEntropy <- sum");
  const Analysis analysis = analyse(doc, {});
  const Problem* p = find(analysis, "Its input is not connected");
  ASSERT_NE(p, nullptr);
  ASSERT_EQ(p->node_name, "f");
  ASSERT_EQ(p->fixes.size(), 2u);
  EXPECT_EQ(p->fixes[0].label.str(), "Connect to c") << "it feeds nothing yet, as e, which depends on f";
  EXPECT_EQ(p->fixes[1].label.str(), "Connect to b") << "the nearest above";
  edit(doc, p->fixes[0].edit);
  EXPECT_EQ(find(analyse(doc, {}), "Its input is not connected"), nullptr);
}

TEST(Problem, TheSameProblemInEightInstancesIsReportedOnce) {
  GraphDoc doc;
  edit(doc, {PutBlock{"B", Block{}}});
  test::add_net(doc, "in: BlockInput; fc: Linear; out: BlockOutput", "B");
  test::add_net(doc, "images: Input; b: Block block=B repeat=8; loss: CrossEntropy");
  const Analysis a = analyse(doc, {});
  EXPECT_EQ(a.count(Severity::error), 1);
  EXPECT_EQ(a.problems[0].scope, "B");
  GraphDoc repaired = doc;
  edit(repaired, a.problems[0].fixes.at(0).edit);
  EXPECT_TRUE(analyse(repaired, {}).ok());
}

}  // namespace
}  // namespace nw
