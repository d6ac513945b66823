// SPDX-License-Identifier: Apache-2.0
// Files that run a program where they are unpickled (pickle, torch.save, NumPy's objects, joblib, Keras' Lambda), as
// they were found in public collections of models: offered as whatever a command reads, they run nothing.
#include <fstream>

#include "tests/app/cli_fixture.hpp"
#include "tests/support/archives.hpp"
#include "tests/support/data_files.hpp"

namespace nw {
namespace {

using test::little_endian;

class FilesWithCode : public Cli {
 protected:
  std::string marker() const { return at("it_ran"); }
  std::string command() const { return "touch " + marker(); }
  /// pickle's protocols 0, 2 and 4: os.system(command()).
  std::vector<std::string> pickles() const {
    const std::string c = command(), length = little_endian(c.size(), 4);
    return {"cposix\nsystem\n(S'" + c + "'\ntR.", "\x80\x02" + ("cposix\nsystem\nX" + length + c + "\x85R."),
            "\x80\x04" + ("\x8c\x05posix\x8c\x06system\x93X" + length + c + "\x85R.")};
  }
  /// NumPy's format 1.0 with an array of objects, which is a pickle.
  std::string objects() const {
    std::string head = "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }";
    head.resize(64 * 2 - 10 - 1, ' ');
    return "\x93NUMPY\x01" + std::string(1, '\0') + little_endian(head.size() + 1, 2) + head + "\n" + pickles()[1];
  }
  static std::string zip(const std::string& name, const std::string& bytes) {
    return test::zip_bytes({{.name = name, .bytes = bytes}});
  }
  /// A layer of Python in Keras' own format.
  static std::string lambda() {
    return R"({"class_name":"Functional","config":{"layers":[{"class_name":"Lambda","config":{"function":)"
           R"({"class_name":"__lambda__","config":{"code":"4wEAAAAAAAAA","closure":null}}}}]}})";
  }
  std::vector<std::pair<std::string, std::string>> attacks() const {
    const auto p = pickles();
    return {{"protocol0.pkl", p[0]},
            {"protocol2.pt", p[1]},
            {"protocol4.pth", p[2]},
            {"saved.pt", zip("archive/data.pkl", p[1])},
            {"pytorch_model.bin", zip("pytorch_model/data.pkl", p[2])},
            {"old.pt", test::tar_bytes({{.name = "pickle", .bytes = p[1]}})},
            {"joblib.joblib", "\x78\x9c" + test::deflated_bytes(p[2])},
            {"model.gz", test::gzip_bytes(p[2])},
            {"objects.npy", objects()},
            {"objects.npz", zip("arr_0.npy", objects())},
            {"packed.7z", "7z\xBC\xAF\x27\x1C" + p[1]},
            {"lambda.keras", zip("config.json", lambda())},
            {"lambda.h5", "\x89HDF\r\n\x1a\n" + lambda()},
            {"tags.yaml", "!!python/object/apply:os.system ['" + command() + "']\n"}};
  }
  std::string write(const std::string& name, const std::string& bytes) const {
    std::ofstream(at(name), std::ios::binary) << bytes;
    return at(name);
  }
};

TEST_F(FilesWithCode, RunNothingWhateverTheyAreOfferedAs) {
  const std::string net = project();
  ASSERT_EQ(run({"train", net, "--run-dir", at("run"), "--quiet"}).code, 0);
  const auto refused = [&](const std::vector<std::string>& words, const std::string& file) {
    const CommandOutput output = run(words);
    const std::string said = fmt::format("{}: {} {}", fmt::join(words, " "), output.code, output.err);
    EXPECT_TRUE(output.code == 2 || output.code == 3) << said;
    EXPECT_NE(output.err.find(fs::path(file).filename().string()), std::string::npos) << said;
    EXPECT_FALSE(fs::exists(marker())) << said;
  };
  for (const auto& [name, bytes] : attacks()) {
    const std::string own = write(name, bytes);
    for (const auto& words :
         std::vector<std::vector<std::string>>{{"import", own, "-o", at("made.netwright")},
                                               {"check", net, "--weights", own},
                                               {"train", net, "--weights", own, "--run-dir", at("new")},
                                               {"check", own},
                                               {"data", "inspect", own},
                                               {"predict", at("run"), own}})
      refused(words, own);
    // by the names of files that are read
    const std::string weights = write(name + ".safetensors", bytes);
    refused({"check", net, "--weights", weights}, weights);
    refused({"train", net, "--weights", weights, "--run-dir", at("new")}, weights);
    const std::string model = write(name + ".onnx", bytes);
    refused({"import", model, "-o", at("made.netwright")}, model);
    const std::string drawn = write(name + ".netwright", bytes);
    refused({"train", drawn, "--run-dir", at("new")}, drawn);
  }
  EXPECT_FALSE(fs::exists(at("made.netwright")));
  EXPECT_TRUE(list_checkpoints(at("new")).empty()) << "nothing was trained";
}

TEST_F(FilesWithCode, WouldRunItWhereTheyAreUnpickled) {
  if (std::system("python3 -c pass 2>/dev/null") != 0) GTEST_SKIP() << "python3 is not installed";
  for (const std::string& bytes : pickles()) {
    const std::string file = write("attack.pkl", bytes);
    const std::string unpickle = "python3 -c 'import pickle, sys; pickle.load(open(sys.argv[1], \"rb\"))' " + file;
    ASSERT_EQ(std::system(unpickle.c_str()), 0);
    EXPECT_TRUE(fs::remove(marker())) << "this is no attack";
  }
}

}  // namespace
}  // namespace nw
