// SPDX-License-Identifier: Apache-2.0
// Texts of people, files and other computers as words of a shell and as scalars of YAML: they can be nothing else.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/json.hpp"

namespace nw::submit {

/// One word of a POSIX shell: in single quotes, unless it consists of letters, digits and @%+=:,./_- alone. A byte 0
/// ends every word of a program; callers refuse it (job.hpp).
std::string shell_word(std::string_view text);
/// The words, with spaces between them.
std::string shell_words(const std::vector<std::string>& words);
/// A double-quoted scalar of YAML 1.2, section 7.3.1, in one line of printable ASCII: every other character is a \u or
/// \U escape, a byte that is no UTF-8 becomes U+FFFD.
std::string yaml_text(std::string_view text);
/// A document of YAML in block style, read by people; all texts and keys are quoted but plain keys of letters.
std::string yaml(const Json&);

}  // namespace nw::submit
