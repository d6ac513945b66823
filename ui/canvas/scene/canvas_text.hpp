// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QCoreApplication>

namespace nw::ui {

/// The translation of a text marked with QT_TRANSLATE_NOOP("canvas", …).
inline QString canvasText(const char* text) { return QCoreApplication::translate("canvas", text); }

/// The form for `count` of a text marked with QT_TRANSLATE_N_NOOP("canvas", …).
inline QString canvasText(const char* text, int count) {
  return QCoreApplication::translate("canvas", text, nullptr, count);
}

}  // namespace nw::ui
