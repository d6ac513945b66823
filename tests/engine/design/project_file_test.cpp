// SPDX-License-Identifier: Apache-2.0
#include "engine/design/project_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/optimizer.hpp"
#include "tests/support/net_text.hpp"

namespace nw {
namespace {
using testing::HasSubstr;

std::string refusal(const std::string& text) {
  const auto doc = ProjectFile::parse(text, "x.netwright");
  return doc ? "" : doc.error().str();
}
std::string with_network(const std::string& network) { return "{\"format\":1,\"network\":" + network + "}"; }
std::string node(int id, const std::string& name, const std::string& more = "") {
  return "{\"id\":" + std::to_string(id) + ",\"type\":\"ReLU\",\"name\":\"" + name + "\"" + more + "}";
}

TEST(ProjectFile, EveryTemplateReadsBackEqualAndWritesTheSameBytes) {
  for (const Template& t : all_templates()) {
    const GraphDoc doc = t.make();
    const std::string text = ProjectFile::text(doc);
    const auto read = ProjectFile::parse(text, "t");
    ASSERT_TRUE(read) << t.name << ": " << read.error().str();
    EXPECT_TRUE(*read == doc) << t.name;
    EXPECT_EQ(ProjectFile::text(*read), text) << t.name;
    EXPECT_TRUE(t.make() == doc) << "a template is the same each time";
  }
}

TEST(ProjectFile, KeepsEveryDataChoiceAndSetting) {
  DataChoice data{.kind = SourceKind::csv,
                  .path = "a",
                  .labels_path = "b",
                  .test_path = "c",
                  .test_labels_path = "d",
                  .channels = 3,
                  .height = 5,
                  .width = 7,
                  .resize = "nearest",
                  .target_column = "e",
                  .target = "odd",
                  .synthetic_train = 11,
                  .synthetic_test = 12,
                  .validation_fraction = 0.2,
                  .test_fraction = 0.3,
                  .stratified = false,
                  .split_seed = ~std::uint64_t{0},
                  .normalize = false,
                  .mean = {0.25F, -0.5F, 0.1F},
                  .deviation = {1.5F, 0.1F, 0.2F}};
  TrainSettings s{.epochs = 2,
                  .batch = 3,
                  .accumulate = 4,
                  .micro_batches = 3,
                  .learning_rate = 0.1,
                  .l1 = 0.7,
                  .l2 = 0.8,
                  .decay_bias_and_norm = false,
                  .clip_norm = 1.5,
                  .clip_value = 1.6,
                  .schedule = ScheduleKind::cosine,
                  .step_epochs = 4,
                  .step_gamma = 0.9,
                  .min_learning_rate = 0.01,
                  .polynomial_power = 1.5,
                  .pct_start = 0.4,
                  .div_factor = 11,
                  .final_div_factor = 12,
                  .restart_epochs = 13,
                  .restart_factor = 14,
                  .plateau_epochs = 15,
                  .plateau_gamma = 0.16,
                  .plateau_threshold = 0.17,
                  .warmup_epochs = 1.25,
                  .seed = ~std::uint64_t{0} - 1,
                  .precision = DType::bf16,
                  .random_crop = true,
                  .crop_padding = 2,
                  .horizontal_flip = true,
                  .augment_strength = 0.6,
                  .checkpoint_epochs = 5,
                  .keep_checkpoints = 6,
                  .early_stopping_epochs = 7,
                  .min_change = 0.18,
                  .monitor = MonitoredFigure::train_loss,
                  .ema_decay = 0.19,
                  .swa_start = 12,
                  .swa_anneal_epochs = 13,
                  .swa_learning_rate = 0.21,
                  .swa_linear = true,
                  .devices = {"cpu:0", "cpu:1"},
                  .sync_batch_norm = false,
                  .parallel = Parallelism::model,
                  .pipeline = PipelineSchedule::gpipe,
                  .stages = 2,
                  .threads = 2};
  s.optimizer.choose("adamw");
  for (const auto& [field, value] :
       {std::pair{"beta1", 0.3}, std::pair{"beta2", 0.4}, std::pair{"epsilon", 0.5}, std::pair{"weight_decay", 0.6},
        std::pair{"momentum", 0.2},  // fields of optimizers that are not selected are kept
        std::pair{"nesterov", 1.0}})
    s.optimizer.set(field, value);
  const auto data_read = data_from_json(to_json(data), "d");
  ASSERT_TRUE(data_read) << data_read.error().str();
  EXPECT_TRUE(*data_read == data);
  const auto read = settings_from_json(to_json(s), "s");
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_TRUE(*read == s);
}

TEST(ProjectFile, KeepsTheResizingOfOlderVersions) {
  Json old = to_json(DataChoice{.kind = SourceKind::image_folder});
  EXPECT_EQ(old["resize"], "bilinear") << "a new project";
  old.erase("resize");
  const auto read = data_from_json(old, "d");
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_EQ(read->resize, "area");
  EXPECT_EQ(to_json(*read), old) << "saving writes the same file";
  for (const char* name : {"bilinear", "area", "nearest"}) {
    old["resize"] = name;
    EXPECT_EQ(data_from_json(old, "d")->resize, name);
  }
  old["resize"] = "lanczos";
  EXPECT_THAT(data_from_json(old, "d").error().str(), testing::HasSubstr("known are bilinear, area and nearest"));
}

TEST(ProjectFile, NamesSchedulesInWords) {
  for (const auto& [kind, name] :
       {std::pair{ScheduleKind::constant, "constant"}, std::pair{ScheduleKind::step, "step"},
        std::pair{ScheduleKind::cosine, "cosine"}, std::pair{ScheduleKind::one_cycle, "one_cycle"},
        std::pair{ScheduleKind::polynomial, "polynomial"}, std::pair{ScheduleKind::cosine_restarts, "cosine_restarts"},
        std::pair{ScheduleKind::plateau, "plateau"}}) {
    const Json j = to_json(TrainSettings{.schedule = kind});
    EXPECT_EQ(j["schedule"], name);
    const auto read = settings_from_json(j, "s");
    ASSERT_TRUE(read) << read.error().str();
    EXPECT_EQ(read->schedule, kind);
  }
}

TEST(ProjectFile, KeepsTheFieldsOfEveryOptimizerWithinTheirLimits) {
  for (const Optimizer& o : all_optimizers()) {
    TrainSettings s;
    s.optimizer.choose(o.name);
    Json j = to_json(s);
    EXPECT_EQ(j["optimizer"], std::string(o.name));
    for (const OptimizerField& f : o.fields) {
      const std::string name(f.name);
      ASSERT_TRUE(j.contains(name)) << o.name << "." << name;
      EXPECT_EQ(settings_from_json(j, "s")->optimizer.value(name), f.otherwise);
      Json changed = j;
      changed[name] = f.kind == OptimizerField::Kind::boolean ? Json(f.otherwise == 0) : Json(f.hi / 3);
      const auto read = settings_from_json(changed, "s");
      ASSERT_TRUE(read) << read.error().str();
      EXPECT_EQ(to_json(*read), changed) << o.name << "." << name;
      if (f.kind == OptimizerField::Kind::boolean) continue;
      changed[name] = f.hi * 1.01;
      EXPECT_FALSE(settings_from_json(changed, "s")) << o.name << "." << name;
    }
  }
}

TEST(ProjectFile, ReadsTheFieldsThatOlderVersionsWroteForEveryOptimizer) {
  const auto doc = ProjectFile::parse(
      R"({"format":1,"training":{"optimizer":"adam","momentum":0.9,"nesterov":false,"beta1":0.9,"beta2":0.95,
          "epsilon":1e-8,"weight_decay":0.01}})",
      "x");
  ASSERT_TRUE(doc) << doc.error().str();
  TrainSettings wanted;
  wanted.optimizer.choose("adam");
  wanted.optimizer.set("beta2", 0.95);
  EXPECT_EQ(doc->settings(), wanted) << "defaults of other optimizers are no choice";
  EXPECT_FALSE(ProjectFile::json(*doc)["training"].contains("momentum")) << "nor are they keys of a newer version";
}

