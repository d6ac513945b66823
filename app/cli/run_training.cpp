// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <functional>
#include <optional>
#include <thread>
#include <utility>

#include "app/cli/console.hpp"
#include "engine/doctor/examine.hpp"
#include "engine/parallel/process_group.hpp"
#include "engine/runs/began.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw::cli {
namespace {

TrainControl* volatile signalled = nullptr;  // the run that SIGINT and SIGTERM stop

// The first signal requests a last checkpoint; the second one ends the process by the default action.
extern "C" void stop_on_signal(int signal) {
  std::signal(signal, SIG_DFL);
  if (signalled) signalled->stop_for_signal(signal);
}

// mpirun hands SIGUSR1 to its processes, SIGTERM only before it kills them. Any number of them request one checkpoint.
extern "C" void stop_on_signal_of_mpirun(int) {
  if (signalled) signalled->stop_for_signal(SIGTERM);
}

void listen_to_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, stop_on_signal);
  std::signal(SIGUSR1, stop_on_signal_of_mpirun);
}

void stop_listening_to_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  std::signal(SIGUSR1, SIG_IGN);
}

/// Ends the process if a stop was asked for and the run does not begin to train meanwhile: data may take minutes to
/// open. Nothing is lost: a new run has trained nothing, a resumed one has its checkpoint.
class StopBeforeTraining {
 public:
  StopBeforeTraining(const TrainControl& control, const Console& console, std::function<void(int code)> tidy)
      : thread_([&control, &console, tidy = std::move(tidy)](const std::stop_token& over) {
          using namespace std::chrono_literals;
          constexpr int rounds = 20;  // 1 s, for the training itself to hear it
          for (int waited = 0; !over.stop_requested() && !console.began(); std::this_thread::sleep_for(50ms)) {
            if (control.stopping() == 0 || ++waited < rounds) continue;
            const int code = control.signal() != 0 ? 128 + control.signal() : static_cast<int>(Errc::stopped);
            tidy(code);
            note("netwright-cli: stopped before training began; nothing was trained");
            ::_exit(code);
          }
        }) {}

 private:
  std::jthread thread_;
};

/// After numbers that are not finite: the way back to the last checkpoint.
void offer_way_back(const fs::path& run) {
  const auto record = doctor::read_record(run);
  if (!record) return;
  for (const doctor::Finding& f : doctor::examine(*record)) {
    if (f.id != "non_finite" || f.recommendation.setting.empty()) continue;
    const std::string command = doctor::command_for(f, *record, run);
    note(command.empty() ? fmt::format("no checkpoint was written yet: train again with --set {}={}",
                                       f.recommendation.setting, f.recommendation.value)
                         : "go on from the last checkpoint with a lower learning rate: " + command);
  }
}

int leave_processes(ProcessGroup* processes, int code) {
  if (processes) processes->leave(code);
  return code;
}

}  // namespace

void follow_first_process(TrainRequest& request, TrainOutput& output) {
  if (!request.processes || request.processes->rank() == 0) return;
  request.resume_from = request.resume ? request.run : fs::path();
  request.run.clear();
  request.probes = 0;
  output.silent = output.quiet = true;
}

void add_stop_after(CLI::App& command, std::int64_t& epoch) {
  command
      .add_option(
          "--stop-after", epoch,
          "Stop with a checkpoint once this many epochs are done in all; the schedule is that of all epochs, and "
          "resume goes on as if there had been no break")
      ->check(CLI::Range(std::int64_t{1}, most_epochs));
}

int run_training(TrainRequest request, const TrainOutput& output, bool own_folder) {
  const fs::path folder = request.run;
  ProcessGroup* const request_processes = request.processes;
  TrainControl control;
  Console console(output, &control);
  signalled = &control;
  listen_to_signals();
  std::error_code ignored;
  const auto tidy = [&] {
    if (own_folder && !console.began()) fs::remove_all(folder, ignored);
  };
  std::optional<RunSummary> before;
  if (request.resume)
    if (auto known = summarize_run(folder)) before = *std::move(known);
  // The window reads the reason in the run's events. A finished run that was to be trained further stays finished.
  const auto give_up = [&](int code) {
    tidy();
    if (folder.empty() || !fs::exists(folder / "events.jsonl", ignored) ||
        (before && before->status == RunStatus::finished))
      return;
    Ended ended{.reason = EndReason::stopped,
                .message = stopped_before_training(),
                .step = before ? before->steps : 0,
                .exit_code = code};
    if (auto log = LineFile::open(folder / "events.jsonl")) (void)log->append(event_line({0, ended}));
  };
  const auto result = [&] {
    const StopBeforeTraining guard(control, console, give_up);
    return train(std::move(request), control, console);
  }();
  stop_listening_to_signals();
  signalled = nullptr;
  tidy();
  if (result) return leave_processes(request_processes, console.exit_code(result->ended.exit_code));
  const bool told = request_processes && request_processes->rank() > 0 && result.error().code == Errc::stopped;
  const int code = leave_processes(request_processes, told ? exit_code(Errc::stopped) : report(result.error()));
  if (result.error().code == Errc::not_finite && !folder.empty()) offer_way_back(folder);
  return code;
}

}  // namespace nw::cli
