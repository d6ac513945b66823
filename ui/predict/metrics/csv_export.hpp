// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QStringList>

#include "ui/predict/source/evaluation.hpp"

namespace nw::ui {

/// All predictions as CSV (RFC 4180, UTF-8, numbers with a point): index,true,predicted,confidence,loss,right; one line
/// each. `files`: names instead of indices when the images were files.
std::string predictions_csv(const EvaluationView& view, const QStringList& files = {});

}  // namespace nw::ui
