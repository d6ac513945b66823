// SPDX-License-Identifier: GPL-3.0-or-later
// What is wrong with a screen that was painted.
#pragma once
#include <QImage>
#include <QStringList>
#include <QWidget>

#include "tests/gallery/expected_forms.hpp"
#include "tests/gallery/looks.hpp"

namespace nw::ui {

/// What screens are held to: that something is on them with letters that the fonts have, always; that they keep the
/// rules; that they are as committed.
struct Demands {
  bool rules = false;
  ExpectedForms forms;
};

/// A line for each fault of the screen `name`, "" where there is none. `picture`: the window as it is shown.
QStringList faultsOf(const QString& name, QWidget& window, const QImage& picture, const Look& look,
                     const Demands& demands);

}  // namespace nw::ui