TEST(OptimizerChoice, BringsItsOwnDefaultsAndKeepsWhatWasSet) {
  OptimizerChoice choice;
  choice.set("momentum", 0.95);
  choice.choose("adam");
  EXPECT_EQ(choice.value("beta2"), 0.999);
  choice.choose("lion");
  EXPECT_EQ(choice.value("beta2"), 0.99);
  choice.set("beta2", 0.999);
  choice.choose("adam");
  EXPECT_EQ(choice, [] {
    OptimizerChoice same;
    same.set("momentum", 0.95);
    same.choose("adam");
    return same;
  }());
  choice.choose("sgd");
  EXPECT_EQ(choice.value("momentum"), 0.95);
}

TEST(ProjectFile, KeepsKeysOfNewerVersionsAtEveryLevel) {
  const std::string text =
      R"({"format":1,"future":{"a":[1]},"data":{"kind":"mnist","shards":4},"training":{"lookahead":0.5},
    "blocks":{"B":{"colour":"red","network":{}}},
    "network":{"nodes":[{"id":3,"type":"ReLU","name":"r","heat":1}],"theme":"dark"}})";
  const auto doc = ProjectFile::parse(text, "x");
  ASSERT_TRUE(doc) << doc.error().str();
  const Json out = ProjectFile::json(*doc);
  EXPECT_EQ(out["future"]["a"][0], 1);
  EXPECT_EQ(out["data"]["shards"], 4);
  EXPECT_EQ(out["training"]["lookahead"], 0.5);
  EXPECT_EQ(out["blocks"]["B"]["colour"], "red");
  EXPECT_EQ(out["network"]["theme"], "dark");
  EXPECT_EQ(out["network"]["nodes"][0]["heat"], 1);
  GraphDoc without = *doc;
  test::edit(without, {PutBlock{"B", std::nullopt}});
  EXPECT_FALSE(ProjectFile::json(without)["blocks"].contains("B")) << "what belonged to a removed block goes with it";
}

