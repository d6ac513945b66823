// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "kernels/result.hpp"

namespace nw::compiling {

/// Value of "$filters*2" and the like: integers, + - * / and brackets, $parameters. Errors name what is wrong.
Result<std::int64_t> evaluate(std::string_view expression, const std::map<std::string, std::int64_t>& parameters);

}  // namespace nw::compiling
