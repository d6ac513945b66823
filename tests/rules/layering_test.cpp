// SPDX-License-Identifier: Apache-2.0
// House rules a machine can check: includes go one way (app → ui → engine → kernels), every file names its licence,
// nothing below the window knows Qt or OpenCV.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

namespace {
namespace fs = std::filesystem;
const fs::path top = fs::path(NW_TEST_DIR).parent_path();

std::vector<fs::path> sources(const std::string& room) {
  static const std::set<std::string> kinds = {".cpp", ".hpp", ".cu", ".cuh", ".sh", ".py"};
  std::vector<fs::path> found;
  for (const auto& entry : fs::recursive_directory_iterator(top / room))
    if (entry.is_regular_file() && kinds.contains(entry.path().extension().string())) found.push_back(entry.path());
  return found;
}

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

void forbid(const std::string& room, const std::string& pattern, const std::string& why) {
  const std::regex bad(pattern);
  for (const fs::path& file : sources(room)) {
    const std::string text = text_of(file);
    EXPECT_FALSE(std::regex_search(text, bad)) << fs::relative(file, top) << ": " << why;
  }
}

TEST(Layering, KernelsKnowNoOtherRoom) {
  forbid("kernels", R"(#include [<"](engine|ui|app)/)", "kernels know no other room");
}
TEST(Layering, EngineKnowsNeitherWindowNorPrograms) {
  forbid("engine", R"(#include [<"](ui|app)/)", "the engine knows no window");
}
TEST(Layering, WindowKnowsNoProgram) { forbid("ui", R"(#include [<"]app/)", "the window's rooms know no program"); }
TEST(Layering, NoQtBelowTheWindow) {
  for (const char* room : {"kernels", "engine", "app/cli"})
    forbid(room, R"(#include [<"]Q[A-Z])", "no Qt below the window");
}
TEST(Layering, OnlyTheImageModuleSeesOpenCV) {
  for (const char* room : {"kernels", "ui", "app", "engine/core", "engine/data", "engine/train", "engine/predict"})
    forbid(room, R"(#include [<"]opencv2/)", "OpenCV belongs to engine/images");
}
TEST(Rules, EveryFileNamesItsLicence) {
  for (const char* room : {"kernels", "engine", "ui", "app", "tests", "installer"})
    for (const fs::path& file : sources(room))
      EXPECT_NE(text_of(file).substr(0, 300).find("SPDX-License-Identifier"), std::string::npos)
          << fs::relative(file, top);
}
TEST(Rules, NoFileIsLongerThanFourHundredLines) {
  for (const char* room : {"kernels", "engine", "ui", "app"})
    for (const fs::path& file : sources(room)) {
      const std::string text = text_of(file);
      EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 400) << fs::relative(file, top);
    }
}

}  // namespace
