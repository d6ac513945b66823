// SPDX-License-Identifier: Apache-2.0
// Paths on the command line: refusals name the path as it was typed, what is there and what to type instead; names that
// are not UTF-8 are found again.
#include <sys/prctl.h>

#include "engine/core/path_text.hpp"
#include "tests/app/rejection_tests.hpp"

// of linux/capability.h: what lets root open files without permission
constexpr int cap_dac_override = 1, cap_dac_read_search = 2;

namespace nw {
namespace {

using Words = std::vector<std::string>;

class Paths : public RejectionTests {
 protected:
  using Answers = std::map<std::string, std::string>;  // by the name of the path; {} stands for it

  Paths() {
    fs::create_directory(at("folder"));
    put("file", "hello\n");
    pipe("pipe");
    fs::create_symlink("nowhere", at("dangling"));
    put("image.bmp", test::bmp_bytes(28, 28, 9, 9, 9));
  }
  ~Paths() override {
    std::error_code ignored;
    fs::permissions(at("locked"), fs::perms::owner_all, ignored);
  }

  /// "locked" becomes a file or a folder that this user may not read, though it be root.
  void lock(bool folder) {
    if (folder)
      fs::create_directory(at("locked"));
    else
      put("locked", "x");
    fs::permissions(at("locked"), fs::perms::none);
  }
  /// Commands are typed in the folder of the test, so that its paths are relative.
  Launch here() const {
    return {.words = {}, .first = [folder = place_.path] {
              ::prctl(PR_CAPBSET_DROP, cap_dac_override);
              ::prctl(PR_CAPBSET_DROP, cap_dac_read_search);
              if (::chdir(folder.c_str()) != 0) ::_exit(99);
            }};
  }
  static std::string with(std::string text, const std::string& path) {
    for (std::size_t i; (i = text.find("{}")) != std::string::npos;) text.replace(i, 2, path);
    return text;
  }
  /// Plays each command ("{}" is the path) with each path of `answers`.
  void play(const std::vector<Words>& commands, int code, const Answers& answers) {
    for (const Words& command : commands)
      for (const auto& [path, answer] : answers) {
        Words typed;
        for (const std::string& word : command) typed.push_back(with(word, path));
        refused(typed, code, {"netwright-cli: " + with(answer, path)}, here());
      }
  }
};

TEST_F(Paths, ThatAreNoProjectAreRefusedBySentence) {
  lock(false);
  const std::string hint = "; netwright-cli new --list shows the templates\n";
  play({{"check", "{}"},
        {"train", "{}"},
        {"estimate", "{}"},
        {"diff", "{}", "mlp"},
        {"diff", "mlp", "{}"},
        {"bench", "--nets", "{}", "--seconds", "0.01"}},
       3,
       {{"missing", "there is neither a file nor a template \"{}\"" + hint},
        {"file", "{}:1:1: this is not valid JSON"},
        {"pipe", "{} is not a file: it is a pipe" + hint},
        {"dangling", "{} is a link to nowhere, which is not there" + hint},
        {"locked", "{} cannot be opened: Permission denied\n"}});
  play({{"check", "{}"}, {"train", "{}"}, {"estimate", "{}"}}, 3,
       {{"folder", "{} is not a file: it is a folder" + hint}});
}

TEST_F(Paths, ThatAreNoRunAreRefusedBySentence) {
  lock(true);
  const std::string hint = "; netwright-cli runs list shows the runs\n";
  play({{"resume", "{}"},
        {"resume", "{}", "--verify"},
        {"evaluate", "{}"},
        {"predict", "{}", "image.bmp"},
        {"watch", "{}"},
        {"control", "{}", "status"},
        {"runs", "layers", "{}"},
        {"doctor", "{}"},
        {"data", "suspects", "{}"},
        {"infer-bench", "{}"},
        {"compare-devices", "{}", "--devices", "cpu,reference"}},
       3,
       {{"missing", "{} is not there" + hint},
        {"folder", "{} is not the folder of a run: it holds no run.json" + hint},
        {"file", "{} is not a folder: it is a file" + hint},
        {"pipe", "{} is not a folder: it is a pipe" + hint},
        {"dangling", "{} is a link to nowhere, which is not there" + hint},
        {"locked", "{} is a folder that cannot be read: Permission denied" + hint}});
  play({{"runs", "list", "{}"}}, 3,
       {{"missing", "{} is not there\n"},
        {"file", "{} is not a folder: it is a file\n"},
        {"pipe", "{} is not a folder: it is a pipe\n"},
        {"dangling", "{} is a link to nowhere, which is not there\n"},
        {"locked", "{} is a folder that cannot be read: Permission denied\n"}});
}

TEST_F(Paths, ThatAreNoDataAreRefusedBySentence) {
  lock(true);
  const std::string hint = "; netwright-cli data list shows the public data sets\n";
  const Answers absent = {{"missing", "{} is not there" + hint},
                          {"dangling", "{} is a link to nowhere, which is not there" + hint},
                          {"locked", "{} is a folder that cannot be read: Permission denied\n"}};
  play({{"data", "inspect", "{}"}, {"data", "check", "{}"}, {"data", "verify", "{}"}}, 3,
       {{"folder", "{}: has no class folders; put the images of each class into a folder named after it\n"},
        {"file", "{}, line 1: has one column; a label and pixels are needed\n"},
        {"pipe", "{} is not a file: it is a pipe\n"}});
  const std::string synthetic = fs::path(project()).filename().string();
  play({{"data", "inspect", "{}"},
        {"data", "check", "{}"},
        {"data", "verify", "{}"},
        {"train", synthetic, "--data", "{}"},
        {"check", synthetic, "--data", "{}"},
        {"estimate", synthetic, "--data", "{}"}},
       3, absent);
  // a project of synthetic data was trained on them, whatever the option said
  const std::string ignored = "{} is no data set of a kind that is recognized; netwright-cli data inspect says what is";
  play({{"train", synthetic, "--data", "{}"}}, 3, {{"folder", ignored}, {"file", ignored}, {"pipe", ignored}});
  play({{"new", "--photos", "{}", "-o", "photos.netwright"}}, 3,
       {{"missing", "{} is not there\n"},
        {"folder", "{}: has no class folders"},
        {"file", "{} is not a folder: it is a file\n"},
        {"pipe", "{} is not a folder: it is a pipe\n"},
        {"dangling", "{} is a link to nowhere, which is not there\n"},
        {"locked", "{} is a folder that cannot be read: Permission denied\n"}});
}

TEST_F(Paths, ThatCannotBeWrittenAreRefusedBySentenceAndBeforeTheWork) {
  const std::string small = fs::path(project()).filename().string();
  ASSERT_EQ(run({"train", at(small), "--run-dir", at("run"), "--quiet"}).code, 0);
  lock(true);
  play({{"new", "-t", "mlp", "--force", "-o", "{}"}, {"evaluate", "run", "--report", "{}"}}, 3,
       {{"folder", "{} is not a file: it is a folder\n"},
        {"pipe", "{} is not a file: it is a pipe\n"},
        {"dangling", "{} is a link to nowhere, which is not there\n"}});
  play({{"new", "-t", "mlp", "-o", "{}/x.netwright"}, {"evaluate", "run", "--report", "{}/x.html"}}, 3,
       {{"missing", "{} is not there\n"},
        {"file", "{} is not a folder: it is a file\n"},
        {"pipe", "{} is not a folder: it is a pipe\n"},
        {"dangling", "{} is a link to nowhere, which is not there\n"}});
  play({{"train", small, "--run-dir", "{}"}, {"train", small, "--run-dir", "{}/run"}}, 3,
       {{"file", "{} is not a folder: it is a file\n"},
        {"pipe", "{} is not a folder: it is a pipe\n"},
        {"dangling", "{} is a link to nowhere, which is not there\n"}});
  play({{"train", small, "--run-dir", "{}/run"}}, 7,
       {{"locked", "the folder {}/run cannot be created: Permission denied\n"}});
}

TEST_F(Paths, ThatAreNoImageAreRefusedBySentence) {
  ASSERT_EQ(run({"train", project(), "--run-dir", at("run"), "--quiet"}).code, 0);
  lock(false);
  play({{"predict", "run", "{}"}}, 3,
       {{"missing", "{} is not there\n"},
        {"folder", "{} is not a file: it is a folder\n"},
        {"file", "{}: not an image of a kind that is read"},
        {"pipe", "{} is not a file: it is a pipe\n"},
        {"dangling", "{} is a link to nowhere, which is not there\n"},
        {"locked", "{} cannot be opened: Permission denied\n"}});
}

class OddNames : public Cli {
 protected:
  /// Twelve photos of two classes in a folder whose name, like that of one photo, is not UTF-8.
  std::string photos() {
    const std::string folder = at("photos\xff\xe4");
    for (const auto& [name, red] : {std::pair{"cat", 250}, {"dog", 20}})
      for (int i = 0; i < 6; ++i) {
        const std::string file = i == 0 ? "odd\xfe.bmp" : std::to_string(i) + ".bmp";
        test::write_bytes(fs::path(folder) / name / file,
                          test::bmp_bytes(28, 28, static_cast<std::uint8_t>(red - i), 40, 90));
      }
    return folder;
  }
  /// A perceptron for two classes of photos at `path`, without the photo `excluded`.
  std::string project_of(const std::string& path, const std::string& excluded) {
    Json p = Json::parse(ProjectFile::text(find_template("mlp")->make()));
    for (Json& node : p["network"]["nodes"])
      if (node["type"] == "Linear" && node["attrs"]["out_features"] == 10) node["attrs"]["out_features"] = 2;
    p["training"]["epochs"] = 1;
    p["data"].update({{"kind", "image_folder"},
                      {"path", path_to_text(path)},
                      {"channels", 1},
                      {"height", 28},
                      {"width", 28},
                      {"test_fraction", 0.34},
                      {"validation_fraction", 0.0}});
    if (!excluded.empty()) p["data"]["excluded"] = {path_to_text(excluded)};
    test::write_bytes(at("odd.netwright"), p.dump());
    return at("odd.netwright");
  }
  /// Trains, evaluates and resumes; the number of samples of the run, training and test.
  std::int64_t samples_of(const Words& train, const std::string& run_dir) {
    Words words = train;
    words.insert(words.end(), {"--run-dir", run_dir, "--quiet"});
    const CommandOutput trained = run(words);
    EXPECT_EQ(trained.code, 0) << trained.err;
    const CommandOutput evaluated = run({"evaluate", run_dir});
    EXPECT_EQ(evaluated.code, 0) << evaluated.err;
    const CommandOutput resumed = run({"resume", run_dir, "--epochs", "2"});
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ((trained.err + evaluated.err + resumed.err).find("The data is not"), std::string::npos) << resumed.err;
    std::vector<Event> events;
    EXPECT_TRUE(EventTail(run_dir).poll(events));
    for (const Event& e : events)
      if (const auto* s = std::get_if<Started>(&e.what)) return s->train + s->test;
    return -1;
  }
};

TEST_F(OddNames, DataAreTrainedEvaluatedAndResumed) {
  const std::string folder = photos();
  EXPECT_EQ(samples_of({"train", project_of(folder, "")}, at("in-project")), 12);
  EXPECT_EQ(samples_of({"train", project_of("", ""), "--data", folder}, at("by-option")), 12);
  EXPECT_EQ(samples_of({"train", project_of(folder, "")}, at("run\xfd")), 12);
}

TEST_F(OddNames, AnExcludedFileIsNotTrained) {
  EXPECT_EQ(samples_of({"train", project_of(photos(), "train: cat/odd\xfe.bmp")}, at("run")), 11);
}

}  // namespace
}  // namespace nw
