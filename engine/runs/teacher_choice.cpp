// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/teacher_choice.hpp"

#include <algorithm>
#include <system_error>

#include "engine/core/digest.hpp"
#include "engine/io/safetensors.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw {

fs::path weights_file(const Distillation& d) {
  return fs::path(d.run) / "checkpoints" / d.checkpoint / "model.safetensors";
}

Result<std::string> digest_of(const Distillation& d) {
  NW_ASSIGN(const FileDigests digests, digests_of_file(weights_file(d)));
  return digests.sha256;
}

// A file that cannot be read is left to the digest, which says why.
Status refuse_int8(const Distillation& d) {
  const auto file = SafetensorsFile::open(weights_file(d));
  if (!file) return {};
  const auto& all = file->header().tensors;
  if (std::none_of(all.begin(), all.end(), [](const TensorInfo& t) { return t.dtype == "I8"; })) return {};
  const auto definition = read_run_definition(d.run);
  return fail(Errc::bad_input,
              NW_TR("{0} is a run in 8 bits, which cannot be a teacher; take the run that it was made of, {1}"), d.run,
              definition ? definition->parent : "");
}

Result<Distillation> teacher_of(const fs::path& run) {
  NW_ASSIGN(const CheckpointName best, best_checkpoint(run));
  std::error_code ignored;
  Distillation d{.run = fs::absolute(run, ignored).lexically_normal().string(), .checkpoint = best.name};
  NW_TRY(refuse_int8(d));
  NW_ASSIGN(d.sha256, digest_of(d));
  return d;
}

}  // namespace nw
