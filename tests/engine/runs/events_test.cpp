// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/events.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/core/enum_names.hpp"
#include "engine/runs/run_folder.hpp"
#include "tests/engine/runs/folder.hpp"

namespace nw {
namespace {

LayerStatistics statistics() {
  LayerState conv{.layer = "conv1"}, relu{.layer = "relu1"};
  const std::vector<float> numbers = {-1, 0, 0.5F, 2};
  const std::span<const float> all = numbers;
  conv.weights = conv.gradients = figures_of({&all, 1});
  conv.update_ratio = 0.001;
  relu.outputs = conv.weights;
  relu.units = 6;
  relu.dead = 2;
  return {.step = 938, .epoch = 1, .images = 64, .layers = {conv, relu}};
}

PipelinePlan pipeline() {
  return {.schedule = "1f1b",
          .micro_batch = 16,
          .micro_batches = 4,
          .stages = {{"cpu:0", "conv1", "pool1", 3, 117600, 156, 1000000, 2},
                     {"cpu:1", "conv2", "loss", 9, 298920, 61550, 2000000, 1}},
          .transfers = {{"pool1", 0, 1, false, 75264}, {"grad conv2 from pool1", 1, 0, true, 75264}},
          .predicted_bubble = 0.2,
          .statistics_per_micro_batch = true};
}

RankTimes ranks() {
  const RankUse first{.rank = 0,
                      .host = "node1",
                      .device = "cuda:0",
                      .steps = 12,
                      .seconds = 1.5,
                      .compute_s = 0.75,
                      .communication_s = 0.25,
                      .wait_s = 0.25,
                      .input_s = 0.25,
                      .busy = 0.5,
                      .memory_bytes = 1e9,
                      .power_w = 350.5,
                      .energy_j = 525.75,
                      .spans = {{StepPart::forward, 0, 0, 0.25}, {StepPart::bucket, 2, 0.25, 0.5}}};
  return {.epoch = 2,
          .step = 950,
          .whole_epoch = true,
          .ranks = {first, {.rank = 1, .host = "node2", .device = "cpu", .steps = 12, .seconds = 1.5}},
          .slowest = 1,
          .slower_by = 0.5};
}

std::vector<Event> one_of_each() {
  DeviceSample d{12.5, 3,   1e9,
                 8e9,  2e8, {{"H200", 98, 1e10, 1.4e11, 650.5, 61, 90, 9e9, 1980, 3201, 5e9, 1e8, 3e10, 2e10}}};
  return {{0.5, Started{1.7e9, "lenet5", "cpu", 10, 938, 64, 61706, 123456, 54000, 6000, 10000, 4711, Metric::r2}},
          {1, Steps{100, 7, 0.25, {0.1, 0.2, 0.3}, {0.5, 0.75, 1}, 0.01, 12345.5, 2.25}},
          {2, EpochEnd{1, 938, 0.5, 0.9, true, 0.25, 0.95, 3.5, 15000, true}},
          {3, d},
          {4, Health{HealthLevel::warning, text("{0} has no images", "bird"), 12}},
          {5, Knob{"learning_rate", 0.001, 20}},
          {6, Saved{"step-00000938", 938, 500000, true}},
          {7, Resumed{938, 4712, 1.7e9}},
          {8, Paused{940}},
          {9, Continued{940}},
          {10, Ended{EndReason::finished, text("done"), 9380, 60.5, 0.03, 0.99, 15000, 0, 1234.5, 678.25, 600320}},
          {11, StepSplit{938, 8, 1.5, 0.25, 0.125, 0.0625, 0.5, 0.25, 0.125, 0.03125}},
          {12, statistics()},
          {13, pipeline()},
          {14, PipelineTimes{2, 1876, 12.5, 0.25, 123456, {{1.5, 0.25, 3}, {2, 0.5, 1}}}},
          {15, ranks()}};
}

TEST(Events, EveryKindSurvivesItsLine) {
  const auto events = one_of_each();
  ASSERT_EQ(events.size(), std::variant_size_v<decltype(Event::what)>);
  for (std::size_t i = 0; i < events.size(); ++i) {
    EXPECT_EQ(events[i].what.index(), i);
    const std::string line = event_line(events[i]);
    EXPECT_EQ(line.find('\n'), std::string::npos);
    const auto back = parse_event(line);
    ASSERT_TRUE(back) << line << ": " << back.error().str();
    EXPECT_EQ(event_line(*back), line);
    EXPECT_EQ(back->what.index(), i);
  }
}

template <class E>
void expect_names(std::initializer_list<const char*> names) {
  std::size_t i = 0;
  for (const char* name : names) {
    const auto value = named<E>(name);
    ASSERT_TRUE(value) << name;
    EXPECT_EQ(static_cast<std::size_t>(*value), i++) << name;
    EXPECT_EQ(name_of(*value), name);
  }
  EXPECT_TRUE(name_of(static_cast<E>(i)).empty()) << "a value that this test does not name";
  EXPECT_FALSE(named<E>(""));
  EXPECT_FALSE(named<E>("firework"));
}

TEST(Events, NameTheirEnumerationsInWords) {
  expect_names<Metric>({"accuracy", "all_labels", "r2"});
  expect_names<EndReason>({"finished", "stopped", "failed"});
  expect_names<HealthLevel>({"note", "warning", "error"});
}

std::string replaced(const std::string& line, std::string_view old, std::string_view changed) {
  std::string out = line;
  const std::size_t at = out.find(old);
  EXPECT_NE(at, std::string::npos) << line;
  return at == std::string::npos ? out : out.replace(at, old.size(), changed);
}

TEST(Events, ReadAnUnknownEndAsAFailureAndAnUnknownLevelAsANote) {
  const auto ended = parse_event(
      replaced(event_line({1, Ended{EndReason::stopped, {}, 7}}), "\"reason\":\"stopped\"", "\"reason\":\"evicted\""));
  ASSERT_TRUE(ended) << ended.error().str();
  EXPECT_EQ(std::get<Ended>(ended->what).reason, EndReason::failed);
  const auto health =
      parse_event(replaced(event_line({1, Health{HealthLevel::error, text("x"), 7}}), "\"error\"", "\"loud\""));
  ASSERT_TRUE(health) << health.error().str();
  EXPECT_EQ(std::get<Health>(health->what).level, HealthLevel::note);
}

void move_key(Json& j, const char* name, const char* old) {
  if (!j.contains(name)) return;
  j[old] = j[name];
  j.erase(name);
}

/// The event's line as version 0.1 wrote it.
std::string in_the_spelling_of_0_1(const Event& e) {
  Json j = Json::parse(event_line(e));
  move_key(j, "metric", "measure");
  move_key(j, "message", j["type"] == "health" ? "what" : "why");
  j.erase("reason");  // the same value is also stored as "how"
  for (const auto& [name, old] :
       {std::pair{"process_cpu", "own_cpu"}, std::pair{"process_utilization", "own_utilization"},
        std::pair{"process_memory_bytes", "own_memory_bytes"}}) {
    move_key(j, name, old);
    if (j.contains("gpus"))
      for (Json& gpu : j["gpus"]) move_key(gpu, name, old);
  }
  return j.dump();
}

TEST(Events, OfEveryTypeAreReadInTheSpellingOfVersion01) {
  for (const Event& e : one_of_each()) {
    const std::string old = in_the_spelling_of_0_1(e);
    const auto read = parse_event(old);
    ASSERT_TRUE(read) << old << ": " << read.error().str();
    EXPECT_EQ(event_line(*read), event_line(e)) << old;
  }
}

TEST(Events, AreWrittenUnderTheirNewNames) {
  const auto keys_of = [](const auto& what) { return Json::parse(event_line({1, what})); };
  const Json ended = keys_of(Ended{EndReason::stopped, text("x"), 7});
  EXPECT_EQ(ended["reason"], "stopped");
  EXPECT_EQ(ended["how"], "stopped") << "scripts written for version 0.1";
  EXPECT_EQ(ended["message"]["source"], "x");
  EXPECT_FALSE(ended.contains("why"));
  EXPECT_EQ(keys_of(Started{.metric = Metric::r2})["metric"], "r2");
  EXPECT_EQ(keys_of(Health{HealthLevel::note, text("x"), 7})["message"]["source"], "x");
  const Json device = keys_of(DeviceSample{.process_cpu = 3, .gpus = {{.process_utilization = 4}}});
  EXPECT_EQ(device["process_cpu"], 3);
  EXPECT_EQ(device["gpus"][0]["process_utilization"], 4);
}

TEST(Events, ALossThatIsNotFiniteIsKept) {
  const Event e{1,
                Steps{1,
                      1,
                      0,
                      {std::nan(""), std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()},
                      {},
                      0,
                      0,
                      0}};
  const auto back = parse_event(event_line(e));
  ASSERT_TRUE(back) << back.error().str();
  const Bin loss = std::get<Steps>(back->what).loss;
  EXPECT_TRUE(std::isnan(loss.min));
  EXPECT_GT(loss.mean, std::numeric_limits<double>::max());
  EXPECT_LT(loss.max, std::numeric_limits<double>::lowest());
}

TEST(Events, NamesThatAreNotUtf8DoNotStopARun) {
  EXPECT_TRUE(parse_event(event_line({0, Started{.name = "\xff\xfe"}})));
}

TEST(Events, MalformedLinesAreRejected) {
  for (const char* line :
       {"", "null", "[]", "{}", "{\"type\":\"steps\"}", "{\"type\":\"steps\",\"t\":0,\"schema\":1}",
        "{\"type\":7,\"t\":0}", "{\"type\":\"paused\",\"t\":0,\"step\":-1}",
        "{\"type\":\"paused\",\"t\":0,\"step\":1.5}", "{\"type\":\"paused\",\"t\":0,\"step\":1e300}",
        "{\"type\":\"paused\",\"t\":0,\"step\":1,\"step\":2}", "{\"type\":\"paused\",\"t\":0,\"step\":1} x",
        "{\"type\":\"paused\",\"t\":\"soon\",\"step\":1}",
        "{\"type\":\"health\",\"t\":0,\"level\":\"note\",\"what\":[],\"step\":1}"}) {
    const auto e = parse_event(line);
    ASSERT_FALSE(e) << line;
    EXPECT_EQ(e.error().code, Errc::bad_input) << line;
  }
}

TEST(Events, MalformedStatisticsAreRejectedWithASentence) {
  const std::string whole = event_line({1, statistics()});
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string line = whole;
    const auto at = line.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return line.replace(at, from.size(), to);
  };
  for (const std::string& line : {with("\"dead\":2", "\"dead\":7"), with("\"step\":938", "\"step\":-1"),
                                  with("\"bins\":[", "\"bins\":[1,"), with("\"bins\":[1", "\"bins\":[-1"),
                                  with("\"bins\":[1", "\"bins\":[[1]"), with("\"count\":4", "\"count\":\"4\""),
                                  with("\"layers\":[", "\"layers\":[7,"), with("\"layers\":[", "\"layer\":["),
                                  with("\"least\":-1", "\"least\":3"), with("\"norm\":", "\"norm\":null,\"n\":")}) {
    const auto e = parse_event(line);
    ASSERT_FALSE(e) << line;
    EXPECT_EQ(e.error().code, Errc::bad_input) << line;
    EXPECT_FALSE(e.error().str().empty());
  }
}

TEST(Events, OfRanksLeaveOutWhatIsNotKnown) {
  const Json j = Json::parse(event_line({1, ranks()}));
  EXPECT_EQ(j["ranks"][0]["power_w"], 350.5);
  EXPECT_EQ(j["ranks"][0]["step_s"], 0.125);
  EXPECT_EQ(j["ranks"][0]["spans"][1].dump(), R"({"begin_s":0.25,"bucket":2,"end_s":0.5,"part":"bucket"})");
  EXPECT_FALSE(j["ranks"][0]["spans"][0].contains("bucket"));
  for (const char* unknown :
       {"power_w", "energy_j", "busy", "memory_bytes", "compute_s", "communication_s", "wait_s", "spans"})
    EXPECT_FALSE(j["ranks"][1].contains(unknown)) << unknown;
  const auto back = parse_event(event_line({1, ranks()}));
  ASSERT_TRUE(back) << back.error().str();
  EXPECT_EQ(std::get<RankTimes>(back->what), ranks());
  const Json nobody = Json::parse(event_line({1, RankTimes{.ranks = {{.rank = 0}}}}));
  EXPECT_FALSE(nobody.contains("slowest"));
}

TEST(Events, MalformedOnesOfRanksAreRejectedWithASentence) {
  const std::string whole = event_line({1, ranks()});
  for (const std::string& line :
       {replaced(whole, "\"busy\":0.5", "\"busy\":-0.5"), replaced(whole, "\"rank\":1", "\"rank\":-1"),
        replaced(whole, "\"seconds\":1.5", "\"second\":1.5"), replaced(whole, "\"steps\":12", "\"steps\":1.2"),
        replaced(whole, "\"ranks\":[", "\"ranks\":[7,"), replaced(whole, "\"part\":\"bucket\"", "\"part\":\"x\""),
        replaced(whole, "\"begin_s\":0.25", "\"begin_s\":0.75"), replaced(whole, "\"bucket\":2", "\"bucket\":-2"),
        replaced(whole, "\"spans\":[", "\"spans\":[7,"), replaced(whole, "\"spans\":[", "\"spans\":7,\"x\":["),
        replaced(whole, "\"begin_s\":0.25", "\"begin_s\":\"a\""), replaced(whole, "\"ranks\":[", "\"rank\":["),
        replaced(whole, "\"slower_by\":0.5", "\"slower_by\":null")}) {
    const auto e = parse_event(line);
    ASSERT_FALSE(e) << line;
    EXPECT_EQ(e.error().code, Errc::bad_input) << line;
    EXPECT_FALSE(e.error().str().empty());
  }
}

TEST(Events, UnknownTypesAreDistinguishedFromDamage) {
  const auto e = parse_event("{\"type\":\"firework\",\"t\":0,\"schema\":1}");
  ASSERT_FALSE(e);
  EXPECT_EQ(e.error().code, Errc::unsupported);
}

TEST(EventTail, ReadsCompleteLinesOnlyAsTheFileGrows) {
  const Folder run;
  EventTail tail(run.path);
  std::vector<Event> seen;
  ASSERT_TRUE(tail.poll(seen)) << "a run without events yet is no error";
  const std::string line = event_line({1, Paused{3}});
  auto append = [&](const std::string& bytes) {
    // Appends to the existing file, as the run's process does, instead of replacing it.
    FILE* f = std::fopen((run.path / "events.jsonl").c_str(), "a");
    std::fwrite(bytes.data(), 1, bytes.size(), f);
    std::fclose(f);
  };
  append(line.substr(0, 10));
  ASSERT_TRUE(tail.poll(seen));
  EXPECT_TRUE(seen.empty());
  append(line.substr(10));
  ASSERT_TRUE(tail.poll(seen));
  EXPECT_TRUE(seen.empty()) << "a line counts once its newline is there";
  append("\n" + line + "\ngarbage\n" + line + "\n{\"half\":");
  ASSERT_TRUE(tail.poll(seen));
  EXPECT_EQ(seen.size(), 3U);
  EXPECT_EQ(tail.damaged_lines(), 1);
}

TEST(EventTail, ReadsInPiecesOfTheLimit) {
  const Folder run;
  std::string bytes;
  for (int i = 0; i < 100; ++i) bytes += event_line({0, Paused{i}}) + "\n";
  ASSERT_TRUE(save_file(run.path / "events.jsonl", bytes));
  EventTail tail(run.path);
  std::vector<Event> seen;
  int polls = 0;
  for (bool more = true; more; ++polls) more = *tail.poll(seen, 64);
  EXPECT_EQ(seen.size(), 100U);
  EXPECT_GT(polls, 10);
}

TEST(EventTail, StartsAgainWhenTheFileWasCutOrReplaced) {
  const Folder run;
  const std::string line = event_line({0, Paused{1}}) + "\n";
  ASSERT_TRUE(save_file(run.path / "events.jsonl", line + line));
  EventTail tail(run.path);
  std::vector<Event> seen;
  ASSERT_TRUE(tail.poll(seen));
  ASSERT_TRUE(save_file(run.path / "events.jsonl", line));
  ASSERT_TRUE(tail.poll(seen));
  EXPECT_EQ(seen.size(), 3U);
}

TEST(EventTail, ALineWithoutEndIsNotKeptInMemory) {
  const Folder run;
  const std::string line = event_line({0, Paused{1}}) + "\n";
  ASSERT_TRUE(save_file(run.path / "events.jsonl", std::string(5 << 20, 'x') + "\n" + line));
  EventTail tail(run.path);
  std::vector<Event> seen;
  while (*tail.poll(seen)) {}
  EXPECT_EQ(seen.size(), 1U);
  EXPECT_EQ(tail.damaged_lines(), 1);
}

}  // namespace
}  // namespace nw
