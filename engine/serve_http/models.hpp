// SPDX-License-Identifier: Apache-2.0
// The networks of a server: one a run folder, loaded again when the run has a new checkpoint.
#pragma once
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/predict/batch_network.hpp"
#include "engine/serve_http/tensors.hpp"

namespace nw::serve_http {

/// One loaded checkpoint. Requests hold the version that they were checked against until they are answered.
struct Model {
  std::string name, version;              // of the run's folder; the checkpoint's step
  std::unique_ptr<BatchNetwork> network;  // used by the batcher's thread only, but for what never changes
  ImageForm form;
  const RunDefinition& definition() const { return network->definition(); }
  /// The name of class `k`, or its number.
  std::string class_name(std::size_t k) const;
};
using ModelPointer = std::shared_ptr<const Model>;

/// The name under which a run is served: its folder's, of which bytes other than A-Z a-z 0-9 . _ - become "-".
std::string model_name(const fs::path& run);

/// What update() did with a run.
struct Reload {
  std::string model, version;
  std::string problem;  // why the older version goes on; empty: the newer one is served
};

/// The served networks. Safe from several threads.
class Models {
 public:
  /// Loads all; an error if one cannot be loaded, or if two have the same name.
  static Result<std::unique_ptr<Models>> open(const std::vector<fs::path>& runs, const BatchNetwork::Options&);
  /// Null: there is none of this name.
  ModelPointer find(std::string_view name) const;
  std::vector<ModelPointer> all() const;
  /// Loads what is newer than what is served. A run that cannot be read (its folder is gone, its checkpoint damaged)
  /// goes on with the version in memory; each such state is reported once.
  std::vector<Reload> update();
  /// Why the version in memory may be old: what update() last reported; empty: it is the newest.
  std::string problem(std::string_view name) const;

 private:
  struct Entry {
    fs::path run;
    ModelPointer model;
    std::string problem;
  };
  explicit Models(BatchNetwork::Options o) : options_(std::move(o)) {}
  Result<ModelPointer> load(const fs::path& run) const;

  const BatchNetwork::Options options_;
  mutable std::mutex mutex_;
  std::vector<Entry> entries_;  // guarded by mutex_; only update() changes it after open()
};

}  // namespace nw::serve_http
