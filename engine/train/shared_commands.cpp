// SPDX-License-Identifier: Apache-2.0
#include "engine/train/shared_commands.hpp"

#include <algorithm>

#include "engine/core/json.hpp"

namespace nw {
namespace {

struct Header {
  std::int64_t stopping = 0, signal = 0, checkpoint = 0, knob_bytes = 0;
  double learning_rate = -1;
};

std::string text_of(const std::vector<std::pair<std::string, double>>& knobs) {
  Json all = Json::array();
  for (const auto& [name, value] : knobs) all.push_back({name, value});
  return knobs.empty() ? std::string() : all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::vector<std::pair<std::string, double>> knobs_of(const std::string& text) {
  std::vector<std::pair<std::string, double>> knobs;
  const Json all = Json::parse(text, nullptr, false);
  for (const Json& one : all)
    if (one.is_array() && one.size() == 2 && one[0].is_string() && one[1].is_number())
      knobs.emplace_back(one[0].get<std::string>(), one[1].get<double>());
  return knobs;
}

Status exchanged(ProcessGroup& group, const std::vector<ProcessGroup::Message>& out,
                 const std::vector<ProcessGroup::Message>& in) {
  const std::atomic<bool> never{false};
  if (group.exchange(out, in, never)) return {};
  return group.lost().value_or(fail(Errc::stopped, NW_TR("another device of this run is lost or was stopped; the step "
                                                         "was abandoned")));
}

}  // namespace

Result<SharedCommands> share_commands(ProcessGroup& group, const SharedCommands& here) {
  std::string text = group.rank() == 0 ? text_of(here.knobs) : std::string();
  Header own{here.stopping, here.signal, here.checkpoint, std::ssize(text), here.learning_rate};
  std::vector<Header> all(static_cast<std::size_t>(group.world()));
  all[static_cast<std::size_t>(group.rank())] = own;
  std::vector<ProcessGroup::Message> out, in, more_out, more_in;
  for (int r = 0; r < group.world(); ++r) {
    if (r == group.rank()) continue;
    out.push_back({r, &own, sizeof own});
    in.push_back({r, &all[static_cast<std::size_t>(r)], sizeof own});
    more_out.push_back({r, text.data(), std::ssize(text)});
  }
  NW_TRY(exchanged(group, out, in));
  SharedCommands done{.checkpoint = all[0].checkpoint != 0, .learning_rate = all[0].learning_rate, .knobs = {}};
  for (const Header& h : all) {
    done.stopping = std::max(done.stopping, static_cast<int>(h.stopping));
    done.signal = std::max(done.signal, static_cast<int>(h.signal));
  }
  if (all[0].knob_bytes == 0) return done;
  text.resize(static_cast<std::size_t>(all[0].knob_bytes));
  more_in.push_back({0, text.data(), std::ssize(text)});
  NW_TRY(group.rank() == 0 ? exchanged(group, more_out, {}) : exchanged(group, {}, more_in));
  done.knobs = knobs_of(text);
  return done;
}

}  // namespace nw
