// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <memory>
#include <system_error>

#include "app/cli/cli.hpp"
#include "engine/data/dataset.hpp"

namespace nw::cli {
namespace {

struct Options {
  std::string place, kind = "auto";
  bool json = false;
};

const std::map<std::string, SourceKind> kinds = {{"mnist", SourceKind::mnist}, {"cifar", SourceKind::cifar}, {"folder", SourceKind::image_folder}, {"csv", SourceKind::csv}};

/// What kind of data set lies there, by the names in it.
SourceKind kind_of(const fs::path& place) {
  std::error_code error;
  if (!fs::is_directory(place, error)) return SourceKind::csv;
  for (const fs::path& below : {place, place / "mnist"})
    for (const char* name : {"train-images-idx3-ubyte", "train-images-idx3-ubyte.gz"})
      if (fs::exists(below / name, error)) return SourceKind::mnist;
  for (const fs::path& below : {place, place / "cifar-10-batches-bin", place / "cifar-100-binary"})
    for (const char* name : {"data_batch_1.bin", "train.bin"})
      if (fs::exists(below / name, error)) return SourceKind::cifar;
  return SourceKind::image_folder;
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

}  // namespace

void add_data(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("data", "Look at a data set");
  command->require_subcommand(1);
  auto o = std::make_shared<Options>();
  const auto add = [&](const char* name, const char* what, int (*run)(const Options&)) {
    auto* sub = command->add_subcommand(name, what);
    sub->add_option("DIR", o->place, "Folder, or CSV file")->required();
    sub->add_option("--kind", o->kind, "What it is; found out from the names in it otherwise")->check(CLI::IsMember({"auto", "mnist", "cifar", "folder", "csv"}));
    sub->add_flag("--json", o->json, "One JSON object");
    sub->footer(fmt::format("Example: netwright-cli data {} ~/data/mnist", name));
    sub->callback([=, &chosen] { chosen = [=] { return run(*o); }; });
  };
  add("inspect", "Classes and their counts, size of the images", inspect);
  add("verify", "Read every image once and name those that cannot be read", verify);
}

}  // namespace nw::cli
