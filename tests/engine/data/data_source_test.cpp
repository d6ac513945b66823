// SPDX-License-Identifier: Apache-2.0
// Invariants of every data source record; a new source is covered without a change here.
#include "engine/design/data_source.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <tuple>

#include "engine/data/sources/recognise.hpp"
#include "engine/data/sources/sources.hpp"
#include "engine/design/project_file.hpp"
#include "tests/engine/runs/folder.hpp"

namespace nw {
namespace {

using Kind = SourceOption::Kind;

TEST(DataSources, AreKnownByOneNameEachInProjectFilesAndOnTheCommandLine) {
  std::set<std::string> names;
  for (const DataSource* source : all_sources()) {
    const std::string name(source->kind.name());
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(find_source(name), source);
    const auto read = data_from_json(to_json(DataChoice{.kind = source->kind}), "d");
    ASSERT_TRUE(read) << read.error().str();
    EXPECT_EQ(read->kind, source->kind) << name;
  }
  for (const SourceKind kind : {SourceKind::synthetic, SourceKind::mnist, SourceKind::idx, SourceKind::cifar,
                                SourceKind::image_folder, SourceKind::csv, SourceKind::coco, SourceKind::voc})
    EXPECT_TRUE(names.contains(std::string(kind.name()))) << kind.name();
  EXPECT_FALSE(data_from_json(Json{{"kind", "parquet"}}, "d"));
}

TEST(DataSources, HaveATitleAndARead) {
  for (const DataSource* source : all_sources()) {
    EXPECT_NE(source->read, nullptr) << source->kind.name();
    EXPECT_STRNE(source->title, "") << source->kind.name();
    if (!source->built_in) EXPECT_FALSE(source->options.empty()) << source->kind.name() << ": where is its path?";
    if (!source->command_line.empty()) EXPECT_NE(source->recognize, nullptr) << source->kind.name();
  }
}

TEST(DataSources, OptionsNameTheMemberThatTheirKindNeeds) {
  for (const DataSource* source : all_sources())
    for (const SourceOption& o : source->options) {
      const bool number = o.kind == Kind::number;
      EXPECT_EQ(o.number != nullptr, number) << o.id;
      EXPECT_EQ(o.text == nullptr, number) << o.id;
      EXPECT_EQ(o.words.empty(), o.kind != Kind::choice) << o.id;
      if (number) EXPECT_LT(o.lo, o.hi) << o.id;
    }
}

TEST(DataSources, ThatShareAnOptionShareItsRecord) {
  const auto content = [](const SourceOption& o) {
    return std::tuple(std::string(o.label), std::string(o.help), o.kind, std::string(o.empty), o.text, o.number, o.lo,
                      o.hi, o.step, std::string(o.unit));
  };
  std::map<std::string, const SourceOption*> known;
  for (const DataSource* source : all_sources())
    for (const SourceOption& o : source->options) {
      const auto [it, first] = known.emplace(o.id, &o);
      EXPECT_TRUE(first || content(o) == content(*it->second)) << source->kind.name() << ": " << o.id;
    }
}

TEST(DataSources, ThatAreSpecialAreRecognizedBeforeGeneralOnes) {
  const Folder folder;
  fs::create_directories(folder.path / "ImageSets" / "Main");
  fs::create_directories(folder.path / "JPEGImages");
  ASSERT_TRUE(save_file(folder.path / "JPEGImages" / "1.jpg", "x"));
  EXPECT_EQ(recognise(folder.path), SourceKind::voc) << "its folder of images is no class";
}

TEST(DataSources, OfFilesFindTheirOtherFiles) {
  const Folder folder;
  for (const char* name : {"t-images.idx3-ubyte", "t-labels.idx1-ubyte"})
    ASSERT_TRUE(save_file(folder.path / name, "x"));
  DataChoice c{.kind = SourceKind::idx, .path = (folder.path / "t-images.idx3-ubyte").string()};
  find_source("idx")->complete(c);
  EXPECT_EQ(c.labels_path, (folder.path / "t-labels.idx1-ubyte").string());
}

}  // namespace
}  // namespace nw
