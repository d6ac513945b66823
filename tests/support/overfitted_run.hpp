// SPDX-License-Identifier: Apache-2.0
// A finished run whose validation loss rises while its training loss falls: the doctor has one finding.
#pragma once
#include "tests/support/checkpoint_writer.hpp"
#include "tests/support/run_writer.hpp"

namespace nw::test {

/// 20 epochs of 100 steps, with a checkpoint of the last one.
inline void write_overfitted(RunWriter& run) {
  write_training(run, {.epochs = 20, .epochs_done = 1, .steps_per_epoch = 100, .records_per_epoch = 10});
  for (int e = 2; e <= 20; ++e)
    run.post(6.0 * e, EpochEnd{.epoch = e,
                               .step = 100 * e,
                               .train_loss = 1.4 / e,
                               .train_accuracy = 0.999,
                               .has_validation = true,
                               .validation_loss = 0.3 + 0.05 * e,
                               .validation_accuracy = 0.8});
  write_checkpoint(run.folder(), 2000);
  run.post(130, Ended{.reason = EndReason::finished, .step = 2000, .wall_s = 130});
}

}  // namespace nw::test
