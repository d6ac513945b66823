// SPDX-License-Identifier: Apache-2.0
// What the training doctor sees of a run, and what it finds. A diagnosis is a pure function of a record.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/runs/run_folder.hpp"

namespace nw::doctor {

/// What only the data can tell.
struct DataFigures {
  std::int64_t validation = 0;  // images of the validation split …
  std::int64_t shared = 0;      // … whose pixels are those of a training image
  std::int64_t image_bytes = 0;
  double most_common = 0;  // share of the most common class in it, 0…1; 0: no classes
};

/// Everything that diagnoses read: in the order of time, without what was taken back by resuming.
struct Record {
  TrainSettings settings;
  std::int64_t classes = 0;  // 0: no classification
  double chance = 0;         // accuracy of always answering one class, 0…1; 0: no classification
  std::int64_t validation_images = 0;
  double first_loss = -1;  // of the first step; -1: not recorded
  std::vector<Steps> steps;
  std::vector<EpochEnd> epochs;
  std::vector<LayerStatistics> statistics;
  std::optional<NotFinite> not_finite;
  std::optional<Ended> ended;
  std::optional<DataFigures> data;    // nullopt: not measured
  std::int64_t checkpoint_step = -1;  // the newest checkpoint; -1: there is none
};

/// A curve of numbers, drawn as evidence.
struct Series {
  std::string name;    // "train loss", "relu3"; a name of the run, or an English term
  std::string x_unit;  // "epoch", "step", "layer"
  std::vector<double> x, y;
};

/// A change that removes the cause. An empty `setting`: nothing that a setting does.
struct Recommendation {
  Text sentence;
  std::string setting, value;  // as with_setting() reads it: "learning_rate", "0.001"
};

struct Finding {
  std::string_view id;  // "dead_units"
  Text sentence;        // one, with the figures that decided
  std::vector<Series> evidence;
  Recommendation recommendation;
  std::string layer;  // the layer concerned; empty: the whole network
};

}  // namespace nw::doctor
