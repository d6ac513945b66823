// SPDX-License-Identifier: Apache-2.0
// A Slurm of one node: munged, slurmctld and slurmd with keys, ports and folders of their own. As root.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <memory>

#include "tests/submit/servers.hpp"

namespace nw::test {

class SlurmServer {
 public:
  /// In this folder, which must exist. SLURM_CONF is set as long as the server runs.
  explicit SlurmServer(fs::path place) : place_(std::move(place)) { start(); }
  ~SlurmServer() { ::unsetenv("SLURM_CONF"); }
  SlurmServer(const SlurmServer&) = delete;
  SlurmServer& operator=(const SlurmServer&) = delete;
  /// Why there can be none; empty: there can.
  static std::string why_not() {
    if (!std::getenv("NETWRIGHT_LONG")) return "NETWRIGHT_LONG is not set";
    if (::geteuid() != 0) return "only root can start Slurm's daemons";
    for (const char* daemon : {"/usr/sbin/munged", "/usr/sbin/slurmctld", "/usr/sbin/slurmd"})
      if (::access(daemon, X_OK) != 0)
        return std::string(daemon) + " is not installed (Debian: slurmctld, slurmd, munge)";
    return {};
  }

 private:
  std::string at(const char* name) const { return (place_ / name).string(); }
  void start() {
    fs::permissions(place_, fs::perms(0755));
    for (const char* folder : {"munge", "state", "spool"}) fs::create_directory(at(folder));
    ASSERT_TRUE(save_file(at("munge/key"), std::string(128, 'k'), 0600));
    munged_ = std::make_unique<Server>(
        std::vector<std::string>{"/usr/sbin/munged", "--foreground", "--force", "--key-file=" + at("munge/key"),
                                 "--socket=" + at("munge/socket"), "--pid-file=" + at("munge/pid"),
                                 "--log-file=" + at("munge/log"), "--seed-file=" + at("munge/seed")},
        at("munged.log"));
    ASSERT_TRUE(becomes([&] { return fs::exists(at("munge/socket")); }));
    write_configuration();
    ::setenv("SLURM_CONF", at("slurm.conf").c_str(), 1);
    controller_ = std::make_unique<Server>(
        std::vector<std::string>{"/usr/sbin/slurmctld", "-D", "-c", "-f", at("slurm.conf")}, at("slurmctld.log"));
    node_ = std::make_unique<Server>(std::vector<std::string>{"/usr/sbin/slurmd", "-D", "-f", at("slurm.conf")},
                                     at("slurmd.log"));
    ASSERT_TRUE(becomes([] { return std::system("sinfo -h -o %T 2>/dev/null | grep -q idle") == 0; }));
  }
  void write_configuration() const {
    char host[256] = {};
    ::gethostname(host, sizeof host - 1);
    ASSERT_TRUE(save_file(
        at("slurm.conf"),
        fmt::format(
            "ClusterName=test\nSlurmctldHost={0}(127.0.0.1)\nSlurmUser=root\nAuthType=auth/munge\nAuthInfo=socket={1}\n"
            "CredType=cred/munge\nSlurmctldPort={2}\nSlurmdPort={3}\nStateSaveLocation={4}\nSlurmdSpoolDir={5}\n"
            "SlurmctldPidFile={6}\nSlurmdPidFile={7}\nProctrackType=proctrack/linuxproc\nTaskPlugin=task/none\n"
            "SelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nReturnToService=2\nMpiDefault=none\n"
            "SchedulerParameters=sched_interval=2\nKillWait=20\nSlurmdParameters=config_overrides\n"
            "NodeName={0} NodeAddr=127.0.0.1 CPUs={8} State=UNKNOWN\nPartitionName=long Nodes={0} Default=YES "
            "State=UP\n",
            host, at("munge/socket"), free_port(), free_port(), at("state"), at("spool"), at("ctld.pid"),
            at("slurmd.pid"), ::sysconf(_SC_NPROCESSORS_ONLN))));
  }
  fs::path place_;
  std::unique_ptr<Server> munged_, controller_, node_;
};

}  // namespace nw::test
