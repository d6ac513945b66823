// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <span>

namespace nw::ui {

/// What a control is for, where its own text does not say it.
struct HelpRow {
  /// The class without its namespace, or the object name, of the control itself or of a widget around it.
  const char* place;
  /// The control's object name, or its English name in the context of `place`; "": all controls at that place that no
  /// other row names.
  const char* name;
  const char* sentence;           // English, translated in the context "WhatsThis"
  const char* context = nullptr;  // of the translation of `name`; null: "nw::ui::" and `place`
};
std::span<const HelpRow> designHelp();  // also the window, the welcome page and the preferences
std::span<const HelpRow> trainHelp();   // also Predict
std::span<const HelpRow> runsHelp();    // also Deploy
std::span<const HelpRow> dialogHelp();  // but the preferences, help, and the search for settings

}  // namespace nw::ui
