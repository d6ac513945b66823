// SPDX-License-Identifier: Apache-2.0
// Damaged, malformed and newer project files, and unwritable output files, given to the real program.
#include <sys/resource.h>

#include <algorithm>

#include "tests/app/rejection_tests.hpp"

namespace nw {
namespace {

class MalformedProjects : public RejectionTests {
 protected:
  /// Every command that reads projects rejects the file with the same message and leaves the file unchanged.
  void rejected_everywhere(const std::string& file, const Words& words) {
    refused({"check", file}, 3, words);
    refused({"train", file}, 3, words);
    refused({"bench", "--nets", file, "--seconds", "0.01"}, 3, words);
  }
  static std::string block(int number, const std::string& inner) {
    return "\"B" + std::to_string(number) +
           R"(":{"network":{"nodes":[{"id":1,"type":"BlockInput","name":"in"},{"id":2,"type":"Block","name":"a","attrs":{"block":")" +
           inner +
           R"(","repeat":1000}},{"id":3,"type":"BlockOutput","name":"out"}],"connections":[[1,0,2,0],[2,0,3,0]]}})";
  }
};

TEST_F(MalformedProjects, AreRejectedWithAReasonAndNotModified) {
  const std::string good = ProjectFile::text(find_template("mlp")->make());
  const auto project = [](const std::string& nodes, const std::string& more = "") {
    return R"({"format":1,"network":{"nodes":[)" + nodes + "]}" + more + "}";
  };
  struct Case {
    std::string name, bytes;
    Words words;
  };
  for (const Case& c : std::vector<Case>{
           {"empty.netwright", "", {"empty.netwright:1:1", "not valid JSON"}},
           {"text.netwright", "hello", {"text.netwright:1:", "not valid JSON"}},
           {"cut.netwright", good.substr(0, good.size() / 2), {"cut.netwright:", "not valid JSON"}},
           {"behind.netwright", good + "x", {"behind.netwright:", "not valid JSON"}},
           {"list.netwright", "[]", {"list.netwright", "no Netwright project"}},
           {"other.netwright", R"({"name":"package","version":"1.0"})", {"other.netwright is no Netwright project"}},
           {"newer.netwright",
            R"({"format":2,"network":7})",
            {"newer.netwright was written by a newer Netwright (format 2, this one reads 1)", "it was left as it is"}},
           {"twice.netwright", R"({"format":1,"format":1})", {"twice.netwright:1:", "the key \"format\" occurs twice"}},
           {"deep.netwright",
            R"({"format":1,"network":)" + std::string(100'000, '[') + std::string(100'000, ']') + "}",
            {"deep.netwright:1:", "nested deeper than 64 levels"}},
           {"number.netwright", R"({"format":1,"training":{"batch":1e999}})", {"number.netwright"}},
           {"batch.netwright",
            R"({"format":1,"training":{"batch":-5}})",
            {"batch.netwright: training.batch must be a whole number from 1 to"}},
           {"node.netwright", project(R"({"id":1,"type":"ReLU","name":"a b"})"), {"node.netwright: network"}},
           {"ids.netwright",
            project(R"({"id":1,"type":"ReLU","name":"a"},{"id":1,"type":"ReLU","name":"b"})"),
            {"the number 1 is taken"}},
           {"self.netwright",
            project("", R"(,"blocks":{)" + block(1, "B2") + "," + block(2, "B1") + "}"),
            {"self.netwright: blocks", "contains itself"}},
           {"utf8.netwright", "{\"format\":1,\"x\":\"\xff\xfe\"}", {"utf8.netwright:1:", "not valid JSON"}},
       })
    rejected_everywhere(put(c.name, c.bytes), c.words);
}

TEST_F(MalformedProjects, PathsThatAreNotFilesAreRejectedWithoutBlocking) {
  rejected_everywhere(at("absent"),
                      {"there is neither a file nor a template", at("absent"), "new --list shows the templates"});
  rejected_everywhere(place_.path.string(), {"is not a file"});
  rejected_everywhere(pipe("pipe.netwright"), {"pipe.netwright is not a file"});
  fs::create_symlink("loop", at("loop"));
  rejected_everywhere(at("loop"), {"loop cannot be opened"});
  rejected_everywhere("/dev/zero", {"/dev/zero is not a file"});
  rejected_everywhere(at(std::string(300, 'n')), {"there is neither a file nor a template"});
  const std::string huge = put("huge.netwright", "{");
  fs::resize_file(huge, std::uintmax_t{1} << 33);  // sparse
  EXPECT_EQ(run({"check", huge}).code, 3);
  EXPECT_NE(run({"train", huge}).err.find("larger than"), std::string::npos);
  fs::remove(huge);
}

TEST_F(MalformedProjects, NetworksThatCannotBeTrainedAreRejectedByNodeAndLeaveNoRun) {
  const auto with = [](const std::string& nodes, const std::string& wires, const std::string& more = "") {
    return R"({"format":1,"network":{"nodes":[)" + nodes + R"(],"connections":[)" + wires + "]}" + more + "}";
  };
  const std::string input = R"({"id":1,"type":"Input","name":"images"},)",
                    loss = R"({"id":9,"type":"CrossEntropy","name":"loss"})";
  const std::string ring =
      put("ring.netwright",
          with(input + R"({"id":2,"type":"Add","name":"sum"},{"id":3,"type":"ReLU","name":"relu"},)" + loss,
               "[1,0,2,0],[3,0,2,1],[2,0,3,0],[3,0,9,0]"));
  const std::string unknown =
      put("unknown.netwright", with(input + R"({"id":2,"type":"Conv9d","name":"odd"},)" + loss, "[1,0,2,0],[2,0,9,0]"));
  std::string blocks;
  for (int i = 0; i < 12; ++i) blocks += block(i, "B" + std::to_string(i + 1)) + ",";
  blocks +=
      R"("B12":{"network":{"nodes":[{"id":1,"type":"BlockInput","name":"in"},{"id":2,"type":"ReLU","name":"r"},{"id":3,"type":"BlockOutput","name":"out"}],"connections":[[1,0,2,0],[2,0,3,0]]}})";
  const std::string bomb =
      put("bomb.netwright", with(input + R"({"id":2,"type":"Block","name":"b","attrs":{"block":"B0"}},)" + loss,
                                 "[1,0,2,0],[2,0,9,0]", R"(,"blocks":{)" + blocks + "}"));
  struct Case {
    std::string file;
    Words words;
  };
  for (const Case& c : std::vector<Case>{{ring, {"sum: Its output is connected back to its input"}},
                                         {unknown, {"odd: There is no layer \"Conv9d\"; did you mean Conv2d?"}},
                                         {bomb, {"more than 100000 layers once its blocks are repeated"}},
                                         {put("nothing.netwright", R"({"format":1})"), {"The network is empty"}}}) {
    refused({"train", c.file}, 3, c.words);
    EXPECT_TRUE(!fs::exists(at("runs")) || fs::is_empty(at("runs"))) << "a run that never began is not listed";
    const CommandOutput checked = run({"check", c.file});
    EXPECT_EQ(checked.code, 3);
    EXPECT_NE(checked.out.find("error: "), std::string::npos) << checked.out;
  }
}

TEST_F(MalformedProjects, WriteErrorIsReportedAndKeepsTheOldFile) {
  const std::string file = put("there.netwright", "old");
  refused({"new", "-t", "mlp", "-o", file}, 2, {"there.netwright exists already", "--force replaces it"});
  refused({"new", "-t", "mlp", "-o", at("no/such/folder/x.netwright")}, 3, {"no/such/folder is not there"});
  refused({"new", "-t", "mlp", "--force", "-o", place_.path.string()}, 3, {"is not a file"});
  refused({"new", "-t", "mlp", "--force", "-o", pipe("pipe")}, 3, {"pipe is not a file"});
  refused({"train", project(), "--run-dir", file}, 3, {"there.netwright is not a folder: it is a file"});
  ASSERT_EQ(run({"train", project(), "--run-dir", at("run"), "--quiet"}).code, 0);
  refused({"train", project(), "--run-dir", at("run")}, 2,
          {at("run") + " holds a run already", "choose another folder"});
}

TEST_F(MalformedProjects, FileSizeLimitIsReportedAsAFullDisk) {
  const std::string file = at("kept.netwright");
  ASSERT_EQ(run({"new", "-t", "mlp", "-o", file}).code, 0);
  const std::string before = *read_file(file, 1 << 20), small = project();
  const auto limited = [&](const Words& arguments, rlim_t bytes) {
    return run(arguments, {.words = {}, .first = [=] {
                             const rlimit limit{bytes, bytes};
                             ::setrlimit(RLIMIT_FSIZE, &limit);
                           }});
  };
  const CommandOutput output = limited({"new", "-t", "resnet18-cifar", "--force", "-o", file}, 1000);
  EXPECT_EQ(output.code, 7);
  EXPECT_NE(output.err.find("kept.netwright cannot be written: not enough space"), std::string::npos) << output.err;
  EXPECT_NE(output.err.find("The old file is unchanged"), std::string::npos) << output.err;
  EXPECT_EQ(*read_file(file, 1 << 20), before);
  const CommandOutput trained =
      limited({"train", small, "--run-dir", at("run"), "--disk-wait", "0", "--quiet"}, 100'000);
  EXPECT_EQ(trained.code, 7);
  EXPECT_NE(trained.err.find("model.safetensors cannot be written: not enough space"), std::string::npos)
      << trained.err;
  EXPECT_EQ(std::count(trained.err.begin(), trained.err.end(), '\n'), 1) << trained.err;
  EXPECT_TRUE(list_checkpoints(at("run")).empty());
  EXPECT_EQ(std::distance(fs::directory_iterator(at("run/checkpoints")), {}), 0) << "no half-written checkpoint stays";
}

}  // namespace
}  // namespace nw
