// SPDX-License-Identifier: Apache-2.0
#include "engine/train/tracked_samples.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/scores.hpp"
#include "engine/data/batches/batches.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/split/split.hpp"
#include "engine/train/training_data.hpp"

namespace nw {
namespace {

constexpr std::int64_t looks_of_a_run = 300, least_between = 25, largest_picture = 48;

/// The mean of the pixels that one pixel of the smaller image covers.
void shrink(std::span<const std::uint8_t> from, std::int64_t from_height, std::int64_t from_width,
            const TrackedSampleHistory& to, std::vector<std::uint8_t>& out) {
  for (std::int64_t y = 0; y < to.height; ++y)
    for (std::int64_t x = 0; x < to.width; ++x)
      for (std::int64_t c = 0; c < to.channels; ++c) {
        const std::int64_t top = y * from_height / to.height,
                           bottom = std::max((y + 1) * from_height / to.height, top + 1);
        const std::int64_t left = x * from_width / to.width,
                           right = std::max((x + 1) * from_width / to.width, left + 1);
        std::int64_t sum = 0;
        for (std::int64_t v = top; v < bottom; ++v)
          for (std::int64_t u = left; u < right; ++u)
            sum += from[static_cast<std::size_t>((v * from_width + u) * to.channels + c)];
        out.push_back(static_cast<std::uint8_t>(sum / ((bottom - top) * (right - left))));
      }
}

Status take_pictures(const Dataset& set, TrackedSampleHistory& h) {
  const double scale =
      std::min(1.0, static_cast<double>(largest_picture) / static_cast<double>(std::max(set.height(), set.width())));
  h.height = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(set.height()) * scale));
  h.width = std::max<std::int64_t>(1, static_cast<std::int64_t>(static_cast<double>(set.width()) * scale));
  h.channels = set.channels();
  std::vector<std::uint8_t> pixels(static_cast<std::size_t>(set.bytes()));
  for (const Probe& p : h.probes) {
    NW_TRY(set.pixels(p.sample, pixels));
    shrink(pixels, set.height(), set.width(), h, h.pixels);
  }
  return {};
}

struct Watched {
  const char* split;
  std::shared_ptr<const Dataset> set;
  const std::vector<std::int64_t>* indices;
};
Watched watched_of(const TrainingData& d) {
  const Splits& s = d.splits;
  if (!s.validation.empty()) return {"validation", d.opened.train, &s.validation};
  if (s.test.empty()) return {"train", d.opened.train, &s.train};
  return {"test", d.opened.test && !s.test_from_train ? d.opened.test : d.opened.train, &s.test};
}

float share(float v) { return std::isfinite(v) ? std::clamp(v, 0.0F, 1.0F) : 0.0F; }

TrackedPrediction answer_of(const std::vector<float>& p, std::int64_t label) {
  const auto best = std::max_element(p.begin(), p.end());
  return {static_cast<std::int32_t>(best - p.begin()), share(*best), share(p[static_cast<std::size_t>(label)])};
}

}  // namespace

std::int64_t tracking_interval(std::int64_t steps) {
  return std::max(least_between, (steps + looks_of_a_run - 1) / looks_of_a_run);
}

std::vector<std::int64_t> spread_over(const std::vector<std::int64_t>& split, std::int64_t most) {
  const auto n = static_cast<std::int64_t>(split.size()), count = std::min(n, most);
  std::vector<std::int64_t> chosen;
  for (std::int64_t i = 0; i < count; ++i) chosen.push_back(split[static_cast<std::size_t>(i * n / count)]);
  return chosen;
}

Result<std::unique_ptr<TrackedSamples>> TrackedSamples::open(const fs::path& run, const TrainingData& data,
                                                             const RunDefinition& definition, const Replicas& replicas,
                                                             std::int64_t most, std::int64_t steps_of_the_run,
                                                             std::int64_t from_step) {
  std::int64_t every = tracking_interval(steps_of_the_run);
  if (from_step > 0) {
    const auto old = read_tracked_samples(run);
    if (!old && old.error().code == Errc::not_recorded) return std::unique_ptr<TrackedSamples>();
    if (old) most = static_cast<std::int64_t>(old->probes.size());
    if (old && old->every > 0) every = old->every;  // kept by a run that is trained further
  }
  TrackedSampleHistory h;
  const Watched watched = watched_of(data);
  h.split = watched.split;
  h.every = every;
  h.classes = static_cast<std::int64_t>(data.opened.classes.size());
  const std::int64_t scores = replicas.scores_per_image(), channels = watched.set->channels();
  if (data.facts.targets != TargetKind::classes)
    return std::unique_ptr<TrackedSamples>();  // only classification is tracked
  if (run.empty() || most <= 0 || h.classes < 2 || (scores != h.classes && !(scores == 1 && h.classes == 2)) ||
      (channels != 1 && channels != 3))
    return std::unique_ptr<TrackedSamples>();
  const std::vector<std::int64_t> chosen = spread_over(*watched.indices, most);
  for (const std::int64_t sample : chosen) h.probes.push_back({sample, watched.set->label(sample)});
  NW_TRY(take_pictures(*watched.set, h));
  NW_ASSIGN(TrackedSampleFile file, TrackedSampleFile::open(run, h, from_step));
  const BatchSource shape{.maker = nullptr,
                          .batch = std::min(definition.doc.settings().batch, replicas.share()),
                          .capacity = replicas.capacity(),
                          .target_width = replicas.target_width()};
  BatchBuilder maker(watched.set, chosen, {definition.mean, definition.deviation}, {}, 0);
  return std::unique_ptr<TrackedSamples>(new TrackedSamples(std::move(maker), std::move(file), h.every, shape));
}

Status TrackedSamples::look(Replicas& replicas, std::int64_t step) {
  if (step <= file_.last_step()) return {};
  const Replicas::Averaged averaged(replicas);
  std::vector<TrackedPrediction> answers;
  Batches batches(source_, 0, 0, 1);
  while (const BatchSamples* batch = batches.next()) {
    NW_ASSIGN(const std::vector<float> scores, replicas.scores(*batch));
    const auto width = static_cast<std::size_t>(replicas.scores_per_image());
    for (std::size_t i = 0; i < static_cast<std::size_t>(batch->valid); ++i)
      answers.push_back(
          answer_of(predicting::probabilities(std::span(scores).subspan(i * width, width), replicas.activation()),
                    batch->labels[i]));
  }
  return file_.append(step, answers);
}

}  // namespace nw
