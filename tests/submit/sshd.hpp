// SPDX-License-Identifier: Apache-2.0
// Jobs that are submitted by ssh to this computer.
#pragma once
#include <optional>

#include "tests/app/cli_fixture.hpp"
#include "tests/submit/ssh_server.hpp"

namespace nw::test {

class SubmitSsh : public Cli {
 protected:
  SubmitSsh() {
    ::setenv("NETWRIGHT_JOBS", at("jobs").c_str(), 1);
    fs::create_directories(at("there"));
  }
  ~SubmitSsh() override { ::unsetenv("NETWRIGHT_JOBS"); }
  void SetUp() override {
    if (!SshServer::is_installed()) GTEST_SKIP() << "sshd is not installed (Debian: openssh-server)";
    server_.emplace(place_.path);
  }
  void start(const std::string& more = "") { server_->start(more); }
  void cut() { server_->cut(); }
  static std::string program() { return test::programs_folder() + "/netwright-cli"; }
  /// netwright-cli submit of the small project as job "job", with more options of submit and, behind --, of train.
  std::vector<std::string> submit_words(const std::vector<std::string>& more = {}, std::int64_t epochs = 3) {
    std::vector<std::string> words = {"submit",       project(epochs),   "--to",     "ssh:there",
                                      "--ssh-config", server_->client(), "--folder", at("there/job"),
                                      "--program",    program(),         "--name",   "job"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }
  std::string bytes(const std::string& name) {
    const auto read = read_file(at(name), std::uint64_t{1} << 30);
    return read ? *read : "";
  }
  std::string state() {
    const CommandOutput said = run({"jobs", "status", "job"});
    return said.code == 0 ? said.out : said.err;
  }
  std::optional<SshServer> server_;
};

}  // namespace nw::test
