// SPDX-License-Identifier: Apache-2.0
// The reader beside that of the safetensors package: what that one refuses is refused here, what both read is the same,
// and what is written here is read there. 5,000 made and 5,000 changed files, 200,000 of each with NETWRIGHT_LONG=1.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <random>
#include <set>
#include <sstream>

#include "tests/engine/io/malformed_safetensors.hpp"
#include "tests/support/paths.hpp"

namespace nw {
namespace {

std::string row_of(const TensorInfo& t, std::string_view data) {
  std::string name;
  for (const char c : t.name) name += fmt::format("{:02x}", static_cast<unsigned char>(c));
  const auto* bytes = reinterpret_cast<const Bytef*>(data.data() + t.begin);
  const uLong sum = ::crc32_z(0, bytes, t.bytes());
  return fmt::format("{}:{}:{}:{:08x}", name, t.dtype, fmt::join(t.shape, "x"), t.bytes() == 0 ? 0 : sum);
}

/// As the peer prints it; "no" and the sentence for what is refused.
std::string judged_here(const std::string& file) {
  const auto read = parse_safetensors(file, file.size(), "x");
  if (!read) return "no " + read.error().str();
  std::set<std::string> rows;
  for (const TensorInfo& t : read->tensors) rows.insert(row_of(t, std::string_view(file).substr(read->data_offset)));
  std::string all = "ok";
  for (const std::string& row : rows) all += " " + row;
  return all;
}

class SafetensorsPeer : public testing::Test {
 protected:
  void SetUp() override {
    if (!python_) GTEST_SKIP() << "NETWRIGHT_PYTHON names no Python with safetensors";
  }
  static std::size_t many() { return std::getenv("NETWRIGHT_LONG") ? 200'000 : 5'000; }
  /// One line for each file; none where the package is not installed.
  std::vector<std::string> judged_there(const std::vector<std::string>& files) {
    std::string all;
    for (const std::string& f : files) {
      const std::uint64_t size = f.size();
      all.append(reinterpret_cast<const char*>(&size), 8).append(f);
    }
    EXPECT_TRUE(save_file(folder_.path / "files", all));
    const std::string said = (folder_.path / "said").string();
    const std::string command = fmt::format("'{}' -B '{}/engine/io/safetensors_peer.py' '{}' > '{}' 2>&1", python_,
                                            test::tests_folder(), (folder_.path / "files").string(), said);
    const int code = WEXITSTATUS(std::system(command.c_str()));
    std::istringstream text(*read_file(said, 1 << 30));
    std::vector<std::string> lines;
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    if (code == 77) return {};
    EXPECT_EQ(code, 0) << text.str();
    EXPECT_EQ(lines.size(), files.size());
    return lines;
  }
  /// Reports what is refused here only, by the first words of the peer's or our sentence.
  void agree(const std::vector<std::string>& files) {
    const std::vector<std::string> there = judged_there(files);
    if (there.empty()) GTEST_SKIP() << "NETWRIGHT_PYTHON names no Python with safetensors";
    std::size_t read = 0, refused = 0, stricter = 0;
    std::set<std::string> reasons;
    for (std::size_t i = 0; i < std::min(files.size(), there.size()); ++i) {
      const std::string here = judged_here(files[i]);
      const bool ours = here.starts_with("ok"), theirs = there[i].starts_with("ok");
      EXPECT_TRUE(!ours || theirs) << "read here, refused there: " << there[i] << "\n" << files[i];
      if (ours && theirs) EXPECT_EQ(here, there[i]) << files[i];
      ++(ours ? read : theirs ? stricter : refused);
      if (!ours && theirs && reasons.size() < 20) reasons.insert(here);
    }
    std::printf("%zu files: %zu read by both, %zu refused by both, %zu refused here only\n", files.size(), read,
                refused, stricter);
    for (const std::string& r : reasons) std::printf("  refused here only: %s\n", r.c_str());
    EXPECT_GT(refused, 0U);
    read_by_both_ = read;
  }

