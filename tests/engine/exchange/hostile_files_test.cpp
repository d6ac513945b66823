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
  /// What the importer says about the bytes of a file in a folder of its own.
  Text refused(const std::string& bytes) {
    std::ofstream(folder_.path / "m.onnx", std::ios::binary) << bytes;
    const auto model = onnx::read_model(folder_.path / "m.onnx", limits_);
    if (!model) return expect_sentence(model.error());
    const auto network = import_onnx(*model, "m.onnx", {});
    if (!network) return expect_sentence(network.error());
    ADD_FAILURE() << "the file was read";
    return {};
  }
  /// The file is refused before its graph is looked at.
  void unreadable(const std::string& bytes) {
    std::ofstream(folder_.path / "m.onnx", std::ios::binary) << bytes;
    const auto model = onnx::read_model(folder_.path / "m.onnx", limits_);
    ASSERT_FALSE(model) << "the file was read";
    expect_sentence(model.error());
  }
  Text refused(const onnx::Model& model) { return refused(onnx::model_bytes(model)); }

  static Text expect_sentence(const Error& e) {
    EXPECT_TRUE(e.code == Errc::bad_input || e.code == Errc::usage) << e.str();
    EXPECT_NE(e.str().find("onnx"), std::string::npos) << "names the file: " << e.str();
    EXPECT_EQ(e.str().find('\n'), std::string::npos);
    EXPECT_LT(e.str().size(), 600u);
    ++sentences;
    return e.what;
  }

  /// A model whose one weight lies in another file.
  std::string with_external(const std::string& location, std::int64_t offset = 0, std::int64_t length = 3072) {
    Wire tensor;
    tensor.number(1, 4).number(1, 192).number(2, 1).part(8, "fc.weight").number(14, 1);
    const auto entry = [&](const std::string& key, const std::string& value) {
      tensor.part(13, Wire().part(1, key).part(2, value).bytes);
    };
    entry("location", location);
    entry("offset", std::to_string(offset));
    entry("length", std::to_string(length));
    return graph_of(
        Wire().part(5, tensor.bytes).part(1, Wire().part(1, "fc.weight").part(2, "y").part(4, "Identity").bytes).bytes);
  }

  Folder folder_;
  onnx::Limits limits_;
  static inline int sentences = 0;
};

TEST_F(HostileOnnx, TheSmallModelItselfIsRead) {
  const auto model = onnx::parse_model(good_bytes(), "m.onnx", nullptr);
  ASSERT_TRUE(model) << model.error().str();
  EXPECT_EQ(types_of(import_onnx(*model, "m.onnx", {})), "ReLU Flatten Linear");
}

