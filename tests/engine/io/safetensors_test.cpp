// SPDX-License-Identifier: Apache-2.0
#include "engine/io/safetensors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <random>

#include "engine/core/json.hpp"
#include "tests/engine/io/malformed_safetensors.hpp"

namespace nw {
namespace {

TensorSource source(const std::string& name, DType dtype, std::vector<std::int64_t> shape, const std::string& bytes) {
  return {name, dtype, std::move(shape), [bytes](std::span<std::byte> to) {
            EXPECT_EQ(to.size(), bytes.size());
            std::memcpy(to.data(), bytes.data(), std::min(to.size(), bytes.size()));
            return Status{};
          }};
}

TEST(Safetensors, ATensorThatCannotBeReadLeavesTheFileAsItWas) {
  const IoFolder folder;
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
  const IoFolder folder;
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
  const IoFolder folder;
  const auto a = source("a", DType::f32, {1}, "aaaa"), b = source("b", DType::f32, {1}, "bbbb"),
             c = source("c", DType::i64, {}, "cccccccc");
  ASSERT_TRUE(write_safetensors(folder.path / "1", {a, b, c}));
  ASSERT_TRUE(write_safetensors(folder.path / "2", {c, b, a}));
  EXPECT_EQ(*read_file(folder.path / "1", 1000), *read_file(folder.path / "2", 1000));
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
  const IoFolder folder;
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
