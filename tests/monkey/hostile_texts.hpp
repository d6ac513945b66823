// SPDX-License-Identifier: GPL-3.0-or-later
// Texts that fields should not expect.
#pragma once
#include <QString>

namespace nw::ui {

/// Row `n` of the table, modulo its length.
QString hostileText(std::uint32_t n);

}  // namespace nw::ui
