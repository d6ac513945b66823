// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/cli.hpp"

namespace nw::cli {

void add_control(CLI::App& app, Chosen& chosen) {
  struct Options {
    std::string run;
    std::vector<std::string> words;
  };
  auto* command = app.add_subcommand("control", "Pause, continue, stop or adjust a running training");
  auto o = std::make_shared<Options>();
  command->add_option("RUN_DIR", o->run, "The run's folder")->required();
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
