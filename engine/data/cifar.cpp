// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include "engine/data/sources.hpp"

namespace nw {
namespace {

constexpr std::size_t side = 32, plane = side * side, record = 1 + 3 * plane;

/// Appends a batch file: one label byte, then three planes of 32×32.
Status append(MemoryDataset& set, const fs::path& file) {
  NW_ASSIGN(const std::string bytes, read_maybe_gzip(file));
  if (bytes.empty() || bytes.size() % record != 0)
    return fail(Errc::bad_input, NW_TR("{0}: {1} bytes are no whole number of CIFAR-10 records of {2}; it is cut short or of another format"), file.string(), bytes.size(), record);
  for (std::size_t at = 0; at < bytes.size(); at += record) {
    const int label = static_cast<unsigned char>(bytes[at]);
    if (label > 9) return fail(Errc::bad_input, NW_TR("{0}: image {1} has class {2}, CIFAR-10 ends at 9"), file.string(), at / record, label);
    set.origins_.push_back(file.filename().string() + ", image " + std::to_string(at / record));
    set.labels_.push_back(label);
    for (std::size_t i = 0; i < plane; ++i)
      for (std::size_t c = 0; c < 3; ++c) set.pixels_.push_back(static_cast<std::uint8_t>(bytes[at + 1 + c * plane + i]));
  }
  return {};
}

std::vector<std::string> class_names(const fs::path& folder) {
  std::vector<std::string> names;
  if (const auto text = read_file(folder / "batches.meta.txt", 4096)) {
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);)
      if (!line.empty()) names.push_back(line);
  }
  if (names.size() != 10) names = {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};
  return names;
}

}  // namespace

Result<OpenedData> open_cifar(const fs::path& folder) {
  auto train = std::make_shared<MemoryDataset>(3, 32, 32), test = std::make_shared<MemoryDataset>(3, 32, 32);
  std::error_code ignored;
  for (int i = 1; i <= 5; ++i) {
    const fs::path file = folder / ("data_batch_" + std::to_string(i) + ".bin");
    if (fs::exists(file, ignored)) NW_TRY(append(*train, file));
  }
  if (train->size() == 0) return fail(Errc::bad_input, NW_TR("{0}: has no data_batch_1.bin to data_batch_5.bin"), folder.string());
  OpenedData data;
  if (fs::exists(folder / "test_batch.bin", ignored)) NW_TRY(append(*test, folder / "test_batch.bin"));
  data.classes = class_names(folder);
  data.train = std::move(train);
  if (test->size() > 0) data.test = std::move(test);
  data.description = "CIFAR-10";
  data.place = folder.string();
  return data;
}

}  // namespace nw
