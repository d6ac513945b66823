// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <system_error>

#include "app/cli/cli.hpp"
#include "engine/design/project_file.hpp"

namespace nw::cli {
namespace {

struct NewOptions {
  std::string name, file;
  bool list = false, force = false;
};

int list_templates() {
  for (const Template& t : all_templates())
    print(fmt::format("{:<16} {:<29} {}", t.name, t.title.str(), t.summary.str()));
  return 0;
}

int make_project(const NewOptions& o) {
  if (o.list) return list_templates();
  const Template* named = find_template(o.name);
  if (!named)
    return report(fail(Errc::usage, NW_TR("there is no template \"{0}\"; netwright-cli new --list shows all"), o.name));
  const fs::path file = o.file.empty() ? o.name + ".netwright" : o.file;
  std::error_code ignored;
  if (!o.force && fs::exists(file, ignored))
    return report(fail(Errc::usage, NW_TR("{0} exists already; --force replaces it"), file.string()));
  if (const Status saved = ProjectFile::save(named->make(), file); !saved) return report(saved.error());
  note(fmt::format("{} is ready; netwright-cli train {}", file.string(), file.string()));
  return 0;
}

}  // namespace

void add_new(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("new", "Create a project from a template");
  auto o = std::make_shared<NewOptions>();
  auto* name = command->add_option("--template,-t", o->name, "Name of the template; --list shows all");
  command->add_option("-o,--output", o->file, "Project file to write; default: NAME.netwright");
  command->add_flag("--force", o->force, "Replace the file if it exists");
  auto* list = command->add_flag("--list", o->list, "List the templates");
  command->footer("Example: netwright-cli new --template lenet5 -o lenet5.netwright");
  command->callback([=, &chosen] {
    if (name->count() + list->count() == 0) throw CLI::RequiredError("--template or --list");
    chosen = [o] { return make_project(*o); };
  });
}

}  // namespace nw::cli
