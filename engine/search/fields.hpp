// SPDX-License-Identifier: Apache-2.0
// The fields of a project that a search can change, each with a range or a list to begin with.
#pragma once
#include <optional>

#include "engine/design/graph_doc.hpp"
#include "engine/search/space.hpp"

namespace nw::search {

struct SearchField {
  std::string name;   // as apply_point() knows it: "learning_rate", "conv1.out_channels"
  std::string layer;  // the layer's name; empty: a training setting
  Text label;         // of a layer's field; empty: `name` says it
  Json now;           // the value in the project
  Parameter suggested;
};

/// Training settings first, then the layers in the order of the data, then those of block definitions. Every suggestion
/// passes check_space().
std::vector<SearchField> search_fields(const GraphDoc&);
/// The field of that name, also one that is not in the list because few people search in it; nullopt: a search cannot
/// change it.
std::optional<SearchField> search_field(const GraphDoc&, const std::string& name);

}  // namespace nw::search
