// SPDX-License-Identifier: Apache-2.0
#include "tests/support/paths.hpp"

namespace nw::test {

std::string source_folder() { return NW_SOURCE_DIR; }
std::string tests_folder() { return source_folder() + "/tests"; }
std::string programs_folder() { return NW_BIN_DIR; }

}  // namespace nw::test
