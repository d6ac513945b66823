// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>

namespace nw::ui {

/// Two sentences in one line: after a full stop of Chinese no space follows. An empty one is left out.
inline QString joinedSentences(const QString& first, const QString& second) {
  const bool space = !first.isEmpty() && !second.isEmpty() && first.back().unicode() < 0x3000;
  return space ? first + u' ' + second : first + second;
}

}  // namespace nw::ui
