// SPDX-License-Identifier: Apache-2.0
// Studies and their journals: what is done next, and that a journal is read as it was written, whatever happened.
#include "engine/search/study.hpp"

#include <gtest/gtest.h>

#include "engine/search/journal.hpp"
#include "tests/engine/runs/folder.hpp"

namespace nw::search {
namespace {

StudyDefinition definition(const std::string& pruner = "none", std::int64_t epochs = 9) {
  StudyDefinition d;
  d.name = "net";
  d.project = 0xF00DF00DF00DF00Du;
  d.space = *parse_space(R"({"parameters":[{"name":"x","type":"real","low":0,"high":1},
                                           {"name":"k","type":"choice","values":["a",2,true]}]})",
                         "s");
  d.objectives = {{"accuracy", true}};
  d.pruner = pruner;
  d.epochs = epochs;
  d.seed = ~std::uint64_t{0};
  return d;
}

/// A study whose trials are trained by a function of the trial and the epoch.
struct Played {
  Study study;
  std::vector<std::string> steps;
  std::int64_t epochs_trained = 0;
  explicit Played(const StudyDefinition& d, std::int64_t trials) {
    EXPECT_TRUE(study.take(Record(Began{d})));
    EXPECT_TRUE(study.take(Record(WentOn{trials})));
  }
  const Trial& trial(std::int64_t n) const { return study.trials()[static_cast<std::size_t>(n)]; }
  bool take_step() {
    const Step step = study.next({});
    if (step.kind == Step::Kind::done) return false;
    if (step.kind == Step::Kind::start) {
      EXPECT_TRUE(study.take(Record(Proposed{step.trial, step.point, step.to_epoch})));
      steps.push_back("start " + std::to_string(step.trial));
    } else {
      EXPECT_EQ(step.kind, Step::Kind::promote);
      EXPECT_TRUE(study.take(Record(Promoted{step.trial, step.to_epoch})));
      steps.push_back("promote " + std::to_string(step.trial) + " to " + std::to_string(step.to_epoch));
    }
    return true;
  }
  template <class F>
  void play(F accuracy) {
    while (take_step()) {
      const std::int64_t n = std::stoll(steps.back().substr(steps.back().find(' ') + 1));
      const std::int64_t from = trial(n).reports.empty() ? 0 : trial(n).reports.back().epoch, to = trial(n).to_epoch;
      bool pruned = false;
      for (std::int64_t e = from + 1; e <= to && !pruned; ++e, ++epochs_trained) {
        EXPECT_TRUE(study.take(Record(Reported{n, e, accuracy(n, e)})));
        pruned = study.gives_up(n);
      }
      if (pruned)
        EXPECT_TRUE(study.take(Record(Closed{n, TrialState::pruned, {}, ""})));
      else if (to < study.definition().epochs)
        EXPECT_TRUE(study.take(Record(Paused{n})));
      else
        EXPECT_TRUE(study.take(Record(Closed{n, TrialState::complete, {accuracy(n, to)}, ""})));
    }
  }
};

TEST(Study, TrainsEveryTrialToItsEndWithoutAPruner) {
  Played p(definition(), 3);
  p.play([](std::int64_t n, std::int64_t) { return n == 1 ? 0.9 : 0.5; });
  EXPECT_EQ(p.steps, (std::vector<std::string>{"start 0", "start 1", "start 2"}));
  EXPECT_EQ(p.study.best()->number, 1);
  EXPECT_EQ(p.epochs_trained, 27);
}

// Asynchronous successive halving by hand: nine trials, the higher the better, rungs 1, 3 and 9.
TEST(Study, AshaPausesTrialsAndPromotesTheBestThirdOfEachRung) {
  Played p(definition("asha"), 9);
  const double values[] = {5, 1, 9, 3, 7, 2, 8, 4, 6};
  p.play([&](std::int64_t n, std::int64_t e) { return values[n] / 10 + static_cast<double>(e) / 1000; });
  EXPECT_EQ(p.steps, (std::vector<std::string>{"start 0", "start 1", "start 2", "promote 2 to 3", "start 3", "start 4",
                                               "start 5", "promote 4 to 3", "start 6", "promote 6 to 3",
                                               "promote 2 to 9", "start 7", "start 8"}));
  EXPECT_EQ(p.study.best()->number, 2);
  EXPECT_EQ(p.trial(0).state, TrialState::paused);
  EXPECT_EQ(p.epochs_trained, 9 + 3 * 2 + 6);
}

