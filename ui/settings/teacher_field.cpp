// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/teacher_field.hpp"

#include <QDir>
#include <QFileDialog>
#include <QMenu>
#include <QPushButton>
#include <QVBoxLayout>
#include <utility>

#include "engine/runs/run_folder.hpp"
#include "engine/runs/teacher_choice.hpp"
#include "ui/session/background.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/panel_row.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int temperature_key = 0x7e4c, weight_key = 0x7e4d;  // changes of one number are one undo step
constexpr std::size_t most_listed = 12;

fs::path folderOfRuns(Session& session) {
  const QString chosen = session.run().runsFolder();
  return chosen.isEmpty() ? runs_folder() : fs::path(chosen.toStdString());
}

/// The newest runs that have a checkpoint, the newest first.
std::vector<fs::path> possibleTeachers(const fs::path& folder) {
  std::vector<fs::path> folders;
  for (const RunSummary& r : list_runs(folder))
    if (folders.size() < most_listed && best_checkpoint(r.folder)) folders.push_back(r.folder);
  return folders;
}

QPushButton* wideButton() {
  QPushButton* button = makeButton({}, ButtonKind::neutral, QStringLiteral("chevron-down"));
  button->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
  return button;
}

QString nameOf(const fs::path& run) { return QString::fromStdString(run.filename().string()); }
QString inMenu(QString name) { return name.replace(QLatin1Char('&'), QLatin1String("&&")); }

}  // namespace

TeacherField::TeacherField(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      button_(wideButton()),
      temperature_(new NumberSpin(false, lowest_temperature, highest_temperature, 0.5)),
      weight_(new NumberSpin(false, 0.05, 1, 0.05)),
      run_(new PanelRow(tr("Teacher"), button_,
                        tr("A trained run whose answers the network learns, on the same augmented images."))),
      temperatureRow_(new PanelRow(tr("Temperature"), temperature_,
                                   tr("Both networks' scores are divided by it: the higher, the softer the answers."))),
      weightRow_(new PanelRow(tr("Weight of the teacher"), weight_,
                              tr("Share of the teacher's answers in the target; the labels have the rest."))) {
  button_->setObjectName(QStringLiteral("teacher"));
  temperature_->setObjectName(QStringLiteral("teacherTemperature"));
  weight_->setObjectName(QStringLiteral("teacherWeight"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(space::s);
  for (PanelRow* row : {run_, temperatureRow_, weightRow_}) column->addWidget(row);
  connect(button_, &QPushButton::clicked, this, &TeacherField::openMenu);
  connect(temperature_, &QDoubleSpinBox::valueChanged, this,
          [this](double v) { change(&Distillation::temperature, v, tr("Set the temperature")); });
  connect(weight_, &QDoubleSpinBox::valueChanged, this,
          [this](double v) { change(&Distillation::weight, v, tr("Set the weight of the teacher")); });
}

void TeacherField::refresh() {
  refreshing_ = true;
  const auto read = distillation(session_.doc());
  const bool there = read && *read;
  run_->setError(read ? QString() : translated(read.error().what));
  const QString name = there ? nameOf((*read)->run) : tr("none");
  button_->setText(fontMetrics().elidedText(inMenu(name), Qt::ElideMiddle, 20 * fontMetrics().averageCharWidth()));
  button_->setToolTip(there ? QDir::toNativeSeparators(QString::fromStdString((*read)->run)) : QString());
  button_->setAccessibleName(tr("Teacher: %1").arg(name));
  temperatureRow_->setVisible(there);
  weightRow_->setVisible(there);
  if (there) {
    temperature_->follow((*read)->temperature);
    weight_->follow((*read)->weight);
  }
  refreshing_ = false;
}

void TeacherField::openMenu() {
  if (std::exchange(listing_, true)) return;
  inBackground(
      this, [folder = folderOfRuns(session_)] { return possibleTeachers(folder); },
      [this](const std::vector<fs::path>& runs) {
        listing_ = false;
        auto* menu = new QMenu(this);
        menu->setObjectName(QStringLiteral("teacherMenu"));
        menu->setAttribute(Qt::WA_DeleteOnClose);
        menu->addAction(tr("None"), this, [this] { set(std::nullopt, tr("Train without a teacher")); });
        menu->addSeparator();
        for (const fs::path& run : runs) menu->addAction(inMenu(nameOf(run)), this, [this, run] { choose(run); });
        if (!runs.empty()) menu->addSeparator();
        menu->addAction(tr("Another folder…"), this, &TeacherField::browse);
        menu->popup(button_->mapToGlobal(button_->rect().bottomLeft()));
      },
      [this] { listing_ = false; });
}

void TeacherField::browse() {
  const QString from = QString::fromStdString(folderOfRuns(session_).string());
  const QString chosen = QFileDialog::getExistingDirectory(this, tr("Choose a trained run"), from);
  if (!chosen.isEmpty()) choose(fs::path(chosen.toStdString()));
}

void TeacherField::choose(const fs::path& run) {
  inBackground(
      this, [run] { return teacher_of(run); },
      [this](Result<Distillation> named) {
        if (!named) return run_->setError(translated(named.error().what));
        if (const auto before = distillation(session_.doc()); before && *before) {
          named->temperature = (*before)->temperature;
          named->weight = (*before)->weight;
        }
        set(*named, tr("Choose a teacher"));
      });
}

void TeacherField::set(const std::optional<Distillation>& teacher, const QString& what, int key) {
  session_.push(distil(teacher), what, key);
  refresh();
}

void TeacherField::change(double Distillation::*member, double value, const QString& what) {
  const auto read = distillation(session_.doc());
  if (refreshing_ || !read || !*read || (**read).*member == value) return;
  Distillation changed = **read;
  changed.*member = value;
  set(changed, what, member == &Distillation::weight ? weight_key : temperature_key);
}

}  // namespace nw::ui
