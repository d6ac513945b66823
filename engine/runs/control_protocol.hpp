// SPDX-License-Identifier: Apache-2.0
// The number before each line of the control socket, by which programs of different versions recognise one another: a
// run may have been started before the program that asks was installed, or after.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/result.hpp"

namespace nw {

/// The protocol of this program. A program that sends no number has version 0: the same commands and answers.
inline constexpr std::int64_t control_protocol = 1;

/// "protocol 1 pause": 1 and "pause". A line without a number is one of version 0, as a whole.
struct NumberedLine {
  std::int64_t protocol = 0;
  std::string_view text;  // part of the line that was read
};
NumberedLine read_numbered(std::string_view line);
std::string numbered(std::string_view text);

/// A run's answer to a command of a version that it does not speak; nullopt: it speaks that.
std::optional<std::string> refusal_of(std::int64_t protocol);
/// Whether the answer to a numbered command is that of a run of version 0, which took the number for a command and did
/// nothing.
bool is_of_version_0(const NumberedLine& answer);
/// The run's answer without its number: Errc::usage, with the run's sentence, if the run refused the command;
/// Errc::other if the answer is of a version that this program does not speak.
Result<std::string> understood(const std::filesystem::path& run, const NumberedLine& answer);

}  // namespace nw
