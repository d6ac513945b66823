// SPDX-License-Identifier: Apache-2.0
// The fuzzers' corpus and every input that once failed, through the same functions without a fuzzer. A file named
// good-… must be accepted, bad-… must be rejected, any other may be either.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/design/data_source.hpp"
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

/// The readers of libraries that this build lacks.
bool built_without([[maybe_unused]] std::string_view name) {
#ifndef NW_ARCHIVES
  if (name == "archive") return true;
#endif
#ifndef NW_IMAGES
  if (name == "image") return true;
#endif
#ifndef NW_JPEG
  if (name == "jpeg") return true;
#endif
#ifndef NW_GIF
  if (name == "pixels") return true;
#endif
  return false;
}

class Corpus : public testing::TestWithParam<Reader> {};

TEST_P(Corpus, EveryInputIsAcceptedOrRejectedAccordingToItsFileName) {
  for (const fs::path& file : files_of(GetParam())) {
    const Outcome outcome = GetParam().read(bytes_of(file));
    EXPECT_EQ(outcome.broken, "") << file.filename();
    EXPECT_FALSE(named(file, "good-") && !outcome.accepted) << file.filename();
    EXPECT_FALSE(named(file, "bad-") && outcome.accepted) << file.filename();
  }
}

TEST_P(Corpus, HasAcceptedAndRejectedExamples) {
  const auto files = files_of(GetParam());
  for (const char* kind : {"good-", "bad-"})
    EXPECT_TRUE(std::any_of(files.begin(), files.end(), [&](const fs::path& f) { return named(f, kind); }))
        << "tests/fuzz/make_corpus.py writes no " << GetParam().name << "/" << kind << "…";
}

// An input truncated at any byte: no read past the end, and no broken invariant.
TEST_P(Corpus, EveryTruncationOfAValidInputIsHandled) {
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

bool has_reader(std::string_view name) {
  return std::any_of(std::begin(readers), std::end(readers), [&](const Reader& r) { return r.name == name; });
}

TEST(Readers, EveryReaderFileHasATableRow) {
  for (const auto& entry : fs::directory_iterator(fs::path(nw::test::tests_folder()) / "fuzz" / "readers")) {
    const std::string name = entry.path().stem();
    if (entry.path().extension() != ".cpp" || built_without(name)) continue;
    EXPECT_TRUE(has_reader(name)) << "tests/fuzz/readers/readers.hpp has no row for " << name << ".cpp";
  }
}

TEST(Readers, EveryDataSourceHasAReader) {
  // Sources that parse no file format of their own: the fuzzer that feeds what they read, "" for none.
  const std::map<std::string_view, std::string_view> shared = {
      {"mnist", "idx"}, {"image_folder", "image_header"}, {"synthetic", ""}};
  for (const nw::DataSource* source : nw::registered_sources()) {
    const auto other = shared.find(source->kind.name());
    const std::string_view reader = other == shared.end() ? source->kind.name() : other->second;
    EXPECT_TRUE(reader.empty() || has_reader(reader))
        << "no fuzzer feeds the data source " << source->kind.name() << ": write tests/fuzz/readers/" << reader
        << ".cpp and its row in readers.hpp";
  }
}

INSTANTIATE_TEST_SUITE_P(Fuzz, Corpus, testing::ValuesIn(readers),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
