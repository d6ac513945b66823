// SPDX-License-Identifier: Apache-2.0
// Missing, truncated and malformed data files, given to the real program.
#include <algorithm>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/decoder.hpp"
#include "tests/app/rejection_tests.hpp"
#include "tests/support/variable.hpp"

namespace nw {
namespace {

using test::cifar_records;
using test::gzip_bytes;
using test::idx_bytes;
using test::idx_images;
using test::idx_labels;

class MalformedData : public RejectionTests {
 protected:
  std::string idx(const std::string& images, const std::string& labels) {
    return project_on([&](DataChoice& d, TrainSettings&) {
      d.kind = SourceKind::idx;
      d.path = images;
      d.labels_path = labels;
    });
  }
  std::string kind(SourceKind kind, const std::string& path) {
    return project_on([&](DataChoice& d, TrainSettings&) {
      d.kind = kind;
      d.path = path;
    });
  }
};

TEST_F(MalformedData, IdxFilesAreRejectedEachWithItsReason) {
  const std::string images = idx_images(20, 4, 4), labels = idx_labels(20, 10);
  const std::string good_images = put("images", images), good_labels = put("labels", labels);
  struct Case {
    std::string images, labels;
    Words words;
  };
  for (const Case& c : std::vector<Case>{
           {at("absent"), good_labels, {"absent", "is not there"}},
           {good_images, at("absent"), {"absent", "is not there"}},
           {good_images, "", {"choose both"}},
           {place_.path.string(), good_labels, {"is not a file"}},
           {pipe("pipe"), good_labels, {"pipe", "is not a file"}},
           {put("empty", ""), good_labels, {"empty", "not an IDX file"}},
           {put("short", images.substr(0, 100)),
            good_labels,
            {"short", "its header states 320 bytes of data, but 84 follow", "download it again"}},
           {put("header", images.substr(0, 7)), good_labels, {"header", "ends inside its header"}},
           {put("more", idx_bytes({21, 4, 4}, images.substr(16))),
            good_labels,
            {"more", "its header states 336 bytes of data, but 320 follow"}},
           {put("less", idx_bytes({19, 4, 4}, images.substr(16))),
            good_labels,
            {"less", "its header states 304 bytes of data, but 320 follow"}},
           {put("four-billion", idx_bytes({0xFFFFFFFF, 28, 28}, "")),
            good_labels,
            {"four-billion", "its header states an impossible size"}},
           {put("magic", "\x89PNG not IDX at all"), good_labels, {"magic", "not an IDX file"}},
           {put("floats", std::string("\0\0\x0D\x03", 4) + images.substr(4)),
            good_labels,
            {"floats", "not an IDX file of bytes"}},
           {good_labels, good_images, {"labels", "are images and labels swapped?"}},
           {put("flat", idx_bytes({20, 16}, images.substr(16))),
            good_labels,
            {"flat", "has 2 dimensions, 3 are needed"}},
           {put("none", idx_bytes({0, 4, 4}, "")), put("no-labels", idx_bytes({0}, "")), {"none", "holds no images"}},
           {good_images, put("fewer", idx_labels(19, 10)), {"20 images", "19 labels", "choose files of the same set"}},
           {put("cut.gz", gzip_bytes(images).substr(0, 40)),
            good_labels,
            {"cut.gz", "cut short or damaged", "download it again"}},
           {put("bomb.gz", gzip_bytes(images + std::string(1 << 20, 'x'))),
            good_labels,
            {"bomb.gz", "unpacks to more than the 336 bytes"}},
       })
    refused({"train", idx(c.images, c.labels)}, 3, c.words);
}

TEST_F(MalformedData, ALabelBeyondTheNetworksClassesIsNamedBeforeTraining) {
  std::string labels = idx_labels(20, 10);
  labels.back() = '\x0C';
  refused({"train", idx(put("images", idx_images(20, 28, 28)), put("labels", labels))}, 3, {"13 classes"});
}

TEST_F(MalformedData, FoldersOfMnistAreRejectedWithTheMissingFile) {
  put("mnist/train-images-idx3-ubyte", idx_images(20, 4, 4));
  put("mnist/train-labels-idx1-ubyte", idx_labels(20, 10));
  refused({"train", "mlp", "--data", at("mnist")}, 3, {at("mnist"), "has no t10k-images-idx3-ubyte"});
  refused({"train", "mlp", "--data", at("absent")}, 3, {at("absent") + " is not there"});
  refused({"data", "inspect", at("mnist")}, 3, {"has no t10k-images-idx3-ubyte"});
  refused({"data", "verify", at("absent")}, 3, {at("absent"), "is not there", "data list shows the public data sets"});
}

TEST_F(MalformedData, CifarFilesAreRejectedEachWithItsReason) {
  const std::string good = cifar_records(20, [](int n) { return n % 10; });
  const auto folder = [&](const std::string& name, const std::string& bytes) {
    for (int i = 1; i <= 5; ++i) put(name + "/data_batch_" + std::to_string(i) + ".bin", i == 3 ? bytes : good);
    put(name + "/test_batch.bin", good);
    return kind(SourceKind::cifar, at(name));
  };
  refused({"train", kind(SourceKind::cifar, at("absent"))}, 3,
          {at("absent"), "data_batch_1.bin to data_batch_5.bin are missing"});
  refused({"train", kind(SourceKind::cifar, put("file", good))}, 3,
          {"data_batch_1.bin to data_batch_5.bin are missing"});
  refused({"train", folder("short", good.substr(0, good.size() - 1))}, 3,
          {"data_batch_3.bin", "no whole number of CIFAR-10 records", "cut short"});
  refused({"train", folder("long", good + "x")}, 3, {"data_batch_3.bin", "no whole number of CIFAR-10 records"});
  refused({"train", folder("empty", "")}, 3, {"data_batch_3.bin", "0 bytes"});
  refused({"train", folder("class", cifar_records(20, [](int n) { return n == 7 ? 12 : 0; }))}, 3,
          {"data_batch_3.bin", "image 7 has class 12"});
  refused({"data", "inspect", at("class")}, 3, {"image 7 has class 12"});
  refused({"train", folder("text", "<html>not found</html>")}, 3, {"data_batch_3.bin", "of another format"});
}

TEST_F(MalformedData, TablesAreRejectedWithFileAndLine) {
  struct Case {
    std::string name, bytes;
    Words words;
  };
  for (const Case& c : std::vector<Case>{
           {"cells.csv",
            "label,a,b,c,d\n1,0,0,0,0\n0,1,1,1\n",
            {"cells.csv, line 3", "has 4 cells, the first line has 5"}},
           {"word.csv",
            "label,a,b\n1,0,0\n0,grey,1\n",
            {"word.csv, line 3", "cell 2 is \"grey\"", "a pixel is a number from 0 to 255"}},
           {"large.csv", "1,0,0\n0,1,256\n", {"large.csv, line 2", "\"256\""}},
           {"negative.csv", "1,0,0\n0,1,-1\n", {"negative.csv, line 2", "\"-1\""}},
           {"quote.csv", "label,a\n\"1,0\n", {"quote.csv, line 2", "a quote is not closed"}},
           {"binary.csv", std::string("label,a\n1,\0\n", 12), {"binary.csv, line 2", "not a text file"}},
           {"column.csv", "only\n1\n", {"column.csv, line 1", "has one column"}},
           {"rows.csv", "label,a\n", {"rows.csv", "has no rows"}},
           {"fractions.csv", "1,0.5\n0,0.25\n", {"fractions.csv", "multiply them by 255"}},
       }) {
    const std::string file = put(c.name, c.bytes);
    refused({"train", kind(SourceKind::csv, file)}, 3, c.words);
    refused({"data", "inspect", file}, 3, c.words);
  }
  refused({"train", kind(SourceKind::csv, at("absent.csv"))}, 3, {"absent.csv is not there"});
  refused({"train", kind(SourceKind::csv, pipe("pipe.csv"))}, 3, {"pipe.csv", "is not a file"});
  refused({"train", project_on([&](DataChoice& d, TrainSettings&) {
             d.kind = SourceKind::csv;
             d.path = put("named.csv", "label,a\n1,0\n");
             d.target_column = "klass";
           })},
          3, {"named.csv, line 1", "names no column \"klass\""});
}

class MalformedImages : public MalformedData {
 protected:
  void SetUp() override {
    if (!image_decoder()) GTEST_SKIP() << "the module that reads images is not built";
  }
  static std::string jpeg() {
    const std::string hex =
        "ffd8ffe000104a46494600010100000100010000ffdb00430050373c463c32504641465a55505f78c882786e6e78f5afb991c8ffffffff"
        "ffffffffffffffffffffffffffff"
        "ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffc0000b080008000801011100ffc4001400010000000000000000"
        "0000000000000001ffc40014100100"
        "000000000000000000000000000000ffda0008010100003f001fffd9";
    std::string bytes;
    for (std::size_t i = 0; i < hex.size(); i += 2)
      bytes += static_cast<char>(std::stoi(hex.substr(i, 2), nullptr, 16));
    return bytes;
  }
  /// A PNG of a few bytes whose header claims the given size.
  static std::string png(std::uint32_t width, std::uint32_t height) {
    using test::big_endian;
    const std::string header = "IHDR" + big_endian(width) + big_endian(height) + std::string("\x08\0\0\0\0", 5),
                      end = "IEND";
    const auto chunk = [](const std::string& named) {
      const auto sum = static_cast<std::uint32_t>(
          ::crc32(0, reinterpret_cast<const Bytef*>(named.data()), static_cast<uInt>(named.size())));
      return big_endian(static_cast<std::uint32_t>(named.size() - 4)) + named + big_endian(sum);
    };
    return "\x89PNG\r\n\x1a\n" + chunk(header) + chunk(end);
  }
  void photo(const std::string& name, int shade) const {
    put(name, test::bmp_bytes(8, 8, static_cast<std::uint8_t>(shade), 0, 0));
  }
};

TEST_F(MalformedImages, FoldersWithoutAReadableImageAreRejected) {
  fs::create_directories(at("empty"));
  refused({"train", kind(SourceKind::image_folder, at("empty"))}, 3,
          {at("empty"), "has no class folders", "put the images of each class into a folder"});
  refused({"data", "inspect", at("empty")}, 3, {"has no class folders"});
  refused({"train", kind(SourceKind::image_folder, at("absent"))}, 3, {at("absent"), "is not there"});
  refused({"train", kind(SourceKind::image_folder, "")}, 3, {"No image folder is chosen"});
  fs::create_directories(at("hollow/cat"));
  fs::create_directories(at("hollow/dog"));
  refused({"train", kind(SourceKind::image_folder, at("hollow"))}, 3, {at("hollow"), "no image could be read"});
  put("damaged/cat/text.png", "this is no picture");
  put("damaged/cat/huge.png", png(20000, 20000));
  put("damaged/dog/cut.jpg", jpeg().substr(0, 150));
  refused({"train", kind(SourceKind::image_folder, at("damaged"))}, 3, {at("damaged"), "no image could be read"});
}

TEST_F(MalformedImages, EmptyClassesAndDamagedImagesAreReportedAndSkipped) {
  for (int i = 0; i < 10; ++i) photo("photos/cat/" + std::to_string(i) + ".bmp", 20 * i);
  for (int i = 0; i < 10; ++i) photo("photos/dog/" + std::to_string(i) + ".bmp", 255 - 20 * i);
  fs::create_directories(at("photos/eel"));
  put("photos/dog/text.png", "this is no picture");
  put("photos/dog/cut.jpg", jpeg().substr(0, 150));
  put("photos/dog/huge.png", png(20000, 20000));
  const CommandOutput output = run({"data", "inspect", at("photos")});
  EXPECT_EQ(output.code, 0) << output.err;
  EXPECT_EQ(std::count(output.err.begin(), output.err.end(), '\n'), 4) << output.err;
  for (const char* word : {"Class eel has no images in", "text.png: not an image of a kind that is read",
                           "cut.jpg: this JPEG file is cut short; copy or download it again",
                           "huge.png: 20000×20000 pixels are more than the 64 million that are read; make it smaller"})
    EXPECT_NE(output.err.find(word), std::string::npos) << word << "\n" << output.err;
}

// The images are decoded before the first step; what becomes of their files later does not matter to the run.
TEST_F(MalformedImages, FilesThatVanishOrAreReplacedWhileItTrainsChangeNothing) {
  const test::Variable decoded("XDG_CACHE_HOME", at("cache"));
  for (const char* name : {"cat", "dog"})
    for (int i = 0; i < 40; ++i) photo(fmt::format("photos/{}/{}.bmp", name, i), *name == 'c' ? 2 * i : 255 - 2 * i);
  const std::string file = at("photos.netwright");
  ASSERT_EQ(run({"new", "--photos", at("photos"), "--network", "convnet", "-o", file}).code, 0);
  const std::vector<std::string> train = {"train", file, "--epochs", "20", "--quiet", "--run-dir"};
  const auto into = [&](const std::string& folder) {
    std::vector<std::string> words = train;
    words.push_back(at(folder));
    return words;
  };
  ASSERT_EQ(run(into("whole")).code, 0);
  fs::remove_all(at("cache"));
  Command training(place_, into("run"));
  ASSERT_TRUE(wait_for([&] { return !list_checkpoints(at("run")).empty() || training.ended(); }));
  for (int i = 0; i < 40; ++i) put(fmt::format("photos/cat/{}.bmp", i), "this is no picture");
  fs::remove_all(at("photos/dog"));
  fs::remove_all(at("cache"));
  ASSERT_LT(latest_checkpoint(at("run"))->step, latest_checkpoint(at("whole"))->step) << "it was over too early";
  const CommandOutput output = training.wait();
  EXPECT_EQ(output.code, 0) << output.err;
  EXPECT_EQ(latest_bytes(at("run")), latest_bytes(at("whole")));
}

TEST_F(MalformedImages, PredictRejectsEachInvalidImage) {
  ASSERT_EQ(run({"train", project(), "--run-dir", at("run"), "--quiet"}).code, 0);
  const auto predict = [&](const std::string& file, int code, const Words& words) {
    refused({"predict", at("run"), file}, code, words);
  };
  predict(put("text.png", "this is no picture"), 3, {"text.png", "not an image of a kind that is read"});
  predict(put("empty.png", ""), 3, {"empty.png", "is empty"});
  predict(put("cut.jpg", jpeg().substr(0, 150)), 3, {"cut.jpg", "this JPEG file is cut short"});
  predict(put("huge.png", png(20000, 20000)), 3, {"huge.png", "20000×20000 pixels"});
  predict(put("hollow.png", png(8, 8)), 3, {"hollow.png", "damaged"});
  predict(at("absent.png"), 3, {"absent.png is not there"});
  predict(pipe("pipe.png"), 3, {"pipe.png", "is not a file"});
  predict(place_.path.string(), 3, {"is not a file"});
  put("whole.jpg", jpeg());
  const CommandOutput mixed = run({"predict", at("run"), at("text.png"), at("whole.jpg")});
  EXPECT_EQ(mixed.code, 3);
  EXPECT_NE(mixed.out.find("whole.jpg: "), std::string::npos) << "the good one is still answered";
}

}  // namespace
}  // namespace nw
