// SPDX-License-Identifier: Apache-2.0
#include "app/cli/compress_sparse.hpp"

#include "app/cli/cli.hpp"
#include "app/cli/fine_tuning_text.hpp"
#include "app/cli/run_comparison.hpp"
#include "engine/compress/measured/sparse_run.hpp"

namespace nw::cli {
namespace {

compress::SparseLayer sum_of(const std::vector<compress::SparseLayer>& layers) {
  compress::SparseLayer all;
  for (const auto& l : layers) {
    all.weights += l.weights;
    all.zeros += l.zeros;
  }
  return all;
}

void show(const compress::SparseRun& made, const RunComparison& outcome) {
  std::vector<std::vector<std::string>> rows{{"layer", "weights", "zeros", "share"}};
  const auto add = [&](const compress::SparseLayer& l, const std::string& name) {
    const double share = l.weights > 0 ? static_cast<double>(l.zeros) / static_cast<double>(l.weights) : 0;
    rows.push_back({name, with_thousands(l.weights), with_thousands(l.zeros), percent(share)});
  };
  for (const auto& l : made.layers) add(l, l.layer);
  add(sum_of(made.layers), "all");
  print(fmt::format("run:  {}", printable(made.run.string())));
  print_lines(table(rows));
  print(fmt::format("file: {} bytes", with_thousands(made.bytes)));
  print("compressed (zlib): " + size_text(made.deflated_after, made.deflated_before));
  print("weights as a sparse list: " + size_text(made.sparse_bytes, made.bytes));
  show_losses(made.learning_rate, made.losses);
  show_changes(outcome);
  note(
      "The network is not faster: this program's kernels multiply zeros like any number. Its file is smaller once it "
      "is compressed");
}

Json json_of(const compress::SparseRun& made, const RunComparison& outcome) {
  Json layers = Json::array();
  for (const auto& l : made.layers) layers.push_back({{"layer", l.layer}, {"weights", l.weights}, {"zeros", l.zeros}});
  const compress::SparseLayer all = sum_of(made.layers);
  Json j = comparison_as_json(outcome, outcome.changes ? outcome.changes->flips.size() : 0);
  j.update(Json{{"type", "unstructured"},
                {"run", made.run.string()},
                {"checkpoint", made.checkpoint},
                {"layers", layers},
                {"weights", {{"all", all.weights}, {"zeros", all.zeros}}},
                {"bytes",
                 {{"file", made.bytes},
                  {"compressed_before", made.deflated_before},
                  {"compressed_after", made.deflated_after},
                  {"sparse", made.sparse_bytes}}},
                {"faster", false}});
  if (!made.losses.empty()) j["fine_tuning"] = fine_tuning_json(made.learning_rate, made.losses);
  return j;
}

}  // namespace

int compress_sparse(SparseCommand o) {
  if (!o.json) o.fine_tuning.progress = show_fine_tuning;
  const auto made = compress::make_sparse_run(o.run, o.checkpoint, o.plan, o.fine_tuning, o.to);
  if (!made) return report(made.error());
  const auto outcome = compare_runs({o.run, made->checkpoint}, {made->run.string(), "best"}, 0, one_core);
  if (!outcome) return report(outcome.error());
  if (o.json)
    print(json_of(*made, *outcome).dump(-1, ' ', false, Json::error_handler_t::replace));
  else
    show(*made, *outcome);
  return 0;
}

}  // namespace nw::cli
