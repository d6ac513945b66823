// SPDX-License-Identifier: Apache-2.0
// Checks of the tree's rules: the includes of each room are exactly those in the table of docs/architecture.md, there
// is no cycle between rooms or files, every file names its licence, no file below the window includes Qt, and only
// engine/images includes OpenCV.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>

#include "tests/rules/rooms.hpp"
#include "tests/support/paths.hpp"

namespace {
using namespace nw::rules;
using testing::IsEmpty;

const fs::path top = fs::path(nw::test::tests_folder()).parent_path();
const std::vector<std::string> areas = {"kernels", "engine", "ui", "app"};

const Includes& files() {
  static const Includes all = file_includes(top, areas);
  return all;
}

std::string joined(const std::set<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "`" : ", `") + name + "`";
  return all;
}

std::set<std::string> without(const std::set<std::string>& all, const std::set<std::string>& removed) {
  std::set<std::string> rest;
  for (const std::string& name : all)
    if (!removed.contains(name)) rest.insert(name);
  return rest;
}

/// "a.cpp includes b.hpp" for each include of a file of another room.
std::string evidence(const std::string& room, const std::set<std::string>& targets) {
  std::string lines;
  for (const auto& [file, included] : files())
    for (const std::string& target : included)
      if (room_of(file) == room && targets.contains(room_of(target))) lines += "\n  " + file + " includes " + target;
  return lines;
}

std::vector<std::string> sources(const std::string& area) {
  static const std::set<std::string> kinds = {".cpp", ".hpp", ".cu", ".cuh", ".sh", ".py"};
  std::vector<std::string> found;
  for (const auto& entry : fs::recursive_directory_iterator(top / area))
    if (entry.is_regular_file() && kinds.contains(entry.path().extension().string()))
      found.push_back(fs::relative(entry.path(), top).string());
  return found;
}

std::string text_of(const std::string& file) {
  std::ifstream in(top / file);
  return {std::istreambuf_iterator<char>(in), {}};
}

void forbid(const std::string& area, const std::string& pattern, const std::string& why) {
  const std::regex bad(pattern);
  for (const std::string& file : sources(area)) EXPECT_FALSE(std::regex_search(text_of(file), bad)) << file << why;
}

TEST(Rooms, IncludesMatchTheTableInTheArchitecturePage) {
  const Includes documented = documented_rooms(top / "docs/architecture.md");
  for (const auto& [room, targets] : room_includes(files())) {
    ASSERT_TRUE(documented.contains(room))
        << "docs/architecture.md has no row for the room " << room << ", which includes " << joined(targets);
    const std::set<std::string> added = without(targets, documented.at(room));
    EXPECT_THAT(added, IsEmpty()) << room
                                  << " may not include these rooms (docs/architecture.md):" << evidence(room, added);
    EXPECT_THAT(without(documented.at(room), targets), IsEmpty())
        << room << " includes these no more; docs/architecture.md should say: " << joined(targets);
  }
}

TEST(Rooms, EveryDocumentedRoomExists) {
  const Includes rooms = room_includes(files());
  for (const auto& [room, targets] : documented_rooms(top / "docs/architecture.md"))
    EXPECT_TRUE(rooms.contains(room)) << "docs/architecture.md has a row for " << room << ", which holds no C++ file";
}

TEST(Rooms, DoNotIncludeEachOtherInACycle) { EXPECT_THAT(find_cycle(room_includes(files())), IsEmpty()); }

TEST(Rooms, NoAreaIncludesAHigherArea) {
  for (std::size_t low = 0; low < areas.size(); ++low)
    for (const auto& [file, targets] : files())
      for (const std::string& target : targets)
        if (file.starts_with(areas[low] + "/"))
          for (std::size_t high = low + 1; high < areas.size(); ++high)
            EXPECT_FALSE(target.starts_with(areas[high] + "/")) << file << " includes " << target;
}

TEST(Files, HaveNoIncludeCycle) { EXPECT_THAT(find_cycle(files()), IsEmpty()); }

TEST(Files, CycleSearchReturnsTheMembersOfACycle) {
  EXPECT_THAT(find_cycle({{"a", {"b"}}, {"b", {"c"}}, {"c", {"b"}}}), testing::ElementsAre("b", "c", "b"));
  EXPECT_THAT(find_cycle({{"a", {"b", "c"}}, {"b", {"c"}}, {"c", {}}}), IsEmpty());
}

TEST(Layering, QtIsNotIncludedBelowTheWindow) {
  for (const char* area : {"kernels", "engine", "app/cli"})
    forbid(area, R"(#include [<"]Q[A-Z])", ": Qt below the window");
}

TEST(Layering, OnlyTheImageModuleIncludesOpenCV) {
  for (const auto& [file, included] : files())
    if (room_of(file) != "engine/images")
      EXPECT_FALSE(std::regex_search(text_of(file), std::regex(R"(#include [<"]opencv2/)")))
          << file << ": OpenCV belongs to engine/images";
}

// What earlier versions wrote is kept as it was, the examples of their bundles included.
TEST(Rules, EveryFileNamesItsLicence) {
  for (const char* area : {"kernels", "engine", "ui", "app", "tests", "installer"})
    for (const std::string& file : sources(area))
      if (!file.starts_with("tests/reference/golden/"))
        EXPECT_NE(text_of(file).substr(0, 300).find("SPDX-License-Identifier"), std::string::npos) << file;
}

/// The window shows texts and tool tips as they are (NetwrightStyle), so "&lt;" would be read as such. Markup are only
/// what a desktop's notifications and "What's this?" are given.
TEST(Rules, OnlyMarkupIsEscaped) {
  for (const std::string& file : sources("ui"))
    if (!file.ends_with("desktop_notification.cpp") && !file.ends_with("whats_this.cpp"))
      EXPECT_EQ(text_of(file).find("toHtmlEscaped"), std::string::npos) << file;
}

TEST(Rules, NoFileIsLongerThanFourHundredLines) {
  for (const std::string& area : areas)
    for (const std::string& file : sources(area)) {
      const std::string text = text_of(file);
      EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 400) << file;
    }
}

}  // namespace