TEST(Study, AshaTrainsItsBestTrialToTheEndWhereTooFewReachedARung) {
  Played p(definition("asha"), 2);
  p.play([](std::int64_t n, std::int64_t) { return n == 0 ? 0.8 : 0.2; });
  EXPECT_EQ(p.trial(0).state, TrialState::complete);
  EXPECT_EQ(p.trial(1).state, TrialState::paused);
}

TEST(Study, MoreTrialsGoOnWhereASmallerStudyEnded) {
  const auto accuracy = [](std::int64_t n, std::int64_t) { return static_cast<double>(n * 7 % 10) / 10; };
  Played p(definition("asha"), 4);
  p.play(accuracy);
  ASSERT_TRUE(p.study.take(Record(WentOn{12})));
  p.play(accuracy);
  EXPECT_EQ(p.study.trials().size(), 12U);
  EXPECT_EQ(p.study.best()->number, 7) << "0.9";
}

TEST(Study, TheMedianGivesUpTrialsThatAreWorseThanHalf) {
  Played p(definition("median", 4), 12);
  p.play([](std::int64_t n, std::int64_t e) {
    return (n < 6 ? 0.5 + 0.01 * static_cast<double>(n) : n == 8 ? 0.9 : 0.1) + 0.001 * static_cast<double>(e);
  });
  for (std::int64_t n = 0; n < 5; ++n) EXPECT_EQ(p.trial(n).state, TrialState::complete) << n;
  EXPECT_EQ(p.trial(7).state, TrialState::pruned);
  EXPECT_EQ(p.trial(7).reports.size(), 1U);
  EXPECT_EQ(p.trial(8).state, TrialState::complete);
}

TEST(Study, GoesOnWithTrialsThatNoProcessTrains) {
  Played p(definition(), 2);
  ASSERT_TRUE(p.take_step());
  EXPECT_EQ(p.study.next({}).kind, Step::Kind::go_on);
  EXPECT_EQ(p.study.next({0}).kind, Step::Kind::start);
  ASSERT_TRUE(p.study.take(Record(Proposed{1, p.study.next({0}).point, 9})));
  EXPECT_EQ(p.study.next({0, 1}).kind, Step::Kind::wait);
}

TEST(Study, RejectsRecordsThatContradictEarlierOnes) {
  Study none;
  EXPECT_FALSE(none.take(Record(WentOn{3})));
  Played p(definition("asha"), 3);
  const auto take = [&](const Record& r) { return static_cast<bool>(p.study.take(r)); };
  EXPECT_FALSE(take(Began{definition()}));
  EXPECT_FALSE(take(Proposed{1, {0.5, 0}, 1})) << "0 is next";
  EXPECT_FALSE(take(Proposed{0, {1.5, 0}, 1})) << "outside of the space";
  EXPECT_FALSE(take(Proposed{0, {0.5, 0}, 10})) << "more epochs than the study has";
  EXPECT_FALSE(take(Reported{0, 1, 0.5}));
  ASSERT_TRUE(take(Proposed{0, {0.5, 0}, 1}));
  EXPECT_FALSE(take(Closed{0, TrialState::running, {}, ""}));
  EXPECT_FALSE(take(Closed{0, TrialState::complete, {}, ""})) << "without its value";
  EXPECT_FALSE(take(Closed{0, TrialState::complete, {NAN}, ""}));
  EXPECT_FALSE(take(Promoted{0, 3})) << "it runs";
  ASSERT_TRUE(take(Reported{0, 1, 0.5}));
  ASSERT_TRUE(take(Reported{0, 1, 0.7})) << "a trial that was killed reports again";
  EXPECT_EQ(p.trial(0).reports.size(), 1U);
  EXPECT_EQ(p.trial(0).reports.front().value, 0.5);
  ASSERT_TRUE(take(Paused{0}));
  EXPECT_FALSE(take(Paused{0}));
  EXPECT_FALSE(take(Promoted{0, 1})) << "no epoch more";
  ASSERT_TRUE(take(Promoted{0, 3}));
}

std::vector<Record> every_record() {
  return {Began{definition("asha"), 1},
          WentOn{3, 2},
          Proposed{0, {0.25, 1}, 1, 3},
          Reported{0, 1, 0.5},
          Paused{0, 4},
          Promoted{0, 9, 5},
          Reported{0, 9, 0.75},
          Closed{0, TrialState::complete, {0.75}, "", 6},
          Proposed{1, {0.125, 2}, 1, 7},
          Closed{1, TrialState::failed, {}, "no\nmemory", 8},
          Stopped{"finished", 9}};
}

