// SPDX-License-Identifier: Apache-2.0
// Every reader of untrusted bytes with an allocation that fails: project, run folder, ONNX, safetensors, images,
// archives, tables, journals, messages. What is tried is the corpus of the fuzzers.
#include <algorithm>
#include <fstream>
#include <vector>

#include "tests/fuzz/readers/readers.hpp"
#include "tests/torture/allocation/sweep.hpp"

namespace nw::test {
namespace {

namespace fs = std::filesystem;

/// Accepted inputs of the corpus, and a refused one; all of them with NETWRIGHT_LONG.
std::vector<fs::path> inputs_of(const fuzz::Reader& reader) {
  std::vector<fs::path> good, bad;
  for (const auto& entry : fs::directory_iterator(fs::path(NW_FUZZ_CORPUS) / reader.name))
    (entry.path().filename().string().starts_with("good-") ? good : bad).push_back(entry.path());
  std::sort(good.begin(), good.end());
  std::sort(bad.begin(), bad.end());
  if (!played_in_full()) {
    good.resize(std::min<std::size_t>(good.size(), 2));
    bad.resize(std::min<std::size_t>(bad.size(), 1));
  }
  good.insert(good.end(), bad.begin(), bad.end());
  return good;
}

/// Those that also write what they have read, as JSON or as ONNX.
bool writes_lists(std::string_view name) {
  constexpr std::string_view names[] = {"block_card", "event", "job",   "onnx",  "onnx_file", "project", "run",
                                        "run_file",   "space", "study", "queue", "transform", "network"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

class ReaderWithoutMemory : public testing::TestWithParam<fuzz::Reader> {};

TEST_P(ReaderWithoutMemory, ThrowsOrRefusesAndKeepsNothing) {
  const auto inputs = inputs_of(GetParam());
  ASSERT_FALSE(inputs.empty());
  for (const fs::path& file : inputs) {
    std::ifstream in(file, std::ios::binary);
    const std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
    const Work work{.name = std::string(GetParam().name) + "/" + file.filename().string(),
                    .play = [&] { return GetParam().read(bytes).accepted ? "accepted" : "refused"; },
                    .forgets = writes_lists(GetParam().name) ? lists_in_braces : 0};
    expect_gets_over(work);
  }
}

INSTANTIATE_TEST_SUITE_P(Readers, ReaderWithoutMemory, testing::ValuesIn(fuzz::readers),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace nw::test
