// SPDX-License-Identifier: Apache-2.0
// Files of every earlier version, kept in tests/reference/golden/VERSION, open for ever. They are made once for each
// version, by tests/reference/make/make_golden_files.py with its netwright-cli, and never changed afterwards.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "engine/compile/compile.hpp"
#include "engine/core/version.hpp"
#include "engine/deploy/bundle.hpp"
#include "engine/design/project_file.hpp"
#include "engine/queue/journal.hpp"
#include "engine/runs/run_folder.hpp"
#include "engine/runs/run_notes.hpp"
#include "engine/search/journal.hpp"
#include "tests/support/old_run.hpp"

namespace nw {
namespace {

using testing::HasSubstr;

fs::path golden() { return fs::path(test::tests_folder()) / "reference/golden"; }

/// All files or folders VERSION/KIND/*.
std::vector<fs::path> kept(const char* kind) {
  std::vector<fs::path> all;
  for (const auto& version : fs::directory_iterator(golden())) {
    std::error_code none;
    for (const auto& file : fs::directory_iterator(version.path() / kind, none)) all.push_back(file.path());
  }
  std::sort(all.begin(), all.end());
  return all;
}

std::string text_of(const fs::path& file) { return *read_file(file, std::uint64_t{1} << 24); }

TEST(GoldenFiles, ProjectsOpenAndAreWrittenAsTheyWere) {
  const auto projects = kept("projects");
  EXPECT_GE(projects.size(), 8U);
  for (const fs::path& file : projects) {
    const auto doc = ProjectFile::load(file);
    ASSERT_TRUE(doc) << doc.error().str();
    EXPECT_FALSE(doc->graph().nodes.empty()) << file;
    if (Json::parse(text_of(file))["format"] == project_format)
      EXPECT_EQ(ProjectFile::text(*doc), text_of(file)) << file << ": a field got another name, default or form";
  }
}

TEST(GoldenFiles, RunFoldersOpenWithAllTheirEvents) {
  const auto runs = kept("runs");
  EXPECT_GE(runs.size(), 1U);
  for (const fs::path& run : runs) {
    const auto definition = read_run_definition(run);
    ASSERT_TRUE(definition) << definition.error().str();
    const auto latest = latest_checkpoint(run);
    ASSERT_TRUE(latest) << latest.error().str();
    EXPECT_TRUE(verify_checkpoint(run, latest->name)) << run;
    EXPECT_TRUE(read_run_notes(run)) << run;
    EventTail tail(run);
    std::vector<Event> events;
    ASSERT_TRUE(tail.poll(events));
    EXPECT_EQ(tail.damaged_lines(), 0) << run;
    const std::string text = text_of(run / events_file);
    EXPECT_EQ(events.size(), static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'))) << run;
  }
}

TEST(GoldenFiles, EventsOfEveryTypeAreRead) {
  std::set<std::size_t> types;
  for (const fs::path& file : kept("events")) {
    const std::string text = text_of(file);
    for (std::size_t begin = 0, end; (end = text.find('\n', begin)) != text.npos; begin = end + 1) {
      const auto event = parse_event(std::string_view(text).substr(begin, end - begin));
      ASSERT_TRUE(event) << file << ": " << event.error().str() << "\n" << text.substr(begin, end - begin);
      types.insert(event->what.index());
    }
  }
  EXPECT_EQ(types.size(), std::variant_size_v<decltype(Event::what)>)
      << "a type of event has no golden line: append one to tests/reference/golden/VERSION/events";
}

TEST(GoldenFiles, StudiesSpacesAndQueuesOpen) {
  EXPECT_GE(kept("studies").size(), 2U);
  for (const fs::path& file : kept("studies")) {
    const auto study = search::study_from_text(text_of(file), file.string());
    ASSERT_TRUE(study) << study.error().str();
    EXPECT_TRUE(study->began()) << file;
    EXPECT_FALSE(study->trials().empty()) << file;
  }
  EXPECT_GE(kept("spaces").size(), 1U);
  for (const fs::path& file : kept("spaces")) {
    const auto space = search::parse_space(text_of(file), file.string());
    EXPECT_TRUE(space) << space.error().str();
  }
  EXPECT_GE(kept("queues").size(), 1U);
  for (const fs::path& file : kept("queues")) {
    const auto queue = queue::queue_from_text(text_of(file), file.string());
    ASSERT_TRUE(queue) << queue.error().str();
    EXPECT_FALSE(queue->items().empty()) << file;
  }
}

TEST(GoldenFiles, BundlesAreCheckedAndStillCompute) {
  const auto bundles = kept("bundles");
  EXPECT_GE(bundles.size(), 1U);
  for (const fs::path& folder : bundles) {
    const auto checked = deploy::check_bundle(folder);
    ASSERT_TRUE(checked) << checked.error().str();
    EXPECT_TRUE(checked->problems.empty()) << folder << ": " << checked->problems.front().what.str();
  }
}

// --- what a later version writes

std::string version_of_later() { return "7.8.9"; }

/// The file with a newer format that names the version which reads it.
std::string from_later(const fs::path& file, const char* key) {
  Json json = Json::parse(text_of(file));
  json[key] = 3;
  json["needs"] = version_of_later();
  return json.dump();
}

void expect_refusal(const Error& error, const std::string& where) {
  EXPECT_EQ(error.code, Errc::bad_input) << where;
  EXPECT_THAT(error.str(), HasSubstr("newer Netwright (format 3, this one reads 1)")) << where;
  EXPECT_THAT(error.str(), HasSubstr("needs version " + version_of_later())) << where;
  EXPECT_THAT(error.str(), HasSubstr("this is " + version())) << where;
}

struct FromLater : testing::Test {
  fs::path place = fs::path(testing::TempDir()) / "golden-from-later";
  void SetUp() override { fs::remove_all(place); }
  void TearDown() override { fs::remove_all(place); }
  fs::path run_with(const char* file) const {
    test::copy_old_run(place / "run");
    EXPECT_TRUE(save_file(place / "run" / file, from_later(place / "run" / file, "schema")));
    return place / "run";
  }
};

TEST_F(FromLater, AProjectIsRefusedWithTheVersionItNeeds) {
  const auto doc = ProjectFile::parse(from_later(kept("projects").front(), "format"), "p.netwright");
  ASSERT_FALSE(doc);
  expect_refusal(doc.error(), "project");
}

TEST_F(FromLater, ARunFolderIsRefusedWithTheVersionItNeeds) {
  const auto definition = read_run_definition(run_with("run.json"));
  ASSERT_FALSE(definition);
  expect_refusal(definition.error(), "run.json");
  fs::remove_all(place);
  EXPECT_TRUE(read_run_definition(run_with("checkpoints/step-00000087/manifest.json")));
  const Status checked = verify_checkpoint(place / "run", "step-00000087");
  ASSERT_FALSE(checked);
  expect_refusal(checked.error(), "manifest.json");
}

TEST_F(FromLater, NotesAreRefusedWithTheVersionTheyNeed) {
  test::copy_old_run(place / "run");
  ASSERT_TRUE(save_file(place / "run/notes.json", R"({"schema":3,"needs":"7.8.9","name":"a"})"));
  const auto notes = read_run_notes(place / "run");
  ASSERT_FALSE(notes);
  expect_refusal(notes.error(), "notes.json");
}

TEST_F(FromLater, StudiesSpacesAndQueuesAreRefusedWithTheVersionTheyNeed) {
  const std::string study = text_of(kept("studies").front());
  Json first = Json::parse(study.substr(0, study.find('\n')));
  first["schema"] = 3, first["needs"] = version_of_later();
  const auto read = search::study_from_text(first.dump() + study.substr(study.find('\n')), "study");
  ASSERT_FALSE(read);
  expect_refusal(read.error(), "study");
  const auto space = search::parse_space(from_later(kept("spaces").front(), "format"), "space.json");
  ASSERT_FALSE(space);
  expect_refusal(space.error(), "space");
  const std::string queue = text_of(kept("queues").front());
  Json item = Json::parse(queue.substr(0, queue.find('\n')));
  item["schema"] = 3, item["needs"] = version_of_later();
  const auto waiting = queue::queue_from_text(item.dump() + "\n", "queue");
  ASSERT_FALSE(waiting) << "a training must not be lost without a word";
  expect_refusal(waiting.error(), "queue");
}

TEST_F(FromLater, ABundleIsRefusedWithTheVersionItNeeds) {
  fs::create_directories(place);
  fs::copy(kept("bundles").front(), place / "bundle", fs::copy_options::recursive);
  ASSERT_TRUE(save_file(place / "bundle/PROOF.json", from_later(place / "bundle/PROOF.json", "format")));
  const auto checked = deploy::check_bundle(place / "bundle");
  ASSERT_FALSE(checked);
  expect_refusal(checked.error(), "bundle");
}

TEST_F(FromLater, AVersionThatIsNoneIsNotRepeated) {
  for (const char* needs : {R"("\u001b[2J")", R"("1.0; rm")", R"(["1.0"])", R"("")", R"("...")"}) {
    const auto doc = ProjectFile::parse(std::string(R"({"format":3,"needs":)") + needs + "}", "p.netwright");
    ASSERT_FALSE(doc);
    EXPECT_EQ(doc.error().str(),
              "p.netwright was written by a newer Netwright (format 3, this one reads 1); it was left as it is");
  }
}

}  // namespace
}  // namespace nw
