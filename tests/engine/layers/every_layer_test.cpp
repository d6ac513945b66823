// SPDX-License-Identifier: Apache-2.0
// One set of tests for all layers: a new file in engine/layers/ is covered without a change here.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"
#include "tests/engine/layers/trained_plan.hpp"
#include "tests/support/instruction_set.hpp"
#include "tests/support/net_text.hpp"

namespace nw {
namespace {
using test::edit;
using test::expect_gradients;
using test::id_of;
using test::net;
using test::TrainedPlan;
using testing::HasSubstr;
using Kind = Field::Kind;

struct EveryLayer : testing::TestWithParam<const LayerType*> {
  const LayerType& type = *GetParam();
  const std::string name{type.name};
  bool is_end() const { return type.name == "Input" || type.name == "BlockInput" || type.name == "BlockOutput"; }
  bool is_computed() const { return !is_end() && !type.refusal; }
  bool takes(const Shape& in) const {
    AttrMap values;
    for (const Field& f : type.fields) values[f.name] = f.otherwise;
    const std::vector<Shape> shapes(type.inputs < 0 ? 2 : 1, in);
    return std::holds_alternative<Shape>(type.infer(Attrs(values), shapes));
  }
  /// Input, a linear map with weights (so that the layer's own input needs a gradient), the layer, a loss.
  std::string around(const std::string& attrs = "") const {
    const bool image = !type.loss && takes({1, 4, 6, 6});
    std::string text = "images: Input 2x6x6; before: Conv2d out_channels=4 kernel_size=1; ";
    if (!image) text += "flat: Flatten; scores: Linear out_features=5; ";
    if (type.name == "BCE") text += "s: Sigmoid; ";
    text += "layer: " + name + " " + attrs;
    if (type.inputs < 0) text += image ? " <- before, before" : " <- scores, scores";
    if (type.loss) return text;
    return text + "; after: Flatten; last: Linear out_features=3; loss: MSE";
  }
};

Attr other_value(const Field& f) {
  const auto middle = static_cast<std::int64_t>(std::min(f.hi, std::max(f.lo, 2.0)));
  switch (f.kind) {
    case Kind::integer:
      return f.otherwise == Attr(middle) ? Attr(middle - 1) : Attr(middle);
    case Kind::real:
      return f.lo + (f.hi - f.lo) / 3;
    case Kind::boolean:
      return !std::get<bool>(f.otherwise);
    case Kind::choice:
      return f.choices.back();
    case Kind::text:
      return std::string("some words, \"quoted\"");
    default:
      return std::vector<std::int64_t>{static_cast<std::int64_t>(f.lo), static_cast<std::int64_t>(f.hi)};
  }
}

TEST_P(EveryLayer, ExplainsItselfAndItsFields) {
  EXPECT_FALSE(type.summary.empty());
  EXPECT_FALSE(type.group.empty());
  EXPECT_TRUE(type.stem.size() >= 2 && type.stem[0] >= 'a' && type.stem[0] <= 'z');
  ASSERT_NE(type.infer, nullptr);
  EXPECT_EQ(type.loss, type.outputs == 0 && type.group == "Loss");
  for (const Field& f : type.fields) {
    EXPECT_FALSE(f.label.empty()) << f.name;
    EXPECT_TRUE(f.help.str().ends_with(".")) << f.name << ": help is a sentence";
    const auto fits = [&](double v) { return v >= f.lo && v <= f.hi; };
    const auto* whole = std::get_if<std::int64_t>(&f.otherwise);
    const auto* real = std::get_if<double>(&f.otherwise);
    EXPECT_TRUE(!whole || fits(static_cast<double>(*whole))) << f.name;
    EXPECT_TRUE(!real || fits(*real)) << f.name;
    EXPECT_EQ(f.kind == Kind::choice,
              std::count(f.choices.begin(), f.choices.end(),
                         f.kind == Kind::choice ? std::get<std::string>(f.otherwise) : "") == 1);
  }
}

TEST_P(EveryLayer, KeepsItsAttributesInTheFile) {
  GraphDoc doc = net("x: " + name);
  for (const Field& f : type.fields) edit(doc, set_attr(doc, "", id_of(doc, "x"), f.name, other_value(f)));
  EXPECT_EQ(doc.graph().nodes.at(id_of(doc, "x")).attrs.size(), type.fields.size());
  const auto read = ProjectFile::parse(ProjectFile::text(doc), "x");
  ASSERT_TRUE(read);
  EXPECT_TRUE(*read == doc);
}

TEST_P(EveryLayer, RejectsValuesOutsideOfTheRange) {
  for (const Field& f : type.fields) {
    GraphDoc doc = net("x: " + name + " <- ");
    Attr wrong = std::string("nonsense");
    if (f.kind == Kind::integer) wrong = static_cast<std::int64_t>(f.hi) + 1;
    if (f.kind == Kind::real) wrong = f.hi + 1;
    if (f.kind == Kind::text) wrong = std::string(static_cast<std::size_t>(f.hi) + 1, 'x');
    if (f.kind == Kind::pair || f.kind == Kind::sizes)
      wrong = std::vector<std::int64_t>{static_cast<std::int64_t>(f.lo), static_cast<std::int64_t>(f.lo) - 1};
    edit(doc, set_attr(doc, "", id_of(doc, "x"), f.name, wrong));
    const Analysis a = analyse(doc, {});
    const auto reported = std::any_of(a.problems.begin(), a.problems.end(),
                                      [&](const Problem& p) { return p.what.str().starts_with(f.name + " must "); });
    EXPECT_TRUE(reported) << f.name;
  }
}

TEST_P(EveryLayer, TakesFormulasInsideABlock) {
  if (!is_computed() || type.loss) GTEST_SKIP() << "does not stand inside a block by itself";
  for (const Field& f : type.fields) {
    if (f.kind != Kind::integer && f.kind != Kind::pair) continue;
    const std::int64_t wanted = f.kind == Kind::pair ? std::get<std::vector<std::int64_t>>(f.otherwise)[0]
                                                     : std::get<std::int64_t>(f.otherwise);
    GraphDoc doc;
    edit(doc, {PutBlock{"B", Block{{{"k", wanted + 5}}, {}}}});
    test::add_net(doc, "in: BlockInput; x: " + name + " " + f.name + "=$k-5; out: BlockOutput", "B");
    test::add_net(doc, takes({1, 4, 6, 6}) ? "images: Input 4x6x6; b: Block block=B"
                                           : "images: Input 4x6x6; f: Flatten; b: Block block=B");
    const auto& facts = analyse(doc, {}).facts;
    ASSERT_TRUE(facts.contains("B")) << f.name;
    const GraphDoc plain =
        net(takes({1, 4, 6, 6}) ? "images: Input 4x6x6; x: " + name : "images: Input 4x6x6; f: Flatten; x: " + name);
    EXPECT_EQ(facts.at("B").at(id_of(doc, "x", "B")).output,
              analyse(plain, {}).facts.at("").at(id_of(plain, "x")).output)
        << f.name;
  }
}

TEST_P(EveryLayer, ReportsTheRequiredShapeOnShapeError) {
  if (!is_computed()) GTEST_SKIP() << "takes no shape, or any";
  const Shape image{1, 4, 6, 6}, vector{1, 5};
  EXPECT_TRUE(takes(image) || takes(vector)) << "fits nothing";
  for (const Shape& in : {image, vector}) {
    if (takes(in)) continue;
    const std::string before =
        in.rank() == 4 ? "images: Input 4x6x6; " : "images: Input 4x6x6; f: Flatten; v: Linear out_features=5; ";
    const GraphDoc doc =
        net(before + "x: " + name + (type.loss ? "" : "; f2: Flatten; fc: Linear; loss: CrossEntropy"));
    const Analysis a = analyse(doc, {});
    ASSERT_FALSE(a.ok());
    EXPECT_EQ(a.problems[0].node_name, "x");
    EXPECT_THAT(a.problems[0].what.str(), HasSubstr("Needs "));
    EXPECT_THAT(a.problems[0].what.str(), HasSubstr(to_string(in, true)));
  }
}

TEST_P(EveryLayer, ItsShapeDoesNotDependOnTheBatchBeyondTheFirstSize) {
  if (!is_computed()) GTEST_SKIP() << "takes no shape, or any";
  AttrMap values;
  for (const Field& f : type.fields) values[f.name] = f.otherwise;
  for (const Shape& in : {Shape{1, 4, 6, 6}, Shape{1, 5}}) {
    if (!takes(in)) continue;
    Shape many = in;
    many[0] = 7;
    const auto one = std::get<Shape>(type.infer(Attrs(values), std::vector<Shape>(type.inputs < 0 ? 2 : 1, in)));
    auto expected = one;
    expected[0] = 7;
    EXPECT_EQ(std::get<Shape>(type.infer(Attrs(values), std::vector<Shape>(type.inputs < 0 ? 2 : 1, many))), expected);
  }
}

TEST_P(EveryLayer, GradientsAgreeWithFiniteDifferences) {
  if (!is_computed()) GTEST_SKIP() << "is not computed";
  // between limits so near to each other some number would cross one at every step
  TrainedPlan plain(net(around(name == "Hardtanh" ? "min_val=-3 max_val=3" : "")));
  ASSERT_TRUE(plain.ready());
  expect_gradients(plain);
}

TEST_P(EveryLayer, GradientsAgreeWithOtherAttributesToo) {
  const std::map<std::string, std::vector<std::string>> more = {
      {"Conv2d",
       {"out_channels=6 kernel_size=3x2 stride=2x1 padding=1x0 groups=2", "dilation=2 bias=false",
        "kernel_size=6 out_channels=2"}},
      {"MaxPool2d", {"kernel_size=3x2 stride=1x2 padding=1x0", "kernel_size=5 stride=3 padding=2"}},
      {"AvgPool2d", {"kernel_size=3 stride=2 padding=1", "kernel_size=3 stride=2 padding=1 count_include_pad=false"}},
      {"GELU", {"approximate=tanh"}},
      {"LeakyReLU", {"negative_slope=0.3"}},
      {"Dropout", {"p=0.8", "p=0"}},
      {"BatchNorm2d", {"eps=0.1 momentum=0.9"}},
      {"LayerNorm", {"elementwise_affine=false eps=0.1"}},
      {"GroupNorm", {"num_groups=2 eps=0.1", "num_groups=1 affine=false"}},
      {"ELU", {"alpha=0.4"}},
      {"Softplus", {"beta=3"}},
      {"PReLU", {"num_parameters=channels"}},
      {"AdaptiveAvgPool2d", {"output_size=4x2", "output_size=7"}},
      {"ZeroPad2d", {"padding_left=0 padding_right=3 padding_top=2 padding_bottom=0"}},
      {"Upsample", {"scale_factor=3x1", "mode=bilinear", "scale_factor=1x3 mode=bilinear"}},
      {"ConvTranspose2d",
       {"out_channels=6 kernel_size=3x2 stride=2x1 padding=1x0 groups=2", "dilation=2 bias=false output_padding=1",
        "kernel_size=3 stride=1 padding=2 out_channels=2"}},
      {"Hardtanh", {"min_val=-0.2 max_val=0.5"}},
      {"Formula",
       {"expression=\"x * y\"", "expression=\"where(x > 0, x, a * (exp(x) - 1)) + y * y\" a=0.4",
        "expression=\"log(1 + x^2) * sin(b * y) - c\" b=2 c=0.5", "expression=\"erf(x) / (2 + tanh(x))\""}},
      {"LocalResponseNorm", {"size=3 alpha=0.5", "size=2 alpha=0.9 beta=0.5 k=2"}},
      {"ChannelShuffle", {"groups=4", "groups=1"}},
      {"Dropout2d", {"p=0.3"}},
      {"StochasticDepth", {"p=0.8 layer=1 layers=2", "layer=0"}},
      {"LayerScale", {"init_value=0.5"}},
      {"InstanceNorm2d", {"affine=true eps=0.1"}},
      {"LayerNorm2d", {"elementwise_affine=false eps=0.1"}},
      {"Slice", {"start=1 end=3", "dim=rows start=2", "dim=columns start=1 end=4"}},
      {"Reshape", {"channels=6 height=-1 width=3"}},
      {"Transpose", {"dim0=1 dim1=2", "dim0=3 dim1=1", "dim0=2 dim1=2"}},
      {"ChannelLinear", {"bias=false out_features=1"}},
      {"PatchEmbedding", {"embed_dim=3 patch_size=3", "embed_dim=2 patch_size=6 bias=false"}},
      {"MultiheadAttention", {"num_heads=2", "num_heads=4 bias=false"}},
      {"CrossEntropy",
       {"label_smoothing=0.2", "class_weights=\"0.5, 2, 1, 3, 0.1\" label_smoothing=0.1", "focal_gamma=2",
        "focal_gamma=0.5 class_weights=\"1 2 3 4 5\" label_smoothing=0.1"}},
      {"BCE", {"pos_weight=\"0.5, 2, 1, 3, 0.1\"", "focal_gamma=2 pos_weight=\"2, 2, 2, 2, 2\""}},
      {"BCEWithLogits", {"pos_weight=\"0.5, 2, 1, 3, 0.1\"", "focal_gamma=0.5"}},
      {"Linear", {"bias=false out_features=1"}}};
  const auto it = more.find(name);
  if (it == more.end()) GTEST_SKIP() << "has no other attributes";
  for (const std::string& attrs : it->second) {
    SCOPED_TRACE(attrs);
    TrainedPlan changed(net(around(attrs)));
    ASSERT_TRUE(changed.ready());
    expect_gradients(changed);
  }
}

// Another order of summation may round a value to the neighbouring bf16 number: a difference of 1/256 in one operand
// of many.
void expect_gradients_in_bf16(const GraphDoc& doc, const std::string& set) {
  SCOPED_TRACE(set);
  const test::UseInstructionSet use(set);
  TrainedPlan slow(doc, 20, DType::bf16), fast(doc, 20, DType::bf16, cpu_backend()), plain(doc, 20);
  ASSERT_TRUE(slow.ready() && fast.ready() && plain.ready());
  const double loss = slow.loss();
  EXPECT_NEAR(fast.loss(), loss, 1e-4 * std::abs(loss));
  plain.loss();
  double apart = 0, rounding = 0, size = 0;
  for (const Value& v : slow.plan().values) {
    if (v.role != Role::weight_grad) continue;
    const auto want = slow.read(slow.plan().find(v.name)), got = fast.read(fast.plan().find(v.name)),
               exact = plain.read(plain.plan().find(v.name));
    for (std::size_t i = 0; i < want.size(); ++i) {
      apart += (want[i] - got[i]) * (want[i] - got[i]);
      rounding += (want[i] - exact[i]) * (want[i] - exact[i]);
      size += want[i] * want[i];
    }
  }
  EXPECT_LE(std::sqrt(apart), 2e-4 * std::sqrt(size));
  EXPECT_GE(std::sqrt(rounding), 5e-4 * std::sqrt(size)) << "nothing was rounded";
}

TEST_P(EveryLayer, InBf16TheFastBackendHasTheGradientsOfTheReference) {
  if (!is_computed()) GTEST_SKIP() << "is not computed";
  for (const std::string& set : test::those_that_run_here()) expect_gradients_in_bf16(net(around()), set);
}

std::vector<const LayerType*> all() { return {all_layers().begin(), all_layers().end()}; }
INSTANTIATE_TEST_SUITE_P(All, EveryLayer, testing::ValuesIn(all()),
                         [](const auto& info) { return std::string(info.param->name); });

}  // namespace
}  // namespace nw
