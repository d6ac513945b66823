// SPDX-License-Identifier: Apache-2.0
#include "engine/io/safetensors.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "engine/core/json.hpp"

namespace nw {
namespace {

struct Folder {
  fs::path path;
  Folder() {
    std::string name = (fs::temp_directory_path() / "netwright-io-XXXXXX").string();
    path = ::mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path); }
};

/// A file with this header and this number of data bytes; the header length is correct unless given.
std::string file_of(const std::string& header, std::size_t data_bytes, std::int64_t length = -1) {
  const auto n = static_cast<std::uint64_t>(length < 0 ? static_cast<std::int64_t>(header.size()) : length);
  std::string out(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) out[i] = static_cast<char>(n >> (8 * i) & 0xFF);
  return out + header + std::string(data_bytes, '\1');
}
std::string tensor(const std::string& dtype, const std::string& shape, const std::string& offsets) {
  return "{\"dtype\":\"" + dtype + "\",\"shape\":" + shape + ",\"data_offsets\":" + offsets + "}";
}
std::string one(const std::string& body) { return "{\"a\":" + body + "}"; }

TensorSource source(const std::string& name, DType dtype, std::vector<std::int64_t> shape, const std::string& bytes) {
  return {name, dtype, std::move(shape), [bytes](std::span<std::byte> to) {
            EXPECT_EQ(to.size(), bytes.size());
            std::memcpy(to.data(), bytes.data(), std::min(to.size(), bytes.size()));
            return Status{};
          }};
}

TEST(Safetensors, ATensorThatCannotBeReadLeavesTheFileAsItWas) {
  const Folder folder;
  const fs::path file = folder.path / "m.safetensors";
  ASSERT_TRUE(write_safetensors(file, {source("w", DType::f32, {1}, "four")}));
  const std::string before = *read_file(file, 1000);
  TensorSource broken{
      "w", DType::f32, {1}, [](std::span<std::byte>) -> Status { return fail(Errc::no_device, "{0}", "gone"); }};
  const auto written = write_safetensors(file, {broken});
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().code, Errc::no_device);
  EXPECT_EQ(*read_file(file, 1000), before);
}

TEST(Safetensors, ReadsBackTheWrittenBytes) {
  const Folder folder;
  const std::string weights = "sixteen bytes...", counter(8, '\7');
  auto written = write_safetensors(
      folder.path / "m.safetensors",
      {source("conv1.weight", DType::f32, {2, 2}, weights), source("bn1.num_batches_tracked", DType::i64, {}, counter)},
      {{"format", "pt"}});
  ASSERT_TRUE(written) << written.error().str();
  EXPECT_EQ(*written, fs::file_size(folder.path / "m.safetensors"));
  const auto file = SafetensorsFile::open(folder.path / "m.safetensors");
  ASSERT_TRUE(file) << file.error().str();
  EXPECT_EQ(file->header().metadata.at("format"), "pt");
  EXPECT_EQ(file->header().data_offset % 8, 0U) << "tensors are aligned for readers that map the file";
  const TensorInfo* info = file->find("conv1.weight");
  ASSERT_NE(info, nullptr);
  EXPECT_EQ(info->dtype, "F32");
  EXPECT_EQ(info->shape, (std::vector<std::int64_t>{2, 2}));
  std::string back(16, '\0');
  ASSERT_TRUE(file->read(*info, std::as_writable_bytes(std::span(back))));
  EXPECT_EQ(back, weights);
  ASSERT_NE(file->find("bn1.num_batches_tracked"), nullptr);
  EXPECT_TRUE(file->find("bn1.num_batches_tracked")->shape.empty());
  EXPECT_EQ(file->find("conv2.weight"), nullptr);
}

TEST(Safetensors, EqualTensorsGiveEqualFilesWhateverTheirOrder) {
  const Folder folder;
  const auto a = source("a", DType::f32, {1}, "aaaa"), b = source("b", DType::f32, {1}, "bbbb"),
             c = source("c", DType::i64, {}, "cccccccc");
  ASSERT_TRUE(write_safetensors(folder.path / "1", {a, b, c}));
  ASSERT_TRUE(write_safetensors(folder.path / "2", {c, b, a}));
  EXPECT_EQ(*read_file(folder.path / "1", 1000), *read_file(folder.path / "2", 1000));
}

struct Hostile {
  std::string name, bytes, expected;
};

