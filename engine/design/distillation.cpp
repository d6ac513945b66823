// SPDX-License-Identifier: Apache-2.0
#include "engine/design/distillation.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/json.hpp"
#include "engine/core/path_text.hpp"

namespace nw {
namespace {
constexpr std::string_view key = "distillation";
constexpr std::size_t longest_path = 4096;
}  // namespace

Result<std::optional<Distillation>> distillation(const GraphDoc& doc) {
  const Json& json = doc.extra(key);
  if (json.is_null()) return std::optional<Distillation>();
  if (!json.is_object()) return fail(Errc::bad_input, NW_TR("distillation of the project is not an object"));
  JsonReader r(json, std::string(key));
  Distillation d{.run = text_to_path(r.string("run")),
                 .checkpoint = r.string("checkpoint"),
                 .sha256 = r.string_or("sha256", ""),
                 .temperature = r.real_or("temperature", 4),
                 .weight = r.real_or("weight", 0.9)};
  if (d.run.empty() || d.run.size() > longest_path || d.checkpoint.size() > longest_path)
    r.problem(text(NW_TR("it names no run")));
  if (!(d.temperature >= lowest_temperature && d.temperature <= highest_temperature) ||
      !(d.weight > 0 && d.weight <= 1))
    r.problem(text(NW_TR("the temperature must be between {0} and {1}, the weight above 0 and at most 1"),
                   lowest_temperature, highest_temperature));
  NW_TRY(r.status());
  return std::optional(std::move(d));
}

Edit distil(const std::optional<Distillation>& d) {
  if (!d) return {PutExtra{std::string(key), {}}};
  return {PutExtra{std::string(key),
                   {{"run", path_to_text(d->run)},
                    {"checkpoint", d->checkpoint},
                    {"sha256", d->sha256},
                    {"temperature", d->temperature},
                    {"weight", d->weight}}}};
}

void mix_answers(const Distillation& d, const std::vector<float>& scores, std::int64_t classes,
                 std::vector<float>& targets) {
  std::vector<double> p(static_cast<std::size_t>(classes));
  for (std::size_t at = 0; at + p.size() <= std::min(scores.size(), targets.size()); at += p.size()) {
    const auto row = std::span(scores).subspan(at, p.size());
    const double largest = static_cast<double>(*std::max_element(row.begin(), row.end()));
    double sum = 0;
    for (std::size_t k = 0; k < p.size(); ++k)
      sum += p[k] = std::exp((static_cast<double>(row[k]) - largest) / d.temperature);
    for (std::size_t k = 0; k < p.size(); ++k) {
      const double label = static_cast<double>(targets[at + k]);
      targets[at + k] = static_cast<float>(d.weight * p[k] / sum + (1 - d.weight) * label);
    }
  }
}

}  // namespace nw
