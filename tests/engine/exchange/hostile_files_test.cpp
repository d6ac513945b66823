// SPDX-License-Identifier: Apache-2.0
// Malformed and hostile ONNX files: each is refused with one sentence, before memory is taken for what it claims.
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/engine/exchange/tiny_model.hpp"
#include "tests/engine/runs/folder.hpp"

namespace nw::exchange {
namespace {

/// Bytes of protobuf messages, field by field.
struct Wire {
  std::string bytes;
  Wire& varint(std::uint64_t v) {
    for (; v >= 0x80; v >>= 7) bytes.push_back(static_cast<char>(v | 0x80));
    bytes.push_back(static_cast<char>(v));
    return *this;
  }
  Wire& number(std::uint32_t field, std::uint64_t v) { return varint(field << 3).varint(v); }
  Wire& part(std::uint32_t field, const std::string& inside) {
    varint(field << 3 | 2).varint(inside.size());
    bytes += inside;
    return *this;
  }
};

std::string repeated(std::uint32_t field, const std::string& inside, std::size_t count) {
  Wire one, all;
  one.part(field, inside);
  for (std::size_t i = 0; i < count; ++i) all.bytes += one.bytes;
  return all.bytes;
}
std::string graph_of(const std::string& inside) {
  return Wire().number(1, 8).part(8, Wire().number(2, 17).bytes).part(7, inside).bytes;
}

TinyModel small() {
  TinyModel t;
  t.classify(t.node("Flatten", {t.node("Relu", {"x"})}), 3 * 8 * 8);
  return t;
}
std::string good_bytes() { return onnx::model_bytes(small().model); }

class HostileOnnx : public testing::Test {
 protected:
  /// The importer refuses the bytes of a file in a folder of its own, in a sentence with these words.
  void refused(const std::string& bytes, const std::string& words) {
    std::ofstream(folder_.path / "m.onnx", std::ios::binary) << bytes;
    const auto model = onnx::read_model(folder_.path / "m.onnx", limits_);
    if (!model) return expect_sentence(model.error(), words);
    const auto network = import_onnx(*model, "m.onnx", {});
    if (!network) return expect_sentence(network.error(), words);
    ADD_FAILURE() << "the file was read: " << words;
  }
  /// The file is refused before its graph is looked at.
  void unreadable(const std::string& bytes, const std::string& words) {
    std::ofstream(folder_.path / "m.onnx", std::ios::binary) << bytes;
    const auto model = onnx::read_model(folder_.path / "m.onnx", limits_);
    ASSERT_FALSE(model) << "the file was read: " << words;
    expect_sentence(model.error(), words);
  }
  void refused(const onnx::Model& model, const std::string& words) { refused(onnx::model_bytes(model), words); }

  static void expect_sentence(const Error& e, const std::string& words) {
    EXPECT_TRUE(e.code == Errc::bad_input || e.code == Errc::usage) << e.str();
    EXPECT_NE(e.str().find("onnx"), std::string::npos) << "names the file: " << e.str();
    EXPECT_NE(e.str().find(words), std::string::npos) << words << ": " << e.str();
    EXPECT_EQ(e.str().find('\n'), std::string::npos);
    EXPECT_LT(e.str().size(), 600u);
  }

  /// A model whose one weight lies in another file. `more`: keys and values.
  std::string with_external(const std::string& location, std::int64_t offset = 0, std::int64_t length = 3072,
                            const std::vector<std::pair<std::string, std::string>>& more = {}) {
    Wire tensor;
    tensor.number(1, 4).number(1, 192).number(2, 1).part(8, "fc.weight").number(14, 1);
    const auto entry = [&](const std::string& key, const std::string& value) {
      tensor.part(13, Wire().part(1, key).part(2, value).bytes);
    };
    entry("location", location);
    entry("offset", std::to_string(offset));
    entry("length", std::to_string(length));
    for (const auto& [key, value] : more) entry(key, value);
    return graph_of(
        Wire().part(5, tensor.bytes).part(1, Wire().part(1, "fc.weight").part(2, "y").part(4, "Identity").bytes).bytes);
  }

