// SPDX-License-Identifier: Apache-2.0
// Studies that were never trained: their journals, written by the engine from a simulated course.
#pragma once
#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <string>

#include "engine/search/journal.hpp"

namespace nw::test {

struct StudyScript {
  std::int64_t trials = 60, epochs = 27, lanes = 4;
  std::string pruner = "asha", sampler = "tpe";
  bool two_objectives = false;
  std::int64_t begun = -1;  // so many trials are begun, and then it trains on; -1: it has ended
  std::int64_t failed = 9;  // this trial fails
  double begin = 1'790'000'000, epoch_s = 4;
};

inline search::Space script_space() {
  return *search::parse_space(R"({"parameters":[
      {"name":"learning_rate","type":"real","low":0.0001,"high":0.3,"log":true},
      {"name":"batch","type":"choice","values":[32,64,128,256]},
      {"name":"conv1.out_channels","type":"int","low":4,"high":16,"step":2},
      {"name":"conv2.out_channels","type":"int","low":8,"high":32,"step":8},
      {"name":"fc1.out_features","type":"int","low":32,"high":256,"step":32},
      {"name":"l2","type":"real","low":0.000001,"high":0.01,"log":true}]})",
                              "space");
}

/// Writes the study's journal, simulated.
class StudyWriter {
 public:
  explicit StudyWriter(const StudyScript& script) : script_(script) {
    search::StudyDefinition d;
    d.name = "lenet5";
    d.space = script_space();
    d.objectives = {{"accuracy", true}};
    if (script.two_objectives) d.objectives.push_back({"multiply_adds", false});
    d.sampler = script.sampler;
    d.pruner = script.two_objectives ? "none" : script.pruner;
    d.epochs = script.epochs;
    d.seed = 7;
    take(search::Began{d, script.begin});
    take(search::WentOn{script.trials, script.begin});
    play();
  }
  const std::string& text() const { return text_; }
  const search::Study& study() const { return study_; }
  double end() const { return end_; }  // the time of the last record
  Status save(const fs::path& folder) const {
    NW_TRY(make_folder(folder, 0700));
    return save_file(folder / search::journal_file, text_);
  }

 private:
  void take(const search::Record& record) {
    text_ += search::record_line(record, study_.definition().space) + "\n";
    if (const Status taken = study_.take(record); !taken) text_ += "?" + taken.error().str();
  }
  double value(const search::Trial& t, std::int64_t epoch) const {
    const double rate = std::log10(t.point[0]) + 1.7, width = t.point[2] * t.point[3], batch = t.point[1] - 1;
    const double whole = 0.9935 - 0.004 * rate * rate - 0.0015 / std::sqrt(width / 100) - 0.0004 * batch * batch -
                         0.0002 * std::abs(std::log10(t.point[5]) + 4) - 0.03 / t.point[4] +
                         0.0003 * std::sin(97.0 * static_cast<double>(t.number));
    return std::clamp(whole - 0.03 / static_cast<double>(epoch), 0.1, 1.0);
  }
  static double multiply_adds(const search::Trial& t) {
    return 784 * 25 * t.point[2] + 100 * 25 * t.point[2] * t.point[3] + 400 * t.point[3] * t.point[4] / 16;
  }
  struct Live {
    double ends = 0;
  };
  void play() {
    double now = script_.begin + 1;
    for (;;) {
      std::set<std::int64_t> live;
      for (const auto& [trial, l] : live_) live.insert(trial);
      search::Step step;
      while (static_cast<std::int64_t>(live.size()) < script_.lanes) {
        step = study_.next(live);
        const bool enough = script_.begun >= 0 && static_cast<std::int64_t>(study_.trials().size()) >= script_.begun;
        if (step.kind == search::Step::Kind::promote)
          take(search::Promoted{step.trial, step.to_epoch, now});
        else if (step.kind == search::Step::Kind::start && !enough)
          take(search::Proposed{step.trial, step.point, step.to_epoch, now});
        else
          break;
        const search::Trial& t = at(step.trial);
        const auto from = search::last_report(t) ? search::last_report(t)->epoch : 0;
        live.insert(step.trial);
        live_[step.trial] = {now + script_.epoch_s * (0.6 + 0.01 * t.point[2] * t.point[3] / 8) *
                                       static_cast<double>(t.to_epoch - from)};
      }
      if (live_.empty()) break;
      if (script_.begun >= 0 && static_cast<std::int64_t>(study_.trials().size()) >= script_.begun) return;
      const auto first = std::min_element(live_.begin(), live_.end(),
                                          [](const auto& a, const auto& b) { return a.second.ends < b.second.ends; });
      end_ = now = std::max(now, first->second.ends);
      const std::int64_t trial = first->first;
      live_.erase(first);
      end_stretch(trial, now);
    }
    take(search::Stopped{"finished", now});
  }
  void end_stretch(std::int64_t trial, double now) {
    if (trial == script_.failed)
      return take(
          search::Closed{trial, search::TrialState::failed, {}, "the loss is not a number after step 312", now});
    const auto from = search::last_report(at(trial)) ? search::last_report(at(trial))->epoch : 0;
    for (std::int64_t e = from + 1; e <= at(trial).to_epoch; ++e) take(search::Reported{trial, e, value(at(trial), e)});
    if (at(trial).to_epoch < script_.epochs) return take(search::Paused{trial, now});
    search::Closed closed{trial, search::TrialState::complete, {value(at(trial), script_.epochs)}, "", now};
    if (script_.two_objectives) closed.values.push_back(multiply_adds(at(trial)));
    take(closed);
  }
  const search::Trial& at(std::int64_t trial) const { return study_.trials()[static_cast<std::size_t>(trial)]; }
  const StudyScript script_;
  search::Study study_;
  std::string text_;
  double end_ = 0;
  std::map<std::int64_t, Live> live_;
};

}  // namespace nw::test
