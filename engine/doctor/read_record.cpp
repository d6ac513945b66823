// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "engine/doctor/examine.hpp"
#include "engine/train/loss_history.hpp"

namespace nw::doctor {
namespace {

constexpr std::size_t max_steps = 200'000;  // records of a run that are kept; later ones are left out

template <class T, class StepOf>
void take_back(std::vector<T>& all, std::int64_t after, StepOf step) {
  std::erase_if(all, [&](const T& e) { return step(e) > after; });
}

struct Taker {
  Record& r;
  void operator()(const Started& e) { r.validation_images = e.validation; }
  void operator()(const Steps& e) {
    if (r.steps.size() < max_steps) r.steps.push_back(e);
  }
  void operator()(const EpochEnd& e) { r.epochs.push_back(e); }
  void operator()(const Health& e) {
    if (e.not_finite) r.not_finite = e.not_finite;
  }
  void operator()(const Knob& e) {
    if (e.name == "learning_rate") r.settings.learning_rate = e.value;
  }
  void operator()(const Resumed& e) {
    r.ended.reset();
    r.not_finite.reset();
    take_back(r.steps, e.from_step, [](const Steps& s) { return s.last; });
    take_back(r.epochs, e.from_step, [](const EpochEnd& s) { return s.step; });
  }
  void operator()(const Ended& e) { r.ended = e; }
  template <class T>
  void operator()(const T&) {}
};

}  // namespace

Result<Record> read_record(const fs::path& run) {
  NW_ASSIGN(const RunDefinition definition, read_run_definition(run));
  Record r;
  r.settings = definition.doc.settings();
  r.classes = static_cast<std::int64_t>(definition.classes.size());
  EventTail tail(run);
  std::vector<Event> events;
  for (bool more = true; more; events.clear()) {
    NW_ASSIGN(more, tail.poll(events));
    for (const Event& e : events) {
      if (const auto* s = std::get_if<Started>(&e.what); s && s->metric != Metric::accuracy) r.classes = 0;
      std::visit(Taker{r}, e.what);
    }
  }
  if (r.classes > 0) r.chance = 1.0 / static_cast<double>(r.classes);
  if (const auto losses = read_loss_history(run); losses && !losses->loss.empty() && std::isfinite(losses->loss[0]))
    r.first_loss = static_cast<double>(losses->loss[0]);
  r.statistics = read_statistics(run).records;
  const std::int64_t last = r.epochs.empty() ? 0 : r.epochs.back().step;
  std::erase_if(r.statistics, [&](const LayerStatistics& s) {
    return s.step > std::max(last, r.steps.empty() ? 0 : r.steps.back().last);
  });
  if (const auto latest = latest_checkpoint(run)) r.checkpoint_step = latest->step;
  return r;
}

}  // namespace nw::doctor
