// SPDX-License-Identifier: Apache-2.0
// Networks for the synthetic data sets: classification of two moons, multi-label shapes, and regression.
#include "engine/design/template_parts.hpp"

namespace nw::drawing {
namespace {

DataChoice synthetic(const char* set, const char* target) {
  DataChoice data = from(SourceKind::synthetic);
  data.synthetic_set = set;
  data.target = target;
  return data;
}

/// Three convolutions for images of 32×32 pixels, with three outputs.
GraphDoc shapes(const char* target, const char* loss, const char* ends_in) {
  GraphDoc doc;
  Draft d(doc);
  d.add("Input", "images", image(3, 32));
  Int number = 0;
  for (const Int filters : {16, 32, 64}) {
    const std::string which = std::to_string(++number);
    d.add("Conv2d", "conv" + which, conv(filters, 3, 1));
    d.add("ReLU", "relu" + which);
    d.add("MaxPool2d", "pool" + which);
  }
  d.frame("Feature extractor");
  d.column();
  d.add("Flatten", "flatten");
  d.add("Linear", "fc1", outputs(64));
  d.add("ReLU", "relu4");
  d.add("Linear", "fc2", outputs(3));
  d.add(loss, "loss");
  d.frame(ends_in);
  set(doc, synthetic("shapes", target), adam());
  return doc;
}

}  // namespace

GraphDoc mlp_moons() {
  GraphDoc doc;
  Draft d(doc);
  d.add("Input", "points", {{"channels", Int{1}}, {"height", Int{1}}, {"width", Int{2}}});
  d.add("Flatten", "flatten");
  for (const char* which : {"1", "2"}) {
    d.add("Linear", std::string("fc") + which, outputs(32));
    d.add("ReLU", std::string("relu") + which);
  }
  d.frame("Hidden layers");
  d.column();
  d.add("Linear", "fc3", outputs(2));
  d.add("CrossEntropy", "loss");
  d.frame("Classifier");
  set(doc, synthetic("two_moons", "class"), adam(0.003));
  return doc;
}

GraphDoc shapes_labels() { return shapes("labels", "BCEWithLogits", "Labels"); }
GraphDoc shapes_values() { return shapes("values", "MSE", "Numbers"); }

}  // namespace nw::drawing
