// SPDX-License-Identifier: Apache-2.0
// A LeNet-5 for coloured shapes: their class, labels, or place and size.
#pragma once
#include "tests/engine/train/trial.hpp"

namespace nw {

/// A network with three outputs and this loss, for synthetic shapes.
inline GraphDoc shapes_project(const char* target, const char* loss, const Trial::Change& change = {}) {
  GraphDoc doc = Trial::project(
      [&](TrainSettings& s, DataChoice& d) {
        d.synthetic_set = "shapes";
        d.target = target;
        d.synthetic_train = 1000;
        d.synthetic_test = 100;
        s.optimizer.choose("adam");
        s.learning_rate = 2e-3;
        s.epochs = 4;
        if (change) change(s, d);
      },
      "lenet5");
  Edit edit;
  for (auto [id, node] : doc.graph("").nodes) {
    if (node.type == "Input")
      node.attrs = {{"channels", std::int64_t{3}}, {"height", std::int64_t{32}}, {"width", std::int64_t{32}}};
    else if (node.name == "fc3")
      node.attrs["out_features"] = std::int64_t{3};
    else if (node.type == "CrossEntropy")
      node.type = loss;
    else
      continue;
    edit.push_back(PutNode{"", id, node});
  }
  if (!doc.apply(edit)) std::abort();
  return doc;
}

struct ShapesTrial : Trial {
  ShapesTrial(const char* target, const char* loss, const Change& change = {}) {
    request.definition.doc = shapes_project(target, loss, change);
  }
};

}  // namespace nw
