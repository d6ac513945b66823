// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "engine/core/image.hpp"

namespace nw {

/// A PNG file (W3C, "Portable Network Graphics", third edition): 8 bits, grey or RGB; for other numbers of channels
/// only the first channel.
std::string png_of(const Image&);

}  // namespace nw
