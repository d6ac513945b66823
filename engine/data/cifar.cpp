// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include "engine/data/sources.hpp"

namespace nw {
namespace {

constexpr std::size_t side = 32, plane = side * side, record = 1 + 3 * plane;
constexpr std::uint64_t batch_limit_bytes = std::uint64_t{1} << 30;

Status append_file(MemoryDataset& set, const fs::path& file) {
  NW_ASSIGN(const std::string bytes, read_maybe_gzip(file, batch_limit_bytes));
  return parse_cifar(bytes, file.string(), set);
}

std::vector<std::string> class_names(const fs::path& folder) {
  std::vector<std::string> names;
  if (const auto text = read_file(folder / "batches.meta.txt", 4096)) {
    std::istringstream lines(*text);
    for (std::string line; std::getline(lines, line);) {
      if (line.ends_with('\r')) line.pop_back();
      if (!line.empty()) names.push_back(line);
    }
  }
  if (names.size() != 10) names = {"airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"};
  return names;
}

}  // namespace

Status parse_cifar(std::string_view bytes, const std::string& name, MemoryDataset& into) {
  if (bytes.empty() || bytes.size() % record != 0)
    return fail(Errc::bad_input, NW_TR("{0}: {1} bytes are no whole number of CIFAR-10 records of {2}; it is cut short or of another format"), name, bytes.size(), record);
  const std::size_t count = bytes.size() / record;
  const std::string origin = fs::path(name).filename().string() + ", image ";
  std::vector<std::uint8_t>& pixels = into.pixels_;
  std::size_t to = pixels.size();
  pixels.resize(to + count * 3 * plane);
  for (std::size_t n = 0; n < count; ++n) {
    const auto* from = reinterpret_cast<const std::uint8_t*>(bytes.data()) + n * record;
    if (from[0] > 9) return fail(Errc::bad_input, NW_TR("{0}: image {1} has class {2}, CIFAR-10 ends at 9; the file is damaged or of another format"), name, n, from[0]);
    into.labels_.push_back(from[0]);
    into.origins_.push_back(origin + std::to_string(n));
    for (std::size_t i = 0; i < plane; ++i)
      for (std::size_t c = 0; c < 3; ++c) pixels[to++] = from[1 + c * plane + i];
  }
  return {};
}

Result<OpenedData> open_cifar(const fs::path& folder) {
  auto train = std::make_shared<MemoryDataset>(3, 32, 32), test = std::make_shared<MemoryDataset>(3, 32, 32);
  OpenedData data;
  std::error_code ignored;
  for (int i = 1; i <= 5; ++i) {
    const fs::path file = folder / ("data_batch_" + std::to_string(i) + ".bin");
    if (fs::exists(file, ignored)) NW_TRY(append_file(*train, file));
    else data.warnings.push_back(text(NW_TR("{0} is missing: its 10 000 images are left out"), file.string()));
  }
  if (train->size() == 0) return fail(Errc::bad_input, NW_TR("{0}: has no data_batch_1.bin to data_batch_5.bin"), folder.string());
  if (fs::exists(folder / "test_batch.bin", ignored)) NW_TRY(append_file(*test, folder / "test_batch.bin"));
  else data.warnings.push_back(text(NW_TR("{0} is missing: test images are held out of the training images"), (folder / "test_batch.bin").string()));
  data.classes = class_names(folder);
  data.train = std::move(train);
  if (test->size() > 0) data.test = std::move(test);
  data.description = "CIFAR-10";
  data.place = folder.string();
  return data;
}

}  // namespace nw
