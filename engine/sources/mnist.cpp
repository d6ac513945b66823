// SPDX-License-Identifier: Apache-2.0
#include "engine/data/dataset.hpp"
#include "engine/data/sources/source_options.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {

const KnownSet& mnist_set() {
  static const KnownSet set{"MNIST",
                            {"mnist", "MNIST/raw"},
                            {"train-images-idx3-ubyte.gz", "train-images-idx3-ubyte", "train-images.idx3-ubyte",
                             "train-images.idx3-ubyte.gz"}};
  return set;
}

namespace {

fs::path first_of(const fs::path& folder, const std::vector<std::string>& names) {
  std::error_code ignored;
  for (const std::string& name : names)
    for (const char* ending : {"", ".gz"})
      if (fs::is_regular_file(folder / (name + ending), ignored)) return folder / (name + ending);
  return {};
}

Result<std::shared_ptr<MemoryDataset>> read_part(const fs::path& folder, const std::string& part) {
  const fs::path images = first_of(folder, {part + "-images-idx3-ubyte", part + "-images.idx3-ubyte"});
  const fs::path labels = first_of(folder, {part + "-labels-idx1-ubyte", part + "-labels.idx1-ubyte"});
  if (images.empty())
    return fail(Errc::bad_input, NW_TR("{0}: has no {1}-images-idx3-ubyte (or .gz)"), folder.string(), part);
  if (labels.empty())
    return fail(Errc::bad_input, NW_TR("{0}: has no {1}-labels-idx1-ubyte (or .gz)"), folder.string(), part);
  return read_idx(images, labels);
}

/// Folder with the four MNIST files, plain or .gz, in either spelling.
Result<OpenedData> open_mnist(const fs::path& folder) {
  NW_ASSIGN(const auto train, read_part(folder, "train"));
  NW_ASSIGN(const auto test, read_part(folder, "t10k"));
  NW_ASSIGN(OpenedData data, open_idx(train, test, folder));
  data.description = "MNIST";
  return data;
}

bool recognize(const fs::path& place) { return holds_set(place, mnist_set()); }

Result<SourceReading> read(const DataChoice& c, const fs::path& data_dir) {
  NW_ASSIGN(const fs::path folder, known_place(c, data_dir, mnist_set()));
  return SourceReading{{folder}, false, [folder] { return open_mnist(folder); }};
}

Text describe(const DataChoice&) { return text("MNIST"); }

DataFacts usual(const DataChoice& c) {
  return {.channels = 1,
          .height = 28,
          .width = 28,
          .classes = c.target == "odd" ? 2 : 10,
          .train = 45000,
          .validation = 5000,
          .test = 10000};
}

constexpr SourceOption options[] = {source_options::found_folder};

}  // namespace

extern const DataSource mnist_source{.kind = SourceKind::mnist,
                                     .title = NW_TR("MNIST"),
                                     .command_line = "mnist",
                                     .order = 10,
                                     .options = options,
                                     .built_in = true,
                                     .recognize = recognize,
                                     .read = read,
                                     .describe = describe,
                                     .usual = usual};

}  // namespace nw
