// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/control_protocol.hpp"

#include <unistd.h>

#include <charconv>

#include "engine/core/version.hpp"

namespace nw {
namespace {

constexpr std::string_view number_mark = "protocol ", error_mark = "error: ";

}  // namespace

NumberedLine read_numbered(std::string_view line) {
  if (!line.starts_with(number_mark)) return {0, line};
  const char *from = line.data() + number_mark.size(), *end = line.data() + line.size();
  std::int64_t number = 0;
  const auto [next, wrong] = std::from_chars(from, end, number);
  if (wrong != std::errc() || number < 1 || next == end || *next != ' ') return {0, line};
  return {number, line.substr(static_cast<std::size_t>(next + 1 - line.data()))};
}

std::string numbered(std::string_view text) {
  return std::string(number_mark) + std::to_string(control_protocol) + ' ' + std::string(text);
}

std::optional<std::string> refusal_of(std::int64_t protocol) {
  if (protocol <= control_protocol) return std::nullopt;
  const Text why =
      text(NW_TR("this run was started by Netwright {0}, which speaks version {1} of the control protocol, "
                 "and the program that asks speaks version {2}: ask with netwright-cli {0}, or end the run "
                 "with kill -TERM {3}, which saves a checkpoint"),
           version(), control_protocol, protocol, ::getpid());
  return std::string(error_mark) + why.str();
}

bool is_of_version_0(const NumberedLine& answer) { return answer.protocol == 0 && answer.text.starts_with(error_mark); }

Result<std::string> understood(const std::filesystem::path& run, const NumberedLine& answer) {
  if (answer.text.starts_with(error_mark)) return fail(Errc::usage, "{0}", answer.text.substr(error_mark.size()));
  if (answer.protocol > control_protocol)
    return fail(Errc::other,
                NW_TR("{0} answers by version {1} of the control protocol, and this is Netwright {2}, which speaks "
                      "version {3}: ask with the netwright-cli that started the run"),
                run.string(), answer.protocol, version(), control_protocol);
  return std::string(answer.text);
}

}  // namespace nw
