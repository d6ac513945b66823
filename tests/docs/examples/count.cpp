// SPDX-License-Identifier: Apache-2.0
// netwright-cli count FILE: prints the number of parameters of a project. In docs/adding.md.
#include <memory>

#include "app/cli/cli.hpp"
#include "engine/core/json.hpp"

namespace nw::cli {
namespace {

struct Options {
  std::string file;
  bool json = false;
};

int count(const Options& o) {
  const auto doc = load_project(o.file);
  if (!doc) return report(doc.error());
  const std::int64_t parameters = analyse(*doc, {}).parameters;
  print(o.json ? Json{{"parameters", parameters}}.dump() : with_thousands(parameters) + " parameters");
  return 0;
}

}  // namespace

void add_count(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("count", "Count the parameters of a project");
  auto o = std::make_shared<Options>();
  command->add_option("FILE", o->file, "Project file, or a template's name")->required();
  command->add_flag("--json", o->json, "Print one JSON object");
  command->footer("Example: netwright-cli count lenet5.netwright");
  command->callback([=, &chosen] { chosen = [o] { return count(*o); }; });
}

}  // namespace nw::cli