TEST(Journal, IsReadAsItWasWritten) {
  Folder folder;
  Study written;
  {
    auto journal = Journal::open(folder.path / "study");
    ASSERT_TRUE(journal) << journal.error().str();
    for (const Record& r : every_record()) ASSERT_TRUE(journal->write(r));
    written = journal->study();
    const auto second = Journal::open(folder.path / "study");
    ASSERT_FALSE(second) << "one writer at a time";
    EXPECT_EQ(second.error().code, Errc::in_use);
  }
  const auto read = read_study(folder.path / "study");
  ASSERT_TRUE(read) << read.error().str();
  EXPECT_TRUE(read->definition() == written.definition());
  EXPECT_EQ(read->wanted(), 3);
  ASSERT_EQ(read->trials().size(), 2U);
  EXPECT_EQ(read->trials()[0].point, (Point{0.25, 1}));
  EXPECT_EQ(read->trials()[0].values, std::vector<double>{0.75});
  EXPECT_EQ(read->trials()[0].reports.size(), 2U);
  EXPECT_EQ(read->trials()[1].message, "no\nmemory");
  EXPECT_EQ(read->trials()[1].run, "trial-0001");
}

std::string text_of(const std::vector<Record>& records) {
  std::string text;
  for (const Record& r : records) text += record_line(r, definition().space) + "\n";
  return text;
}

TEST(Journal, HalfALineAtTheEndDoesNotCountAndIsRemovedByTheNextWriter) {
  Folder folder;
  const std::string whole = text_of(every_record());
  const std::string torn = whole + record_line(Proposed{2, {0.5, 0}, 1, 7}, definition().space);
  ASSERT_TRUE(make_folder(folder.path / "study", 0700));
  ASSERT_TRUE(save_file(folder.path / "study" / journal_file, torn));
  EXPECT_EQ(read_study(folder.path / "study")->trials().size(), 2U);
  auto journal = Journal::open(folder.path / "study");
  ASSERT_TRUE(journal);
  ASSERT_TRUE(journal->write(Proposed{2, {0.75, 0}, 1, 7}));
  EXPECT_EQ(read_study(folder.path / "study")->trials()[2].point.front(), 0.75);
}

TEST(Journal, NamesTheLineThatCannotBe) {
  const std::string good = text_of({Began{definition(), 1}, WentOn{3, 2}});
  const auto error = [&](const std::string& line) {
    const auto study = study_from_text(good + line + "\n", "j");
    return study ? "" : study.error().str();
  };
  EXPECT_EQ(error(R"({"schema":2,"type":"trial"})"), "") << "of a newer version";
  EXPECT_EQ(error(R"({"schema":1,"type":"remark"})"), "") << "of a newer version";
  for (const char* line :
       {"not JSON", "[]", R"({"schema":1})", R"({"schema":1,"type":"paused","trial":0})",
        R"({"schema":1,"type":"paused","trial":-1})", R"({"schema":1,"type":"report","trial":0,"epoch":1,"value":"x"})",
        R"({"schema":1,"type":"trial","trial":0,"to_epoch":1})",
        R"({"schema":1,"type":"trial_ended","trial":0,"state":"odd"})", R"({"schema":1,"type":"study"})"})
    EXPECT_NE(error(line).find("line 3"), std::string::npos) << line << " -> " << error(line);
}

TEST(Journal, AFolderWithoutOneHoldsNoStudy) {
  Folder folder;
  EXPECT_FALSE(holds_study(folder.path));
  EXPECT_FALSE(read_study(folder.path));
  fs::create_symlink("/etc/passwd", folder.path / journal_file);
  EXPECT_FALSE(read_study(folder.path)) << "no links are followed";
  EXPECT_FALSE(Journal::open(folder.path));
}

TEST(Objectives, HaveADirectionOfTheirOwnOrTheGivenOne) {
  EXPECT_TRUE(objective_from_text("accuracy")->maximize);
  EXPECT_FALSE(objective_from_text("loss")->maximize);
  EXPECT_TRUE(objective_from_text("parameters:max")->maximize);
  EXPECT_FALSE(objective_from_text("accuracy:up"));
  EXPECT_NE(objective_from_text("speed").error().str().find("accuracy, loss, parameters"), std::string::npos);
}

}  // namespace
}  // namespace nw::search
