// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "kernels/result.hpp"

namespace nw::compiling {

/// The value of a formula such as "$filters*2": integers, + - * / and parentheses, $parameters. An error states the
/// cause.
Result<std::int64_t> evaluate(std::string_view expression, const std::map<std::string, std::int64_t>& parameters);

}  // namespace nw::compiling
