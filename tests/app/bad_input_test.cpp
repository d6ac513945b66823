// SPDX-License-Identifier: Apache-2.0
// Broken and hostile input at the command line: one sentence that names the place, the right exit code, no crash, nothing left.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <algorithm>
#include <fstream>

#include "engine/design/project_file.hpp"
#include "tests/app/command.hpp"
#include "tests/support/data_files.hpp"

namespace nw {
namespace {

using testing::HasSubstr;
using testing::SizeIs;

class BadInput : public testing::Test {
 protected:
  BadInput() {
    ::setenv("XDG_RUNTIME_DIR", at("rt").c_str(), 1);
    ::setenv("XDG_DATA_HOME", at("data").c_str(), 1);
    ::setenv("NETWRIGHT_RUNS", at("runs").c_str(), 1);
    fs::create_directory(at("rt"));
  }
  std::string at(const std::string& name) const { return (place_.path / name).string(); }
  std::string put(const std::string& name, std::string_view bytes) {
    test::write_bytes(place_.path / name, bytes);
    return at(name);
  }
  Said run(const std::vector<std::string>& arguments) { return Command(place_, arguments).wait(); }

  /// The messages of the program itself, without notes on what it is doing.
  static std::vector<std::string> sentences(const std::string& err) {
    std::vector<std::string> all;
    for (std::size_t begin = 0, end; (end = err.find('\n', begin)) != std::string::npos; begin = end + 1)
      if (const std::string line = err.substr(begin, end - begin); line.rfind("netwright-cli: ", 0) == 0) all.push_back(line);
    return all;
  }
  /// Refused with `code` and one sentence that holds all `words`; no folder of a run stays.
  void expect_refused(const std::vector<std::string>& arguments, const std::vector<std::string>& words, int code = 3) {
    const Said said = run(arguments);
    std::string asked;
    for (const auto& a : arguments) asked += a + " ";
    EXPECT_EQ(said.code, code) << asked << "\n" << said.err;
    const auto told = sentences(said.err);
    EXPECT_THAT(told, SizeIs(1)) << asked << "\n" << said.err;
    const std::string sentence = told.empty() ? "" : told[0];
    for (const std::string& word : words) EXPECT_THAT(sentence, HasSubstr(word)) << asked;
    std::error_code none;
    EXPECT_TRUE(!fs::exists(at("runs")) || fs::is_empty(at("runs"), none)) << asked << " left a run folder";
  }
  /// A project on LeNet-5 or the given network whose data is what `change` says.
  std::string project(const std::function<void(DataChoice&)>& change, const char* network = "lenet5") {
    GraphDoc doc = find_template(network)->make();
    DataChoice d = doc.data();
    change(d);
    EXPECT_TRUE(doc.apply({PutData{d}}));
    EXPECT_TRUE(ProjectFile::save(doc, at("p.netwright")));
    return at("p.netwright");
  }
  std::string mnist_of(const std::string& images, const std::string& labels) {
    fs::remove_all(at("mnist"));
    put("mnist/train-images-idx3-ubyte", images);
    put("mnist/train-labels-idx1-ubyte", labels);
    put("mnist/t10k-images-idx3-ubyte", test::idx_images(10, 28, 28));
    put("mnist/t10k-labels-idx1-ubyte", test::idx_labels(10, 10));
    return at("mnist");
  }
  std::string with_network(const std::string& network) { return put("net.netwright", "{\"format\":1,\"network\":" + network + "}\n"); }

