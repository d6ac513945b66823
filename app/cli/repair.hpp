// SPDX-License-Identifier: Apache-2.0
// The quick fixes of a project's problems on the command line.
#pragma once
#include "engine/compile/compile.hpp"

namespace nw::cli {

/// Applies the repair of this number, as `check` lists them from 1; 0: the first repair of each error, until no error
/// has one. Prints each. Errc::usage: there is no such repair.
Status repair(GraphDoc&, const Target&, std::int64_t number);

}  // namespace nw::cli
