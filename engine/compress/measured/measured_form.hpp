// SPDX-License-Identifier: Apache-2.0
// Documents as compression trains and measures them.
#pragma once
#include "engine/design/graph_doc.hpp"

namespace nw::compress {

/// With these settings, but in fp32, in one batch an update, and with every layer trained.
Result<GraphDoc> measured_form(GraphDoc, TrainSettings);

}  // namespace nw::compress
