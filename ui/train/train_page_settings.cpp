// SPDX-License-Identifier: GPL-3.0-or-later
// The settings of the followed run on the Train page: what the panel applies goes to the run.
#include <QAction>
#include <QClipboard>
#include <QGuiApplication>

#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/train/run_settings/run_settings_panel.hpp"
#include "ui/train/train_page.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
constexpr int settings_view = 2;  // of sideViews()
}

QWidget* TrainPage::makeSettings() {
  settings_ = new RunSettingsPanel(feed_);
  connect(settings_, &RunSettingsPanel::applied, this,
          [this](const QVector<std::pair<QString, SettingValue>>& changes) {
            for (const auto& [name, value] : changes)
              value.scheduled ? session_.run().followSchedule() : session_.run().change(name, value.value);
          });
  connect(settings_, &RunSettingsPanel::recipeAsked, this, &TrainPage::copyRecipe);
  return settings_;
}

void TrainPage::refreshEditable(bool changeable) {
  const bool can = changeable && feed_.definition();
  action(QStringLiteral("run-settings"))->setEnabled(can);
  settings_->setEditable(can ? QString() : tr("Settings can be changed while this window trains the run."));
}

void TrainPage::showSettings() {
  Q_EMIT goTo(QStringLiteral("train"));
  network_->setChecked(false);  // a narrow page shows either
  sideViews_->setCurrent(settings_view);
  settings_->focusFirst();
}

void TrainPage::copyRecipe() {
  QGuiApplication::clipboard()->setText(session_.run().replayCommand(feed_.folder()));
  Q_EMIT session_.message(tr("Copied: the command that trains this run again with all of its changes"), 0);
}

}  // namespace nw::ui
