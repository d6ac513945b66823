// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

namespace nw::ui {

/// The words of a Chinese text that should have been translated: those that the program's English texts have and its
/// Chinese ones never do. Names of products, layers and settings stand in both.
QStringList foreignWords(const QString& text);

}  // namespace nw::ui
