// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/source_options.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {
namespace {

constexpr std::size_t side = 32, plane = side * side;
constexpr std::uint64_t batch_limit_bytes = std::uint64_t{1} << 30;

/// The layout of a record's label bytes.
struct RecordLayout {
  const char* name;
  std::size_t label_bytes, label_at;
  int classes;
  std::size_t record() const { return label_bytes + 3 * plane; }
};
RecordLayout layout_of(CifarLabels labels) {
  switch (labels) {
    case CifarLabels::fine_of_100:
      return {"CIFAR-100", 2, 1, 100};
    case CifarLabels::coarse_of_100:
      return {"CIFAR-100", 2, 0, 20};
    case CifarLabels::of_10:
      break;
  }
  return {"CIFAR-10", 1, 0, 10};
}

Status append_file(MemoryDataset& set, const fs::path& file, CifarLabels labels) {
  NW_ASSIGN(const std::string bytes, read_maybe_gzip(file, batch_limit_bytes));
  return parse_cifar(bytes, file.string(), set, labels);
}

/// The class names from the file next to the batch files; empty if their number differs from the number of classes.
std::vector<std::string> names_in(const fs::path& file, std::size_t classes) {
  std::vector<std::string> names;
  if (const auto text = read_file(file, 4096)) {
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
      if (line.ends_with('\r')) line.pop_back();
      if (!line.empty()) names.push_back(line);
    }
  }
  if (names.size() != classes) names.clear();
  return names;
}

std::vector<std::string> numbered_classes(std::size_t classes) {
  std::vector<std::string> names;
  for (std::size_t c = 0; c < classes; ++c) names.push_back(std::to_string(c));
  return names;
}

Result<OpenedData> finished(OpenedData data, std::shared_ptr<MemoryDataset> train, std::shared_ptr<MemoryDataset> test,
                            const fs::path& folder, const char* description) {
  data.train = std::move(train);
  if (test->size() > 0) data.test = std::move(test);
  data.description = description;
  data.place = folder.string();
  return data;
}

Text no_test_file(const fs::path& file) {
  return text(NW_TR("{0} is missing: test images are held out of the training images"), file.string());
}

Result<OpenedData> open_cifar_100(const fs::path& folder, CifarLabels labels) {
  auto train = std::make_shared<MemoryDataset>(3, 32, 32), test = std::make_shared<MemoryDataset>(3, 32, 32);
  OpenedData data;
  std::error_code ignored;
  NW_TRY(append_file(*train, folder / "train.bin", labels));
  if (fs::exists(folder / "test.bin", ignored))
    NW_TRY(append_file(*test, folder / "test.bin", labels));
  else
    data.warnings.push_back(no_test_file(folder / "test.bin"));
  const auto classes = static_cast<std::size_t>(layout_of(labels).classes);
  const fs::path names =
      folder / (labels == CifarLabels::coarse_of_100 ? "coarse_label_names.txt" : "fine_label_names.txt");
  data.classes = names_in(names, classes);
  if (data.classes.empty()) {
    data.warnings.push_back(text(NW_TR("{0} does not hold the names of {1} classes; they are called by their numbers"),
                                 names.string(), classes));
    data.classes = numbered_classes(classes);
  }
  return finished(std::move(data), train, test, folder, "CIFAR-100");
}

Result<OpenedData> open_cifar_10(const fs::path& folder) {
  auto train = std::make_shared<MemoryDataset>(3, 32, 32), test = std::make_shared<MemoryDataset>(3, 32, 32);
  OpenedData data;
  std::error_code ignored;
  for (int i = 1; i <= 5; ++i) {
    const fs::path file = folder / ("data_batch_" + std::to_string(i) + ".bin");
    if (fs::exists(file, ignored))
      NW_TRY(append_file(*train, file, CifarLabels::of_10));
    else
      data.warnings.push_back(text(NW_TR("{0} is missing: its 10 000 images are left out"), file.string()));
  }
  if (train->size() == 0)
    return fail(Errc::bad_input,
                NW_TR("{0}: data_batch_1.bin to data_batch_5.bin are missing; choose the folder that contains them"),
                folder.string());
  if (fs::exists(folder / "test_batch.bin", ignored))
    NW_TRY(append_file(*test, folder / "test_batch.bin", CifarLabels::of_10));
  else
    data.warnings.push_back(no_test_file(folder / "test_batch.bin"));
  data.classes = names_in(folder / "batches.meta.txt", 10);
  if (data.classes.empty())
    data.classes = {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};
  return finished(std::move(data), train, test, folder, "CIFAR-10");
}

}  // namespace

