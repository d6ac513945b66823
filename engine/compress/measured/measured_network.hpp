// SPDX-License-Identifier: Apache-2.0
// A trained network with the data of its run, on the processor: what it answers with other weights, and the gradients
// of its loss. Reads the run and its data, and writes nothing.
#pragma once
#include <functional>
#include <memory>

#include "engine/core/files.hpp"
#include "engine/exchange/weights.hpp"

namespace nw::compress {

struct MeasuredAnswers {
  std::int64_t images = 0, correct = 0;
  double loss = 0;  // mean
  double accuracy() const { return images > 0 ? static_cast<double>(correct) / static_cast<double>(images) : 0; }
};

/// One thread at a time. The network computes in fp32, and no layer of it is frozen.
class MeasuredNetwork {
 public:
  struct Options {
    std::int64_t images = 2000;  // at most, of the part that is used; drawn at random, the same ones each time
    std::int64_t threads = 0;    // 0: all of the processor's cores
    std::string backend = "cpu";
  };
  /// `weights`: all of the run's, by their names in files; they are in place after every call. Errc::bad_input: the
  /// data are not there, or not of the run's size.
  static Result<std::unique_ptr<MeasuredNetwork>> open(const fs::path& run, exchange::Weights weights, const Options&);
  virtual ~MeasuredNetwork() = default;

  virtual const FlatNetwork& network() const = 0;
  virtual const exchange::Weights& weights() const = 0;
  virtual bool has_classes() const = 0;                   // MeasuredAnswers::correct counts
  enum class Part : std::uint8_t { training, held_out };  // held_out: validation, or test where there is none
  /// Not augmented.
  virtual Result<MeasuredAnswers> answers(const exchange::Weights&, Part = Part::held_out) = 0;
  /// Calls `take` with the gradient of the mean loss of each batch of the training part, augmented as in training, with
  /// respect to all weights that are trained. False from `take` ends with Errc::stopped.
  virtual Status gradients(const std::function<bool(const exchange::Weights& gradient)>& take) = 0;
};

}  // namespace nw::compress
