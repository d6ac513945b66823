// SPDX-License-Identifier: Apache-2.0
// Untrusted run folders: malformed definitions, garbage events, checkpoints whose content does not match their
// manifest, links and pipes.
#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/train/checkpoint.hpp"
#include "tests/app/rejection_tests.hpp"

namespace nw {
namespace {

class MalformedRun : public RejectionTests {
 protected:
  /// Trains a run and stops it after some epochs; every test damages a copy of it.
  void SetUp() override {
    Command training(place_, {"train", project(1'000'000), "--run-dir", at("good"), "--quiet"});
    ASSERT_TRUE(wait_for([&] { return list_checkpoints(at("good")).size() >= 2; }));
    ASSERT_TRUE(control_run(at("good"), "stop", 60));
    ASSERT_EQ(training.wait().code, 8);
  }
  /// Replaces the previous copy by a fresh one.
  fs::path copy() {
    fs::remove_all(at("bad"));
    fs::copy(at("good"), at("bad"), fs::copy_options::recursive);
    return at("bad");
  }
  void change_definition(const fs::path& run, const std::function<void(Json&)>& change) {
    Json json = Json::parse(*read_file(run / "run.json", 1 << 24));
    change(json);
    test::write_bytes(run / "run.json", json.dump());
  }
  /// Every command that reads a run's network rejects the run.
  void rejected_by_all(const fs::path& run, int code, const Words& words) {
    refused({"evaluate", run.string()}, code, words);
    refused({"predict", run.string(), put("digit.bmp", test::bmp_bytes(28, 28, 9, 9, 9))}, code, words);
    refused({"resume", run.string()}, code, words);
  }
  static std::string latest(const fs::path& run) { return latest_checkpoint(run)->name; }

