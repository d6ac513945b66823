// SPDX-License-Identifier: Apache-2.0
// The members of Replicas for each device. Private to replicas*.cpp.
#pragma once
#include <map>

#include "engine/data/batches/inputs.hpp"
#include "engine/train/replicas.hpp"

namespace nw {

struct Replicas::Rank {
  int rank = 0;
  std::shared_ptr<const Device> device;
  std::unique_ptr<Team> team;
  Communicator* communicator = nullptr;
  Compiled training, evaluation;
  std::unique_ptr<Executable> train, evaluate;
  std::vector<BatchInputs> shares;                                     // of the current steps
  std::map<const BatchBuilder*, std::shared_ptr<DeviceSamples>> kept;  // data sets stored on the device
};

inline bool is_model(const Value& v) { return v.role == Role::weight || v.role == Role::buffer; }

}  // namespace nw