TEST(ProjectFile, KeepsALayerThatThisVersionDoesNotKnow) {
  const auto doc = ProjectFile::parse(
      with_network(R"({"nodes":[{"id":1,"type":"Conv9d","name":"c","attrs":{"depth":[1,2,3],"mode":"x"}}]})"), "x");
  ASSERT_TRUE(doc);
  EXPECT_EQ(doc->graph().nodes.at(1).type, "Conv9d");
  EXPECT_THAT(ProjectFile::text(*doc), HasSubstr("\"depth\""));
}

TEST(ProjectFile, RejectsANewerFormatWithOneSentence) {
  EXPECT_EQ(refusal("{\"format\":2,\"anything\":[]}"),
            "x.netwright was written by a newer Netwright (format 2, this one reads 1); it was left as it is");
}

TEST(ProjectFile, RejectsWhatIsNoProject) {
  for (const char* bad : {"", "[]", "{}", "3", "{\"format\":\"1\"}", "{\"format\":0}", "{\"format\":-1}",
                          "{\"format\":1.5}", "{\"format\":1}{}", "{\"format\":1,\"format\":1}",
                          "{\"format\":1,\"network\":[]}", "{\"format\":1,\"blocks\":3}"})
    EXPECT_NE(refusal(bad), "") << bad;
}

