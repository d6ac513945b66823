// SPDX-License-Identifier: Apache-2.0
// The folders of the tests' files and of the built programs. The paths are compiled into one file, so that a compiler
// cache can reuse the objects of every other file for a checkout in another folder.
#pragma once
#include <string>

namespace nw::test {

/// The absolute path of the checkout, without a slash at its end.
std::string source_folder();
/// The absolute path of tests/ in the checkout.
std::string tests_folder();
/// The absolute path of the built programs and modules.
std::string programs_folder();

}  // namespace nw::test
