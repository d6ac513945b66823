// SPDX-License-Identifier: Apache-2.0
// Checks common to every rejection by the program: one sentence on stderr, empty stdout, the documented exit code, no
// file changed.
#pragma once
#include <sys/stat.h>

#include <algorithm>
#include <map>

#include "tests/app/cli_fixture.hpp"
#include "tests/support/data_files.hpp"

namespace nw {

class RejectionTests : public Cli {
 protected:
  using Words = std::vector<std::string>;
  using Change = std::function<void(DataChoice&, TrainSettings&)>;

  /// Name and content of every file of the test, except the captured outputs of commands.
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> all;
    for (const auto& entry : fs::recursive_directory_iterator(place_.path)) {
      const std::string name = entry.path().lexically_relative(place_.path).string();
      const bool result = name.starts_with("out") || name.starts_with("rt");
      std::error_code ignored;
      if (!result && entry.is_regular_file(ignored)) all[name] = *read_file(entry.path(), std::uint64_t{1} << 40);
    }
    return all;
  }
  void refused(const Words& arguments, int code, const Words& words, const Launch& launch = {}) {
    std::string command;
    for (const std::string& a : arguments) command += a + " ";
    SCOPED_TRACE(command);
    const auto before = files();
    const CommandOutput result = run(arguments, launch);
    EXPECT_EQ(result.code, code) << result.err;
    EXPECT_EQ(result.out, "");
    EXPECT_TRUE(result.err.starts_with("netwright-cli: ")) << result.err;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_LE(result.err.size(), 500U) << result.err;
    for (const std::string& w : words)
      EXPECT_NE(result.err.find(w), std::string::npos) << "\"" << w << "\" is not in: " << result.err;
    auto after = files();
    for (auto& [name, bytes] : after)  // a rejection may append the reason to the run's events
      if (name.ends_with("events.jsonl") && before.contains(name) && bytes.starts_with(before.at(name)))
        bytes = before.at(name);
    EXPECT_TRUE(after == before) << "a file was written or lost";
  }
  std::string put(const std::string& name, std::string_view bytes) const {
    test::write_bytes(at(name), bytes);
    return at(name);
  }
  std::string pipe(const std::string& name) const {
    ::mkfifo(at(name).c_str(), 0600);
    return at(name);
  }
  /// A perceptron project on the data set that `change` selects.
  std::string project_on(const Change& change) {
    GraphDoc doc = find_template("mlp")->make();
    DataChoice d = doc.data();
    TrainSettings s = doc.settings();
    s.epochs = 1;
    change(d, s);
    EXPECT_TRUE(doc.apply({PutSettings{s}, PutData{d}}));
    EXPECT_TRUE(ProjectFile::save(doc, at("on.netwright")));
    return at("on.netwright");
  }
};

}  // namespace nw
