// SPDX-License-Identifier: GPL-3.0-or-later
// Exporting a chart: the file dialog and what is said afterwards, the same for every chart. GUI thread.
#pragma once
#include <QString>
#include <functional>

#include "kernels/result.hpp"
#include "ui/session/notification.hpp"

class QWidget;

namespace nw::ui {

using ChartReport = std::function<void(const QString& sentence, int severity, const NotificationActions& actions)>;

/// Asks for a file of the ending `suffix`, named after `title`, calls `write`, and reports the file with the actions
/// that open it, or the reason why it was not written.
void exportChart(QWidget* chart, const QString& title, const QString& suffix,
                 const std::function<Status(const QString& file)>& write, const ChartReport& report);

}  // namespace nw::ui
