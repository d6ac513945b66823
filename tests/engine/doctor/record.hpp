// SPDX-License-Identifier: Apache-2.0
// A healthy training of ten classes, for tests to spoil.
#pragma once
#include "engine/doctor/examine.hpp"

namespace nw::doctor {

inline LayerState layer(const std::string& name, double gradient, double ratio) {
  LayerState l{.layer = name};
  l.weights.count = l.gradients.count = 100;
  l.weights.norm = 1;
  l.gradients.norm = gradient;
  l.update_ratio = ratio;
  return l;
}

inline LayerState relu(const std::string& name, std::int64_t units, std::int64_t dead) {
  LayerState l{.layer = name};
  l.units = units;
  l.dead = dead;
  return l;
}

inline Record healthy(int epochs = 8) {
  Record r;
  r.classes = 10;
  r.chance = 0.1;
  r.validation_images = 500;
  r.settings.learning_rate = 0.01;
  r.first_loss = 2.3;
  r.checkpoint_step = 100 * epochs;
  for (int e = 1; e <= epochs; ++e) {
    const double loss = 2 / (1.0 + e);
    r.steps.push_back({.last = 100 * e, .count = 100, .epoch = double(e), .loss = {loss, loss, loss}, .grad_norm = 2});
    r.epochs.push_back({.epoch = e,
                        .step = 100 * e,
                        .train_loss = loss,
                        .train_accuracy = 1 - loss / 4,
                        .has_validation = true,
                        .validation_loss = loss + 0.1,
                        .validation_accuracy = 1 - loss / 4 - 0.02});
    r.statistics.push_back(
        {.step = 100 * e,
         .epoch = double(e),
         .images = 64,
         .layers = {layer("conv1", 0.5, 0.003), relu("relu1", 16, 1), layer("fc1", 1, 0.002), layer("fc2", 1, 0.002)}});
  }
  r.data = DataFigures{.validation = 500, .shared = 0, .image_bytes = 784, .most_common = 0.11};
  return r;
}

inline std::vector<std::string> ids(const Record& r) {
  std::vector<std::string> all;
  for (const Finding& f : examine(r)) all.emplace_back(f.id);
  return all;
}

}  // namespace nw::doctor
