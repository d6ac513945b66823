// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/core/rng.hpp"
#include "engine/data/cache/open.hpp"
#include "engine/data/split/split.hpp"
#include "engine/exchange/proof.hpp"

namespace nw::exchange {
namespace {

/// Fills the images from the run's data; false: it is not there, or has changed.
bool take_images(const RunDefinition& run, std::int64_t most, ProofImages& images) {
  const auto opened = open_data(run.doc.data(), run.data_dir, run.data_dir.empty());
  const auto splits = opened ? split_data(*opened, run.doc.data()) : Result<Splits>(fail(Errc::other, ""));
  if (!splits) return false;
  const auto& test = splits->test_from_train ? opened->train : opened->test;
  const bool of_test = test && !splits->test.empty(), of_validation = !splits->validation.empty();
  const auto& set = of_test ? test : opened->train;
  const auto& indices = of_test ? splits->test : of_validation ? splits->validation : splits->train;
  if (!set || indices.empty() || set->channels() != run.channels || set->height() != run.height ||
      set->width() != run.width)
    return false;
  images.from = of_test ? "test" : of_validation ? "validation" : "train";
  images.count = std::min<std::int64_t>(most, std::ssize(indices));
  const auto each = static_cast<std::size_t>(set->bytes());
  images.hwc.resize(each * static_cast<std::size_t>(images.count));
  for (std::int64_t i = 0; i < images.count; ++i) {
    const std::int64_t sample = indices[static_cast<std::size_t>(i * std::ssize(indices) / images.count)];
    if (!set->pixels(sample, std::span(images.hwc).subspan(static_cast<std::size_t>(i) * each, each))) return false;
  }
  return true;
}

}  // namespace

ProofImages proof_images(const RunDefinition& run, std::int64_t most) {
  ProofImages images = noise_images(run, 0);
  return take_images(run, most, images) ? images : noise_images(run, most);
}

ProofImages noise_images(const RunDefinition& run, std::int64_t count) {
  ProofImages images{
      .hwc = {}, .count = count, .height = run.height, .width = run.width, .channels = run.channels, .from = "noise"};
  images.hwc.resize(static_cast<std::size_t>(count * run.channels * run.height * run.width));
  RandomStream random({.seed = 1, .op = 7, .sample = 0});
  for (std::uint8_t& pixel : images.hwc) pixel = static_cast<std::uint8_t>(random.uniform() * 256);
  return images;
}

}  // namespace nw::exchange
