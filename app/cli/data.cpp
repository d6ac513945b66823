// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <memory>
#include <sstream>
#include <system_error>

#include "app/cli/cli.hpp"
#include "engine/data/cache/open.hpp"
#include "engine/data/checks/data_check_report.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/sources/recognise.hpp"
#include "engine/data/split/split.hpp"
#include "engine/design/data_source.hpp"
#include "engine/design/project_file.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw::cli {
namespace {

struct DataOptions {
  std::string place, kind = "auto", data;
  bool json = false;
};

/// The sources by their names for --kind.
const std::map<std::string, SourceKind>& kinds() {
  static const std::map<std::string, SourceKind> all = [] {
    std::map<std::string, SourceKind> named;
    for (const DataSource* source : all_sources()) {
      std::istringstream names{std::string(source->command_line)};
      for (std::string name; names >> name;) named.emplace(name, source->kind);
    }
    return named;
  }();
  return all;
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names = {"auto"};
  for (const auto& [name, kind] : kinds()) names.push_back(name);
  return names;
}

/// The kind of the data set at `place`, recognised by its file names.
SourceKind kind_of(const fs::path& place) {
  std::error_code error;
  return recognise(place).value_or(fs::is_directory(place, error) ? SourceKind::image_folder : SourceKind::csv);
}

Result<OpenedData> open(const DataOptions& o) {
  NW_TRY(check_place(o.place));
  DataChoice choice;
  choice.kind = o.kind == "auto" ? kind_of(o.place) : kinds().at(o.kind);
  choice.path = o.place;
  return open_data(choice, o.place, false);
}

std::vector<std::int64_t> counts(const Dataset* data, std::size_t classes) {
  std::vector<std::int64_t> count(classes, 0);
  for (std::int64_t i = 0; data && i < data->size(); ++i)
    if (const auto c = static_cast<std::size_t>(data->label(i)); c < classes) ++count[c];
  return count;
}

int inspect(const DataOptions& o) {
  const auto opened = open(o);
  if (!opened) return report(opened.error());
  const auto train = counts(opened->train.get(), opened->classes.size()),
             test = counts(opened->test.get(), opened->classes.size());
  for (const Text& warning : opened->warnings) note("warning: " + warning.str());
  if (o.json) {
    const Dataset& d = *opened->train;
    print(Json{{"description", opened->description},
               {"place", opened->place},
               {"classes", opened->classes},
               {"train", train},
               {"test", test},
               {"channels", d.channels()},
               {"height", d.height()},
               {"width", d.width()}}
              .dump(-1, ' ', false, Json::error_handler_t::replace));
    return 0;
  }
  print(opened->description);
  std::vector<std::vector<std::string>> rows = {{"class", "train", "test"}};
  for (std::size_t c = 0; c < opened->classes.size(); ++c)
    rows.push_back({opened->classes[c], with_thousands(train[c]), with_thousands(test[c])});
  print_lines(table(rows));
  return 0;
}

/// Reads every sample once; prints each that cannot be read.
std::int64_t verify_set(const Dataset* data) {
  std::int64_t bad = 0;
  std::vector<std::uint8_t> pixels(data ? static_cast<std::size_t>(data->bytes()) : 0);
  for (std::int64_t i = 0; data && i < data->size(); ++i)
    if (const Status read = data->pixels(i, pixels); !read) {
      ++bad;
      print(data->origin(i) + ": " + read.error().str());
    }
  return bad;
}

int verify_data(const DataOptions& o) {
  const auto opened = open(o);
  if (!opened) return report(opened.error());
  for (const Text& warning : opened->warnings) note("warning: " + warning.str());
  const std::int64_t bad = opened->unreadable + verify_set(opened->train.get()) + verify_set(opened->test.get());
  const std::int64_t all = opened->unreadable + opened->train->size() + (opened->test ? opened->test->size() : 0);
  print(fmt::format("{} of {} images can be read", with_thousands(all - bad), with_thousands(all)));
  return bad > 0 ? static_cast<int>(Errc::bad_input) : 0;
}

constexpr std::size_t most_shown = 20;  // of each kind; --json has all

std::string name_of_sample(const std::vector<CheckedSplit>& parts, const CheckedSample& s) {
  const CheckedSplit& part = parts[static_cast<std::size_t>(s.part)];
  return fmt::format("{} {} ({})", part.name, s.index, part.set->origin(s.index));
}

std::string sentence(const Defect& d, const std::vector<CheckedSplit>& parts, const std::vector<std::string>& classes) {
  std::string s(name_of(d.kind));
  if (d.kind == DefectKind::near_duplicate) s += fmt::format(" {:.2f}", d.likeness);
  if (d.part >= 0) s += " in " + parts[static_cast<std::size_t>(d.part)].name;
  if (d.kind == DefectKind::small_class)
    s += ": " + classes.at(static_cast<std::size_t>(d.which));
  else if (d.which >= 0)
    s += fmt::format(": {}", d.which);
  for (std::size_t i = 0; i < d.samples.size(); ++i) s += (i == 0 ? ": " : ", ") + name_of_sample(parts, d.samples[i]);
  if (d.across) s += "; in different parts";
  if (d.contradicts) s += "; labels differ";
  return s;
}

/// A data set and its checked splits.
struct CheckedData {
  OpenedData data;
  std::vector<CheckedSplit> parts;
  std::size_t excluded = 0;
};

/// A project's or a run's splits, without the excluded samples; else a data set's training and test set.
Result<CheckedData> look_at(const DataOptions& o) {
  std::error_code error;
  const bool run = fs::exists(fs::path(o.place) / "run.json", error),
             project = fs::path(o.place).extension() == ".netwright";
  CheckedData l;
  if (!run && !project) {
    NW_ASSIGN(l.data, open(o));
    l.parts = checked_splits(l.data);
    return l;
  }
  DataChoice choice;
  std::string data_dir = o.data;
  if (run) {
    NW_ASSIGN(const RunDefinition d, read_run_definition(o.place));
    choice = d.doc.data();
    if (data_dir.empty()) data_dir = d.data_dir;
  } else {
    NW_ASSIGN(const GraphDoc doc, load_project(o.place));
    choice = doc.data();
  }
  NW_ASSIGN(l.data, open_data(choice, data_dir, false));
  NW_ASSIGN(const Splits splits, split_data(l.data, choice));
  l.parts = checked_splits(l.data, splits);
  l.excluded = choice.excluded.size();
  return l;
}

void print_found(const CheckedData& l, const DataCheckReport& found) {
  std::map<DefectKind, std::size_t> shown;
  for (const Defect& d : found.defects)
    if (++shown[d.kind] <= most_shown) print(sentence(d, l.parts, l.data.classes));
  std::string sum =
      fmt::format("{} images, {} unreadable", with_thousands(found.images), with_thousands(l.data.unreadable));
  for (const auto& [kind, count] : shown)
    sum += fmt::format(", {} × {}", with_thousands(static_cast<std::int64_t>(count)), name_of(kind));
  if (l.excluded > 0) sum += fmt::format(", {} excluded", with_thousands(static_cast<std::int64_t>(l.excluded)));
  print(sum);
}

/// Prints the defects of the data; returns 3 if there are any, so that a script can stop before it trains.
int check_data(const DataOptions& o) {
  const auto looked = look_at(o);
  if (!looked) return report(looked.error());
  for (const Text& warning : looked->data.warnings) note("warning: " + warning.str());
  const auto found = find_defects(looked->parts, looked->data.classes.size());
  if (!found) return report(found.error());
  if (o.json) {
    Json defects = Json::array(), files = Json::array();
    for (const Defect& d : found->defects) defects.push_back(to_json(d, looked->parts));
    for (const SkippedFile& f : looked->data.skipped_files) files.push_back(to_json(f));
    print(with_old_keys({{"images", found->images},
                         {"unreadable", looked->data.unreadable},
                         {"excluded", looked->excluded},
                         {"defects", defects},
                         {"files", files}},
                        {{"split", "part"},
                         {"redundant", "superfluous"},
                         {"across_splits", "across"},
                         {"labels_differ", "contradicts"},
                         {"similarity", "likeness"},
                         {"reason", "why"},
                         {"reason_text", "why_text"}})
              .dump(-1, ' ', false, Json::error_handler_t::replace));
  } else {
    print_found(*looked, *found);
  }
  return found->defects.empty() && looked->data.unreadable == 0 ? 0 : static_cast<int>(Errc::bad_input);
}

}  // namespace

