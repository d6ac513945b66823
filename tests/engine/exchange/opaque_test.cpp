// SPDX-License-Identifier: Apache-2.0
// Operators that no layer is made of stand in the document as opaque nodes.
#include <gmock/gmock.h>

#include <chrono>

#include "engine/compile/compile.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/text_form.hpp"
#include "tests/engine/exchange/tiny_model.hpp"
#include "tests/support/net_text.hpp"

namespace nw::exchange {
namespace {

using testing::HasSubstr;
using Ints = std::vector<std::int64_t>;

std::string conv(TinyModel& t, const std::string& in, const std::string& name) {
  return t.node("Conv", {in, t.weight(name + ".weight", {3, 3, 3, 3}), t.weight(name + ".bias", {3})},
                {{"pads", Ints{1, 1, 1, 1}}});
}
/// An operator of com.example behind `in`.
std::string swirl(TinyModel& t, const std::string& in, const std::string& name = "swirl") {
  const std::string out = t.node("Swirl", {in, t.weight(name + ".angle", {7})}, {}, name);
  t.model.nodes.back().domain = "com.example";
  t.model.opsets["com.example"] = 3;
  return out;
}
void sizes(TinyModel& t, const std::string& value, onnx::Dims dims) {
  t.model.values.push_back({.name = value, .type = onnx::Type::f32, .dims = std::move(dims), .symbols = {}});
}
const Node* opaque_in(const GraphDoc& doc, const std::string& scope = "") {
  for (const auto& [id, node] : doc.graph(scope).nodes)
    if (node.type == opaque_type) return &node;
  return nullptr;
}
Analysis analysed(const GraphDoc& doc) { return analyse(doc, {.training = true, .batch = 2}); }
const Problem* problem_of(const Analysis& a, const std::string& node) {
  for (const Problem& p : a.problems)
    if (p.node_name == node && p.severity == Severity::error) return &p;
  return nullptr;
}
std::string fixes_of(const Problem* p) {
  std::string all;
  for (const Fix& f : p ? p->fixes : std::vector<Fix>{}) all += (all.empty() ? "" : "; ") + f.label.str();
  return all;
}
/// A convolution, a foreign operator whose output has the sizes of its input, a ReLU and a classifier.
TinyModel with_swirl(bool sized = true) {
  TinyModel t;
  const std::string made = swirl(t, conv(t, "x", "conv"));
  if (sized) sizes(t, made, {-1, 3, 8, 8});
  t.classify(t.node("Flatten", {t.node("Relu", {made})}), 192);
  return t;
}

TEST(OpaqueNodes, AForeignOperatorStandsInTheNetworkAndSaysWhyItCannotTrain) {
  const auto n = with_swirl().imported();
  ASSERT_TRUE(n) << n.error().str();
  const Node* node = opaque_in(n->doc);
  ASSERT_NE(node, nullptr);
  EXPECT_EQ(node->name, "swirl1");
  EXPECT_EQ(node->attrs.at("operator"), Attr(std::string("Swirl")));
  EXPECT_EQ(node->attrs.at("domain"), Attr(std::string("com.example")));
  EXPECT_EQ(node->attrs.at("version"), Attr(std::int64_t{3}));
  EXPECT_EQ(node->attrs.at("inputs"), Attr(std::int64_t{2}));
  EXPECT_EQ(node->attrs.at("shape"), Attr(Ints{3, 8, 8}));
  ASSERT_EQ(n->opaque.size(), 1u);
  EXPECT_EQ(n->opaque[0].count, 1);
  EXPECT_THAT(n->notes.front().str(), HasSubstr("1 Swirl"));

  const Analysis a = analysed(n->doc);
  const Problem* p = problem_of(a, "swirl1");
  ASSERT_NE(p, nullptr);
  EXPECT_EQ(p->what.str(),
            "The operator Swirl is not computed here: it belongs to com.example, not to ONNX, and has no "
            "published meaning");
  EXPECT_EQ(fixes_of(p), "Remove swirl1; Replace with Identity");
  EXPECT_EQ(a.count(Severity::error), 1) << "the layers behind it have their shapes";

  const auto plan = compile(n->doc, {.training = true, .batch = 2});
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, Errc::bad_input);
  EXPECT_THAT(plan.error().str(), HasSubstr("swirl1: The operator Swirl"));
  EXPECT_THAT(flatten(n->doc, {}).error().str(), HasSubstr("swirl1"));
  for (const Fix& fix : p->fixes) {
    GraphDoc repaired = n->doc;
    test::edit(repaired, fix.edit);
    EXPECT_TRUE(compile(repaired, {.training = true, .batch = 2})) << fix.label.str();
  }
}

TEST(OpaqueNodes, OfUnknownSizesLeaveThoseOfTheirInputAndOfferNoIdentity) {
  const auto n = with_swirl(false).imported();
  ASSERT_TRUE(n) << n.error().str();
  EXPECT_EQ(opaque_in(n->doc)->attrs.count("shape"), 0u);
  const Analysis a = analysed(n->doc);
  EXPECT_EQ(fixes_of(problem_of(a, "swirl1")), "Remove swirl1");
  EXPECT_TRUE(n->weights.contains("fc.weight")) << "the layers behind it were read";
}

TEST(OpaqueNodes, TheSizesOfTheFileDecideWhatStandsBehind) {
  TinyModel t;
  const std::string made = swirl(t, conv(t, "x", "conv"));
  sizes(t, made, {-1, 5, 2, 2});
  t.classify(t.node("Flatten", {made}), 20);
  const auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  const Analysis a = analysed(n->doc);
  EXPECT_EQ(a.count(Severity::error), 1);
  EXPECT_EQ(fixes_of(problem_of(a, "swirl1")), "Remove swirl1") << "an Identity would have other sizes";
}

TEST(OpaqueNodes, ChannelsLastStayOnesBehindThem) {
  TinyModel t({-1, 8, 8, 3});
  const std::string images = t.node("Transpose", {"x"}, {{"perm", Ints{0, 3, 1, 2}}});
  const std::string last = t.node("Transpose", {conv(t, images, "conv")}, {{"perm", Ints{0, 2, 3, 1}}});
  const std::string made = swirl(t, last);
  sizes(t, made, {-1, 8, 8, 3});
  t.classify(t.node("Flatten", {conv(t, t.node("Transpose", {made}, {{"perm", Ints{0, 3, 1, 2}}}), "conv2")}), 192);
  const auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  EXPECT_EQ(opaque_in(n->doc)->attrs.at("shape"), Attr(Ints{3, 8, 8}));
  EXPECT_EQ(fixes_of(problem_of(analysed(n->doc), "swirl1")), "Remove swirl1; Replace with Identity");
}

TEST(OpaqueNodes, EachOutputThatIsReadIsANodeOfItsOwn) {
  TinyModel t;
  onnx::Node two{.name = "two", .op = "Halves", .domain = "com.example"};
  two.inputs = {conv(t, "x", "conv")};
  two.outputs = {"left", "unread", "right"};
  t.model.nodes.push_back(two);
  for (const char* half : {"left", "right"}) sizes(t, half, {-1, 3, 8, 8});
  t.classify(t.node("Flatten", {t.node("Add", {"left", "right"})}), 192);
  const auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  std::vector<Attr> outputs;
  for (const auto& [id, node] : n->doc.graph().nodes)
    if (node.type == opaque_type)
      outputs.push_back(node.attrs.contains("output") ? node.attrs.at("output") : Attr(std::int64_t{0}));
  EXPECT_EQ(outputs, (std::vector<Attr>{Attr(std::int64_t{0}), Attr(std::int64_t{2})}));
}

TEST(OpaqueNodes, KnownOperatorsInAFormThatIsNotReadAreOpaqueToo) {
  TinyModel t;
  const std::string v = t.node("Softmax", {conv(t, "x", "conv")}, {{"axis", std::int64_t{3}}});
  t.classify(t.node("Flatten", {t.node("Erf", {v})}), 192);
  const auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  EXPECT_EQ(count_of(n->opaque), 2);
  ASSERT_FALSE(t.imported({.strict = true}));
  EXPECT_THAT(t.imported({.strict = true}).error().str(), HasSubstr("2 operators"));
}

TEST(OpaqueNodes, AnEndThatIsOneAndOperatorsOfConstantsOnlyAreImported) {
  TinyModel t;
  t.end(swirl(t, conv(t, "x", "conv")));
  ASSERT_TRUE(t.imported()) << t.imported().error().str();
  TinyModel u;
  const std::string made = swirl(u, u.weight("table", {3, 8, 8}));
  u.classify(u.node("Flatten", {u.node("Add", {conv(u, "x", "conv"), made})}), 192);
  const auto n = u.imported();
  ASSERT_TRUE(n) << n.error().str();
  EXPECT_THAT(problem_of(analysed(n->doc), "swirl1")->what.str(), HasSubstr("Swirl is not computed"));
}

TEST(OpaqueNodes, StandInsideTheBlockOfTheirModule) {
  TinyModel t;
  std::string v = "x";
  for (const std::string b : {"0", "1"}) {
    const std::string at = "/layer1/layer1." + b, in = v;
    v = t.node("Conv", {in, t.weight("layer1." + b + ".conv.weight", {3, 3, 3, 3}), t.weight("b" + b, {3})},
               {{"pads", Ints{1, 1, 1, 1}}}, at + "/conv/Conv");
    v = swirl(t, v, at + "/act/Swirl");
    sizes(t, v, {-1, 3, 8, 8});
    v = t.node("Add", {v, in}, {}, at + "/Add");
  }
  t.classify(t.node("Flatten", {v}), 192);
  const auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  ASSERT_EQ(n->doc.blocks().size(), 1u) << "equal modules share their definition";
  const Node* inside = opaque_in(n->doc, n->doc.blocks().begin()->first);
  ASSERT_NE(inside, nullptr);
  EXPECT_EQ(inside->name, "act");
  EXPECT_EQ(inside->attrs.at("shape"), Attr(Ints{3, 8, 8}));
}

TEST(OpaqueNodes, SurviveTheFileTheTextFormAndTheClipboard) {
  GraphDoc doc = with_swirl().imported()->doc;
  const auto read = ProjectFile::parse(ProjectFile::text(doc), "x");
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_TRUE(*read == doc);
  const std::string written = network_text(doc, "");
  EXPECT_THAT(written, HasSubstr("swirl1: Opaque"));
  const TextReading again = read_network_text(doc, "", written);
  EXPECT_TRUE(again.faults.empty());
  EXPECT_TRUE(again.edit.empty()) << "the text says what is there";
  std::vector<NodeId> made;
  const auto pasted = paste_text(doc, "", copy_text(doc, "", {test::id_of(doc, "swirl1")}), {}, &made);
  ASSERT_TRUE(pasted) << pasted.error().str();
  test::edit(doc, *pasted);
  EXPECT_EQ(doc.graph().nodes.at(made.at(0)).attrs, opaque_in(doc)->attrs);
}

TEST(OpaqueNodes, WordsOfTheFileAreBoundedAndInOneLine) {
  TinyModel t;
  const std::string long_name(5000, 'A'), control = "evil\x1b[31m\n\xff|{0}";
  std::string v = t.node(control + long_name, {conv(t, "x", "conv")}, {}, "one");
  t.model.nodes.back().domain = "d\r\n" + long_name + "|{1}|";
  sizes(t, v, {-1, 3, 8, 8});
  t.classify(t.node("Flatten", {v}), 192);
  const auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  const Node* node = opaque_in(n->doc);
  EXPECT_EQ(std::get<std::string>(node->attrs.at("operator")).size(), 100u);
  const std::string what = problem_of(analysed(n->doc), node->name)->what.str();
  EXPECT_LT(what.size(), 900u);
  EXPECT_EQ(what.find_first_of("\x1b\n\r"), std::string::npos);
  EXPECT_THAT(what, HasSubstr("not to ONNX"));
  EXPECT_TRUE(ProjectFile::parse(ProjectFile::text(n->doc), "x"));
}

TEST(OpaqueNodes, AHundredThousandOfThemAreRefusedInBoundedTime) {
  TinyModel t;
  std::string v = "x";
  for (int i = 0; i < 99'990; ++i) v = swirl(t, "x", "s" + std::to_string(i));
  t.model.initializers.clear();
  t.weight("w", {7});
  for (onnx::Node& node : t.model.nodes) node.inputs[1] = "w";
  t.classify(t.node("Flatten", {v}), 192);
  const auto begin = std::chrono::steady_clock::now();
  const auto n = t.imported();
  ASSERT_FALSE(n);
  EXPECT_EQ(n.error().code, Errc::bad_input);
  EXPECT_THAT(n.error().str(), HasSubstr("99990 operators"));
  EXPECT_LT(n.error().str().size(), 10'000u);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

TEST(OpaqueNodes, AThousandInARowAreStillADocument) {
  TinyModel t;
  std::string v = "x";
  for (int i = 0; i < 1000; ++i) {
    v = t.node("Mystery", {v}, {}, "m" + std::to_string(i));
    sizes(t, v, {-1, 3, 8, 8});
  }
  t.classify(t.node("Flatten", {v}), 192);
  const auto n = t.imported();
  ASSERT_TRUE(n) << n.error().str();
  EXPECT_EQ(count_of(n->opaque), 1000);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(analysed(n->doc).count(Severity::error), 1000);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

}  // namespace
}  // namespace nw::exchange
