// SPDX-License-Identifier: Apache-2.0
// cuDNN's choice for a graph, stored on disk for later processes: one small file for each graph, device and version. A
// file that is damaged or of another graph is treated as missing.
#pragma once
#include <optional>
#include <string>

namespace nw::cuda {

class PlanCache {
 public:
  /// `folder`: created with the first entry; empty: nothing is stored. `machine`: device, driver and library; a file of
  /// another one is ignored.
  PlanCache(std::string folder, std::string machine) : folder_(std::move(folder)), machine_(std::move(machine)) {}
  bool keeps() const { return !folder_.empty(); }
  std::optional<std::string> find(const std::string& graph);
  /// Writes to a temporary file and renames it: readers see a complete file or none. Failures are ignored.
  void keep(const std::string& graph, const std::string& plan) const;
  /// The number of files that existed and could not be used.
  int damaged() const { return damaged_; }
  /// Counts the result of find() as damaged, because cuDNN rejected it.
  void refuse() { ++damaged_; }

 private:
  std::string path_of(const std::string& graph) const;
  std::string head_of(const std::string& graph, const std::string& plan) const;
  std::string folder_, machine_;
  int damaged_ = 0;
};

/// This user's folder for such files: $XDG_CACHE_HOME or ~/.cache; empty: there is none.
std::string plan_cache_folder();

}  // namespace nw::cuda