  /// Rewrites the checkpoints with one number changed; their checksums are valid.
  void poison(const fs::path& run, bool in_model, float value) {
    for (const CheckpointName& c : list_checkpoints(run)) {
      const auto opened = open_checkpoint(run, c.name);
      ASSERT_TRUE(opened);
      ASSERT_TRUE(save_checkpoint(run, opened->progress, sources(opened->model, in_model ? &value : nullptr),
                                  sources(opened->optimizer, in_model ? nullptr : &value)));
    }
  }
  static std::vector<TensorSource> sources(const SafetensorsFile& file, const float* poison) {
    std::vector<TensorSource> all;
    for (const TensorInfo& t : file.header().tensors) {
      std::vector<std::byte> bytes(t.bytes());
      EXPECT_TRUE(file.read(t, bytes));
      if (poison && t.dtype == "F32" && bytes.size() >= 8) std::memcpy(bytes.data() + 4, poison, 4);
      const DType dtype = t.dtype == "F32" ? DType::f32 : DType::i64;
      all.push_back({t.name, dtype, t.shape, [bytes](std::span<std::byte> to) {
                       std::copy(bytes.begin(), bytes.end(), to.begin());
                       return Status{};
                     }});
    }
    return all;
  }
};

TEST_F(MalformedRun, InvalidDefinitionsAreRejected) {
  const auto with = [&](const std::function<void(Json&)>& change) {
    const fs::path run = copy();
    change_definition(run, change);
    return run;
  };
  const std::string file = at("bad/run.json");
  rejected_by_all(with([](Json& j) { j["schema"] = 2; }), 3, {file, "a newer Netwright (format 2, this one reads 1)"});
  rejected_by_all(with([](Json& j) { j = Json::array(); }), 3, {file});
  rejected_by_all(with([](Json& j) { j.erase("project"); }), 3, {file, "holds no project"});
  rejected_by_all(with([](Json& j) { j["channels"] = -1; }), 3, {file, "channels"});
  rejected_by_all(with([](Json& j) { j["deviation"] = {0.0}; }), 3, {file, "deviation"});
  rejected_by_all(with([](Json& j) { j["mean"] = j["deviation"] = Json::array(); }), 3, {});
  refused({"evaluate", with([](Json& j) { j["height"] = j["width"] = 0; }).string()}, 3,
          {"does not name its training data"});
  refused({"evaluate", with([](Json& j) { j["channels"] = 3; }).string()}, 3, {"does not name its training data"});
  for (const std::int64_t side : {1 << 12, 1 << 20}) {  // exceeds the memory, or does not match the network
    const CommandOutput output = run({"evaluate", with([&](Json& j) { j["height"] = j["width"] = side; }).string()});
    EXPECT_TRUE(output.code == 3 || output.code == 5) << output.code << output.err;
    EXPECT_EQ(std::count(output.err.begin(), output.err.end(), '\n'), 1) << output.err;
  }
  copy();
  test::write_bytes(file, "{\"schema\":1,");
  rejected_by_all(at("bad"), 3, {file, "not valid JSON"});
  refused({"watch", at("bad")}, 3, {file});
}

TEST_F(MalformedRun, CorruptedCheckpointsAreRejected) {
  fs::path run = copy();
  for (const CheckpointName& c : list_checkpoints(run)) {
    const fs::path model = run / "checkpoints" / c.name / "model.safetensors";
    fs::resize_file(model, fs::file_size(model) - 1);
  }
  rejected_by_all(run, 3, {"bad", "holds no complete checkpoint"});

  run = copy();
  for (const CheckpointName& c : list_checkpoints(run)) {
    const fs::path model = run / "checkpoints" / c.name / "model.safetensors";
    std::string bytes = *read_file(model, 1 << 24);
    bytes[bytes.size() / 2] ^= 1;
    test::write_bytes(model, bytes);
  }
  rejected_by_all(run, 3, {"model.safetensors is not what was written", "the checkpoint is damaged"});
  refused({"evaluate", run.string(), "--checkpoint", latest(run)}, 3, {"model.safetensors is not what was written"});

  run = copy();  // the weights of another network
  change_definition(run, [](Json& j) {
    for (Json& node : j["project"]["network"]["nodes"])
      if (node["type"] == "Linear" && node["attrs"]["out_features"] == 64) node["attrs"]["out_features"] = 65;
  });
  rejected_by_all(run, 3, {"belongs to another network"});
}

TEST_F(MalformedRun, NumbersThatAreNotFiniteAreRejectedByName) {
  for (const float value : {std::nanf(""), INFINITY}) {
    const fs::path run = copy();
    poison(run, true, value);
    rejected_by_all(run, 3, {"model.safetensors: \"", "holds numbers that are not finite"});
  }
  const fs::path run = copy();
  poison(run, false, std::nanf(""));
  refused({"resume", run.string()}, 3, {"optimizer.safetensors: \"", "holds numbers that are not finite"});
}

TEST_F(MalformedRun, ClassesThatDoNotFitTheNetworkAreRejected) {
  for (const std::size_t count : {std::size_t{0}, std::size_t{11}, std::size_t{90'000}}) {
    const fs::path run = copy();
    change_definition(run, [&](Json& j) { j["classes"] = std::vector<std::string>(count, "x"); });
    refused({"evaluate", run.string()}, 3, {"classes"});
    refused({"predict", run.string(), put("digit.bmp", test::bmp_bytes(28, 28, 9, 9, 9))}, 3, {});
  }
  const fs::path run = copy();
  change_definition(run, [](Json& j) { j["project"]["data"]["target"] = "labels"; });
  EXPECT_NE(this->run({"evaluate", run.string()}).code, 134) << "no abort, whatever the kind of targets";
}

/// A received run names its classes and devices as it likes; a terminal and a log show words.
TEST_F(MalformedRun, NamesWithControlCharactersNeverReachATerminal) {
  const auto clean = [](const std::string& text) {
    return std::none_of(text.begin(), text.end(), [](char c) {
      return (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
    });
  };
  const std::string evil = "\x1b[2J\r\x7f\u0085";
  const fs::path run = copy();
  change_definition(run, [&](Json& j) {
    j["name"] = evil + "run";
    for (int i = 0; i < 10; ++i) j["classes"][static_cast<std::size_t>(i)] = evil + std::to_string(i) + "\nOWNED";
  });
  const std::string digit = put("digit.bmp", test::bmp_bytes(28, 28, 9, 9, 9));
  for (const Words& words : std::vector<Words>{{"evaluate", run.string()},
                                               {"evaluate", run.string(), "--json"},
                                               {"predict", run.string(), digit},
                                               {"predict", run.string(), digit, "--json"},
                                               {"data", "suspects", run.string()},
                                               {"runs", "list", at("")},
                                               {"watch", run.string()},
                                               {"resume", run.string(), "--device", evil + "gpu"}}) {
    const CommandOutput shown = this->run(words);
    EXPECT_TRUE(clean(shown.out)) << words[0] << " " << shown.out;
    EXPECT_TRUE(clean(shown.err)) << words[0] << " " << shown.err;
    EXPECT_EQ((shown.out + shown.err).find("\nOWNED"), std::string::npos) << words[0];
  }
}

TEST_F(MalformedRun, CheckpointNamesCannotEscapeTheRunFolder) {
  const fs::path run = copy();
  for (const char* name : {"../../good/checkpoints/x", "/etc", "..", "step-00000001/../../..", ""})
    refused({"evaluate", run.string(), "--checkpoint", name}, 3, {"is not the name of a checkpoint"});
  const std::string lie = "../../good/checkpoints/" + latest(run) + "\n";
  test::write_bytes(run / "latest", lie);
  fs::remove_all(run / "checkpoints");
  rejected_by_all(run, 3, {"holds no complete checkpoint"});
  fs::create_directory_symlink(at("good/checkpoints"), run / "checkpoints");
  refused({"evaluate", run.string()}, 3, {"holds no complete checkpoint"});
  refused({"resume", run.string()}, 3, {"checkpoints is not a folder"});
}

TEST_F(MalformedRun, PipesLinksAndFoldersInPlaceOfFilesAreRejectedWithoutWaiting) {
  ASSERT_TRUE(save_file(at("good/log.txt"), "a line\n"));
  for (const char* name : {"run.json", "lock", "log.txt", "events.jsonl", "metrics.csv", "metrics.bin", "probes.bin",
                           "statistics.jsonl", "latest", "best", "profile.json"}) {
    for (const char* what : {"pipe", "folder", "link"}) {
      const fs::path run = copy(), file = run / name;
      fs::remove(file);
      if (*what == 'p')
        pipe("bad/" + std::string(name));
      else if (*what == 'f')
        fs::create_directory(file);
      else
        fs::create_symlink(at("good/" + std::string(name)), file);
      refused({"resume", run.string()}, 3, {file.string()});
      EXPECT_EQ(this->run({"runs", "list", at("")}).code, 0) << name << " " << what;
    }
  }
  const fs::path run = copy(), model = run / "checkpoints" / latest(run) / "model.safetensors";
  for (const CheckpointName& c : list_checkpoints(run)) {
    fs::remove(run / "checkpoints" / c.name / "model.safetensors");
    pipe("bad/checkpoints/" + c.name + "/model.safetensors");
  }
  rejected_by_all(run, 3, {"holds no complete checkpoint"});
}

TEST_F(MalformedRun, InvalidEventLinesAreIgnored) {
  const fs::path run = copy();
  std::string events = *read_file(run / "events.jsonl", 1 << 26);
  events = "\xff\xfegarbage\n{\"schema\":1,\"type\":\"steps\"}\n" + std::string(1 << 21, '{') + "\n" + events +
           "{\"schema\":1,\"type\":\"epoch\",\"epoch\":1e99}\nhalf a li";
  test::write_bytes(run / "events.jsonl", events);
  const CommandOutput watched = this->run({"watch", run.string(), "--json"});
  EXPECT_EQ(watched.code, 0) << watched.err;
  for (const Json& line : watched.lines()) EXPECT_TRUE(line.is_object());
  EXPECT_EQ(this->run({"evaluate", run.string()}).code, 0);
  Command resumed(place_, {"resume", run.string(), "--quiet"});
  ASSERT_TRUE(wait_for([&] { return control_run(run, "status").operator bool(); }));
  ASSERT_TRUE(control_run(run, "stop", 60));
  EXPECT_EQ(resumed.wait().code, 8);
}

TEST_F(MalformedRun, StateWithAnotherStepThanItsCheckpointIsRejected) {
  const fs::path run = copy();
  for (const CheckpointName& c : list_checkpoints(run)) {
    const auto opened = open_checkpoint(run, c.name);
    ASSERT_TRUE(opened);
    const fs::path folder = run / "checkpoints" / c.name;
    Json state = Json::parse(*read_file(folder / "state.json", 1 << 20)),
         manifest = Json::parse(*read_file(folder / "manifest.json", 1 << 20));
    state["step"] = c.step + 1;
    const std::string bytes = canonical(state);
    manifest["files"]["state.json"] = {{"bytes", bytes.size()}, {"xxh3", hex(xxh3(bytes))}};
    test::write_bytes(folder / "state.json", bytes);
    test::write_bytes(folder / "manifest.json", canonical(manifest));
  }
  rejected_by_all(run, 3, {"state.json names step", "the checkpoint is damaged"});
}

}  // namespace
}  // namespace nw
