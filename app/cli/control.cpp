// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/search/journal.hpp"
#include "engine/search/study_control.hpp"

namespace nw::cli {
namespace {

int control_the_study(const std::string& folder, const std::string& line) {
  if (line != "pause" && line != "continue")
    return report(fail(Errc::usage, NW_TR("of a study only pause and continue can be asked for; Ctrl+C stops it")));
  if (const Status asked = search::control_study(folder, line == "pause"); !asked) return report(asked.error());
  print("ok");
  return 0;
}

}  // namespace

void add_control(CLI::App& app, Chosen& chosen) {
  struct Options {
    std::string run;
    std::vector<std::string> words;
  };
  auto* command = app.add_subcommand("control", "Pause, continue, stop or adjust a running training, or pause a study");
  auto o = std::make_shared<Options>();
  command->add_option("RUN_DIR", o->run, "The run's folder, or a study's: of a study, pause and continue")->required();
  command->add_option("COMMAND", o->words, "pause | continue | stop | stop-now | checkpoint | status | set NAME VALUE")
      ->required();
  command->footer(
      "Examples:\n"
      "  netwright-cli control RUN_DIR pause\n"
      "  netwright-cli control RUN_DIR set learning_rate 0.001\n"
      "  netwright-cli control RUN_DIR set weight_decay 0.01\n"
      "  netwright-cli control RUN_DIR set frozen.conv1 1\n"
      "On another computer: ssh HOST netwright-cli control RUN_DIR stop");
  command->callback([=, &chosen] {
    chosen = [o] {
      std::string line;
      for (const std::string& word : o->words) line += (line.empty() ? "" : " ") + word;
      if (search::holds_study(o->run)) return control_the_study(o->run, line);
      const auto answer = control_run(o->run, line);
      if (!answer && answer.error().code == Errc::no_response)
        if (const auto definition = read_run_definition(o->run); !definition) return report(definition.error());
      if (!answer) return report(answer.error());
      print(*answer);
      return 0;
    };
  });
}

}  // namespace nw::cli
