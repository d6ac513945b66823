// SPDX-License-Identifier: Apache-2.0
// An sshd on 127.0.0.1 with keys, port and configuration of its own, for this user alone.
#pragma once
#include <memory>

#include "tests/app/cli_fixture.hpp"
#include "tests/submit/servers.hpp"

namespace nw::test {

class SubmitSsh : public Cli {
 protected:
  SubmitSsh() {
    ::setenv("NETWRIGHT_JOBS", at("jobs").c_str(), 1);
    fs::create_directories(at("there"));
  }
  ~SubmitSsh() override { ::unsetenv("NETWRIGHT_JOBS"); }
  void SetUp() override {
    if (::access("/usr/sbin/sshd", X_OK) != 0) GTEST_SKIP() << "sshd is not installed (Debian: openssh-server)";
    if (::geteuid() == 0) fs::create_directories("/run/sshd");
    for (const char* key : {"host_key", "user_key"})
      ASSERT_EQ(std::system(("ssh-keygen -q -t ed25519 -N '' -f " + at(key)).c_str()), 0);
    fs::copy_file(at("user_key.pub"), at("authorized_keys"));
    port_ = free_port();
    start();
    write_client(port_);
  }
  void start(const std::string& more = "") {
    server_.reset();
    ASSERT_TRUE(
        save_file(at("sshd_config"),
                  fmt::format("Port {}\nListenAddress 127.0.0.1\nHostKey {}\nPidFile none\nAuthorizedKeysFile {}\n"
                              "StrictModes no\nUsePAM no\nPermitRootLogin yes\nPasswordAuthentication no\n"
                              "MaxStartups 100\nPrintMotd no\n{}",
                              port_, at("host_key"), at("authorized_keys"), more)));
    server_ = std::make_unique<Server>(std::vector<std::string>{"/usr/sbin/sshd", "-D", "-e", "-f", at("sshd_config")},
                                       at("sshd.log"));
    ASSERT_TRUE(wait_for([&] { return answers(port_); }));
  }
  /// The client's configuration: host "there" is 127.0.0.1 at this port.
  void write_client(int port) {
    ASSERT_TRUE(
        save_file(at("ssh_config"),
                  fmt::format("Host there\n  HostName 127.0.0.1\n  Port {}\n  IdentityFile {}\n  IdentitiesOnly yes\n"
                              "  UserKnownHostsFile /dev/null\n  StrictHostKeyChecking no\n  LogLevel ERROR\n",
                              port, at("user_key"))));
  }
  /// Ends every connection that is open, as a network does that goes away.
  void cut() {
    for (const pid_t child : children_of(server_->pid())) ::kill(child, SIGKILL);
  }
  static std::string program() { return test::programs_folder() + "/netwright-cli"; }
  /// netwright-cli submit of the small project as job "job", with more options of submit and, behind --, of train.
  std::vector<std::string> submit_words(const std::vector<std::string>& more = {}, std::int64_t epochs = 3) {
    std::vector<std::string> words = {"submit",       project(epochs),  "--to",     "ssh:there",
                                      "--ssh-config", at("ssh_config"), "--folder", at("there/job"),
                                      "--program",    program(),        "--name",   "job"};
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
  int port_ = 0;
  std::unique_ptr<Server> server_;
};

}  // namespace nw::test
