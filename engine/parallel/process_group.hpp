// SPDX-License-Identifier: Apache-2.0
// The processes of one training, and whether they live: each tells the others several times a second that it does, and
// what it is doing. A process that ends, is killed or is stopped is named by those that wait for it.
#pragma once
#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "engine/parallel/messages.hpp"
#include "kernels/rank_communicator.hpp"

namespace nw {

class ProcessGroup {
 public:
  /// Joins the others. `timeout_s`: silence after which a process counts as lost.
  static Result<std::unique_ptr<ProcessGroup>> join(const MessageLayer&, double timeout_s = 8);
  ~ProcessGroup();

  int rank() const { return rank_; }
  int world() const { return world_; }
  std::string host(int rank) const { return layer_.host(rank); }
  int ranks_on_this_host() const;
  int number_on_this_host() const;  // of lower ranks there
  /// What this process does from now on, as the others report it if it is lost. `what`: a literal.
  void is_at(std::int64_t step, const char* what);
  void is_at(const char* what);  // after the same step
  /// More about that, such as the layer: asked before each sign of life, on another thread; {}: nothing. Returns once
  /// the function given before is no longer called.
  void tell_place_by(std::function<std::string()> place);
  /// The first process that is lost, or that has ended before this one; any thread.
  std::optional<Error> lost() const;
  /// Sends `out` to, or receives `in` from every other rank at once; entry r is that of rank r. False: one is lost, or
  /// `aborted` became true.
  struct Message {
    int rank = 0;
    void* bytes = nullptr;
    std::int64_t count = 0;
  };
  const MessageLayer& messages() const { return layer_; }
  bool exchange(const std::vector<Message>& out, const std::vector<Message>& in, const std::atomic<bool>& aborted);
  /// As above, with a message from and to each of some ranks. Adds the seconds until the last of them began it too to
  /// `waited`.
  bool exchange(const std::vector<Message>& out, const std::vector<Message>& in, const std::atomic<bool>& aborted,
                std::atomic<double>& waited);
  /// What this process measured of itself, told to the others with every sign of life; and what another told last.
  using Figures = std::array<double, 16>;
  void tell(const Figures& own, const std::string& device);
  struct Told {
    Figures figures{};
    std::string device;  // empty: nothing yet
  };
  Told told(int rank) const;
  /// Tells the others that this process ends with this exit code, and waits until they end too; ends those that do not
  /// answer.
  void leave(int code);

 private:
  struct Beat {  // as sent
    std::int64_t step = 0;
    char what[120] = {};
    std::int64_t ended = 0;  // exit code + 1
    Figures figures{};
    char device[32] = {};
  };
  struct Peer {
    Beat heard, out, known;  // being received, being sent, last heard
    void *receiving = nullptr, *sending = nullptr;
    std::chrono::steady_clock::time_point last;
    bool ended = false, told = false;  // it has ended; it was told that this one ends
  };
  ProcessGroup(const MessageLayer& layer, double timeout_s) : layer_(layer), timeout_s_(timeout_s) {}
  bool wait_for(std::vector<void*> open, std::vector<void*> beginnings, const std::atomic<bool>& aborted,
                std::atomic<double>* waited);
  void watch(const std::stop_token&);
  void beat();
  void look();
  struct Others {
    bool whole = true;     // all have ended in order
    bool working = false;  // some have not ended, and answer
  };
  Others others() const;

  const MessageLayer& layer_;
  const double timeout_s_;
  int rank_ = 0, world_ = 1;
  mutable std::mutex mutex_;  // of everything below
  std::vector<Peer> peers_;   // by rank; this process's own is unused
  Beat own_;
  std::function<std::string()> place_;
  std::vector<char> begun_;  // received and sent when an exchange begins
  std::optional<Error> lost_;
  std::atomic<bool> any_lost_{false};
  std::jthread watcher_;
};

/// Sums over these ranks of the group, of which this process is one, in their order; without any over all of them: the
/// bytes of make_local_communicators(). Its rank is the place in the list. The group outlives it.
std::unique_ptr<RankCommunicator> make_process_communicator(ProcessGroup&, std::vector<int> ranks = {});

}  // namespace nw