std::vector<Hostile> malformed_files() {
  const std::string good = tensor("F32", "[2]", "[0,8]");
  std::vector<Hostile> files = {
      {"empty", "", "shorter than its 8 bytes"},
      {"seven bytes", "1234567", "shorter than its 8 bytes"},
      {"length only", file_of("", 0), "does not start with"},
      {"header claims more than the file", file_of(one(good), 8, 1000), "more than the file holds"},
      {"header claims 100 MB and one", file_of(one(good), 8, 100'000'001), "at most 100 MB"},
      {"header claims 2^63", file_of(one(good), 8, std::numeric_limits<std::int64_t>::max()), "at most 100 MB"},
      {"header is a list", file_of("[1]", 0), "does not start with"},
      {"header starts with a blank", file_of(" " + one(good), 8), "does not start with"},
      {"header is cut", file_of("{\"a\":{\"dtype\":\"F32\"", 0), "does not end with"},
      {"header ends in a newline", file_of(one(good) + "\n", 8), "does not end with"},
      {"two objects", file_of(one(good) + "{}", 8), "not valid JSON"},
      {"not JSON", file_of("{nonsense}", 0), "not valid JSON"},
      {"not UTF-8", file_of("{\"\xC0\xAF\":" + good + "}", 8), "not valid JSON"},
      {"lone surrogate", file_of("{\"\\ud800\":" + good + "}", 8), "not valid JSON"},
      {"duplicate tensor", file_of("{\"a\":" + good + ",\"a\":" + good + "}", 8), "twice"},
      {"duplicate dtype",
       file_of("{\"a\":{\"dtype\":\"F32\",\"dtype\":\"U8\",\"shape\":[2],\"data_offsets\":[0,8]}}", 8), "twice"},
      {"duplicate metadata", file_of("{\"__metadata__\":{\"x\":\"1\",\"x\":\"2\"}}", 0), "twice"},
      {"deep", file_of("{\"a\":{\"shape\":[[[[2]]]],\"dtype\":\"F32\",\"data_offsets\":[0,8]}}", 8), "nested deeper"},
      {"very deep", file_of("{\"a\":" + std::string(100'000, '[') + std::string(100'000, ']') + "}", 8),
       "nested deeper"},
      {"tensor is a number", file_of("{\"a\":1}", 0), "needs dtype, shape and data_offsets"},
      {"no shape", file_of("{\"a\":{\"dtype\":\"F32\",\"data_offsets\":[0,8],\"x\":1}}", 8), "has no shape"},
      {"no dtype", file_of("{\"a\":{\"x\":\"F32\",\"data_offsets\":[0,8],\"shape\":[2]}}", 8), "unknown dtype"},
      {"no offsets", file_of("{\"a\":{\"dtype\":\"F32\",\"x\":[0,8],\"shape\":[2]}}", 8), "no data_offsets"},
      {"a key too many",
       file_of("{\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8],\"code\":\"import os\"}}", 8),
       "and nothing else"},
      {"unknown dtype", file_of(one(tensor("F99", "[2]", "[0,8]")), 8), "unknown dtype"},
      {"lower-case dtype", file_of(one(tensor("f32", "[2]", "[0,8]")), 8), "unknown dtype"},
      {"dtype is a number", file_of("{\"a\":{\"dtype\":32,\"shape\":[2],\"data_offsets\":[0,8]}}", 8), "unknown dtype"},
      {"shape is text", file_of(one(tensor("F32", "\"2\"", "[0,8]")), 8), "has no shape"},
      {"negative size", file_of(one(tensor("F32", "[-2]", "[0,8]")), 8), "not a whole number"},
      {"fractional size", file_of(one(tensor("F32", "[2.0]", "[0,8]")), 8), "not a whole number"},
      {"size in text", file_of(one(tensor("F32", "[\"2\"]", "[0,8]")), 8), "not a whole number"},
      {"size null", file_of(one(tensor("F32", "[null]", "[0,8]")), 8), "not a whole number"},
      {"size true", file_of(one(tensor("F32", "[true]", "[0,8]")), 8), "not a whole number"},
      {"size 2^64", file_of(one(tensor("F32", "[18446744073709551616]", "[0,8]")), 8), "not a whole number"},
      {"size 2^63", file_of(one(tensor("F32", "[9223372036854775808]", "[0,8]")), 8), "not a whole number"},
      {"product overflows", file_of(one(tensor("F32", "[4294967296,4294967296]", "[0,8]")), 8), "too large"},
      {"product overflows to eight", file_of(one(tensor("F32", "[2,4611686018427387905]", "[0,8]")), 8), "too large"},
      {"bytes overflow", file_of(one(tensor("F64", "[2305843009213693952]", "[0,0]")), 0), "too large"},
      {"rank 65",
       file_of(one(tensor(
                   "F32",
                   "[" + std::string("1,") +
                       [] {
                         std::string s;
                         for (int i = 0; i < 63; ++i) s += "1,";
                         return s;
                       }() +
                       "2]",
                   "[0,8]")),
               8),
       "has no shape"},
      {"one offset", file_of(one(tensor("F32", "[2]", "[0]")), 8), "no data_offsets"},
      {"three offsets", file_of(one(tensor("F32", "[2]", "[0,8,8]")), 8), "no data_offsets"},
      {"negative offset", file_of(one(tensor("F32", "[2]", "[-8,0]")), 8), "no data_offsets"},
      {"fractional offset", file_of(one(tensor("F32", "[2]", "[0,8.0]")), 8), "no data_offsets"},
      {"offsets backwards", file_of(one(tensor("F32", "[2]", "[8,0]")), 8), "bytes of its shape"},
      {"offsets too short", file_of(one(tensor("F32", "[2]", "[0,4]")), 8), "bytes of its shape"},
      {"offsets too long", file_of(one(tensor("F32", "[2]", "[0,12]")), 12), "bytes of its shape"},
      {"past the end", file_of(one(good), 4), "after the end of the file"},
      {"no data at all", file_of(one(good), 0), "after the end of the file"},
      {"bytes behind", file_of(one(good), 9), "belong to nothing"},
      {"a whole archive behind", file_of(one(good), 8) + "PK\3\4", "belong to nothing"},
      {"hole at the start", file_of(one(tensor("F32", "[2]", "[4,12]")), 12), "belong to no tensor"},
      {"hole in the middle", file_of("{\"a\":" + good + ",\"b\":" + tensor("F32", "[1]", "[12,16]") + "}", 16),
       "belong to no tensor"},
      {"overlap", file_of("{\"a\":" + good + ",\"b\":" + tensor("F32", "[2]", "[4,12]") + "}", 12), "overlaps"},
      {"same bytes twice", file_of("{\"a\":" + good + ",\"b\":" + good + "}", 8), "overlaps"},
      {"empty tensor inside another", file_of("{\"a\":" + good + ",\"b\":" + tensor("F32", "[0]", "[4,4]") + "}", 8),
       "overlaps"},
      {"empty tensor behind the end", file_of("{\"a\":" + good + ",\"b\":" + tensor("F32", "[0]", "[16,16]") + "}", 8),
       "after the end"},
      {"metadata is a list", file_of("{\"__metadata__\":[]}", 0), "not an object"},
      {"metadata holds a number", file_of("{\"__metadata__\":{\"step\":1}}", 0), "is not text"},
      {"metadata holds an object", file_of("{\"__metadata__\":{\"x\":{}}}", 0), "is not text"},
      {"nothing but data", file_of("{}", 8), "belong to nothing"},
      {"a pickle", std::string("\x80\x02}q\0.", 6) + std::string(100, 'x'), "at most 100 MB"},
      {"a zip", "PK\3\4" + std::string(100, 'x'), "at most 100 MB"},
  };
  return files;
}

TEST(Safetensors, EveryMalformedFileIsRejectedWithItsSentence) {
  const auto files = malformed_files();
  EXPECT_GE(files.size(), 60U);
  for (const Hostile& h : files) {
    const auto parsed = parse_safetensors(h.bytes, h.bytes.size(), "hostile.safetensors");
    ASSERT_FALSE(parsed) << h.name;
    EXPECT_EQ(parsed.error().code, Errc::bad_input) << h.name;
    EXPECT_NE(parsed.error().str().find(h.expected), std::string::npos) << h.name << ": " << parsed.error().str();
    EXPECT_NE(parsed.error().str().find("hostile.safetensors"), std::string::npos) << h.name;
  }
}

TEST(Safetensors, MalformedFilesAreRejectedFromDiskToo) {
  const Folder folder;
  for (const Hostile& h : malformed_files()) {
    ASSERT_TRUE(save_file(folder.path / "x", h.bytes));
    EXPECT_FALSE(SafetensorsFile::open(folder.path / "x")) << h.name;
  }
  EXPECT_FALSE(SafetensorsFile::open(folder.path)) << "a folder is no file";
  EXPECT_FALSE(SafetensorsFile::open(folder.path / "absent"));
}

TEST(Safetensors, OddButLegalFilesAreRead) {
  EXPECT_TRUE(parse_safetensors(file_of("{}", 0), 10, "x"));
  EXPECT_TRUE(parse_safetensors(file_of("{}   ", 0), 13, "x"));
  EXPECT_TRUE(parse_safetensors(file_of(one(tensor("F32", "[]", "[0,4]")), 4),
                                8 + one(tensor("F32", "[]", "[0,4]")).size() + 4, "x"));
  const std::string empty = "{\"a\":" + tensor("F32", "[0]", "[0,0]") + ",\"b\":" + tensor("U8", "[3]", "[0,3]") + "}";
  EXPECT_TRUE(parse_safetensors(file_of(empty, 3), 8 + empty.size() + 3, "x"));
}

TEST(Safetensors, AnyChangedByteIsReadWithoutACrash) {
  const std::string header = "{\"__metadata__\":{\"format\":\"pt\"},\"a\":" + tensor("F32", "[2,3]", "[0,24]") +
                             ",\"b\":" + tensor("I64", "[]", "[24,32]") + "}";
  const std::string good = file_of(header, 32);
  ASSERT_TRUE(parse_safetensors(good, good.size(), "x"));
  std::mt19937 random(1);
  for (int i = 0; i < 20000; ++i) {
    std::string bad = good;
    for (unsigned n = 1 + random() % 3; n > 0; --n) bad[random() % bad.size()] = static_cast<char>(random());
    if (random() % 4 == 0) bad.resize(random() % bad.size());
    const auto parsed = parse_safetensors(bad, bad.size(), "x");
    if (!parsed) continue;
    std::uint64_t covered = 0;
    for (const TensorInfo& t : parsed->tensors) covered += t.bytes();
    EXPECT_EQ(covered + parsed->data_offset, bad.size()) << "what is accepted covers its file exactly";
  }
}

}  // namespace
}  // namespace nw
