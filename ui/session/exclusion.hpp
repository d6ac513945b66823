// SPDX-License-Identifier: GPL-3.0-or-later
// Samples taken out of the project's data and put back: names in the document, a step of undo each, no file is touched.
#pragma once
#include <QStringList>

#include "engine/design/choice.hpp"

namespace nw::ui {

class Session;

bool isExcluded(const Session& session, const QString& name);
/// Names as sample_name() spells them. False: nothing changed.
bool excludeSamples(Session& session, const QStringList& names);
bool includeSamples(Session& session, const QStringList& names);
/// Whether the project's data comes from the same place as that of a run, so that names mean the same images.
bool readsSameData(const Session& session, const DataChoice& run);
qint64 excludedCount(const Session& session);

}  // namespace nw::ui
