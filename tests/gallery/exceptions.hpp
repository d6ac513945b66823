// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QString>
#include <QStringList>

namespace nw::ui {

/// Without the faults that are meant; exceptions.cpp lists them with reasons. `screen`: its name without the look.
QStringList withoutExceptions(const QString& screen, const QStringList& faults);

}  // namespace nw::ui
