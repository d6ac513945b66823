// SPDX-License-Identifier: Apache-2.0
// An sshd on 127.0.0.1 with keys, port and configuration of its own, for this user alone.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "tests/submit/servers.hpp"

namespace nw::test {

class SshServer {
 public:
  /// In this folder, which must exist.
  explicit SshServer(fs::path place) : place_(std::move(place)), port_(free_port()) {
    if (::geteuid() == 0) fs::create_directories("/run/sshd");
    for (const char* key : {"host_key", "user_key"})
      EXPECT_EQ(std::system(("ssh-keygen -q -t ed25519 -N '' -f " + at(key)).c_str()), 0);
    fs::copy_file(at("user_key.pub"), at("authorized_keys"));
    start();
    write_client();
  }
  static bool is_installed() { return ::access("/usr/sbin/sshd", X_OK) == 0; }
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
    ASSERT_TRUE(becomes([&] { return answers(port_); }));
  }
  void stop() { server_.reset(); }
  /// Ends every connection that is open, as a network does that goes away.
  void cut() const {
    for (const pid_t child : children_of(server_->pid())) ::kill(child, SIGKILL);
  }
  bool is_connected() const { return !children_of(server_->pid()).empty(); }
  /// The client's configuration: host "there" is this server.
  std::string client() const { return at("ssh_config"); }

 private:
  void write_client() const {
    ASSERT_TRUE(save_file(
        client(), fmt::format("Host there\n  HostName 127.0.0.1\n  Port {}\n  IdentityFile {}\n  IdentitiesOnly yes\n"
                              "  UserKnownHostsFile /dev/null\n  StrictHostKeyChecking no\n  LogLevel ERROR\n",
                              port_, at("user_key"))));
  }
  std::string at(const char* name) const { return (place_ / name).string(); }
  fs::path place_;
  int port_;
  std::unique_ptr<Server> server_;
};

}  // namespace nw::test
