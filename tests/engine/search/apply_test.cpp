// SPDX-License-Identifier: Apache-2.0
#include "engine/search/apply.hpp"

#include <gtest/gtest.h>

#include "engine/design/project_file.hpp"
#include "tests/engine/search/space_of.hpp"

namespace nw::search {
namespace {

std::string choice(const std::string& name, const std::string& values) {
  return R"({"name":")" + name + R"(","type":"choice","values":)" + values + "}";
}
const Node& node(const GraphDoc& doc, const std::string& name, const std::string& scope = "") {
  for (const auto& [id, n] : doc.graph(scope).nodes)
    if (n.name == name) return n;
  throw std::runtime_error(name);
}
std::string refusal(const char* network, const std::string& parameter) {
  const Status checked = check_space(find_template(network)->make(), space_of(parameter));
  return checked ? "" : checked.error().str();
}

TEST(ApplyPoint, ChangesSettingsAndLayers) {
  const GraphDoc doc = find_template("lenet5")->make();
  const Space space = space_of(choice("optimizer.momentum", "[0.5]") + "," + choice("optimizer", R"(["sgd"])") + "," +
                               choice("batch", "[48]") + "," + choice("conv1.out_channels", "[9]") + "," +
                               choice("conv1.kernel_size", "[3,[3,5]]") + "," + choice("conv2.frozen", "[true]"));
  const auto applied = apply_point(doc, space, {0, 0, 0, 0, 1, 0});
  ASSERT_TRUE(applied) << applied.error().str();
  EXPECT_EQ(applied->settings().optimizer.name(), "sgd");
  EXPECT_EQ(applied->settings().optimizer.value("momentum"), 0.5);
  EXPECT_EQ(applied->settings().batch, 48);
  EXPECT_EQ(std::get<std::int64_t>(node(*applied, "conv1").attrs.at("out_channels")), 9);
  EXPECT_EQ(std::get<std::vector<std::int64_t>>(node(*applied, "conv1").attrs.at("kernel_size")),
            (std::vector<std::int64_t>{3, 5}));
  EXPECT_TRUE(node(*applied, "conv2").frozen);
  EXPECT_TRUE(doc == find_template("lenet5")->make()) << "the project itself is unchanged";
}

TEST(ApplyPoint, ChangesBlocksTheirRepeatsAndTypes) {
  const GraphDoc doc = find_template("convnet-tiny")->make();
  const Space space =
      space_of(choice("stage1.filters", "[24]") + "," + choice("stage2.repeat", "[2]") + "," +
               choice("ConvStage/relu.negative_slope", "[0.25]") + "," +
               choice("ConvStage/relu.type", R"(["LeakyReLU"])") + "," + choice("ConvStage/conv.kernel_size", "[5]"));
  const auto applied = apply_point(doc, space, {0, 0, 0, 0, 0});
  ASSERT_TRUE(applied) << applied.error().str();
  EXPECT_EQ(std::get<std::int64_t>(node(*applied, "stage1").attrs.at("filters")), 24);
  EXPECT_EQ(std::get<std::int64_t>(node(*applied, "stage2").attrs.at("repeat")), 2);
  EXPECT_EQ(node(*applied, "relu", "ConvStage").type, "LeakyReLU");
  EXPECT_EQ(std::get<double>(node(*applied, "relu", "ConvStage").attrs.at("negative_slope")), 0.25)
      << "of the type that is chosen by a later parameter";
}

TEST(ApplyPoint, OneParameterMaySetSeveralFields) {
  const Space space =
      space_of(R"({"name":"width","type":"int","low":4,"high":8,"sets":["conv1.out_channels","conv2.out_channels"]})");
  const auto applied = apply_point(find_template("lenet5")->make(), space, {7});
  ASSERT_TRUE(applied) << applied.error().str();
  for (const char* name : {"conv1", "conv2"})
    EXPECT_EQ(std::get<std::int64_t>(node(*applied, name).attrs.at("out_channels")), 7) << name;
}

TEST(ApplyPoint, NamesTheFieldThatIsNotThereOrCannotHaveTheValue) {
  for (const auto& [parameter, words] : std::vector<std::pair<std::string, std::string>>{
           {choice("conv9.out_channels", "[4]"), "no field \"conv9.out_channels\""},
           {choice("conv1.depth", "[4]"), "no field \"conv1.depth\""},
           {choice("learning_speed", "[4]"), "no field \"learning_speed\""},
           {choice("optimizer.speed", "[4]"), "no field \"optimizer.speed\""},
           {choice("Nothing/conv1.out_channels", "[4]"), "no field"},
           {choice("epochs", "[4]"), "no field that a search can change"},
           {choice("conv1.out_channels", "[4,0]"), "\"conv1.out_channels\" cannot be 0"},
           {choice("conv1.out_channels", "[\"many\"]"), "cannot be \"many\""},
           {choice("conv1.type", "[\"Add\"]"), "cannot be \"Add\""},
           {choice("learning_rate", "[-1]"), "learning_rate"},
           {choice("optimizer", "[\"magic\"]"), "magic"},
           {R"({"name":"batch","type":"int","low":0,"high":8})", "batch"}})
    EXPECT_NE(refusal("lenet5", parameter).find(words), std::string::npos)
        << parameter << " -> " << refusal("lenet5", parameter);
  EXPECT_NE(refusal("convnet-tiny", choice("stage1.block", "[\"Other\"]")).find("cannot be"), std::string::npos);
  EXPECT_EQ(refusal("lenet5", R"({"name":"learning_rate","type":"real","low":1e-4,"high":1,"log":true})"), "");
}

}  // namespace
}  // namespace nw::search
