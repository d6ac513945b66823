// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/measured/sparse_run.hpp"

#include "engine/compress/measured/made_run.hpp"

namespace nw::compress {
namespace {

using exchange::Weights;

fs::path weights_file_of(const fs::path& run, const std::string& checkpoint) {
  return run / "checkpoints" / checkpoint / "model.safetensors";
}

Result<FineTuned> fine_tuned(const fs::path& run, const GraphDoc& doc, const Weights& pruned,
                             const FineTuning& options) {
  const auto change = [&](const Weights& trained, Weights& computed) -> Status {
    for (const auto& [name, w] : trained) computed.at(name).values = w.values;
    keep_zeros(pruned, computed);
    return {};
  };
  NW_ASSIGN(FineTuned tuned, fine_tune(run, doc, pruned, change, options));
  keep_zeros(pruned, tuned.weights);
  return tuned;
}

std::string choice(const SparsityPlan& plan, const FineTuned& tuned) {
  std::string words = fmt::format("unstructured pruning: {}", plan.share);
  for (const auto& [layer, share] : plan.layers) words += fmt::format(", {}={}", layer, share);
  if (!tuned.losses.empty())
    words += fmt::format("; fine-tuned: {} epochs, learning rate {}", tuned.losses.size(), tuned.learning_rate);
  return words;
}

}  // namespace

Result<SparseRun> make_sparse_run(const fs::path& run, const std::string& checkpoint, const SparsityPlan& plan,
                                  const FineTuning& options, fs::path to) {
  NW_TRY(refuse_taken(to));
  NW_ASSIGN(const RunDefinition definition, read_run_definition(run));
  NW_ASSIGN(const CheckpointName from, chosen_checkpoint(run, checkpoint));
  exchange::Counters counters;
  NW_ASSIGN(Weights weights, exchange::weights_of_run(run, definition, from.name, &counters));
  NW_ASSIGN(const FlatNetwork flat, flatten(definition.doc, {.training = false, .batch = 1}));
  NW_ASSIGN(SparseNetwork pruned, prune_weights(flat, std::move(weights), plan));
  FineTuned tuned{.weights = pruned.weights};
  if (options.epochs > 0) { NW_ASSIGN(tuned, fine_tuned(run, definition.doc, pruned.weights, options)); }
  NW_ASSIGN(auto sources, exchange::sources_of(tuned.weights, exchange::names_of(flat), counters));
  NW_ASSIGN(const MadeFolder made,
            write_made_run(std::move(to), run, from, definition, {choice(plan, tuned)}, std::move(sources)));
  SparseRun s{.run = made.run, .checkpoint = from.name, .layers = std::move(pruned.layers), .bytes = made.bytes_after};
  NW_ASSIGN(s.deflated_before, deflated_bytes(weights_file_of(run, from.name)));
  NW_ASSIGN(const CheckpointName own, best_checkpoint(made.run));
  NW_ASSIGN(s.deflated_after, deflated_bytes(weights_file_of(made.run, own.name)));
  s.sparse_bytes = sparse_bytes(tuned.weights);
  s.learning_rate = tuned.learning_rate;
  s.losses = std::move(tuned.losses);
  return s;
}

}  // namespace nw::compress
