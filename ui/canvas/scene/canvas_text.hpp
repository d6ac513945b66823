// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QCoreApplication>

namespace nw::ui {

/// The translation of a text marked with QT_TRANSLATE_NOOP("canvas", …).
inline QString canvasText(const char* text) { return QCoreApplication::translate("canvas", text); }

}  // namespace nw::ui
