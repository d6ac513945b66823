// SPDX-License-Identifier: Apache-2.0
// The fuzzers' corpus and every input that once failed, through the same functions without a fuzzer. A file named
// good-… must be accepted, bad-… must be rejected, any other may be either.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <vector>

#include "tests/fuzz/readers/readers.hpp"
#include "tests/support/paths.hpp"

namespace {
namespace fs = std::filesystem;
using namespace nw::fuzz;

/// The hand-written corpus, and failing inputs that fuzzing found.
const std::array<fs::path, 2> folders = {fs::path(NW_FUZZ_CORPUS),
                                         fs::path(nw::test::tests_folder()) / "fuzz" / "found"};

std::vector<fs::path> files_of(const Reader& reader) {
  std::vector<fs::path> files;
  for (const fs::path& folder : folders) {
    std::error_code missing;
    for (const auto& entry : fs::directory_iterator(folder / reader.name, missing)) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The file in a buffer of exactly its size, so that a sanitizer detects a read one byte past the end.
std::vector<std::uint8_t> bytes_of(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::vector<std::uint8_t> bytes{std::istreambuf_iterator<char>(in), {}};
  bytes.shrink_to_fit();
  return bytes;
}

bool named(const fs::path& file, const char* kind) { return file.filename().string().starts_with(kind); }

class Corpus : public testing::TestWithParam<Reader> {};

TEST_P(Corpus, EveryInputIsTakenOrRejectedAsItsNameSays) {
  for (const fs::path& file : files_of(GetParam())) {
    const Outcome outcome = GetParam().read(bytes_of(file));
    EXPECT_EQ(outcome.broken, "") << file.filename();
    EXPECT_FALSE(named(file, "good-") && !outcome.accepted) << file.filename();
    EXPECT_FALSE(named(file, "bad-") && outcome.accepted) << file.filename();
  }
}

TEST_P(Corpus, HasExamplesThatAreTakenAndExamplesThatAreRejected) {
  const auto files = files_of(GetParam());
  for (const char* kind : {"good-", "bad-"})
    EXPECT_TRUE(std::any_of(files.begin(), files.end(), [&](const fs::path& f) { return named(f, kind); }))
        << "tests/fuzz/make_corpus.py writes no " << GetParam().name << "/" << kind << "…";
}

// An input truncated at any byte: no read past the end, and no broken invariant.
TEST_P(Corpus, EveryGoodInputMayEndAnywhere) {
  for (const fs::path& file : files_of(GetParam())) {
    if (!named(file, "good-")) continue;
    const auto whole = bytes_of(file);
    const std::size_t step = 1 + whole.size() / 400;
    for (std::size_t end = 0; end < whole.size(); end += step) {
      const std::vector<std::uint8_t> part(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(end));
      EXPECT_EQ(GetParam().read(part).broken, "") << file.filename() << " cut at " << end;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, testing::ValuesIn(readers),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