TEST_F(HostileOnnx, BytesThatAreNoModel) {
  refused(std::string());
  refused(std::string("PK\x03\x04 a zip file, as .pt files are"));
  refused(std::string(200, '\xff'));
  refused(std::string(1000, '\0'));
  refused(std::string("{\"format\": 1}"));
  refused(good_bytes().substr(0, 100));
  refused(good_bytes().substr(0, good_bytes().size() - 1));
  refused(Wire().number(1, 8).bytes);                                        // no graph
  refused(Wire().part(7, "").bytes);                                         // an empty graph, no version
  refused(std::string("\x3a\xff\xff\xff\xff\x0f", 6));                       // a graph of 4 GiB in six bytes
  refused(std::string("\x3a\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 11));  // a length beyond 64 bits
}

TEST_F(HostileOnnx, BombsAreCountedBeforeMemoryIsTaken) {
  limits_.structure_bytes = 4 << 20;
  limits_.data_bytes = 1 << 20;
  unreadable(graph_of(repeated(1, "", 50'000)));                                                 // empty operators
  unreadable(graph_of(repeated(5, "", 50'000)));                                                 // empty tensors
  unreadable(graph_of(Wire().part(1, repeated(5, "", 50'000)).bytes));                           // empty attributes
  unreadable(graph_of(Wire().part(1, repeated(1, "", 100'000)).bytes));                          // empty names
  unreadable(graph_of(repeated(11, Wire().part(2, "").bytes, 50'000)));                          // inputs
  unreadable(graph_of(Wire().part(5, Wire().part(1, std::string(300'000, '\1')).bytes).bytes));  // 300,000 dimensions
  limits_ = {};
  limits_.nodes = 100;
  unreadable(graph_of(repeated(1, "", 101)));
  std::string nested;  // graphs in attributes of operators of graphs
  for (int i = 0; i < 60; ++i) nested = Wire().part(1, Wire().part(5, Wire().part(6, nested).bytes).bytes).bytes;
  unreadable(graph_of(nested));
}

TEST_F(HostileOnnx, TensorsThatDoNotHoldWhatTheyClaim) {
  const auto with = [](auto change) {
    TinyModel t = small();
    change(t.model.initializers[0]);
    return t.model;
  };
  refused(with([](onnx::Tensor& t) { t.dims = {4, 193}; }));
  refused(with([](onnx::Tensor& t) { t.dims = {4, -192}; }));
  refused(with([](onnx::Tensor& t) { t.dims = {std::int64_t{1} << 40, std::int64_t{1} << 40}; }));
  refused(with([](onnx::Tensor& t) { t.dims = onnx::Dims(17, 1); }));
  refused(with([](onnx::Tensor& t) { t.bytes.pop_back(); }));
  refused(with([](onnx::Tensor& t) { t.bytes.clear(); }));
  refused(with([](onnx::Tensor& t) { t.type = static_cast<onnx::Type>(23); }));
  refused(with([](onnx::Tensor& t) { t.type = onnx::Type::text; }));
  refused(with([](onnx::Tensor& t) { t.dims = {192, 4}; }));
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
        std::string("folder"), std::string("pipe"), std::string("missing.bin"), std::string(),
        std::string("..\\outside.bin"), std::string("short.bin")})
    unreadable(with_external(location));
  unreadable(with_external(std::string("short.bin\0/../x", 15)));
  unreadable(with_external("data.bin", -8));
  unreadable(with_external("data.bin", 4000));
  unreadable(with_external("data.bin", 0, 8));
  unreadable(with_external("data.bin", std::int64_t{1} << 62));
}

TEST_F(HostileOnnx, ExternalDataWithAnotherNameElsewhereIsNotRead) {
  const Folder elsewhere;
  std::ofstream(elsewhere.path / "secret") << std::string(4096, 'x');
  fs::create_hard_link(elsewhere.path / "secret", folder_.path / "data.bin");
  std::ofstream(folder_.path / "m.onnx", std::ios::binary) << with_external("data.bin");
  const auto linked = onnx::read_model(folder_.path / "m.onnx", limits_);
  ASSERT_FALSE(linked);
  EXPECT_NE(expect_sentence(linked.error()).str().find("a copy in its place"), std::string::npos);
  fs::copy_file(folder_.path / "data.bin", folder_.path / "copy");
  fs::rename(folder_.path / "copy", folder_.path / "data.bin");
  EXPECT_TRUE(onnx::read_model(folder_.path / "m.onnx", limits_)) << "as the sentence says";
}

TEST_F(HostileOnnx, GraphsThatCannotBeNetworks) {
  const auto with = [](auto change) {
    TinyModel t = small();
    change(t);
    return t.model;
  };
  refused(with([](TinyModel& t) { t.model.opsets.clear(); }));
  refused(with([](TinyModel& t) { t.model.opsets[""] = 4096; }));
  refused(with([](TinyModel& t) { t.model.inputs.clear(); }));
  refused(with([](TinyModel& t) {
    t.model.inputs.push_back({.name = "second", .type = onnx::Type::f32, .dims = onnx::Dims{1, 2}, .symbols = {}});
  }));
  refused(with([](TinyModel& t) { t.model.inputs[0].dims = onnx::Dims{1, 3, -1, -1}; }));
  refused(with([](TinyModel& t) { t.model.inputs[0].dims = onnx::Dims{1, 3, std::int64_t{1} << 40, 8}; }));
  refused(with([](TinyModel& t) { t.model.inputs[0].type = onnx::Type::i64; }));
  refused(with([](TinyModel& t) { t.model.outputs.clear(); }));
  refused(with([](TinyModel& t) { t.model.outputs[0].name = "nowhere"; }));
  refused(with([](TinyModel& t) { t.model.nodes[0].inputs[0] = "later"; }));
  refused(with([](TinyModel& t) { std::swap(t.model.nodes[0], t.model.nodes[2]); }));
  refused(with([](TinyModel& t) { t.model.nodes[1].outputs = t.model.nodes[0].outputs; }));
}

TEST_F(HostileOnnx, ConstantsThatGrowWithoutEnd) {
  TinyModel t;
  std::string grown = t.numbers("one", {1}, {1});
  for (int i = 0; i < 60; ++i) grown = t.node("Concat", {grown, grown}, {{"axis", std::int64_t{0}}});
  t.classify(t.node("Flatten", {t.node("Mul", {"x", grown})}), 192);
  refused(t.model);
  TinyModel u;
  const std::string big = u.node("Expand", {u.numbers("one", {1}, {1}), u.sizes("to", {1 << 20, 1 << 20})});
  u.classify(u.node("Flatten", {u.node("Add", {"x", big})}), 192);
  refused(u.model);
}

TEST_F(HostileOnnx, FilesThatAreNone) {
  const auto none = onnx::read_model(folder_.path / "none.onnx");
  ASSERT_FALSE(none);
  const auto is_folder = onnx::read_model(folder_.path);
  ASSERT_FALSE(is_folder);
  ::mkfifo((folder_.path / "pipe.onnx").c_str(), 0600);
  const auto pipe = onnx::read_model(folder_.path / "pipe.onnx");
  ASSERT_FALSE(pipe);
  onnx::Limits tiny;
  tiny.file_bytes = 100;
  std::ofstream(folder_.path / "large.onnx") << good_bytes();
  ASSERT_FALSE(onnx::read_model(folder_.path / "large.onnx", tiny));
}

}  // namespace
}  // namespace nw::exchange