Status parse_cifar(std::string_view bytes, const std::string& name, MemoryDataset& into, CifarLabels labels) {
  const RecordLayout layout = layout_of(labels);
  if (bytes.empty() || bytes.size() % layout.record() != 0)
    return fail(Errc::bad_input,
                NW_TR("{0}: {1} bytes are no whole number of {2} records of {3}; it is cut short or of another format"),
                name, bytes.size(), layout.name, layout.record());
  const std::size_t count = bytes.size() / layout.record();
  const std::string origin = fs::path(name).filename().string() + ", image ";
  std::vector<std::uint8_t>& pixels = into.pixels_;
  std::size_t to = pixels.size();
  pixels.resize(to + count * 3 * plane);
  for (std::size_t n = 0; n < count; ++n) {
    const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data()) + n * layout.record();
    const int label = from[layout.label_at];
    if (label >= layout.classes)
      return fail(Errc::bad_input,
                  NW_TR("{0}: image {1} has class {2}, {3} ends at {4}; the file is damaged or of another format"),
                  name, n, label, layout.name, layout.classes - 1);
    into.labels_.push_back(label);
    into.origins_.push_back(origin + std::to_string(n));
    for (std::size_t i = 0; i < plane; ++i)
      for (std::size_t c = 0; c < 3; ++c) pixels[to++] = from[layout.label_bytes + c * plane + i];
  }
  return {};
}

namespace {

/// Folder with data_batch_1.bin … test_batch.bin (CIFAR-10) or train.bin and test.bin (CIFAR-100; `coarse`: its 20
/// superclasses).
Result<OpenedData> open_cifar(const fs::path& folder, bool coarse) {
  std::error_code ignored;
  const bool is_100 = !fs::exists(folder / "data_batch_1.bin", ignored) && fs::exists(folder / "train.bin", ignored);
  if (is_100) return open_cifar_100(folder, coarse ? CifarLabels::coarse_of_100 : CifarLabels::fine_of_100);
  if (coarse)
    return fail(Errc::bad_input, NW_TR("{0}: only CIFAR-100 has coarse labels; choose its folder, or learn the class"),
                folder.string());
  return open_cifar_10(folder);
}

const KnownSet& cifar_10_set() {
  static const KnownSet set{"CIFAR-10", {"cifar-10-batches-bin", "cifar10"}, {"data_batch_1.bin"}};
  return set;
}
const KnownSet& cifar_100_set() {
  static const KnownSet set{"CIFAR-100", {"cifar-100-binary", "cifar100"}, {"train.bin"}};
  return set;
}

bool recognize(const fs::path& place) { return holds_set(place, cifar_10_set()) || holds_set(place, cifar_100_set()); }

/// The folder of CIFAR-100 if its coarse labels are chosen or the chosen folder contains only CIFAR-100; else that of
/// CIFAR-10.
Result<fs::path> cifar_place(const DataChoice& c, const fs::path& data_dir) {
  const bool coarse = c.target == "coarse";
  if (!coarse && (data_dir.empty() || !find_set(data_dir, cifar_10_set()).empty()))
    return known_place(c, data_dir, cifar_10_set());
  if (!coarse && find_set(data_dir, cifar_100_set()).empty()) return data_dir;
  return known_place(c, data_dir, cifar_100_set());
}

Result<SourceReading> read(const DataChoice& c, const fs::path& data_dir) {
  NW_ASSIGN(const fs::path folder, cifar_place(c, data_dir));
  return SourceReading{{folder}, false, [folder, coarse = c.target == "coarse"] { return open_cifar(folder, coarse); }};
}

Text describe(const DataChoice&) { return text("CIFAR-10"); }

DataFacts usual(const DataChoice&) {
  return {.channels = 3, .height = 32, .width = 32, .classes = 10, .train = 45000, .validation = 5000, .test = 10000};
}

constexpr SourceOption options[] = {source_options::found_folder};

}  // namespace

extern const DataSource cifar_source{.kind = SourceKind::cifar,
                                     .title = NW_TR("CIFAR"),
                                     .command_line = "cifar",
                                     .order = 20,
                                     .options = options,
                                     .built_in = true,
                                     .recognize = recognize,
                                     .read = read,
                                     .describe = describe,
                                     .usual = usual};

}  // namespace nw