  const test::Environment no_data_{"NETWRIGHT_DATA", nullptr};
  Folder place_;
};

TEST_F(BadInput, IdxFilesThatAreMissingCutShortOrLie) {
  const std::string images = test::idx_images(100, 28, 28), labels = test::idx_labels(100, 10), packed = test::gzip_bytes(images);
  expect_refused({"train", "lenet5", "--data", at("nowhere")}, {"nowhere"});
  fs::create_directory(at("empty"));
  expect_refused({"train", "lenet5", "--data", at("empty")}, {"train-images-idx3-ubyte"});
  expect_refused({"train", "lenet5", "--data", mnist_of(images.substr(0, 5000), labels)}, {"train-images-idx3-ubyte"});
  expect_refused({"train", "lenet5", "--data", mnist_of(images.substr(0, 7), labels)}, {"train-images-idx3-ubyte"});
  expect_refused({"train", "lenet5", "--data", mnist_of("", labels)}, {"train-images-idx3-ubyte"});
  expect_refused({"train", "lenet5", "--data", mnist_of(images + "more", labels)}, {"train-images-idx3-ubyte"});
  expect_refused({"train", "lenet5", "--data", mnist_of(test::idx_bytes({4000000000U, 28, 28}, "x"), labels)}, {"train-images-idx3-ubyte"});
  expect_refused({"train", "lenet5", "--data", mnist_of(test::idx_bytes({0, 28, 28}, ""), labels)}, {"train-images-idx3-ubyte"});
  expect_refused({"train", "lenet5", "--data", mnist_of(images, test::idx_labels(99, 10))}, {"99", "100"});
  expect_refused({"train", "lenet5", "--data", mnist_of("this is a letter to my aunt", labels)}, {"train-images-idx3-ubyte"});
  expect_refused({"train", "lenet5", "--data", mnist_of(packed.substr(0, packed.size() / 2), labels)}, {"train-images-idx3-ubyte"});
}

TEST_F(BadInput, CifarFilesThatAreMissingCutShortOrLie) {
  const auto folder = [&](const std::string& batch) {
    fs::remove_all(at("cifar"));
    for (const char* name : {"data_batch_1.bin", "data_batch_2.bin", "data_batch_3.bin", "data_batch_4.bin", "data_batch_5.bin", "test_batch.bin"})
      put(std::string("cifar/") + name, test::cifar_records(4, [](int n) { return n; }));
    put("cifar/data_batch_3.bin", batch);
    return at("cifar");
  };
  const std::string good = test::cifar_records(4, [](int n) { return n; });
  expect_refused({"train", "resnet18-cifar", "--data", folder(good.substr(0, 5000))}, {"data_batch_3.bin"});
  expect_refused({"train", "resnet18-cifar", "--data", folder(test::cifar_records(4, [](int) { return 77; }))}, {"data_batch_3.bin", "77"});
  folder(good);
  fs::remove(at("cifar/data_batch_3.bin"));
  const Said partly = run({"data", "inspect", at("cifar")});
  EXPECT_EQ(partly.code, 0);
  EXPECT_THAT(partly.out + partly.err, HasSubstr("data_batch_3.bin is missing"));
  for (int i = 1; i <= 5; ++i) fs::remove(at("cifar/data_batch_" + std::to_string(i) + ".bin"));
  expect_refused({"train", "resnet18-cifar", "--data", at("cifar")}, {"data_batch_1.bin"});
}

TEST_F(BadInput, ImageFoldersThatAreEmptyOrHoldSomethingElse) {
  const auto choose = [&](const std::string& path) {
    return project([&](DataChoice& d) {
      d.kind = SourceKind::image_folder;
      d.path = path;
      d.height = d.width = 28;
      d.channels = 1;
    });
  };
  fs::create_directories(at("none"));
  expect_refused({"train", choose(at("none"))}, {"none"});
  put("half/cat/a.bmp", test::bmp_bytes(28, 28, 9, 9, 9));
  fs::create_directories(at("half/dog"));
  const Said half = run({"data", "inspect", at("half")});
  EXPECT_THAT(half.out + half.err, HasSubstr("Class dog has no images"));
  put("text/cat/a.png", "I am a text file");
  put("text/dog/b.png", "me too");
  expect_refused({"train", choose(at("text"))}, {"text"});
  const std::string huge = "BM" + test::little_endian(54, 4) + test::little_endian(0, 4) + test::little_endian(54, 4) + test::little_endian(40, 4) +
                           test::little_endian(20000, 4) + test::little_endian(20000, 4) + test::little_endian(1, 2) + test::little_endian(24, 2) + std::string(24, '\0');
  put("huge/cat/a.bmp", huge);
  put("huge/dog/b.bmp", huge);
  expect_refused({"train", choose(at("huge"))}, {"huge"});
}

TEST_F(BadInput, ADamagedImageAmongGoodOnesIsNamedAndLeftOut) {
  for (const char* name : {"cat", "dog"})
    for (int i = 0; i < 40; ++i) put(std::string("pets/") + name + "/" + std::to_string(i) + ".bmp", test::bmp_bytes(28, 28, static_cast<std::uint8_t>(6 * i), 9, 9));
  put("pets/cat/broken.png", "no picture");
  const Said said = run({"data", "verify", at("pets")});
  EXPECT_THAT(said.out + said.err, HasSubstr("broken.png"));
  EXPECT_THAT(said.out, HasSubstr("80 of 81 images"));
  EXPECT_EQ(said.code, 3) << said.out << said.err;
}

TEST_F(BadInput, TablesWithABadLineNameIt) {
  std::string rows = "label";
  for (int i = 0; i < 784; ++i) rows += ",p" + std::to_string(i);
  rows += "\n";
  for (int n = 0; n < 30; ++n) {
    rows += std::to_string(n % 10);
    for (int i = 0; i < 784; ++i) rows += n == 20 && i == 3 ? ",oops" : ",7";
    rows += "\n";
  }
  put("digits.csv", rows);
  const std::string file = project([&](DataChoice& d) {
    d.kind = SourceKind::csv;
    d.path = at("digits.csv");
  });
  expect_refused({"train", file}, {"digits.csv", "line 22", "oops"});
}

TEST_F(BadInput, ProjectsThatAreMalformedDoubledDeepCyclicOrNewer) {
  expect_refused({"check", put("a.netwright", "{\"format\":1,")}, {"a.netwright:1:"});
  expect_refused({"check", put("b.netwright", "{\"format\":1,\"format\":1}")}, {"b.netwright", "format"});
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "[";
  expect_refused({"check", put("c.netwright", "{\"format\":1,\"network\":" + deep)}, {"c.netwright"});
  expect_refused({"check", put("d.netwright", "{\"format\":2}")}, {"d.netwright", "newer"});
  expect_refused({"check", put("e.netwright", std::string(200, '\0'))}, {"e.netwright"});
  expect_refused({"check", put("f.netwright", "")}, {"f.netwright"});
  expect_refused({"train", put("g.netwright", "[1,2,3]")}, {"g.netwright"});
  expect_refused({"train", with_network("{\"nodes\":[{\"id\":1,\"name\":\"a\",\"type\":\"ReLU\"}],\"connections\":[[1,0,1,0]]}")}, {"net.netwright", "connection"});
  expect_refused({"train", with_network("{\"nodes\":[{\"id\":1,\"name\":\"a\",\"type\":\"ReLU\"},{\"id\":2,\"name\":\"b\",\"type\":\"ReLU\"}],"
                                        "\"connections\":[[1,0,2,0],[2,0,1,0]]}")}, {"a: "});
  expect_refused({"train", at("")}, {place_.path.filename().string()});
}

TEST_F(BadInput, PipesAndDevicesInPlaceOfFilesDoNotHang) {
  ASSERT_EQ(::mkfifo(at("pipe.netwright").c_str(), 0600), 0);
  expect_refused({"check", at("pipe.netwright")}, {"pipe.netwright"});
  expect_refused({"check", "/dev/zero"}, {"/dev/zero"});
  expect_refused({"resume", "/dev/zero"}, {"/dev/zero"});
}

TEST_F(BadInput, RunFoldersThatLie) {
  const auto folder = [&](const std::string& definition) {
    fs::remove_all(at("run"));
    put("run/run.json", definition);
    return at("run");
  };
  for (const char* command : {"resume", "evaluate", "watch"}) {
    expect_refused({command, folder("{")}, {"run"});
    expect_refused({command, folder("{\"format\":999}")}, {"run"});
    expect_refused({command, folder(std::string(100, '\xff'))}, {"run"});
    fs::remove_all(at("run"));
    fs::create_directories(at("run/run.json"));
    expect_refused({command, at("run")}, {"run"});
    fs::remove_all(at("run"));
    fs::create_directories(at("run"));
    ASSERT_EQ(::mkfifo(at("run/run.json").c_str(), 0600), 0);
    expect_refused({command, at("run")}, {"run"});
  }
}

TEST_F(BadInput, ImagesToPredictThatAreNone) {
  const std::string file = project([](DataChoice& d) {
    d.kind = SourceKind::synthetic;
    d.synthetic_train = 320;
    d.synthetic_test = 64;
  });
  ASSERT_EQ(run({"train", file, "--epochs", "1", "--run-dir", at("trained")}).code, 0);
  expect_refused({"predict", at("trained"), put("letter.png", "Dear aunt")}, {"letter.png"});
  expect_refused({"predict", at("trained"), at("absent.png")}, {"absent.png"});
  expect_refused({"predict", at("trained"), at("trained")}, {"trained"});
}

}  // namespace
}  // namespace nw
