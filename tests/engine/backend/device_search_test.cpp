// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/device_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "tests/engine/runs/folder.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

struct DeviceSearch : testing::Test {
  DeviceSearch() {
    for (const char* name : {"dev", "lib"}) fs::create_directories(folder.path / name);
    places = {folder.path / "dev", LibraryFolders{{}, {(folder.path / "lib").string()}}};
  }
  void put(const std::string& name, const std::string& bytes = "") {
    ASSERT_TRUE(save_file(folder.path / name, bytes));
  }
  SearchedPart part(const std::string& id) {
    for (const SearchedPart& p : device_search(places))
      if (p.id == id) return p;
    ADD_FAILURE() << id << " is not searched for";
    return {};
  }
  Folder folder;
  SearchPlaces places;
};

TEST_F(DeviceSearch, ListsWhatIsNeededInOrderEachWithARemedy) {
  std::vector<std::string> ids;
  for (const SearchedPart& p : device_search(places)) {
    ids.push_back(p.id);
    EXPECT_FALSE(p.title.empty()) << p.id;
    EXPECT_FALSE(p.sought.empty()) << p.id;
    EXPECT_FALSE(p.remedy.empty()) << p.id;
  }
  EXPECT_EQ(ids, (std::vector<std::string>{"driver", "nodes", "plugin", "cublas", "cudnn", "nccl"}));
}

TEST_F(DeviceSearch, FindsTheNodesOfGpusAndNoOthers) {
  put("dev/nvidiactl");
  put("dev/nvidia-uvm");
  EXPECT_FALSE(part("nodes").found()) << "these are there without a card, too";
  put("dev/nvidia1");
  put("dev/nvidia0");
  EXPECT_EQ(part("nodes").place,
            (folder.path / "dev/nvidia0").string() + ", " + (folder.path / "dev/nvidia1").string());
  EXPECT_TRUE(part("nodes").found());
}

TEST_F(DeviceSearch, ALibraryThatCannotBeLoadedIsNamedWithTheReason) {
  if (part("cudnn").found()) GTEST_SKIP() << "cuDNN is installed here";
  EXPECT_TRUE(part("cudnn").place.empty());
  put("lib/libcudnn.so.9", "no library");
  const SearchedPart there = part("cudnn");
  EXPECT_EQ(there.place, (folder.path / "lib/libcudnn.so.9").string());
  EXPECT_FALSE(there.found());
  EXPECT_THAT(there.why.str(), HasSubstr("libcudnn.so.9"));
}

TEST_F(DeviceSearch, AReasonTravelsSoThatTheWindowCanTranslateIt) {
  SearchedPart sent = part("nccl");
  sent.place = "/opt/libnccl.so.2";
  sent.why = text("it has no {0}: it is too old, or another library", "ncclGetVersion");
  const auto came = searched_part_in(to_json(sent));
  ASSERT_TRUE(came);
  EXPECT_EQ(came->why, sent.why);
  EXPECT_EQ(to_json(sent)["why_not"], sent.why.str());
}

TEST_F(DeviceSearch, TravelsAsALineOfJson) {
  put("dev/nvidia0");
  const SearchedPart sent = part("nodes");
  const auto came = searched_part_in(to_json(sent));
  ASSERT_TRUE(came);
  EXPECT_EQ(came->title.str(), sent.title.str());
  EXPECT_EQ(came->place, sent.place);
  EXPECT_TRUE(came->found());
  EXPECT_EQ(to_json(sent)["remedy"], "") << "nothing is to be done";
  EXPECT_FALSE(searched_part_in(Json{{"name", "cpu"}})) << "a device";
  EXPECT_FALSE(searched_part_in(Json{{"search", "unknown"}}));
  EXPECT_FALSE(searched_part_in(Json::array()));
  EXPECT_FALSE(searched_part_in(Json{{"search", "nccl"}, {"place", 7}}));
}

}  // namespace
}  // namespace nw