  const char* python_ = std::getenv("NETWRIGHT_PYTHON");
  const IoFolder folder_;
  std::size_t read_by_both_ = 0;
};

TEST_F(SafetensorsPeer, RefusesNoFileThatIsReadHere) {
  std::vector<std::string> files;
  for (const Hostile& h : malformed_files()) files.push_back(h.bytes);
  const std::string good = file_of("{\"__metadata__\":{\"format\":\"pt\"},\"a\":" + tensor("F32", "[2,3]", "[0,24]") +
                                       ",\"b\":" + tensor("I64", "[]", "[24,32]") + "}",
                                   32);
  std::mt19937 random(7);
  for (std::size_t i = 0; i < many(); ++i) {
    std::string bad = good;
    for (unsigned n = 1 + random() % 2; n > 0; --n) bad[random() % bad.size()] = static_cast<char>(random() % 128);
    if (random() % 8 == 0) bad.resize(random() % bad.size());
    files.push_back(bad);
  }
  agree(files);
}

/// Headers of words that each may be wrong, so that some files are valid and most are wrong in one or two places.
std::string made_file(std::mt19937& random) {
  const auto one_of = [&](std::initializer_list<const char*> words) {
    return std::string(random() % 3 != 0 ? *words.begin() : words.begin()[random() % words.size()]);
  };
  const std::vector<std::pair<std::string, std::size_t>> types = {
      {"F32", 4}, {"U8", 1}, {"I64", 8}, {"BF16", 2}, {"F8_E4M3", 1}, {"BOOL", 1}, {"U64", 8}, {"C64", 8}, {"F4", 1}};
  std::string header =
      one_of({"{", "{", "{\"__metadata__\":{\"format\":\"pt\"},", "{\"__metadata__\":{\"k\":null},",
              "{\"__metadata__\":{},", "{\"__metadata__\":null,", "{\"__metadata__\":{\"a\":\"\\u0000\"},"});
  std::size_t at = 0;
  const std::size_t count = random() % 4;
  for (std::size_t i = 0; i < count; ++i) {
    const auto& [type, each] = types[random() % types.size()];
    const std::size_t first = random() % 4, second = random() % 3, bytes = first * second * each;
    const std::string name =
        i == 0 ? one_of({"a", "", "\\u00e9", "\\n", "a\\\"", "\xC3\xA9", "\t"}) : std::to_string(i);
    const std::string sizes =
        fmt::format("[{},{}{}]", first == 0 ? one_of({"0", "0", "-0", "00"}) : std::to_string(first), second,
                    one_of({"", "", "", ",1", ",1.0", ",1e0", ",-1", ",\"1\"", ",+1"}));
    const std::size_t begin = at + (random() % 20 == 0 ? random() % 3 : 0);
    header += fmt::format("{}\"{}\":{{\"dtype\":\"{}\",\"shape\":{},\"data_offsets\":[{},{}{}]{}}}", i > 0 ? "," : "",
                          name, type, sizes, begin, at + bytes, one_of({"", "", "", ".0", "e0"}),
                          one_of({"", "", "", ",\"x\":1", ",\"dtype\":\"U8\""}));
    at += bytes;
  }
  if (count == 0 && header.size() > 1) header.pop_back();
  header += one_of({"}", "} ", "}\n", "}\t", ",}", "}}", "", "} x"});
  return file_of(header, at + (random() % 15 == 0 ? 1 : 0));
}

TEST_F(SafetensorsPeer, ReadsTheSameFromMadeFiles) {
  std::vector<std::string> files;
  std::mt19937 random(11);
  for (std::size_t i = 0; i < many(); ++i) files.push_back(made_file(random));
  agree(files);
  if (!IsSkipped()) EXPECT_GT(read_by_both_, many() / 50) << "almost no file was valid";
}

TEST_F(SafetensorsPeer, ReadsWhatIsWrittenHere) {
  std::vector<TensorSource> all;
  const std::pair<DType, const char*> kinds[] = {{DType::f32, ""},  {DType::bf16, ""},  {DType::f16, ""},
                                                 {DType::f64, ""},  {DType::i64, ""},   {DType::u8, ""},
                                                 {DType::u8, "I8"}, {DType::f32, "I32"}};
  for (const auto& [type, stored] : kinds)
    for (const std::vector<std::int64_t>& shape : std::vector<std::vector<std::int64_t>>{{}, {0, 3}, {7}, {2, 3, 5}})
      all.push_back({.name = fmt::format("{} \"{}\"\n卷积.{}", static_cast<int>(type), stored, shape.size()),
                     .dtype = type,
                     .shape = shape,
                     .fill =
                         [](std::span<std::byte> to) {
                           for (std::size_t i = 0; i < to.size(); ++i) to[i] = static_cast<std::byte>(i * 37);
                           return Status();
                         },
                     .stored_as = stored});
  std::vector<std::string> files;
  for (const SafetensorsMetadata& notes :
       {SafetensorsMetadata{}, SafetensorsMetadata{{"export", "卷积 \"\n\x01"}, {"", ""}}})
    for (const std::vector<TensorSource>& tensors : {all, std::vector<TensorSource>{}}) {
      ASSERT_TRUE(write_safetensors(folder_.path / "written", tensors, notes));
      files.push_back(*read_file(folder_.path / "written", 1 << 20));
    }
  const std::vector<std::string> there = judged_there(files);
  if (there.empty()) GTEST_SKIP() << "NETWRIGHT_PYTHON names no Python with safetensors";
  for (std::size_t i = 0; i < files.size(); ++i) {
    EXPECT_TRUE(there[i].starts_with("ok")) << there[i];
    EXPECT_EQ(judged_here(files[i]), there[i]);
  }
}

}  // namespace
}  // namespace nw
