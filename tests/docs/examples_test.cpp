// SPDX-License-Identifier: Apache-2.0
// The examples of docs/adding.md behave as the page describes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "app/cli/cli.hpp"
#include "engine/design/layer_type.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw::cli {
void add_count(CLI::App&, Chosen&);
}

namespace nw {
namespace {
using testing::HasSubstr;

/// The template's network with every ReLU replaced.
GraphDoc with_activation(const char* network, const char* type) {
  GraphDoc doc = find_template(network)->make();
  Edit edit;
  for (const auto& [id, node] : doc.graph().nodes) {
    if (node.type != "ReLU") continue;
    Node other = node;
    other.type = type;
    edit.push_back(PutNode{"", id, other});
  }
  EXPECT_FALSE(edit.empty());
  EXPECT_TRUE(doc.apply(edit));
  return doc;
}

TEST(AddedLayer, IsFoundAndTrains) {
  ASSERT_NE(find_layer("Abs"), nullptr);
  Trial t({}, "mlp-moons");
  GraphDoc doc = with_activation("mlp-moons", "Abs");
  TrainSettings s = doc.settings();
  s.epochs = 3;
  s.threads = 2;
  ASSERT_TRUE(doc.apply({PutSettings{s}}));
  t.request.definition.doc = doc;
  const auto result = t.run();
  ASSERT_TRUE(result) << result.error().str();
  const auto epochs = t.sink.all<EpochEnd>();
  ASSERT_EQ(epochs.size(), 3U);
  EXPECT_LT(epochs.back().train_loss, 0.8 * epochs.front().train_loss);
}

TEST(AddedCommand, CountsTheParametersOfATemplate) {
  CLI::App app;
  cli::Chosen chosen;
  cli::add_count(app, chosen);
  app.parse("count lenet5 --json");
  testing::internal::CaptureStdout();
  EXPECT_EQ(chosen(), 0);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "{\"parameters\":61706}\n");
}

}  // namespace
}  // namespace nw
