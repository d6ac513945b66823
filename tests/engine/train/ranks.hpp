// SPDX-License-Identifier: Apache-2.0
// A training by several processes, played by threads: each has its own request, as mpirun would start them.
#pragma once
#include <thread>

#include "engine/parallel/process_group.hpp"
#include "tests/engine/parallel/thread_ranks.hpp"
#include "tests/engine/train/trial.hpp"

namespace nw::test {

/// Calls work(group, rank) for each rank, on a thread of its own.
template <class Work>
void on_thread_ranks(int world, const Work& work) {
  post().reset(world);
  std::vector<std::jthread> threads;
  for (int rank = 0; rank < world; ++rank)
    threads.emplace_back([&, rank] {
      const auto group = *ProcessGroup::join(*layers[rank], 60);
      work(*group, static_cast<std::size_t>(rank));
      group->leave(0);
    });
}

/// The request as a process of this rank has it: the first alone has the run's folder.
inline TrainRequest request_of(int rank, const TrainRequest& request, ProcessGroup& group) {
  TrainRequest own = request;
  own.processes = &group;
  if (rank == 0) return own;
  own.resume_from = own.resume ? own.run : fs::path();
  own.run.clear();
  own.probes = 0;
  return own;
}

/// Rank 0 has the run's folder, the events and the control. Returns its result; the others' errors are appended to
/// `errors`, if given.
inline Result<TrainResult> train_on_ranks(int world, const TrainRequest& request, TrainControl& control,
                                          EventSink& sink, std::vector<std::string>* errors = nullptr,
                                          double timeout_s = 60) {
  post().reset(world);
  std::vector<std::optional<Result<TrainResult>>> results(static_cast<std::size_t>(world));
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < world; ++rank)
      threads.emplace_back([&, rank] {
        const auto group = *ProcessGroup::join(*layers[rank], timeout_s);
        const TrainRequest own = request_of(rank, request, *group);
        TrainControl own_control;
        Recording own_sink;
        auto& result = results[static_cast<std::size_t>(rank)];
        result = rank == 0 ? train(own, control, sink) : train(own, own_control, own_sink);
        group->leave(*result ? (*result)->ended.exit_code : 1);
      });
  }
  for (const auto& r : results)
    if (errors && !*r) errors->push_back(r->error().str());
  return *results.front();
}

}  // namespace nw::test
