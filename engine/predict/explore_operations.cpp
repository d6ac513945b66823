// SPDX-License-Identifier: Apache-2.0
// Operations on every sample of a split: class, order by name, brightness, loss. The payloads are binary: a million
// samples take a few megabytes.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <numeric>

#include "engine/predict/kept.hpp"
#include "engine/predict/operations.hpp"

namespace nw::predicting {
namespace {

void put(Message& m, const std::vector<std::int32_t>& numbers) {
  m.payload.resize(numbers.size() * sizeof(std::int32_t));
  if (!numbers.empty()) std::memcpy(m.payload.data(), numbers.data(), m.payload.size());
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Appends `name` so that keys sort in numeric order: each run of digits follows its length, so 9 precedes 10. Leading
/// zeros are ignored.
void append_counting(std::string& key, std::string_view name) {
  for (std::size_t i = 0; i < name.size();) {
    if (!is_digit(name[i])) {
      key += name[i++];
      continue;
    }
    while (i + 1 < name.size() && name[i] == '0' && is_digit(name[i + 1])) ++i;
    std::size_t end = i;
    while (end < name.size() && is_digit(name[end])) ++end;
    key += '0';
    key += static_cast<char>(std::min<std::size_t>(end - i, 255));
    key.append(name, i, end - i);
    i = end;
  }
}

/// Sorts by the file's own name, then by its folder.
std::string sort_key(const std::string& origin) {
  const std::size_t slash = origin.find_last_of('/');
  std::string key;
  append_counting(key, std::string_view(origin).substr(slash == std::string::npos ? 0 : slash + 1));
  key += '\0';
  append_counting(key, origin);
  return key;
}

/// Mean and standard deviation of the luma of an image, in thousandths of a grey level.
std::pair<std::int32_t, std::int32_t> tone_of(const Image& image) {
  const Image grey = with_channels(image, 1);
  double sum = 0, squares = 0;
  for (const std::uint8_t v : grey.hwc) {
    sum += v;
    squares += static_cast<double>(v) * v;
  }
  const double n = std::max<double>(1, static_cast<double>(grey.hwc.size())), mean = sum / n;
  return {static_cast<std::int32_t>(std::lround(1000 * mean)),
          static_cast<std::int32_t>(std::lround(1000 * std::sqrt(std::max(0.0, squares / n - mean * mean))))};
}

}  // namespace

/// Payload: the data-set index of each sample of the split, then the class of each; int32 in native byte order.
Result<Message> Operations::labels(const LabelsRequest& r, const Work&) {
  NW_ASSIGN(const Opened* o, data_of(r.source));
  const std::vector<std::int64_t>& indices = o->data->indices_of(r.split);
  const auto& set = o->data->set_of(r.split);
  std::vector<std::int32_t> numbers;
  numbers.reserve(2 * indices.size());
  for (const std::int64_t i : indices) numbers.push_back(static_cast<std::int32_t>(i));
  for (const std::int64_t i : indices) numbers.push_back(static_cast<std::int32_t>(set->label(i)));
  Message m{Json{{"count", indices.size()}, {"test_set", set != o->data->data.train}}, {}};
  put(m, numbers);
  return m;
}

/// Payload: the positions in "labels" of the samples sorted by their file names; int32.
Result<Message> Operations::order_by_name(const OrderByNameRequest& r, const Work& work) {
  NW_ASSIGN(const Opened* o, data_of(r.source));
  const std::vector<std::int64_t>& indices = o->data->indices_of(r.split);
  const auto& set = o->data->set_of(r.split);
  std::vector<std::string> keys;
  keys.reserve(indices.size());
  for (const std::int64_t i : indices) {
    if (keys.size() % 4096 == 0 &&
        !work.progress(static_cast<double>(keys.size()) / static_cast<double>(indices.size())))
      return fail(Errc::stopped, NW_TR("cancelled"));
    keys.push_back(sort_key(set->origin(i)));
  }
  std::vector<std::int32_t> order(indices.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::int32_t a, std::int32_t b) {
    return keys[static_cast<std::size_t>(a)] < keys[static_cast<std::size_t>(b)];
  });
  Message m{Json{{"count", order.size()}}, {}};
  put(m, order);
  return m;
}

/// Brightness and contrast of samples from position "begin" on, as many as can be computed in `while_`, so that
/// requests for images are not delayed. Payload: the mean of each, then the standard deviation of each, in thousandths
/// of a grey level; int32.
Result<Message> Operations::tones(const TonesRequest& r, const Work&) {
  constexpr auto while_ = std::chrono::milliseconds(60);
  NW_ASSIGN(const Opened* o, data_of(r.source));
  const std::vector<std::int64_t>& indices = o->data->indices_of(r.split);
  if (r.begin > static_cast<std::int64_t>(indices.size()))
    return fail(Errc::bad_input, NW_TR("There is no image {0}"), r.begin);
  const auto end = std::chrono::steady_clock::now() + while_;
  std::vector<std::int32_t> means, deviations;
  for (auto k = static_cast<std::size_t>(r.begin);
       k < indices.size() && (means.empty() || std::chrono::steady_clock::now() < end); ++k) {
    NW_ASSIGN(const Image image, pixels_of(*o->data->set_of(r.split), indices[k]));
    const auto [mean, deviation] = tone_of(image);
    means.push_back(mean);
    deviations.push_back(deviation);
  }
  Message m{Json{{"count", means.size()}, {"total", indices.size()}}, {}};
  means.insert(means.end(), deviations.begin(), deviations.end());
  put(m, means);
  return m;
}

/// The losses of the most recent evaluation of exactly this split, by any weights. Payload: the loss of each sample in
/// thousandths, then its confidence in millionths, in the order of "labels"; int32. Computes nothing; fails if there is
/// no such evaluation.
Result<Message> Operations::losses(const LossesRequest& r, const Work&) {
  NW_ASSIGN(const Opened* o, data_of(r.source));
  const std::vector<std::int64_t>& indices = o->data->indices_of(r.split);
  const auto& set = o->data->set_of(r.split);
  const auto same = [&](const CachedEvaluation& e) {
    const auto& seen = e.data->set_of(r.split);
    return seen && set && e.evaluation.sample == indices && seen->size() == set->size() &&
           seen->bytes() == set->bytes() && e.data->data.place == o->data->data.place;
  };
  const auto found = std::find_if(evaluated_.begin(), evaluated_.end(), same);
  if (found == evaluated_.end())
    return fail(
        Errc::other,
        NW_TR("There are no predictions for these images yet: choose this split on the Predict page, then sort again"));
  const Evaluation& e = found->evaluation;
  std::vector<std::int32_t> numbers;
  for (const float loss : e.loss_per_sample)
    numbers.push_back(std::isfinite(loss) ? static_cast<std::int32_t>(std::clamp(1000.0 * loss, -1e9, 1e9))
                                          : 1'000'000'000);
  for (const float sure : e.confidence)
    numbers.push_back(std::isfinite(sure) ? static_cast<std::int32_t>(std::clamp(1e6 * sure, 0.0, 1e6)) : 0);
  Message m{Json{{"count", indices.size()}}, {}};
  put(m, numbers);
  return m;
}

std::vector<Operation> Operations::explore_rows() {
  const AnswerField count{"count", "samples in the payload"};
  return {
      operation("the class of every sample of a split", &Operations::labels,
                {count, {"test_set", "whether the indices are those of the test set"}},
                "int32: index of each sample in its data set, then the class of each"),
      operation("the samples of a split sorted by the names of their files; reports progress",
                &Operations::order_by_name, {count}, "int32: positions in \"labels\""),
      operation("brightness and contrast of samples, as many as 60 ms allow", &Operations::tones,
                {count, {"total", "samples of the split"}},
                "int32, in thousandths of a grey level: the mean of each, then the standard deviation of each"),
      operation("loss and confidence of every sample, from the evaluation that is kept", &Operations::losses, {count},
                "int32: the loss of each in thousandths, then the confidence of each in millionths"),
  };
}

}  // namespace nw::predicting
