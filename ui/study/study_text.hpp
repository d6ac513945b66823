// SPDX-License-Identifier: GPL-3.0-or-later
// Words and numbers of studies, in the window's language. Names and words from a journal are in one line, without
// control characters.
#pragma once
#include <QString>

#include "ui/study/study_snapshot.hpp"

namespace nw::ui {

/// The name of the project that was searched.
QString studyTitle(const StudySnapshot& study);
QString objectiveTitle(const search::Objective& objective);  // "Validation accuracy"
QString objectiveText(const std::string& metric, double value);
/// "Learning rate", "conv2.out_channels".
QString parameterTitle(const std::string& name);
QString parameterText(const search::Parameter& parameter, double value);
QString axisTitleOf(const StudySnapshot& study, const StudyAxis& axis);
/// "Finished", "Epoch 3 of 9", "Paused at epoch 3", "Failed: …".
QString stateText(const StudySnapshot& study, const search::Trial& trial);
QString stateIcon(search::TrialState state);
/// "Most accuracy, fewest multiply-adds".
QString goalText(const StudySnapshot& study);
QString samplerText(const search::StudyDefinition& definition);  // "TPE, ASHA"

}  // namespace nw::ui
