// SPDX-License-Identifier: Apache-2.0
#include <csignal>

#include "app/cli/console.hpp"

namespace nw::cli {
namespace {

TrainControl* volatile signalled = nullptr;  // the run that SIGINT and SIGTERM stop

// The first signal requests a last checkpoint; the second one ends the process by the default action.
extern "C" void stop_on_signal(int signal) {
  std::signal(signal, SIG_DFL);
  if (signalled) signalled->stop_for_signal(signal);
}

}  // namespace

int run_training(TrainRequest request, const TrainOutput& output, bool own_folder) {
  const fs::path folder = request.run;
  TrainControl control;
  Console console(output, &control);
  signalled = &control;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, stop_on_signal);
  const auto result = train(std::move(request), control, console);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) std::signal(signal, SIG_DFL);
  signalled = nullptr;
  std::error_code ignored;
  if (own_folder && !console.began()) fs::remove_all(folder, ignored);
  return result ? console.exit_code(result->ended.exit_code) : report(result.error());
}

}  // namespace nw::cli
