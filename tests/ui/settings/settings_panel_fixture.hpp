// SPDX-License-Identifier: GPL-3.0-or-later
// A panel of settings over a session with a template.
#pragma once
#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTest>

#include "engine/design/project_file.hpp"
#include "tests/ui/predict/fake_helper.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/refusal_note.hpp"
#include "ui/settings/schedule_preview.hpp"
#include "ui/settings/settings_panel.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/settings/weights_field.hpp"

namespace nw::ui {

class SettingsPanelTest : public testing::Test {
 protected:
  SettingsPanelTest() : helper(fake_response) {
    HelperClient::setDefaultLauncher(helper.launcher());
    session = std::make_unique<Session>();
    session->replace(find_template("lenet5")->make(), {}, QStringLiteral("lenet5"));
    panel = std::make_unique<SettingsPanel>(*session);
  }
  ~SettingsPanelTest() override { HelperClient::setDefaultLauncher({}); }
  NumberSpin* spin(const char* id) { return qobject_cast<NumberSpin*>(panel->control(QLatin1String(id))); }
  QComboBox* box(const char* id) { return qobject_cast<QComboBox*>(panel->control(QLatin1String(id))); }
  const TrainSettings& settings() { return session->doc().settings(); }
  FakeHelper helper;
  std::unique_ptr<Session> session;
  std::unique_ptr<SettingsPanel> panel;
};

}  // namespace nw::ui
