// SPDX-License-Identifier: Apache-2.0
// netwright-cli examples: the example projects, listed or written.
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/examples/example.hpp"

namespace nw::cli {
namespace {

int list_examples() {
  for (const Example& e : all_examples())
    print(fmt::format("{:<10} {:<26} {}", e.name, e.title.str(), e.summary.str()));
  return 0;
}

int write_example(const std::string& name, const std::string& folder) {
  const Example* example = find_example(name);
  if (!example)
    return report(fail(Errc::bad_input, NW_TR("there is no example \"{0}\"; netwright-cli examples lists them"), name));
  const auto file = open_example(*example, fs::absolute(folder.empty() ? examples_folder() : fs::path(folder)));
  if (!file) return report(file.error());
  print(file->string());
  return 0;
}

}  // namespace

void add_examples(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("examples", "List the example projects, or write one into a folder");
  auto name = std::make_shared<std::string>(), folder = std::make_shared<std::string>();
  command->add_option("example", *name, "Name of an example (default: list all)");
  command->add_option("-o,--output", *folder,
                      "Folder in which the example's folder is made (default: the user's data folder)");
  command->footer(
      "Prints the project's file. What is there already is left as it is.\n"
      "Example: netwright-cli examples photos -o .");
  command->callback([=, &chosen] {
    chosen = [name, folder] { return name->empty() ? list_examples() : write_example(*name, *folder); };
  });
}

}  // namespace nw::cli
