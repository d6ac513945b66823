// SPDX-License-Identifier: Apache-2.0
// Formulas as ONNX operators and as Python functions.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/exchange/source/formula_source.hpp"
#include "tests/engine/exchange/networks.hpp"

namespace nw::exchange {
namespace {

GraphDoc with(const std::string& expression, double a = 1.5) {
  GraphDoc doc;
  Draft d(doc);
  d.add("Input", "images", {{"channels", std::int64_t{2}}, {"height", std::int64_t{3}}, {"width", std::int64_t{3}}});
  d.add("Formula", "f", {{"expression", expression}, {"a", a}});
  d.add("Flatten", "flat");
  d.add("Linear", "fc", {{"out_features", std::int64_t{3}}});
  d.add("CrossEntropy", "loss");
  return doc;
}

/// The operators with their inputs, "Mul(images,number)".
std::string operators_of(const std::string& expression) {
  const auto model = export_onnx(source_of(with(expression)), {.preprocessing = false});
  if (!model) return model.error().str();
  std::string all;
  for (const onnx::Node& n : model->nodes) {
    if (n.name != "f" && !n.name.starts_with("f/")) continue;
    all += (all.empty() ? "" : " ") + n.op + "(";
    for (const std::string& in : n.inputs) all += (all.back() == '(' ? "" : ",") + in;
    all += ")";
  }
  return all;
}

std::string lambda(const std::string& expression, SourceLanguage language = SourceLanguage::pytorch) {
  const auto flat = flatten(with(expression), {.training = false, .batch = 1});
  for (const FlatLayer& l : flat->layers)
    if (l.name == "f") return formula_lambda(l, language);
  return "";
}

TEST(FormulaExport, IsOneOperatorForEachOperation) {
  EXPECT_EQ(operators_of("x * sigmoid(a * x)"), "Mul(f/number_1.5,images) Sigmoid(f/step1) Mul(images,f/step2)");
  EXPECT_EQ(operators_of("where(x > 0, exp(x), a)"),
            "Greater(images,f/number_0) Exp(images) Where(f/step1,f/step2,f/number_1.5)");
  EXPECT_EQ(operators_of("x >= 1"), "GreaterOrEqual(images,f/number_1) Where(f/step1,f/number_1,f/number_0)");
  EXPECT_EQ(operators_of("where(x, 1, abs(x))"),
            "Equal(images,f/number_0) Abs(images) Where(f/step1,f/step2,f/number_1)");
  EXPECT_EQ(operators_of("(x + 1) * (x + 1)"), "Add(images,f/number_1) Mul(f/step1,f/step1)") << "made once";
  EXPECT_EQ(operators_of("x"), "Identity(images)");
}

TEST(FormulaExport, IsAFunctionOfPython) {
  EXPECT_EQ(lambda("x * sigmoid(a * x)"), "lambda x: x * torch.sigmoid(1.5 * x)");
  EXPECT_EQ(lambda("x - (2 - exp(x))"), "lambda x: x - (2.0 - torch.exp(x))");
  EXPECT_EQ(lambda("(x + 1) / (x - 2)"), "lambda x: (x + 1.0) / (x - 2.0)");
  EXPECT_EQ(lambda("x / (x * 3)"), "lambda x: x / (3.0 * x)");
  EXPECT_EQ(lambda("-(x + 1)"), "lambda x: -(x + 1.0)");
  EXPECT_EQ(lambda("where(x > 0, x, 2 * x)"), "lambda x: torch.where(x > 0.0, x, 2.0 * x)");
  EXPECT_EQ(lambda("max(x, -1) + min(2, x)"), "lambda x: torch.clamp(x, min=-1.0) + torch.clamp(x, max=2.0)");
  EXPECT_EQ(lambda("max(x, sin(x))"), "lambda x: torch.maximum(x, torch.sin(x))");
  EXPECT_EQ(lambda("(x + 1)^2"), "lambda x: (t1 := x + 1.0) * t1");
  EXPECT_EQ(lambda("max(x, 1) * erf(x)", SourceLanguage::keras), "lambda x: ops.maximum(x, 1.0) * ops.erf(x)");
}

TEST(FormulaExport, APowerOfPowersStaysShort) {
  std::string nested = "x";
  for (int i = 0; i < 7; ++i) nested = "(1 + " + nested + "^3)";
  EXPECT_LT(lambda(nested).size(), 1000U);
}

}  // namespace
}  // namespace nw::exchange
