// SPDX-License-Identifier: Apache-2.0
// The members of Replicas for each device. Private to replicas*.cpp.
#pragma once
#include <map>

#include "engine/data/batches/inputs.hpp"
#include "engine/train/replicas.hpp"
#include "engine/train/stage_updates.hpp"

namespace nw {

struct Replicas::Rank {
  int rank = 0;           // among all devices of the run
  std::size_t index = 0;  // among those of this process
  std::string name;       // "cpu:1"
  std::shared_ptr<const Device> device;
  std::unique_ptr<Team> team;
  Communicator* communicator = nullptr;
  Compiled training, evaluation;
  std::unique_ptr<Executable> train, evaluate;  // evaluate: null where another process evaluates
  bool evaluates_copy = false;                  // `evaluate` has weights of its own, which gather_weights() sets
  StageUpdates* updates = nullptr;              // `train`, where the stages' devices have their own memory; else null
  // where gradients are accumulated: the optimizer's steps, which `train` then lacks, and its state; else null
  std::unique_ptr<Executable> update;
  std::unique_ptr<Pipeline> pipeline;                                  // null without model parallelism
  Pipeline::Sums sums;                                                 // gradients of the parts of an update
  std::vector<BatchInputs> shares;                                     // of the current steps
  std::map<const BatchBuilder*, std::shared_ptr<DeviceSamples>> kept;  // data sets stored on the device

  std::int64_t saved_bytes = 0;  // of the optimizer's state, which other replicas keep
  // see Work; what the communicator had measured before, and at the end of, the last step
  double running_s = 0, reducing_before_s = 0, waiting_before_s = 0, reducing_seen_s = 0, waiting_seen_s = 0;

  /// The executable that holds all weights; exists where `evaluate` does.
  Executable& whole() const { return evaluates_copy ? *evaluate : *train; }
  Executable& updating() const { return update ? *update : *train; }
  /// The executable that holds the value.
  Executable& holder(const Value& v) const { return update && v.role == Role::optimizer ? *update : *train; }
};

/// Where this process is among those of all stages and replicas: the ranks of a replica follow each other, in the order
/// of its stages.
struct Replicas::Spread {
  int stages = 1, replica = 0, stage = 0;
  std::vector<std::string> devices;                 // of the stages of this replica
  Compiled whole;                                   // the update of all stages: what files hold
  std::vector<int> owner;                           // by its values: the stage that holds it
  std::unique_ptr<Communicator> all, along, peers;  // all processes; the stages of this replica; this stage's replicas
  std::map<int, std::vector<std::byte>> collected;  // by its values; on the first process, between collect() and save

  int rank_of(int of_replica, int of_stage) const { return of_replica * stages + of_stage; }
  std::vector<int> ranks_of_stage(int of_stage, int replicas) const {
    std::vector<int> ranks;
    for (int r = 0; r < replicas; ++r) ranks.push_back(rank_of(r, of_stage));
    return ranks;
  }
};

/// The moving average of this weight; -1: there is none.
inline int average_of(const Plan& plan, const Value& weight) {
  return weight.role == Role::weight ? plan.find("average " + weight.name) : -1;
}

inline Error lost_device() {
  return fail(Errc::stopped, NW_TR("another device of this run is lost or was stopped; the step was abandoned"));
}

inline std::size_t bytes_of(const Value& v) { return static_cast<std::size_t>(v.shape.elements()) * size_of(v.dtype); }

inline bool is_model(const Value& v) { return v.role == Role::weight || v.role == Role::buffer; }

}  // namespace nw