TEST(ProjectFile, ReportsTheLocationOfAnInvalidValue) {
  EXPECT_EQ(refusal(with_network("{\"nodes\":[" + node(1, "a") + "," + node(2, "b", ",\"x\":\"left\"") + "]}")),
            "x.netwright: network.nodes[1].x must be a number");
  EXPECT_THAT(refusal("{\"format\":1,\"training\":{\"batch\":0}}"),
              HasSubstr("x.netwright: training.batch must be a whole number from 1 to 1048576"));
  EXPECT_THAT(refusal("{\"format\":1,\"training\":{\"optimizer\":\"tiger\"}}"), HasSubstr("\"tiger\""));
  EXPECT_THAT(refusal("{\"format\":1,\"data\":{\"kind\":7}}"), HasSubstr("data.kind must be a string"));
}

TEST(ProjectFile, RejectsInconsistentGraphs) {
  const std::string a = node(1, "a"), b = node(2, "b");
  EXPECT_THAT(refusal(with_network("{\"nodes\":[" + a + "," + node(1, "c") + "]}")),
              HasSubstr("the number 1 is taken"));
  EXPECT_THAT(refusal(with_network("{\"nodes\":[" + a + "," + node(2, "a") + "]}")), HasSubstr("the name a is taken"));
  EXPECT_THAT(refusal(with_network("{\"nodes\":[" + node(1, "a b") + "]}")), HasSubstr("is no name"));
  EXPECT_THAT(refusal(with_network("{\"nodes\":[" + a + "," + b + "],\"connections\":[[1,0,3,0]]}")),
              HasSubstr("has no ends"));
  EXPECT_THAT(refusal(with_network("{\"nodes\":[" + a + "," + b + "],\"connections\":[[1,0,2,0],[1,0,2,0]]}")),
              HasSubstr("two connections"));
  EXPECT_THAT(refusal(with_network("{\"nodes\":[" + a + "," + b + "],\"connections\":[[1,0,2]]}")),
              HasSubstr("connections[0] must be a list of four"));
  EXPECT_THAT(refusal(with_network("{\"nodes\":[" + a + "," + b + "],\"connections\":[[1,0,2,99999999999]]}")),
              HasSubstr("port out of range"));
}

TEST(ProjectFile, RejectsBlocksThatContainThemselves) {
  const auto block = [](const char* name, const char* inner) {
    return std::string("\"") + name + R"(":{"network":{"nodes":[{"id":1,"type":"Block","name":"i","attrs":{"block":")" +
           inner + "\"}}]}}";
  };
  EXPECT_THAT(refusal("{\"format\":1,\"blocks\":{" + block("A", "B") + "," + block("B", "A") + "}}"),
              HasSubstr("contains itself"));
  EXPECT_EQ(refusal("{\"format\":1,\"blocks\":{" + block("A", "B") + "," + block("B", "C") + "}}"), "");
}

TEST(ProjectFile, AThousandBlocksInARowAreNoProblem) {
  std::string blocks;
  for (int i = 0; i < 999; ++i)
    blocks += "\"B" + std::to_string(i) +
              R"(":{"network":{"nodes":[{"id":1,"type":"Block","name":"i","attrs":{"block":"B)" +
              std::to_string(i + 1) + "\"}}]}},";
  blocks.pop_back();
  EXPECT_EQ(refusal("{\"format\":1,\"blocks\":{" + blocks + "}}"), "");
}

TEST(ProjectFile, RejectsTooManyLayers) {
  std::string nodes;
  for (int i = 1; i <= 100'001; ++i)
    nodes += "{\"id\":" + std::to_string(i) + ",\"type\":\"ReLU\",\"name\":\"r" + std::to_string(i) + "\"},";
  nodes.pop_back();
  EXPECT_THAT(refusal(with_network("{\"nodes\":[" + nodes + "]}")), HasSubstr("more than 100000"));
}

TEST(ProjectFile, LoadSaysWhatIsWrongWithAFileThatCannotBeRead) {
  EXPECT_EQ(ProjectFile::load("/nowhere/x.netwright").error().code, Errc::bad_input);
  EXPECT_FALSE(ProjectFile::load("/dev/zero"));
}

}  // namespace
}  // namespace nw
