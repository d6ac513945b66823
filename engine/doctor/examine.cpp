// SPDX-License-Identifier: Apache-2.0
#include "engine/doctor/examine.hpp"

#include <algorithm>

namespace nw::doctor {
namespace {

/// For a POSIX shell.
std::string quoted(const std::string& word) {
  std::string all = "'";
  for (const char c : word) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return all + "'";
}

bool has(const std::vector<Finding>& found, std::string_view id) {
  return std::any_of(found.begin(), found.end(), [&](const Finding& f) { return f.id == id; });
}

}  // namespace

const Diagnosis* find_diagnosis(std::string_view id) {
  const auto all = all_diagnoses();
  const auto found = std::find_if(all.begin(), all.end(), [&](const Diagnosis* d) { return d->id == id; });
  return found == all.end() ? nullptr : *found;
}

std::vector<Finding> examine(const Record& record) {
  std::vector<Finding> all;
  for (const Diagnosis* d : all_diagnoses())
    if (auto finding = d->judge(record)) {
      finding->id = d->id;
      all.push_back(*std::move(finding));
    }
  std::vector<Finding> kept;
  for (const Finding& f : all) {
    const auto by = find_diagnosis(f.id)->explained_by;
    if (std::none_of(by.begin(), by.end(), [&](std::string_view id) { return has(all, id); })) kept.push_back(f);
  }
  return kept;
}

std::string command_for(const Finding& f, const Record& record, const fs::path& run) {
  if (f.recommendation.setting.empty() || record.checkpoint_step < 0) return {};
  return "netwright-cli branch " + quoted(run.string()) + " --from " + std::to_string(record.checkpoint_step) +
         " --set " + quoted(f.recommendation.setting + "=" + f.recommendation.value);
}

}  // namespace nw::doctor
