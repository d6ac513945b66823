// SPDX-License-Identifier: Apache-2.0
#include "engine/core/version.hpp"

namespace nw {

std::string version() { return NETWRIGHT_VERSION; }

}  // namespace nw
