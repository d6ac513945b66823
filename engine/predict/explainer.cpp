// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/explainer.hpp"

#include <algorithm>
#include <cmath>

#include "engine/core/enum_names.hpp"
#include "engine/core/resize.hpp"

namespace nw {
Result<ExplainMethod> explain_method(std::string_view name) {
  if (const auto method = named<ExplainMethod>(name)) return *method;
  return fail(
      Errc::usage,
      NW_TR("There is no explanation \"{0}\": grad-cam, grad-cam++, saliency, integrated-gradients or occlusion"),
      std::string(name));
}

std::string_view name_of(ExplainMethod method) {
  switch (method) {
    case ExplainMethod::grad_cam:
      return "grad-cam";
    case ExplainMethod::grad_cam_plus_plus:
      return "grad-cam++";
    case ExplainMethod::saliency:
      return "saliency";
    case ExplainMethod::integrated_gradients:
      return "integrated-gradients";
    case ExplainMethod::occlusion:
      return "occlusion";
  }
  return "";
}

namespace predicting {

Result<Explainer> Explainer::make(const RunDefinition& definition, const Forward& forward) {
  NW_ASSIGN(Forward back, forward.with_gradients(definition));
  return Explainer(definition, std::move(back));
}

std::vector<float> Explainer::read(int v, std::int64_t count) const {
  const Value& value = back_.compiled.plan.values[static_cast<std::size_t>(v)];
  std::vector<float> all(static_cast<std::size_t>(value.shape.elements()));
  back_.executable->read(v, std::as_writable_bytes(std::span(all)));
  all.resize(static_cast<std::size_t>(count * value.shape.per_sample()));
  return all;
}

Status Explainer::follow(std::span<const float> images, std::int64_t count, std::int64_t target) {
  const Plan& plan = back_.compiled.plan;
  const Value& value = plan.values[static_cast<std::size_t>(back_.seed)];
  const std::int64_t scores = value.shape.per_sample();
  std::vector<float> seed(static_cast<std::size_t>(value.shape.elements()), 0.0f);
  for (std::int64_t i = 0; i < count; ++i) {
    // A single score is the score of class 1; its negative is the score of class 0.
    if (scores == 1)
      seed[static_cast<std::size_t>(i)] = target == 1 ? 1.0f : -1.0f;
    else
      seed[static_cast<std::size_t>(i * scores + target)] = 1;
  }
  back_.executable->write(back_.seed, std::as_bytes(std::span(seed)));
  return back_.run(images, count, scores_);
}

double Explainer::score(std::int64_t sample, std::int64_t target) const {
  const std::int64_t n = back_.compiled.plan.values[static_cast<std::size_t>(back_.seed)].shape.per_sample();
  if (n == 1)
    return target == 1 ? scores_[static_cast<std::size_t>(sample)] : -scores_[static_cast<std::size_t>(sample)];
  return scores_[static_cast<std::size_t>(sample * n + target)];
}

Explanation Explainer::blank() const {
  const std::int64_t h = definition_->height, w = definition_->width;
  return {.height = h, .width = w, .weight = std::vector<float>(static_cast<std::size_t>(h * w), 0.0f), .layer = {}};
}

Result<int> Explainer::maps_of(const std::string& layer) const {
  const Plan& plan = back_.compiled.plan;
  const auto has_maps = [&](const Value& v) {
    return v.role == Role::activation && v.alias_of < 0 && v.shape.rank() == 4 && v.shape[2] * v.shape[3] > 1 &&
           plan.find("grad " + v.name) >= 0;
  };
  if (!layer.empty()) {
    const int v = plan.find(layer);
    if (v >= 0 && has_maps(plan.values[static_cast<std::size_t>(v)])) return v;
    return fail(Errc::usage, NW_TR("{0} has no feature maps that the scores depend on"), layer);
  }
  for (auto v = static_cast<int>(plan.values.size()) - 1; v >= 0; --v)
    if (has_maps(plan.values[static_cast<std::size_t>(v)])) return v;
  return fail(Errc::usage, NW_TR("{0} has no feature maps: ask for saliency, integrated-gradients or occlusion"),
              definition_->name);
}

Result<Explanation> Explainer::class_activation(std::span<const float> image, const ExplainOptions& q,
                                                std::int64_t target) {
  NW_ASSIGN(const int v, maps_of(q.layer));
  NW_TRY(follow(image, 1, target));
  const Value& value = back_.compiled.plan.values[static_cast<std::size_t>(v)];
  const auto channels = static_cast<std::size_t>(value.shape[1]),
             places = static_cast<std::size_t>(value.shape[2] * value.shape[3]);
  const std::vector<float> maps = read(v, 1), slopes = read(back_.compiled.plan.find("grad " + value.name), 1);
  std::vector<double> importance(channels, 0.0);
  for (std::size_t c = 0; c < channels; ++c) {
    double sum = 0;
    for (std::size_t p = 0; p < places; ++p) sum += maps[p * channels + c];
    for (std::size_t p = 0; p < places; ++p) {
      const double g = slopes[p * channels + c];
      const double share = g != 0 ? g * g / (2 * g * g + sum * g * g * g + 1e-6) : 0;
      importance[c] += q.method == ExplainMethod::grad_cam ? g / static_cast<double>(places) : share * std::max(g, 0.0);
    }
  }
  std::vector<float> heat(places, 0.0f);
  for (std::size_t p = 0; p < places; ++p) {
    double sum = 0;
    for (std::size_t c = 0; c < channels; ++c) sum += importance[c] * maps[p * channels + c];
    heat[p] = static_cast<float>(std::max(sum, 0.0));
  }
  Explanation e = blank();
  e.weight = resized(heat, value.shape[2], value.shape[3], e.height, e.width, Resampling::bilinear);
  e.layer = value.name;
  return e;
}

Result<Explanation> Explainer::saliency(std::span<const float> image, std::int64_t target) {
  NW_TRY(follow(image, 1, target));
  const std::vector<float> slopes = read(back_.compiled.plan.find("grad images"), 1);
  Explanation e = blank();
  const std::size_t channels = slopes.size() / e.weight.size();
  for (std::size_t i = 0; i < slopes.size(); ++i)
    e.weight[i / channels] = std::max(e.weight[i / channels], std::abs(slopes[i]));
  return e;
}

Result<Explanation> Explainer::integrated_gradients(std::span<const float> image, std::int64_t steps,
                                                    std::int64_t target) {
  if (steps < 1 || steps > 4096)
    return fail(Errc::usage, NW_TR("Integrated gradients take 1 to 4096 steps, not {0}"), steps);
  Explanation e = blank();
  const std::size_t size = image.size(), channels = size / e.weight.size();
  std::vector<float> black(size);
  for (std::size_t i = 0; i < size; ++i)
    black[i] = -definition_->mean[i % channels] / definition_->deviation[i % channels];
  std::vector<double> sum(size, 0.0);
  std::vector<float> way;
  for (std::int64_t from = 0; from < steps; from += batch_images) {
    const std::int64_t n = std::min(batch_images, steps - from);
    way.clear();
    for (std::int64_t k = 0; k < n; ++k) {  // the midpoint of each interval of the path from black to the image
      const float share = (static_cast<float>(from + k) + 0.5f) / static_cast<float>(steps);
      for (std::size_t i = 0; i < size; ++i) way.push_back(black[i] + share * (image[i] - black[i]));
    }
    NW_TRY(follow(way, n, target));
    const std::vector<float> slopes = read(back_.compiled.plan.find("grad images"), n);
    for (std::size_t i = 0; i < slopes.size(); ++i) sum[i % size] += slopes[i];
  }
  for (std::size_t i = 0; i < size; ++i)
    e.weight[i / channels] +=
        static_cast<float>(sum[i] / static_cast<double>(steps) * (static_cast<double>(image[i]) - black[i]));
  return e;
}

Result<Explanation> Explainer::occlusion(std::span<const float> image, std::int64_t patch, std::int64_t target) {
  Explanation e = blank();
  const std::int64_t shorter = std::min(e.height, e.width);
  if (patch == 0) patch = std::max<std::int64_t>(1, shorter / 4);
  if (patch < 1 || patch > shorter)
    return fail(Errc::usage, NW_TR("A patch of {0} pixels does not fit an image of {1}×{2}"), patch, e.height, e.width);
  const std::int64_t move = std::max<std::int64_t>(1, patch / 2);
  const auto starts = [&](std::int64_t size) {
    std::vector<std::int64_t> all;
    for (std::int64_t at = 0; at + patch < size; at += move) all.push_back(at);
    all.push_back(size - patch);
    return all;
  };
  std::vector<std::pair<std::int64_t, std::int64_t>> corners;
  for (const std::int64_t y : starts(e.height))
    for (const std::int64_t x : starts(e.width)) corners.emplace_back(y, x);
  const auto channels = static_cast<std::int64_t>(image.size()) / (e.height * e.width);
  const auto each_pixel = [&](std::size_t corner, const auto& visit) {
    for (std::int64_t y = corners[corner].first; y < corners[corner].first + patch; ++y)
      for (std::int64_t x = corners[corner].second; x < corners[corner].second + patch; ++x) visit(y * e.width + x);
  };
  NW_TRY(follow(image, 1, target));
  const double whole = score(0, target);
  std::vector<int> covered(e.weight.size(), 0);
  for (std::size_t from = 0; from < corners.size(); from += static_cast<std::size_t>(batch_images)) {
    const std::size_t n = std::min(static_cast<std::size_t>(batch_images), corners.size() - from);
    std::vector<float> images;
    for (std::size_t k = 0; k < n; ++k) {
      const auto begin = static_cast<std::int64_t>(images.size());
      images.insert(images.end(), image.begin(), image.end());
      each_pixel(from + k, [&](std::int64_t p) { std::fill_n(images.begin() + begin + p * channels, channels, 0.0f); });
    }
    NW_TRY(follow(images, static_cast<std::int64_t>(n), target));
    for (std::size_t k = 0; k < n; ++k)
      each_pixel(from + k, [&](std::int64_t p) {
        e.weight[static_cast<std::size_t>(p)] +=
            static_cast<float>(whole - score(static_cast<std::int64_t>(k), target));
        ++covered[static_cast<std::size_t>(p)];
      });
  }
  for (std::size_t p = 0; p < covered.size(); ++p) e.weight[p] /= static_cast<float>(covered[p]);
  return e;
}

Result<Explanation> Explainer::explain(std::span<const float> image, std::span<const float> scores,
                                       const ExplainOptions& q) {
  const auto classes = std::max<std::int64_t>(2, static_cast<std::int64_t>(scores.size()));
  if (q.target < -1 || q.target >= classes)
    return fail(Errc::usage, NW_TR("There is no class {0}; the network has {1}"), q.target, classes);
  std::int64_t target = q.target;
  if (target < 0) {
    const std::vector<float> p = probabilities(scores, back_.compiled.activation);
    target = std::max_element(p.begin(), p.end()) - p.begin();
  }
  const auto asked = [&]() -> Result<Explanation> {
    switch (q.method) {
      case ExplainMethod::saliency:
        return saliency(image, target);
      case ExplainMethod::integrated_gradients:
        return integrated_gradients(image, q.steps, target);
      case ExplainMethod::occlusion:
        return occlusion(image, q.patch, target);
      case ExplainMethod::grad_cam:
      case ExplainMethod::grad_cam_plus_plus:
        break;
    }
    return class_activation(image, q, target);
  };
  NW_ASSIGN(Explanation e, asked());
  e.target = target;
  e.score = scores.size() == 1 ? (target == 1 ? scores[0] : -scores[0]) : scores[static_cast<std::size_t>(target)];
  return e;
}

}  // namespace predicting
}  // namespace nw
