// SPDX-License-Identifier: Apache-2.0
// The examples of docs/adding.md do what the page says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <CLI/CLI.hpp>

#include "app/cli/cli.hpp"
#include "engine/design/layer_type.hpp"
#include "tests/docs/examples/npy.hpp"
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

std::string npy(const std::string& type, const std::string& shape, const std::string& data) {
  const std::string header = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" + shape + "), }\n";
  return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(header.size()) + '\0' + header + data;
}
const std::string labels = npy("<i8", "2,", std::string("\x01\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16));

TEST(AddedSource, ReadsImagesAndLabels) {
  const Folder folder;
  ASSERT_TRUE(save_file(folder.path / "images.npy", npy("|u1", "2, 1, 3, 1", "abcdef")));
  ASSERT_TRUE(save_file(folder.path / "labels.npy", labels));
  const auto data = open_npy(folder.path);
  ASSERT_TRUE(data) << data.error().str();
  EXPECT_EQ(data->train->size(), 2);
  EXPECT_EQ(data->train->width(), 3);
  EXPECT_EQ(data->train->label(0), 1);
  EXPECT_EQ(data->train->in_memory(1)[2], 'f');
  EXPECT_THAT(data->classes, testing::ElementsAre("0", "1"));
}

TEST(AddedSource, RejectsWhatItsHeaderDoesNotHold) {
  const auto why = [](const std::string& images) {
    const auto set = parse_npy_set(images, labels, "set");
    return set ? std::string() : set.error().str();
  };
  EXPECT_EQ(why(npy("|u1", "2, 1, 3, 1", "abcdef")), "");
  EXPECT_THAT(why("no array"), HasSubstr("set/images.npy: is not a NumPy array"));
  EXPECT_THAT(why(npy("<f4", "2, 1, 3, 1", "abcdef")), HasSubstr("C order"));
  EXPECT_THAT(why(npy("|u1", "2, 1, 3, 1", "abcde")), HasSubstr("truncated"));
  EXPECT_THAT(why(npy("|u1", "2, 4294967296, 4294967296, 1", "")), HasSubstr("impossible size"));
  EXPECT_THAT(why(npy("|u1", "0, 1, 3, 1", "")), HasSubstr("impossible size"));
  EXPECT_THAT(why(npy("|u1", "3, 1, 2, 1", "abcdef")), HasSubstr("labels (N)"));
}

TEST(AddedSource, RejectsALabelThatNoClassCanHave) {
  const Folder folder;
  ASSERT_TRUE(save_file(folder.path / "images.npy", npy("|u1", "1, 1, 1, 1", "a")));
  for (const char last : {'\x7f', '\xff'}) {
    ASSERT_TRUE(save_file(folder.path / "labels.npy", npy("<i8", "1,", std::string(7, '\0') + last)));
    const auto data = open_npy(folder.path);
    ASSERT_FALSE(data);
    EXPECT_THAT(data.error().str(), HasSubstr("is not between 0 and"));
  }
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
