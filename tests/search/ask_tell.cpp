// SPDX-License-Identifier: Apache-2.0
// A sampler on standard input and output, for programs that play it against others (optuna_peer.py). One line in, one
// line out:
//   {"space":{…},"objectives":["loss:min"],"sampler":"tpe","seed":0}  begins a study; answer: {}
//   {"tell":[values]}                                                 of the last point
//   {"fill":10000}                                                    adds random trials, to measure the next question
//   {"ask":true}                                                      answer: {"point":{…},"ms":…}
#include <chrono>
#include <cmath>
#include <iostream>
#include <string>

#include "engine/search/journal.hpp"

namespace {

using namespace nw;
using namespace nw::search;
using Clock = std::chrono::steady_clock;

int refuse(const Error& e) {
  std::cout << Json{{"error", e.str()}}.dump() << std::endl;
  return 1;
}

struct Session {
  StudyDefinition definition;
  std::vector<Trial> trials;
  double ms = 0;  // of the last question

  Status begin(const Json& j) {
    definition = {};
    trials.clear();
    NW_ASSIGN(definition.space, space_from_json(j.at("space"), "space"));
    for (const Json& o : j.at("objectives")) {
      NW_ASSIGN(Objective objective, objective_from_text(o.get<std::string>()));
      definition.objectives.push_back(objective);
    }
    definition.sampler = j.at("sampler").get<std::string>();
    definition.seed = j.at("seed").get<std::uint64_t>();
    return {};
  }
  Json ask() {
    const auto begin = Clock::now();
    const auto number = static_cast<std::int64_t>(trials.size());
    const History history{definition.space, definition.objectives, trials, definition.seed, number};
    auto point = find_sampler(definition.sampler)->propose(history);
    ms = std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    if (!point) return {{"point", nullptr}};
    trials.push_back({.number = number, .point = *std::move(point)});
    return {{"point", point_to_json(definition.space, trials.back().point)}, {"ms", ms}};
  }
  /// Random points with some value.
  void fill(std::int64_t count) {
    for (std::int64_t i = 0; i < count; ++i) {
      const History history{definition.space, definition.objectives, {}, definition.seed, i};
      Point point = *find_sampler("random")->propose(history);
      const double value = std::sin(7.0 * point[0]) + static_cast<double>(i % 7);
      trials.push_back({.number = i,
                        .point = std::move(point),
                        .state = TrialState::complete,
                        .values = std::vector<double>(definition.objectives.size(), value)});
    }
  }
  void tell(const Json& values) {
    trials.back().values = values.get<std::vector<double>>();
    trials.back().state = TrialState::complete;
  }
};

}  // namespace

int main() {
  Session session;
  for (std::string line; std::getline(std::cin, line);) {
    const Json j = Json::parse(line);
    if (j.contains("space")) {
      if (const Status begun = session.begin(j); !begun) return refuse(begun.error());
      std::cout << "{}" << std::endl;
    }
    if (j.contains("fill")) session.fill(j["fill"].get<std::int64_t>());
    if (j.contains("tell")) session.tell(j["tell"]);
    if (j.contains("ask")) std::cout << session.ask().dump() << std::endl;
  }
  return 0;
}