  Folder folder_;
  onnx::Limits limits_;
};

TEST_F(HostileOnnx, TheSmallModelItselfIsRead) {
  const auto model = onnx::parse_model(good_bytes(), "m.onnx", nullptr);
  ASSERT_TRUE(model) << model.error().str();
  EXPECT_EQ(types_of(import_onnx(*model, "m.onnx", {})), "ReLU Flatten Linear");
}

TEST_F(HostileOnnx, BytesThatAreNoModel) {
  refused(std::string(), "is empty");
  refused(std::string("PK\x03\x04 a zip file, as .pt files are"), "damaged or cut short");
  refused(std::string(200, '\xff'), "damaged or cut short");
  refused(std::string(1000, '\0'), "damaged or cut short");
  refused(std::string("{\"format\": 1}"), "damaged or cut short");
  refused(good_bytes().substr(0, 100), "damaged or cut short");
  refused(good_bytes().substr(0, good_bytes().size() - 1), "damaged or cut short");
  refused(Wire().number(1, 8).bytes, "it holds no graph");                               // no graph
  refused(Wire().part(7, "").bytes, "does not name its version of the ONNX operators");  // an empty graph, no version
  refused(std::string("\x3a\xff\xff\xff\xff\x0f", 6), "damaged or cut short");  // a graph of 4 GiB in six bytes
  refused(std::string("\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 11),
          "damaged or cut short");  // a length beyond 64 bits
}

TEST_F(HostileOnnx, BombsAreCountedBeforeMemoryIsTaken) {
  limits_.structure_bytes = 4 << 20;
  limits_.data_bytes = 1 << 20;
  unreadable(graph_of(repeated(1, "", 50'000)), "description alone would take more than 4 MiB");  // empty operators
  unreadable(graph_of(repeated(5, "", 50'000)), "description alone would take more than 4 MiB");  // empty tensors
  unreadable(graph_of(Wire().part(1, repeated(5, "", 50'000)).bytes),
             "description alone would take more than 4 MiB");  // empty attributes
  unreadable(graph_of(Wire().part(1, repeated(1, "", 100'000)).bytes),
             "description alone would take more than 4 MiB");  // empty names
  unreadable(graph_of(repeated(11, Wire().part(2, "").bytes, 50'000)),
             "description alone would take more than 4 MiB");  // inputs
  unreadable(graph_of(Wire().part(5, Wire().part(1, std::string(300'000, '\1')).bytes).bytes),
             "its tensors would take more than 1 MiB");  // 300,000 dimensions
  limits_ = {};
  limits_.nodes = 100;
  unreadable(graph_of(repeated(1, "", 101)), "more than 100 operators");
  std::string nested;  // graphs in attributes of operators of graphs
  for (int i = 0; i < 60; ++i) nested = Wire().part(1, Wire().part(5, Wire().part(6, nested).bytes).bytes).bytes;
  unreadable(graph_of(nested), "nested more than 24 levels deep");
}

TEST_F(HostileOnnx, TensorsThatDoNotHoldWhatTheyClaim) {
  const auto with = [](auto change) {
    TinyModel t = small();
    change(t.model.initializers[0]);
    return t.model;
  };
  refused(with([](onnx::Tensor& t) { t.dims = {4, 193}; }), "holds 3072 bytes, its shape needs 3088");
  refused(with([](onnx::Tensor& t) { t.dims = {4, -192}; }), "impossible sizes");
  refused(with([](onnx::Tensor& t) { t.dims = {std::int64_t{1} << 40, std::int64_t{1} << 40}; }), "impossible sizes");
  refused(with([](onnx::Tensor& t) { t.dims = onnx::Dims(17, 1); }), "has 17 dimensions");
  refused(with([](onnx::Tensor& t) { t.bytes.pop_back(); }), "holds 3071 bytes, its shape needs 3072");
  refused(with([](onnx::Tensor& t) { t.bytes.clear(); }), "holds 0 bytes, its shape needs 3072");
  refused(with([](onnx::Tensor& t) { t.type = static_cast<onnx::Type>(23); }),
          "elements of type 23, which are not read");
  refused(with([](onnx::Tensor& t) { t.type = onnx::Type::text; }), "no numbers");
  refused(with([](onnx::Tensor& t) { t.dims = {192, 4}; }), "192 are needed");
}

TEST_F(HostileOnnx, ExternalDataStaysBelowTheFolder) {
  // Everything that is named outside has the bytes that the tensor needs: only its place speaks against it.
  const Folder elsewhere;
  const std::string outside = (elsewhere.path / "outside.bin").string();
  const std::string above = "../" + elsewhere.path.filename().string() + "/outside.bin";
  for (const std::string& file : {outside, (folder_.path / "data.bin").string()})
    std::ofstream(file) << std::string(4096, 'x');
  std::ofstream(folder_.path / "short.bin") << "short";
  fs::create_symlink(outside, folder_.path / "link.bin");
  fs::create_directory_symlink(elsewhere.path, folder_.path / "linked");
  fs::create_directory(folder_.path / "a");
  fs::create_directory(folder_.path / "folder");
  ::mkfifo((folder_.path / "pipe").c_str(), 0600);
  std::ofstream(folder_.path / "m.onnx", std::ios::binary) << with_external("data.bin");
  EXPECT_TRUE(onnx::read_model(folder_.path / "m.onnx", limits_)) << "a file beside the model is read";
  for (const std::string& location :
       {outside, above, "a/../" + above, std::string("link.bin"), std::string("linked/outside.bin"),
        std::string("folder"), std::string("pipe"), std::string(), std::string("..\\outside.bin")})
    unreadable(with_external(location), "not a plain file below its own folder");
  unreadable(with_external("missing.bin"), "put that file beside it");
  unreadable(with_external("short.bin"), "which holds only 5");
  unreadable(with_external(std::string("short.bin\0/../x", 15)), "not a plain file below its own folder");
  unreadable(with_external("data.bin", -8), "no readable place");
  unreadable(with_external("data.bin", 4000), "which holds only 4096");
  unreadable(with_external("data.bin", 0, 8), "holds 8 bytes, its shape needs 3072");
  unreadable(with_external("data.bin", std::int64_t{1} << 62), "which holds only 4096");
}

TEST_F(HostileOnnx, ExternalDataWithAnotherNameElsewhereIsNotRead) {
  const Folder elsewhere;
  std::ofstream(elsewhere.path / "secret") << std::string(4096, 'x');
  fs::create_hard_link(elsewhere.path / "secret", folder_.path / "data.bin");
  std::ofstream(folder_.path / "m.onnx", std::ios::binary) << with_external("data.bin");
  const auto linked = onnx::read_model(folder_.path / "m.onnx", limits_);
  ASSERT_FALSE(linked);
  expect_sentence(linked.error(), "a copy in its place");
  fs::copy_file(folder_.path / "data.bin", folder_.path / "copy");
  fs::rename(folder_.path / "copy", folder_.path / "data.bin");
  EXPECT_TRUE(onnx::read_model(folder_.path / "m.onnx", limits_)) << "as the sentence says";
}

TEST_F(HostileOnnx, ExternalDataWithUnknownKeysIsNotRead) {
  std::ofstream(folder_.path / "data.bin") << std::string(4096, 'x');
  const auto with = [&](const std::vector<std::pair<std::string, std::string>>& more) {
    return with_external("data.bin", 0, 3072, more);
  };
  unreadable(with({{"compression", "zstd"}}), "the unknown key \"compression\", which could change");
  unreadable(with({{"", "x"}}), "the unknown key \"\"");
  unreadable(with({{"Offset", "8"}}), "the unknown key \"Offset\"");
  unreadable(with({{"location", "data.bin"}}), "the key \"location\" twice");
  unreadable(with({{"offset", "8"}}), "the key \"offset\" twice");
  std::ofstream(folder_.path / "m.onnx", std::ios::binary)
      << with({{"checksum", std::string(40, '0')}, {"basepath", ""}, {"prepacked_0", "name;0;64"}});
  EXPECT_TRUE(onnx::read_model(folder_.path / "m.onnx", limits_)) << "what ONNX and onnxruntime write";
}

TEST_F(HostileOnnx, GraphsThatCannotBeNetworks) {
  const auto with = [](auto change) {
    TinyModel t = small();
    change(t);
    return t.model;
  };
  refused(with([](TinyModel& t) { t.model.opsets.clear(); }), "does not name its version");
  refused(with([](TinyModel& t) { t.model.opsets[""] = 4096; }), "version 4096 of the ONNX operators");
  refused(with([](TinyModel& t) { t.model.inputs.clear(); }), "it has no input");
  refused(
      with([](TinyModel& t) {
        t.model.inputs.push_back({.name = "second", .type = onnx::Type::f32, .dims = onnx::Dims{1, 2}, .symbols = {}});
      }),
      "several inputs, \"x\" and \"second\"");
  refused(with([](TinyModel& t) {
            t.model.inputs[0].dims = onnx::Dims{1, 3, -1, -1};
          }),
          "leaves the size of its images open");
  refused(with([](TinyModel& t) {
            t.model.inputs[0].dims = onnx::Dims{1, 3, std::int64_t{1} << 40, 8};
          }),
          "must be between 1 and 4096");
  refused(with([](TinyModel& t) { t.model.inputs[0].type = onnx::Type::i64; }), "images are numbers of float");
  refused(with([](TinyModel& t) { t.model.outputs.clear(); }), "it has no output");
  refused(with([](TinyModel& t) { t.model.outputs[0].name = "nowhere"; }),
          "output \"nowhere\" does not depend on its input");
  refused(with([](TinyModel& t) { t.model.nodes[0].inputs[0] = "later"; }),
          "reads \"later\", which nothing before it makes");
  refused(with([](TinyModel& t) { std::swap(t.model.nodes[0], t.model.nodes[2]); }), "which nothing before it makes");
  refused(with([](TinyModel& t) { t.model.nodes[1].outputs = t.model.nodes[0].outputs; }), "two operators make");
}

TEST_F(HostileOnnx, ConstantsThatGrowWithoutEnd) {
  TinyModel t;
  std::string grown = t.numbers("one", {1}, {1});
  for (int i = 0; i < 60; ++i) grown = t.node("Concat", {grown, grown}, {{"axis", std::int64_t{0}}});
  t.classify(t.node("Flatten", {t.node("Mul", {"x", grown})}), 192);
  refused(t.model, "its result is too large");
  TinyModel u;
  const std::string big = u.node("Expand", {u.numbers("one", {1}, {1}), u.sizes("to", {1 << 20, 1 << 20})});
  u.classify(u.node("Flatten", {u.node("Add", {"x", big})}), 192);
  refused(u.model, "its result is too large");
}

TEST_F(HostileOnnx, FilesThatAreNone) {
  const auto says = [](const Result<onnx::Model>& model, const char* words) {
    ASSERT_FALSE(model) << words;
    EXPECT_NE(model.error().str().find(words), std::string::npos) << model.error().str();
  };
  says(onnx::read_model(folder_.path / "none.onnx"), "is not there");
  says(onnx::read_model(folder_.path), "it is a folder");
  ::mkfifo((folder_.path / "pipe.onnx").c_str(), 0600);
  says(onnx::read_model(folder_.path / "pipe.onnx"), "it is a pipe");
  onnx::Limits tiny;
  tiny.file_bytes = 100;
  std::ofstream(folder_.path / "large.onnx") << good_bytes();
  says(onnx::read_model(folder_.path / "large.onnx", tiny), "is larger than 99 bytes");
}

}  // namespace
}  // namespace nw::exchange
