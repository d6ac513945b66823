// SPDX-License-Identifier: GPL-3.0-or-later
// Files that the monkey opens and drops: projects, images, tables and folders, half of them malformed.
#pragma once
#include <QStringList>

namespace nw::ui {

/// Writes the files below `folder` and returns their paths.
QStringList writeSampleFiles(const QString& folder);

}  // namespace nw::ui
