// SPDX-License-Identifier: Apache-2.0
// Other programs (ssh, sbatch, kubectl, tar) as children: always with a time limit, and with a limit on what they
// print.
#pragma once
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/result.hpp"

namespace nw::submit {

struct ProcessOutput {
  int code = -1;  // exit code; 128 + signal
  std::string out, err;
};

struct ProcessLimits {
  double timeout_s = 60;
  double silence_s = 0;  // ended if nothing is printed or taken for so long; 0: no limit
  std::size_t out_bytes = std::size_t{1} << 20;
};

/// Runs a program with `input` on its stdin, and waits for it. The child, and what it started, is killed at a limit,
/// and the result is Errc::no_response. Errc::other: it cannot be started. Of stderr the last 4 KiB are kept.
Result<ProcessOutput> run_process(const std::vector<std::string>& words, std::string_view input, const ProcessLimits&);

/// The same for a program that prints for long: `take` gets each piece, and ends the program by returning false.
Result<ProcessOutput> follow_process(const std::vector<std::string>& words, std::string_view input,
                                     const ProcessLimits&, const std::function<bool(std::string_view)>& take);

/// The next piece of an input, valid until the next call; empty: that was all.
using Input = std::function<std::string_view()>;
/// The same for a program that is given more than fits into memory; what it prints to stdout is left out.
Result<ProcessOutput> feed_process(const std::vector<std::string>& words, const Input&, const ProcessLimits&);

}  // namespace nw::submit
