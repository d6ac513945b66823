// SPDX-License-Identifier: GPL-3.0-or-later
// The training doctor behind the health pill of the Train page.
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"
#include "ui/train/branch_dialog.hpp"
#include "ui/train/doctor_panel.hpp"
#include "ui/train/doctor_watch.hpp"
#include "ui/train/event_list.hpp"
#include "ui/train/health_pill.hpp"
#include "ui/train/train_page.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

void TrainPage::watchHealth() {
  doctor_ = new DoctorWatch(feed_, this);
  connect(doctor_, &DoctorWatch::changed, this,
          [this] { events_->setFindings(static_cast<int>(doctor_->findings().size())); });
  connect(doctor_, &DoctorWatch::problem, this,
          [this](const QString& sentence) { Q_EMIT session_.message(sentence, 1); });
  connect(&events_->pill(), &HealthPill::clicked, this, &TrainPage::showDoctor);
}

/// One panel, which follows the run.
void TrainPage::showDoctor() {
  if (!doctorPanel_) {
    doctorPanel_ = new DoctorPanel(*doctor_, this);
    doctorPanel_->setAttribute(Qt::WA_DeleteOnClose);
    connect(doctorPanel_, &DoctorPanel::branchAsked, this, [this](const QString& setting, double value) {
      doctorPanel_->close();
      branchFrom(session_, feed_.folder(), -1, this, {{setting, value}});
    });
    connect(doctorPanel_, &DoctorPanel::layersAsked, this, [this] { views_->setCurrent(1); });
    connect(doctorPanel_, &DoctorPanel::designAsked, this, [this] { Q_EMIT goTo(QStringLiteral("design")); });
  }
  doctorPanel_->show();
  doctorPanel_->raise();
  doctorPanel_->activateWindow();
}

}  // namespace nw::ui
