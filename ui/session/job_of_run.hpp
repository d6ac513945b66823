// SPDX-License-Identifier: GPL-3.0-or-later
// Runs of jobs that were submitted: they train elsewhere, and netwright-cli jobs reaches them.
#pragma once
#include <QString>
#include <functional>

class QObject;

namespace nw::ui {

/// The folder with the job.json that the run belongs to; empty: the run is no job's.
QString jobOfRun(const QString& runFolder);

/// `netwright-cli jobs control`, with a command such as "pause"; `answered` gets why it was refused, empty if it was
/// not, and is called later, unless `owner` is destroyed before.
void controlJob(QObject* owner, const QString& job, const QString& command,
                const std::function<void(const QString& why)>& answered);

}  // namespace nw::ui
