// SPDX-License-Identifier: Apache-2.0
// What a training step would take on several devices that need not be there: predicted from the compiled plan, the
// devices' figures and the link's. Pure functions; a prediction takes milliseconds, so it is not for the GUI thread.
#pragma once
#include <optional>
#include <vector>

#include "engine/compile/compile.hpp"
#include "engine/scaling/links.hpp"
#include "engine/scaling/step_work.hpp"

namespace nw::scaling {

/// How devices share the work. data: each computes a part of the batch and has everything. sharded: the same, but each
/// has only its part of the optimizer's state, and updates only that part of the weights (Rajbhandari et al., "ZeRO",
/// 2020, stage 1). model: each computes a stage of the network.
enum class Split : std::uint8_t { data, model, sharded };
std::string_view name_of(Split);  // "data", "model", "sharded"

/// What most of a step's time goes to.
enum class Bound : std::uint8_t { products, memory, starts, link, waiting };
std::string_view name_of(Bound);

/// The devices, and how they are used. `compiled_for` outlives it.
struct Setup {
  DeviceFigures device;
  const Device* compiled_for = nullptr;
  LinkFigures link;
  Split split = Split::data;
  std::int64_t micro_batches = 0;    // of an update, split: model; 0: the document's, or four for each device
  std::int64_t batch_of_device = 0;  // samples of each device; 0: the document's batch is divided among them
};

/// Of one step, which is one update of the weights.
struct Prediction {
  std::int64_t devices = 1;
  std::int64_t batch = 0;          // samples of the step, over all devices
  std::int64_t micro_batches = 1;  // one after another
  double step_s = 0;
  // what a device does in it, the mean of all devices; they add up to step_s
  WorkTime work;
  double link_s = 0;              // exchange that nothing is computed beside
  double waiting_s = 0;           // for other stages
  double exchange_s = 0;          // in which the link is busy, also beside computing
  double bubble = 0;              // share of the passes' time in which stages wait for each other
  std::int64_t memory_bytes = 0;  // of the device that needs most
  bool fits = true;               // the device has so much
  double energy_j = 0;            // of all devices at their full power: an upper bound; 0: power unknown
  double samples_per_s() const { return step_s > 0 ? static_cast<double>(batch) / step_s : 0; }
  Bound bound() const;
};

/// Errc::bad_input: the network has errors, or cannot be divided so; Errc::usage: fewer samples than devices.
Result<Prediction> predict(const GraphDoc&, const DataFacts&, const Setup&, std::int64_t devices);

/// Predictions for 1, 2, 4, … and `devices` devices; the last of them is for `devices`.
struct Curve {
  std::vector<Prediction> points;
  std::int64_t samples_of_epoch = 0;  // 0: unknown
  /// Of a point: samples per second beside those of as many single devices.
  double efficiency(const Prediction&) const;
  double epoch_s(const Prediction&) const;         // 0: unknown
  double epoch_energy_j(const Prediction&) const;  // 0: unknown
};
/// A number between that the network or its batch cannot be divided among is left out; the error of one device and of
/// `devices` is returned.
Result<Curve> predict_curve(const GraphDoc&, const DataFacts&, const Setup&, std::int64_t devices);
/// What limits the training, and from which number of devices on: one sentence.
Text limit_of(const Curve&);

}  // namespace nw::scaling
