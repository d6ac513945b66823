// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <memory>
#include <numeric>
#include <system_error>

#include "app/cli/cli.hpp"
#include "engine/data/gate.hpp"

namespace nw::cli {
namespace {

struct Options {
  std::string place, kind = "auto";
  bool json = false;
};

const std::map<std::string, SourceKind> kinds = {{"mnist", SourceKind::mnist}, {"cifar", SourceKind::cifar}, {"folder", SourceKind::image_folder}, {"archive", SourceKind::image_folder},
                                                 {"csv", SourceKind::csv}, {"coco", SourceKind::coco}, {"voc", SourceKind::voc}};

/// What kind of data set lies there, by the names in it.
SourceKind kind_of(const fs::path& place) {
  std::error_code error;
  return recognise(place).value_or(fs::is_directory(place, error) ? SourceKind::image_folder : SourceKind::csv);
}

Result<OpenedData> open(const Options& o) {
  std::error_code error;
  if (!fs::exists(o.place, error)) return fail(Errc::bad_input, NW_TR("{0} does not exist"), o.place);
  DataChoice choice;
  choice.kind = o.kind == "auto" ? kind_of(o.place) : kinds.at(o.kind);
  choice.path = o.place;
  return open_data(choice, o.place, false);
}

std::vector<std::int64_t> counts(const Dataset* data, std::size_t classes) {
  std::vector<std::int64_t> count(classes, 0);
  for (std::int64_t i = 0; data && i < data->size(); ++i)
    if (const auto c = static_cast<std::size_t>(data->label(i)); c < classes) ++count[c];
  return count;
}

int inspect(const Options& o) {
  const auto opened = open(o);
  if (!opened) return report(opened.error());
  const auto train = counts(opened->train.get(), opened->classes.size()), test = counts(opened->test.get(), opened->classes.size());
  for (const Text& warning : opened->warnings) note("warning: " + warning.str());
  if (o.json) {
    const Dataset& d = *opened->train;
    print(Json{{"description", opened->description}, {"place", opened->place}, {"classes", opened->classes}, {"train", train}, {"test", test}, {"channels", d.channels()}, {"height", d.height()}, {"width", d.width()}}
              .dump(-1, ' ', false, Json::error_handler_t::replace));
    return 0;
  }
  print(opened->description);
  std::vector<std::vector<std::string>> rows = {{"class", "train", "test"}};
  for (std::size_t c = 0; c < opened->classes.size(); ++c) rows.push_back({opened->classes[c], with_thousands(train[c]), with_thousands(test[c])});
  print(table(rows));
  return 0;
}

/// Reads every sample once; names each that cannot be read.
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

int verify(const Options& o) {
  const auto opened = open(o);
  if (!opened) return report(opened.error());
  for (const Text& warning : opened->warnings) note("warning: " + warning.str());
  const std::int64_t bad = opened->unreadable + verify_set(opened->train.get()) + verify_set(opened->test.get());
  const std::int64_t all = opened->unreadable + opened->train->size() + (opened->test ? opened->test->size() : 0);
  print(fmt::format("{} of {} images can be read", with_thousands(all - bad), with_thousands(all)));
  return bad > 0 ? static_cast<int>(Errc::bad_input) : 0;
}

constexpr std::size_t most_shown = 20;   // of each kind; --json has all

std::vector<GatePart> parts_of(const OpenedData& d) {
  std::vector<GatePart> parts;
  for (const auto& [name, set] : {std::pair{"train", d.train}, std::pair{"test", d.test}}) {
    if (!set) continue;
    parts.push_back({name, set, std::vector<std::int64_t>(static_cast<std::size_t>(set->size()))});
    std::iota(parts.back().indices.begin(), parts.back().indices.end(), std::int64_t{0});
  }
  return parts;
}

std::string name_of_sample(const std::vector<GatePart>& parts, const GateSample& s) {
  const GatePart& part = parts[static_cast<std::size_t>(s.part)];
  return fmt::format("{} {} ({})", part.name, s.index, part.set->origin(s.index));
}

std::string sentence(const Defect& d, const std::vector<GatePart>& parts, const std::vector<std::string>& classes) {
  std::string s(name_of(d.kind));
  if (d.kind == DefectKind::near_duplicate) s += fmt::format(" {:.2f}", d.likeness);
  if (d.part >= 0) s += " in " + parts[static_cast<std::size_t>(d.part)].name;
  if (d.kind == DefectKind::small_class) s += ": " + classes[static_cast<std::size_t>(d.which)];
  else if (d.which >= 0) s += fmt::format(": {}", d.which);
  for (std::size_t i = 0; i < d.samples.size(); ++i) s += (i == 0 ? ": " : ", ") + name_of_sample(parts, d.samples[i]);
  if (d.across) s += "; in different parts";
  if (d.contradicts) s += "; labels differ";
  return s;
}

Json json_of(const Defect& d, const std::vector<GatePart>& parts) {
  Json samples = Json::array();
  for (const GateSample& s : d.samples) {
    const GatePart& part = parts[static_cast<std::size_t>(s.part)];
    samples.push_back({{"part", part.name}, {"index", s.index}, {"origin", part.set->origin(s.index)}, {"label", part.set->label(s.index)}});
  }
  Json j{{"kind", name_of(d.kind)}, {"samples", samples}, {"across", d.across}, {"contradicts", d.contradicts}};
  if (d.kind == DefectKind::near_duplicate) j["likeness"] = d.likeness;
  if (d.part >= 0) j["part"] = parts[static_cast<std::size_t>(d.part)].name;
  if (d.which >= 0) j[d.kind == DefectKind::small_class ? "class" : "channel"] = d.which;
  return j;
}

/// Defects of the data; 3 when there are any, so that a script can stop before it trains.
int check(const Options& o) {
  const auto opened = open(o);
  if (!opened) return report(opened.error());
  for (const Text& warning : opened->warnings) note("warning: " + warning.str());
  const std::vector<GatePart> parts = parts_of(*opened);
  const auto found = look_for_defects(parts, opened->classes.size());
  if (!found) return report(found.error());
  if (o.json) {
    Json defects = Json::array();
    for (const Defect& d : found->defects) defects.push_back(json_of(d, parts));
    print(Json{{"images", found->images}, {"unreadable", opened->unreadable}, {"defects", defects}}.dump(-1, ' ', false, Json::error_handler_t::replace));
  } else {
    std::map<DefectKind, std::size_t> shown;
    for (const Defect& d : found->defects)
      if (++shown[d.kind] <= most_shown) print(sentence(d, parts, opened->classes));
    std::string sum = fmt::format("{} images, {} unreadable", with_thousands(found->images), with_thousands(opened->unreadable));
    for (const auto& [kind, count] : shown) sum += fmt::format(", {} × {}", with_thousands(static_cast<std::int64_t>(count)), name_of(kind));
    print(sum);
  }
  return found->defects.empty() && opened->unreadable == 0 ? 0 : static_cast<int>(Errc::bad_input);
}

}  // namespace

void add_data(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("data", "Look at a data set");
  command->require_subcommand(1);
  auto o = std::make_shared<Options>();
  const auto add = [&](const char* name, const char* what, int (*run)(const Options&)) {
    auto* sub = command->add_subcommand(name, what);
    sub->add_option("DIR", o->place, "Folder, archive (.zip, .tar, .tar.gz), CSV file, list of COCO or VOC")->required();
    sub->add_option("--kind", o->kind, "What it is; found out from the names in it otherwise")->check(CLI::IsMember({"auto", "mnist", "cifar", "folder", "archive", "csv", "coco", "voc"}));
    sub->add_flag("--json", o->json, "One JSON object");
    sub->footer(fmt::format("Example: netwright-cli data {} ~/data/mnist", name));
    sub->callback([=, &chosen] { chosen = [=] { return run(*o); }; });
  };
  add("inspect", "Classes and their counts, size of the images", inspect);
  add("check", "Duplicates within and across training and test, blank images, small classes, useless channels", check);
  add("verify", "Read every image once and name those that cannot be read", verify);
}

}  // namespace nw::cli
