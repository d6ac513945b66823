// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "app/cli/cli.hpp"
#include "app/cli/repair.hpp"
#include "engine/compile/compile.hpp"
#include "engine/core/existing.hpp"
#include "engine/core/what_is_there.hpp"
#include "engine/data/sources/photo_survey.hpp"
#include "engine/design/project_file.hpp"
#include "engine/design/recipe.hpp"
#include "engine/monitor/usable_gpu.hpp"

namespace nw::cli {
namespace {

struct NewOptions {
  std::string name, file, photos, network, data;
  std::int64_t size = 0;
  bool list = false, force = false;
};

int list_templates() {
  for (const Template& t : all_templates())
    print(fmt::format("{:<16} {:<29} {}", t.name, t.title.str(), t.summary.str()));
  return 0;
}

/// The template's network for the data at --data: its repairs set the size of its images and its number of outputs.
Result<GraphDoc> for_data(GraphDoc doc, const NewOptions& o) {
  if (o.data.empty()) return doc;
  NW_TRY(check_data_option(doc, o.data));
  DataChoice data = choice_for(doc, o.data);
  data.path = fs::absolute(o.data).lexically_normal().string();
  if (o.size > 0) data.height = data.width = o.size;
  NW_ASSIGN(const Edit undo, doc.apply({PutData{data}}));
  (void)undo;
  Target target;
  target.data = data_facts(doc, "");
  if (!target.data.known()) return fail(Errc::bad_input, NW_TR("{0}: these data cannot be opened"), o.data);
  NW_TRY(repair(doc, target, 0));
  for (const Problem& p : analyse(doc, target).problems)
    if (p.severity == Severity::error)
      return fail(Errc::bad_input, NW_TR("{0} does not fit these data: {1}"), o.name, p.what.str());
  return doc;
}

Result<GraphDoc> from_template(const NewOptions& o) {
  if (const Template* named = find_template(o.name)) return for_data(new_project(*named), o);
  return fail(Errc::usage, NW_TR("there is no template \"{0}\"; netwright-cli new --list shows all"), o.name);
}

/// The recommended recipe for a folder of photos, with the options' network and size in its place.
Result<GraphDoc> from_photos(const NewOptions& o) {
  NW_TRY(check_folder(o.photos));
  NW_ASSIGN(const PhotoSet set, survey_photos(o.photos));
  const std::string gpu = first_usable_gpu(list_devices());
  Recipe recipe = recommended_recipe(set, !gpu.empty());
  if (!o.network.empty()) recipe.network = find_recipe_network(o.network)->name;
  if (o.size > 0) recipe.size = o.size;
  note(fmt::format("{} photos in {} classes, about {}x{} pixels: {} at {}x{}", with_thousands(set.images), set.classes,
                   set.width, set.height, find_recipe_network(recipe.network)->title.str(), recipe.size, recipe.size));
  DataChoice data;
  data.kind = SourceKind::image_folder;
  data.path = fs::absolute(o.photos).lexically_normal().string();
  return make_recipe(recipe, std::move(data), set, gpu.empty() ? "cpu" : gpu);
}

int make_project(const NewOptions& o) {
  if (o.list) return list_templates();
  const auto doc = o.photos.empty() ? from_template(o) : from_photos(o);
  if (!doc) return report(doc.error());
  const std::string name = o.photos.empty() ? o.name : fs::path(o.photos).lexically_normal().stem().string();
  const fs::path file = o.file.empty() ? (name.empty() ? "photos" : name) + ".netwright" : o.file;
  if (const Status free = refuse_existing(file, o.force); !free) return report(free.error());
  if (const Status saved = ProjectFile::save(*doc, file); !saved) return report(saved.error());
  note(fmt::format("{} is ready; netwright-cli train {}", file.string(), file.string()));
  return 0;
}

}  // namespace

void add_new(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("new", "Create a project from a template or for a folder of photos");
  auto o = std::make_shared<NewOptions>();
  auto* name = command->add_option("--template,-t", o->name, "Name of the template; --list shows all");
  auto* photos = command->add_option("--photos", o->photos,
                                     "Folder with one folder of photos for each class: network, image size and "
                                     "settings follow their number and size");
  command->add_option("--network", o->network, "With --photos: the network")
      ->check(CLI::IsMember({"convnet", "resnet18"}))
      ->needs(photos);
  command->add_option("--data", o->data, "With --template: data set that the network is fitted to")->needs(name);
  command->add_option("--size", o->size, "With --photos or --data: height and width of the images in pixels")
      ->check(CLI::Range(16, 1024));
  photos->excludes(name);
  command->add_option("-o,--output", o->file, "Project file to write; default: NAME.netwright");
  command->add_flag("--force", o->force, "Replace the file if it exists");
  auto* list = command->add_flag("--list", o->list, "List the templates");
  command->footer(
      "Examples:\n  netwright-cli new --template lenet5 -o lenet5.netwright\n"
      "  netwright-cli new --photos holiday -o holiday.netwright");
  command->callback([=, &chosen] {
    if (name->count() + list->count() + photos->count() == 0)
      throw CLI::RequiredError("--template, --photos or --list");
    if (o->size > 0 && o->photos.empty() && o->data.empty()) throw CLI::RequiresError("--size", "--photos or --data");
    chosen = [o] { return make_project(*o); };
  });
}

}  // namespace nw::cli
