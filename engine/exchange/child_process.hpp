// SPDX-License-Identifier: Apache-2.0
// Runs a program and collects what it prints. Private to engine/exchange and engine/deploy.
#pragma once
#include <string>
#include <vector>

#include "kernels/result.hpp"

namespace nw::exchange {

struct ChildOutput {
  int status = -1;  // exit code; -1: ended by a signal, or out of time
  std::string out;  // stdout, at most 4 MiB
};
/// Errc::other: the program cannot be started. After `seconds` it is killed.
Result<ChildOutput> run_child(const std::vector<std::string>& command, double seconds);
/// A program of the PATH; empty: there is none of that name.
std::string program_in_path(const std::string& name);
/// The Python that checks exports: $NETWRIGHT_PYTHON, or python3 of the PATH; empty: there is none.
std::string python_program();

}  // namespace nw::exchange
