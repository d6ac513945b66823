// SPDX-License-Identifier: GPL-3.0-or-later
// Excludes samples and includes them again: names in the document, one undo step each; no file is changed.
#pragma once
#include <QStringList>

#include "engine/design/choice.hpp"

namespace nw::ui {

class Session;

bool isExcluded(const Session& session, const QString& name);
/// Names as returned by sample_name(). False: nothing changed.
bool excludeSamples(Session& session, const QStringList& names);
bool includeSamples(Session& session, const QStringList& names);
/// Whether the project's data and a run's data have the same source, so that names denote the same images.
bool readsSameData(const Session& session, const DataChoice& run);
qint64 excludedCount(const Session& session);

}  // namespace nw::ui
