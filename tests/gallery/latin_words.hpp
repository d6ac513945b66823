// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

namespace nw::ui {

/// The words of a Chinese text that should have been translated: Latin ones that are no name of a product, layer,
/// setting, file or unit, which are written in every language as PyTorch or their makers write them.
QStringList foreignWords(const QString& text);

}  // namespace nw::ui