void add_data(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("data", "Look at a data set");
  command->require_subcommand(1);
  auto o = std::make_shared<DataOptions>();
  const auto add = [&](const char* name, const char* what, int (*run)(const DataOptions&)) {
    auto* sub = command->add_subcommand(name, what);
    const bool checks = std::string_view(name) == "check";
    sub->add_option("DIR", o->place,
                    checks ? "Folder, archive, CSV file, COCO or VOC annotation file, project or run folder"
                           : "Folder, archive (.zip, .tar, .tar.gz), CSV file, COCO or VOC annotation file")
        ->required();
    if (checks) sub->add_option("--data", o->data, "Folder of the data of a project or run");
    sub->add_option("--kind", o->kind, "Format of the data set; default: detected from the file names")
        ->check(CLI::IsMember(kind_names()));
    sub->add_flag("--json", o->json, "Print one JSON object");
    sub->footer(fmt::format("Example: netwright-cli data {} ~/data/mnist", name));
    sub->callback([=, &chosen] { chosen = [=] { return run(*o); }; });
  };
  add("inspect", "Show classes, samples per class and image size", inspect);
  add("check",
      "Find duplicates within and across training and test data, blank images, small classes and constant channels",
      check_data);
  add_suspects(*command, chosen);
  add("verify", "Read every image and list those that cannot be read", verify_data);
  add_data_get(*command, chosen);
}

}  // namespace nw::cli
