// SPDX-License-Identifier: Apache-2.0
// The first test of a network: whether it can learn a single batch by heart. One that cannot will learn nothing.
#pragma once
#include "engine/train/trial_network.hpp"

namespace nw {

/// What stands in the way. `rate_*`: it learns the batch with another rate.
enum class MemoriseVerdict : std::uint8_t {
  learns,
  rate_too_low,
  rate_too_high,
  no_gradient,
  not_finite,
  does_not_learn
};
std::string_view name_of(MemoriseVerdict);

struct Memorised {
  MemoriseVerdict verdict = MemoriseVerdict::does_not_learn;
  std::int64_t steps = 0, samples = 0;  // updates until the batch was known; samples of the batch
  double seconds = 0;
  double learning_rate = 0;              // with which it was learned, or last tried
  double first_loss = 0, last_loss = 0;  // mean over the batch
  double accuracy = 0;                   // of the last step, 0…1; of values: 1 - loss / first loss
};

/// Trains one batch, without augmentation, until every answer is right (values: the loss is below 1 % of the first), at
/// most `seconds` in all. If the settings' learning rate does not suffice, rates ten times as high and low are tried.
Result<Memorised> memorise(TrialSource, double seconds = 4);
/// One sentence on the verdict, with what to do.
Text sentence_of(const Memorised&);

}  // namespace nw
