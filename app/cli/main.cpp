// SPDX-License-Identifier: Apache-2.0
// netwright-cli: the functions of the window on the command line.
#include <csignal>
#include <exception>
#include <system_error>

#include "app/cli/cli.hpp"
#include "engine/backend/fatal_error_handler.hpp"
#include "engine/backend/plugin.hpp"
#include "engine/core/files.hpp"
#include "engine/core/memory_reserve.hpp"
#include "engine/core/version.hpp"
#include "engine/parallel/start_threads.hpp"

namespace {

using namespace nw::cli;

void prepare_process() {
  std::signal(SIGPIPE, SIG_IGN);
  // until the process ends: a GPU may hang when it is released
  new nw::FatalErrorHandler([](const nw::Error& e) { report(e); });
  nw::set_plugin_folder(nw::program_folder());
  // an exceeded file-size limit is an error like a full disk and does not end the process
  std::signal(SIGXFSZ, SIG_IGN);
}

int run(int argc, char** argv) {
  prepare_process();
  CLI::App app("Train, evaluate and inspect neural networks drawn in Netwright.", "netwright-cli");
  app.set_version_flag("--version", "netwright-cli " + nw::version());
  app.require_subcommand(1);
  app.footer(
      "Examples:\n"
      "  netwright-cli new --template lenet5 -o lenet5.netwright\n"
      "  netwright-cli train lenet5.netwright --epochs 3\n"
      "  netwright-cli COMMAND --help\n"
      "Exit codes: 0 done, 1 other, 2 usage, 3 bad input, 4 no such device, 5 out of memory, 6 not finite, 7 disk,\n"
      "            8 stopped with a checkpoint, 130 and 143 after a signal");
  Chosen chosen;
  for (const auto add : {add_new,
                         add_examples,
                         add_adapt,
                         add_compress,
                         add_sensitivity,
                         add_changed_predictions,
                         add_check,
                         add_estimate,
                         add_plan,
                         add_diff,
                         add_merge,
                         add_train,
                         add_resume,
                         add_sweep,
                         add_queue,
                         add_branch,
                         add_control,
                         add_lr_find,
                         add_memorise,
                         add_doctor,
                         add_evaluate,
                         add_predict,
                         add_watch,
                         add_submit,
                         add_jobs,
                         add_runs,
                         add_devices,
                         add_records,
                         add_about,
                         add_data,
                         add_bench,
                         add_infer_bench,
                         add_infer_server,
                         add_decode_pictures,
                         add_compare_devices,
                         add_serve,
                         add_export,
                         add_import,
                         add_verify})
    add(app, chosen);
  try {
    app.parse(argc, argv);
    return chosen ? chosen() : 2;
  } catch (const CLI::Success& e) { return app.exit(e); } catch (const CLI::ParseError& e) {
    app.exit(e);
    return 2;
  }
}

int no_memory() try {
  return report(nw::fail(nw::Errc::out_of_memory, NW_TR("there is not enough memory")));
} catch (const std::bad_alloc&) { return nw::exit_code(nw::Errc::out_of_memory); }

}  // namespace

int main(int argc, char** argv) {
  nw::keep_memory_reserve();
  try {
    return run(argc, argv);
  } catch (const std::bad_alloc&) { return no_memory(); } catch (const std::system_error& e) {
    if (e.code() == std::errc::resource_unavailable_try_again) return report(nw::no_more_threads());
    return report(nw::fail(nw::Errc::other, NW_TR("internal error: {0}"), e.what()));
  } catch (const std::exception& e) {
    return report(nw::fail(nw::Errc::other, NW_TR("internal error: {0}"), e.what()));
  }
}
