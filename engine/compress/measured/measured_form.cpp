// SPDX-License-Identifier: Apache-2.0
#include "engine/compress/measured/measured_form.hpp"

namespace nw::compress {

Result<GraphDoc> measured_form(GraphDoc doc, TrainSettings s) {
  s.precision = DType::f32;
  s.accumulate = s.micro_batches = 1;
  s.parallel = Parallelism::data;
  Edit edit{PutSettings{std::move(s)}};
  const auto unfreeze = [&](const std::string& scope, const Graph& graph) {
    for (const auto& [id, node] : graph.nodes) {
      Node trained = node;
      trained.frozen = false;
      trained.frozen_epochs = 0;
      trained.lr_scale = 1;
      if (trained != node) edit.push_back(PutNode{scope, id, std::move(trained)});
    }
  };
  unfreeze("", doc.graph());
  for (const auto& [name, block] : doc.blocks()) unfreeze(name, block.graph);
  NW_ASSIGN(const Edit undo, doc.apply(edit));
  (void)undo;
  return doc;
}

}  // namespace nw::compress
