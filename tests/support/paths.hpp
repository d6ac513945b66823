// SPDX-License-Identifier: Apache-2.0
// Where the tests' files and the built programs lie. The paths are compiled into one file, so that a compiler cache
// serves the objects of every other file to a checkout in another folder.
#pragma once
#include <string>

namespace nw::test {

/// The absolute path of the checkout, without a slash at its end.
std::string source_folder();
/// That of tests/ in the checkout.
std::string tests_folder();
/// That of the built programs and modules.
std::string programs_folder();

}  // namespace nw::test
