// SPDX-License-Identifier: Apache-2.0
#include "engine/design/target_weights.hpp"

#include <algorithm>
#include <charconv>

namespace nw {
namespace {

constexpr std::int64_t longest_weights = 20'000;  // bytes
constexpr std::string_view between_weights = ", \t";

Text refuse_written(const std::string& written) {
  const auto list = listed_weights(written);
  return list ? Text{} : list.error().what;
}

std::vector<double> listed_or_none(const std::string& written) {
  auto list = listed_weights(written);
  return list ? std::move(*list) : std::vector<double>{};
}

double limited(double weight) { return std::clamp(weight, least_target_weight, largest_target_weight); }

}  // namespace

Result<std::vector<double>> listed_weights(std::string_view written) {
  std::vector<double> all;
  if (written == balanced_weights) return all;
  while (true) {
    written.remove_prefix(std::min(written.find_first_not_of(between_weights), written.size()));
    if (written.empty()) return all;
    const std::string_view word = written.substr(0, written.find_first_of(between_weights));
    double weight = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), weight);
    if (error != std::errc() || end != word.data() + word.size() ||
        !(weight >= least_target_weight && weight <= largest_target_weight))
      return fail(Errc::usage, NW_TR("\"{0}\" is no weight: balanced, or numbers between {1} and {2} such as 1, 2.5"),
                  std::string(word.substr(0, 40)), least_target_weight, largest_target_weight);
    all.push_back(weight);
    written.remove_prefix(word.size());
  }
}

Field target_weights_field(std::string name, Text label, Text help) {
  Field f = text_field(std::move(name), std::move(label), longest_weights, std::move(help));
  f.refusal = refuse_written;
  return f;
}

Text refuse_weights(const std::string& written, std::int64_t scores) {
  const auto list = listed_weights(written);
  if (!list) return list.error().what;
  if (list->empty() || std::ssize(*list) == scores) return {};
  return text(NW_TR("Has {0} weights for {1} scores"), std::ssize(*list), scores);
}

std::vector<double> class_weights(const std::string& written, const DataFacts& data, std::int64_t scores) {
  if (written != balanced_weights) return listed_or_none(written);
  std::int64_t samples = 0, classes = 0;
  for (const std::int64_t n : data.class_counts) samples += n, classes += n > 0;
  if (classes == 0) return {};
  std::vector<double> all(static_cast<std::size_t>(scores), 1);
  for (std::size_t k = 0; k < std::min(all.size(), data.class_counts.size()); ++k)
    if (const auto n = static_cast<double>(data.class_counts[k]); n > 0)
      all[k] = limited(static_cast<double>(samples) / (static_cast<double>(classes) * n));
  return all;
}

std::vector<double> positive_weights(const std::string& written, const DataFacts& data, std::int64_t scores) {
  if (written != balanced_weights) return listed_or_none(written);
  std::vector<std::int64_t> positive = data.class_counts;
  if (scores == 1 && positive.size() == 2) positive = {positive[1]};  // the label is the target
  if (std::ssize(positive) != scores) return {};
  std::vector<double> all;
  for (const std::int64_t n : positive)
    all.push_back(n > 0 && n < data.train ? limited(static_cast<double>(data.train - n) / static_cast<double>(n)) : 1);
  return all;
}

}  // namespace nw
