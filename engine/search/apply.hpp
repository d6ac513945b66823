// SPDX-License-Identifier: Apache-2.0
// A point of a space as a document: its values put into the fields that the space names.
#pragma once
#include "engine/design/graph_doc.hpp"
#include "engine/search/space.hpp"

namespace nw::search {

/// Fields are named
///   "learning_rate", "batch", "schedule", …      a training setting, as in project files
///   "optimizer.momentum"                         a field of the optimizer
///   "conv1.out_channels", "stage1.filters"       an attribute of a layer, a parameter of a block instance
///   "stage1.repeat", "stage1.block"              the repeats and the definition of a block instance
///   "relu1.type"                                 the type of a layer, whose attributes become the new type's defaults
///   "conv1.frozen", ".bypassed", ".frozen_epochs", ".lr_scale"
///   "ConvStage/conv.kernel_size"                 the same of a layer inside a block definition
/// Errc::bad_input: there is no such field, or it cannot have the value; the message names it.
Result<GraphDoc> apply_point(const GraphDoc&, const Space&, const Point&);
/// Not of the study or of the computer, as the number of epochs and the devices are.
bool is_searched_setting(std::string_view name);
/// Errc::bad_input: a field of the space is not in the document, or an end of its range is outside of the field's
/// limits. Combinations are not tried.
Status check_space(const GraphDoc&, const Space&);

}  // namespace nw::search
