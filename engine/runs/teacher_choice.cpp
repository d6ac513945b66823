// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/teacher_choice.hpp"

#include <system_error>

#include "engine/core/digest.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw {

fs::path weights_file(const Distillation& d) {
  return fs::path(d.run) / "checkpoints" / d.checkpoint / "model.safetensors";
}

Result<std::string> digest_of(const Distillation& d) {
  NW_ASSIGN(const FileDigests digests, digests_of_file(weights_file(d)));
  return digests.sha256;
}

Result<Distillation> teacher_of(const fs::path& run) {
  NW_ASSIGN(const CheckpointName best, best_checkpoint(run));
  std::error_code ignored;
  Distillation d{.run = fs::absolute(run, ignored).lexically_normal().string(), .checkpoint = best.name};
  NW_ASSIGN(d.sha256, digest_of(d));
  return d;
}

}  // namespace nw
