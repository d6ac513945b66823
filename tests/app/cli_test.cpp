// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/app/cli_fixture.hpp"
#include "tests/support/data_files.hpp"
#include "tests/support/instruction_set.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/sanitized.hpp"

namespace nw {
namespace {

TEST_F(Cli, MakesEveryTemplateAndFindsNothingWrongWithIt) {
  const CommandOutput list = run({"new", "--list"});
  EXPECT_EQ(list.code, 0);
  for (const Template& t : all_templates()) {
    const std::string name(t.name), file = at(name + ".netwright");
    EXPECT_NE(list.out.find(name), std::string::npos);
    EXPECT_EQ(run({"new", "--template", name, "-o", file}).code, 0) << name;
    const CommandOutput checked = run({"check", file});
    EXPECT_EQ(checked.code, 0) << name << checked.out << checked.err;
    EXPECT_NE(checked.out.find("multiply-adds"), std::string::npos);
  }
}

TEST_F(Cli, DoesNotOverwriteAProjectUnlessTold) {
  EXPECT_EQ(run({"new", "-t", "mlp", "-o", at("a.netwright")}).code, 0);
  EXPECT_EQ(run({"new", "-t", "lenet5", "-o", at("a.netwright")}).code, 2);
  EXPECT_TRUE(*ProjectFile::load(at("a.netwright")) == new_project(*find_template("mlp")));
  EXPECT_EQ(run({"new", "-t", "lenet5", "-o", at("a.netwright"), "--force"}).code, 0);
  EXPECT_TRUE(*ProjectFile::load(at("a.netwright")) == new_project(*find_template("lenet5")));
}

TEST_F(Cli, AProjectForPhotosTrainsOnThem) {
  for (const char* file : {"cat/1.bmp", "cat/2.bmp", "cat/3.bmp", "dog/1.bmp", "dog/2.bmp", "dog/3.bmp"}) {
    fs::create_directories(fs::path(at(std::string("photos/") + file)).parent_path());
    ASSERT_TRUE(save_file(at(std::string("photos/") + file), test::bmp_bytes(20, 30, *file == 'c' ? 200 : 0, 0, 99)));
  }
  const std::string file = at("p.netwright");
  const CommandOutput made = run({"new", "--photos", at("photos"), "--size", "16", "-o", file});
  ASSERT_EQ(made.code, 0) << made.err;
  EXPECT_NE(made.err.find("6 photos in 2 classes"), std::string::npos) << made.err;
  EXPECT_EQ(run({"check", file}).code, 0);
  EXPECT_EQ(run({"train", file, "--epochs", "1", "--run-dir", at("run")}).code, 0);
  EXPECT_EQ(run({"new", "--photos", at("nowhere"), "-o", at("q.netwright")}).code, 3);
  EXPECT_EQ(run({"new", "--photos", at("photos"), "-t", "mlp"}).code, 2);
  EXPECT_EQ(run({"new", "--size", "32"}).code, 2);
}

TEST_F(Cli, CheckListsTheStepsOfThePlanAndHowTheyAreComputed) {
  const test::UseInstructionSet portable("portable");
  const CommandOutput text = run({"check", "lenet5", "--plan"});
  EXPECT_EQ(text.code, 0) << text.err;
  for (const char* words : {"conv1", "conv2d_max_pool2d_relu", "conv2d_grad_weight",
                            "instruction set: ", "fc1: lanes16 owned columns", "memory of the training: "})
    EXPECT_NE(text.out.find(words), std::string::npos) << words << text.out;
  const CommandOutput json = run({"check", "lenet5", "--plan", "--json"});
  ASSERT_EQ(json.lines().size(), 1U);
  const Json plan = json.lines()[0]["plan"];
  EXPECT_EQ(plan["batch"], 64);
  EXPECT_EQ(plan["steps"][0]["layer"], "conv1");
  EXPECT_EQ(plan["steps"][0]["output"], Json({6, 14, 14}));
  EXPECT_GT(plan["memory_bytes"].get<std::int64_t>(), 1 << 20);
  EXPECT_FALSE(run({"check", "lenet5", "--json"}).lines()[0].contains("plan"));
}

/// LeNet-5 without its Flatten.
std::string broken_network(const std::string& file) {
  GraphDoc doc = find_template("lenet5")->make();
  for (const auto& [id, node] : doc.graph().nodes)
    if (node.type == "Flatten") {
      EXPECT_TRUE(doc.apply(remove_nodes(doc, "", {id}, true)));
      break;
    }
  EXPECT_TRUE(ProjectFile::save(doc, file));
  return file;
}

TEST_F(Cli, CheckRepairsAllErrorsOrTheNamedOne) {
  const std::string broken = broken_network(at("broken.netwright"));
  const CommandOutput all = run({"check", broken, "--fix", "-o", at("whole.netwright")});
  EXPECT_EQ(all.code, 0) << all.out << all.err;
  EXPECT_NE(all.err.find("Insert Flatten"), std::string::npos) << all.err;
  EXPECT_EQ(run({"check", at("whole.netwright")}).code, 0);
  EXPECT_EQ(run({"check", broken, "--fix", "-o", at("whole.netwright")}).code, 2) << "the file exists";
  const std::string listed = run({"check", broken}).out;
  for (const char* number : {"1", "2"}) {
    const auto begin = listed.find(std::string("fix ") + number + ": ");
    ASSERT_NE(begin, std::string::npos) << listed;
    const std::string label = listed.substr(begin + 7, listed.find('\n', begin) - begin - 7);
    const CommandOutput one = run({"check", broken, "--fix", number, "-o", at("whole.netwright"), "--force"});
    EXPECT_NE(one.err.find(label), std::string::npos) << one.err << " not " << label;
  }
  EXPECT_EQ(run({"check", broken, "--fix", "99", "-o", at("other.netwright")}).code, 2);
  EXPECT_EQ(run({"check", broken, "--fix"}).code, 2) << "where to?";
  EXPECT_FALSE(fs::exists(at("other.netwright")));
  EXPECT_EQ(run({"check", broken}).code, 3) << "the project itself is as it was";
}

TEST_F(Cli, ATemplateIsFittedToTheData) {
  for (const char* name : {"a", "b", "c"})
    for (int i = 0; i < 10; ++i) {
      fs::create_directories(fs::path(at("images")) / name);
      std::ofstream(fs::path(at("images")) / name / (std::to_string(i) + ".ppm"), std::ios::binary)
          << "P6\n100 100\n255\n"
          << std::string(30000, static_cast<char>(20 * i + *name));
    }
  const CommandOutput made =
      run({"new", "--template", "convnet-tiny", "--data", at("images"), "-o", at("fitted.netwright")});
  ASSERT_EQ(made.code, 0) << made.err;
  const CommandOutput check = run({"check", at("fitted.netwright"), "--json"});
  EXPECT_EQ(check.code, 0) << check.out;
  EXPECT_EQ(run({"train", at("fitted.netwright"), "--epochs", "1", "--quiet", "--run-dir", at("r")}).code, 0);
  const auto definition = read_run_definition(at("r"));
  ASSERT_TRUE(definition);
  EXPECT_EQ(definition->classes.size(), 3U);
  ASSERT_EQ(
      run({"new", "--template", "convnet-tiny", "--data", at("images"), "--size", "48", "-o", at("48.netwright")}).code,
      0);
  const auto small = ProjectFile::load(at("48.netwright"));
  ASSERT_TRUE(small);
  EXPECT_EQ(small->data().height, 48);
  EXPECT_EQ(run({"check", at("48.netwright")}).code, 0);
  EXPECT_EQ(run({"new", "--template", "convnet-tiny", "--size", "48", "-o", at("x.netwright")}).code, 2);
  EXPECT_EQ(run({"new", "--template", "convnet-tiny", "--data", at("nothing"), "-o", at("x.netwright")}).code, 3);
  EXPECT_FALSE(fs::exists(at("x.netwright")));
}

TEST_F(Cli, CheckNamesTheProblemItsNodeAndTheFix) {
  const CommandOutput text = run({"check", broken_network(at("broken.netwright"))});
  EXPECT_EQ(text.code, 3);
  EXPECT_NE(text.out.find("error: "), std::string::npos) << text.out;
  EXPECT_NE(text.out.find("fix 1: "), std::string::npos) << text.out;
  const CommandOutput json = run({"check", at("broken.netwright"), "--json"});
  EXPECT_EQ(json.code, 3);
  ASSERT_EQ(json.lines().size(), 1U);
  EXPECT_EQ(json.lines()[0]["ok"], false);
  EXPECT_FALSE(json.lines()[0]["problems"][0]["node"].get<std::string>().empty());
  const CommandOutput trained = run({"train", at("broken.netwright")});
  EXPECT_EQ(trained.code, 3) << trained.err;
}

TEST_F(Cli, TrainWritesAProfileWhenAsked) {
  ASSERT_EQ(run({"train", project(), "--profile", "--run-dir", at("run"), "--quiet"}).code, 0);
  const Json profile = Json::parse(*read_file(at("run/profile.json"), 1 << 20), nullptr, false);
  EXPECT_GE(profile["layers"].size(), 3U);
}

TEST_F(Cli, TrainPrintsEventsAndEndsWithOneEndedLine) {
  const CommandOutput result = run({"train", project(), "--json", "--epochs", "2", "--run-dir", at("run")});
  ASSERT_EQ(result.code, 0) << result.err;
  const auto lines = result.lines();
  ASSERT_GE(lines.size(), 4U);
  EXPECT_EQ(lines.front()["type"], "started");
  int ended = 0;
  for (const Json& line : lines) ended += line["type"] == "ended";
  EXPECT_EQ(ended, 1);
  const Json& last = lines.back();
  EXPECT_EQ(last["type"], "ended");
  EXPECT_EQ(last["reason"], "finished");
  EXPECT_EQ(last["how"], "finished") << "scripts written for version 0.1";
  EXPECT_GT(last["test_accuracy"].get<double>(), 0);
  EXPECT_GT(last["wall_s"].get<double>(), 0);
  EXPECT_GT(last["images_per_s"].get<double>(), 0);
  EXPECT_EQ(summarize_run(at("run"))->status, RunStatus::finished);
}

TEST_F(Cli, ResultsGoToStdoutAndEverythingElseToStderr) {
  const CommandOutput result = run({"train", project()});
  ASSERT_EQ(result.code, 0) << result.err;
  EXPECT_EQ(result.out.find("test accuracy "), 0U) << result.out;
  EXPECT_EQ(std::count(result.out.begin(), result.out.end(), '\n'), 1);
  EXPECT_NE(result.err.find("run folder: "), std::string::npos);
  EXPECT_EQ((result.out + result.err).find('\r'), std::string::npos) << "no progress bar without a terminal";
  EXPECT_EQ((result.out + result.err).find('\033'), std::string::npos) << "no colour either";
  EXPECT_TRUE(run({"train", project(), "--quiet"}).err.empty());
}

TEST_F(Cli, TrainWithoutDataReportsUseOfSyntheticDigits) {
  const CommandOutput result = run({"train", "mlp", "--epochs", "1", "--run-dir", at("run")});
  EXPECT_EQ(result.code, 0) << result.err;
  EXPECT_NE(result.err.find("synthetic"), std::string::npos) << result.err;
}

TEST_F(Cli, EveryKindOfFailureHasItsExitCode) {
  // The leak check of clang 16 crashes at the end of the command that opens GPU 63, and replaces its exit code.
  ::setenv("LSAN_OPTIONS", "detect_leaks=0", 1);
  ASSERT_TRUE(save_file(at("bad.netwright"), "{\"format\":1,"));
  ASSERT_TRUE(save_file(at("newer.netwright"), "{\"format\":99}"));
  const std::string good = project();
  struct Case {
    std::vector<std::string> arguments;
    int code;
  };
  for (const Case& c : std::vector<Case>{{{}, 2},
                                         {{"frobnicate"}, 2},
                                         {{"train"}, 2},
                                         {{"train", good, "--epochs", "many"}, 2},
                                         {{"train", good, "--epochs", "0"}, 2},
                                         {{"train", good, "--lr", "-1"}, 2},
                                         {{"train", good, "--lr", "1e31"}, 2},
                                         {{"train", good, "--epochs", "1000001"}, 2},
                                         {{"train", good, "--batch", "1048577"}, 2},
                                         {{"train", good, "--threads", "4097"}, 2},
                                         {{"train", good, "--validation", "0.96"}, 2},
                                         {{"train", good, "--validation", "nan"}, 2},
                                         {{"train", good, "--precision", "fp7"}, 2},
                                         {{"train", good, "--device", "toaster"}, 2},
                                         {{"train", good, "--device", "cpu,cpu"}, 2},
                                         {{"new", "--template", "nonsense"}, 2},
                                         {{"new"}, 2},
                                         {{"train", at("absent.netwright")}, 3},
                                         {{"train", at("bad.netwright")}, 3},
                                         {{"train", at("newer.netwright")}, 3},
                                         {{"check", at("bad.netwright")}, 3},
                                         {{"resume", at("absent")}, 3},
                                         {{"evaluate", at("absent")}, 3},
                                         {{"watch", at("absent")}, 3},
                                         {{"train", good, "--device", "cuda:63"}, 4},
                                         {{"train", good, "--lr", "1e30"}, 6},
                                         {{"control", at("absent"), "pause"}, 3},
                                         {{"--help"}, 0},
                                         {{"train", "--help"}, 0},
                                         {{"--version"}, 0},
                                         {{"devices"}, 0},
                                         {{"runs", "list"}, 0}}) {
    const CommandOutput result = run(c.arguments);
    std::string words;
    for (const auto& w : c.arguments) words += w + " ";
    EXPECT_EQ(result.code, c.code) << words << "\n" << result.out << result.err;
    EXPECT_FALSE(c.code == 0 ? result.out.empty() : result.err.empty()) << words;
  }
}

// Copies only the executable: the copy finds no plug-in beside it, whichever plug-ins were built.
TEST_F(Cli, DevicesReportsMissingGpuPlugin) {
  const fs::path alone = fs::path(at("alone")) / "netwright-cli";
  fs::create_directory(alone.parent_path());
  fs::copy_file(fs::path(test::programs_folder()) / "netwright-cli", alone);
  const CommandOutput listed =
      run({}, {{"sh", "-c", alone.string() + " devices"}, {}});  // the copy, not the executable beside the plug-ins
  EXPECT_EQ(listed.code, 0) << listed.err;
  EXPECT_NE(listed.out.find("cpu"), std::string::npos) << listed.out;
  EXPECT_NE(listed.err.find((alone.parent_path() / "libnw_cuda.so").string() + " is missing"), std::string::npos)
      << listed.err;
  EXPECT_NE(listed.err.find("nvcc"), std::string::npos) << listed.err;
}

TEST_F(Cli, HelpShowsExamples) {
  for (const char* command : {"new", "check", "train", "resume", "control", "evaluate", "predict", "watch", "bench"})
    EXPECT_NE(run({command, "--help"}).out.find("Example"), std::string::npos) << command;
}

TEST_F(Cli, ATypingErrorLeavesNoRunFolderBehind) {
  run({"train", project(), "--device", "toaster"});
  EXPECT_FALSE(fs::exists(at("runs")));
}

TEST_F(Cli, ExcludedSamplesAreNotUsed) {
  const std::string file = project();
  const CommandOutput names = run({"train", file, "--run-dir", at("all")});
  ASSERT_EQ(names.code, 0) << names.err;
  const Json suspects = run({"data", "suspects", at("all"), "--sure", "0", "--most", "1", "--json"}).lines().at(0);
  GraphDoc doc = *ProjectFile::load(file);
  DataChoice d = doc.data();
  const std::string origin = suspects["name"];
  exclude(d, {origin});
  ASSERT_TRUE(doc.apply({PutData{d}}));
  ASSERT_TRUE(ProjectFile::save(doc, file));
  const CommandOutput trained = run({"train", file, "--run-dir", at("less"), "--json"});
  ASSERT_EQ(trained.code, 0) << trained.err;
  const auto images = [&](const char* run_dir) {
    return run({"evaluate", at(run_dir), "--split", "train", "--json"}).lines().at(0)["samples"].get<int>();
  };
  EXPECT_EQ(images("less"), images("all") - 1);
  EXPECT_EQ(run({"data", "check", file, "--json"}).lines().at(0)["images"], 320 + 64 - 1);
  EXPECT_EQ(run({"data", "check", at("all"), "--json"}).lines().at(0)["images"], 320 + 64);
  for (const Json& s : run({"data", "suspects", at("less"), "--sure", "0", "--most", "1000", "--json"}).lines())
    EXPECT_NE(s["name"], origin);
}

TEST_F(Cli, DataCheckPrintsTheKeysOfVersion01BesideItsOwn) {
  const fs::path place = at("table.csv");
  std::ofstream table(place);
  table << "label,a,b,c,d\n0,9,8,7,6\n1,9,8,7,6\n";
  for (int row = 0; row < 20; ++row) table << row % 2 << ',' << row << ',' << 3 * row << ",7," << 200 - row << '\n';
  table.close();
  const CommandOutput checked = run({"data", "check", place.string(), "--json"});
  ASSERT_EQ(checked.code, 3) << checked.err;
  const Json found = checked.lines().at(0);
  const auto keys = {std::pair{"across_splits", "across"}, std::pair{"labels_differ", "contradicts"}};
  ASSERT_FALSE(found["defects"].empty()) << found;
  for (const Json& defect : found["defects"]) {
    for (const auto& [key, old] : keys) EXPECT_EQ(defect.at(key), defect.at(old)) << defect;
    for (const Json& sample : defect["samples"]) {
      EXPECT_EQ(sample.at("split"), sample.at("part"));
      EXPECT_EQ(sample.at("redundant"), sample.at("superfluous"));
    }
  }
  EXPECT_EQ(found["defects"][0]["labels_differ"], true) << found;
}

TEST_F(Cli, BenchPrintsConsistentThroughputFields) {
  const CommandOutput result = run({"bench", "--nets", "mlp,lenet5", "--seconds", "0.1", "--repeats", "2", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  ASSERT_EQ(result.lines().size(), 2U);
  for (const Json& line : result.lines()) {
    for (const char* field :
         {"net", "mode", "batch", "device", "threads", "images_per_s", "first_step_s", "ms_per_step"})
      EXPECT_TRUE(line.contains(field)) << field;
    // both values are rounded: images_per_s to 0.1, ms_per_step to a microsecond
    const double rate = line["images_per_s"], step_ms = line["ms_per_step"];
    EXPECT_GT(rate, 0);
    EXPECT_NEAR(step_ms, 1e3 * line["batch"].get<double>() / rate, 1e-3 + 0.06 / rate * step_ms);
  }
}

TEST_F(Cli, BenchComparesNumbersOfThreadsWithOneThread) {
  const CommandOutput result =
      run({"bench", "--nets", "mlp", "--noise", "--seconds", "0.1", "--repeats", "1", "--threads", "1,2", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const std::vector<Json> rows = result.lines();
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0]["threads"], 1);
  EXPECT_EQ(rows[0]["scaling"], 1.0);
  EXPECT_EQ(rows[0]["scaling_bound"], 1.0);
  EXPECT_EQ(rows[1]["threads"], 2);
  const double one = rows[0]["images_per_s"], two = rows[1]["images_per_s"];
  EXPECT_NEAR(rows[1]["scaling"].get<double>(), two / one, 1e-6);
  EXPECT_GT(rows[1]["scaling_bound"].get<double>(), 0);
  EXPECT_EQ(run({"bench", "--nets", "mlp", "--threads", "1,-2"}).code, 2);
}

TEST_F(Cli, BenchPrintsKernelsAsLinesToo) {
  const CommandOutput result = run({"bench", "--nets", "lenet5", "--noise", "--seconds", "0.1", "--profile", "--json"});
  ASSERT_EQ(result.code, 0) << result.err;
  const std::vector<Json> lines = result.lines();
  ASSERT_GT(lines.size(), 5U);
  double seconds = 0, share = 0;
  bool counted = false;
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    EXPECT_EQ(lines[i]["type"], "kernel");
    seconds += lines[i]["seconds"].get<double>();
    share += lines[i]["share"].get<double>();
    counted |= lines[i]["kernel"] == "linear_grad_weight" && lines[i]["flops"].get<double>() > 1e6;
  }
  EXPECT_TRUE(counted);
  EXPECT_NEAR(share, 1, 1e-6);
  EXPECT_EQ(lines.back()["type"], "step");
  EXPECT_NEAR(lines.back()["kernels_s"].get<double>(), seconds, 1e-9);
}

TEST_F(Cli, BenchShowsEachKernelsShareOfAStep) {
  const CommandOutput result = run({"bench", "--nets", "lenet5", "--seconds", "0.1", "--profile"});
  ASSERT_EQ(result.code, 0) << result.err;
  for (const char* row : {"lenet5, batch 64", "input to lanes", "conv1 conv2d", "fc3 linear_grad_weight",
                          "loss cross_entropy", "GFLOP/s", "a step, start to end"})
    EXPECT_NE(result.out.find(row), std::string::npos) << row << " is not in\n" << result.out;
}

TEST_F(Cli, RealMnistIsLearntInTwoEpochs) {
  if (data_.empty() || !fs::exists(fs::path(data_) / "mnist"))
    GTEST_SKIP() << "NETWRIGHT_DATA names no folder with MNIST";
  for (const auto& [net, wanted] : {std::pair{"lenet5", 0.97}, std::pair{"mlp", 0.95}, std::pair{"mlp-binary", 0.96}}) {
    if (test::sanitized && net != std::string_view("mlp")) continue;  // the others read the same files, for a minute
    const CommandOutput result =
        run({"train", net, "--data", data_, "--epochs", "2", "--seed", "0", "--json", "--run-dir", at(net)});
    SCOPED_TRACE(std::string(net) + " printed " + result.err + "\nand first " + result.out.substr(0, 1000) +
                 "\nand last " + result.out.substr(result.out.size() - std::min<std::size_t>(result.out.size(), 1000)));
    ASSERT_EQ(result.code, 0);
    const std::vector<Json> lines = result.lines();
    ASSERT_EQ(lines.front().value("type", ""), "started");
    ASSERT_EQ(lines.back().value("type", ""), "ended");
    EXPECT_EQ(lines.front().value("train", 0) + lines.front().value("validation", 0), 60000);
    EXPECT_GE(lines.back().value("test_accuracy", 0.0), wanted);
  }
}

}  // namespace
}  // namespace nw
