// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QImage>
#include <vector>

#include "kernels/result.hpp"

namespace nw::ui {

/// Images from a response's payload: `count` times height × width RGBA, one after another.
Result<std::vector<QImage>> images_from(const std::vector<std::uint8_t>& payload, std::size_t count, int height,
                                        int width);

}  // namespace nw::ui
