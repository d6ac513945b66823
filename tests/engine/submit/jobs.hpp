// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "engine/submit/target.hpp"
#include "tests/engine/runs/folder.hpp"

namespace nw::submit::test {

/// A job that its target accepts, with a value in most fields that it takes.
inline Job a_job(std::string_view target) {
  Job job{.name = "lenet5", .target = std::string(target), .folder = "netwright/lenet5", .data = "data/mnist"};
  if (target == "ssh") job.host = "me@example.org";
  if (target == "slurm") job.resources = {.cpus = 2, .memory_mib = 1000, .time_limit_minutes = 10, .partition = "a"};
  if (target == "kubernetes") {
    job.folder = "/data/netwright/lenet5";
    job.data = "/data/mnist";
    job.resources = {.gpus = 1,
                     .cpus = 4,
                     .memory_mib = 8192,
                     .shared_memory_mib = 1024,
                     .time_limit_minutes = 60,
                     .node_selector = {{"kubernetes.io/arch", "amd64"}, {"disk", "ssd"}},
                     .data_volume = "sets",
                     .image = "registry.example.org:5000/netwright:0.1.0",
                     .name_space = "team"};
  }
  return job;
}

}  // namespace nw::submit::test
