// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/runs/train_further.hpp"

#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/chart_scale.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
constexpr int most_epochs_in_all = 1'000'000, usual_most = 10;
}

TrainFurtherDialog::TrainFurtherDialog(const RunRow& run, const TrainSettings& settings, QWidget* parent)
    : QDialog(parent), done_(run.summary.epochs_done), planned_(run.summary.epochs), settings_(settings) {
  setObjectName(QStringLiteral("trainFurther"));
  setWindowTitle(tr("Train %1 further").arg(run.title()));
  setMinimumWidth(440);
  more_ = new QSpinBox(this);
  more_->setRange(1, most_epochs_in_all - static_cast<int>(std::min<std::int64_t>(done_, most_epochs_in_all - 1)));
  more_->setValue(static_cast<int>(std::clamp<std::int64_t>(done_, 1, usual_most)));
  more_->setAccessibleName(tr("Further epochs"));
  total_ = makeLabel({}, 1, static_cast<int>(TextRole::body), this);
  rate_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary), this);
  for (QLabel* label : {total_, rate_}) label->setWordWrap(true);
  auto* form = new QFormLayout;
  form->setHorizontalSpacing(space::l);
  form->addRow(tr("Further epochs"), more_);
  auto* start = makeButton(tr("Train further"), ButtonKind::primary, QStringLiteral("play"), this);
  start->setObjectName(QStringLiteral("start"));
  start->setDefault(true);
  auto* cancel = makeButton(tr("Cancel"), ButtonKind::ghost, {}, this);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(cancel);
  buttons->addWidget(start);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::l, space::l, space::l, space::l);
  column->setSpacing(space::m);
  column->addLayout(form);
  column->addWidget(total_);
  column->addWidget(rate_);
  column->addStretch(1);
  column->addLayout(buttons);
  connect(start, &QPushButton::clicked, this, &QDialog::accept);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(more_, &QSpinBox::valueChanged, this, &TrainFurtherDialog::say);
  say();
}

std::int64_t TrainFurtherDialog::total() const { return done_ + more_->value(); }

void TrainFurtherDialog::say() {
  total_->setText(tr("The run has trained %1 epochs. It goes on from its last checkpoint until epoch %2, with its own "
                     "settings and data.")
                      .arg(done_)
                      .arg(total()));
  rate_->setText(rateSentence());
}

/// Some schedules depend on the number of epochs.
QString TrainFurtherDialog::rateSentence() const {
  TrainSettings settings = settings_;
  settings.epochs = total();
  constexpr std::int64_t steps = 1000;  // of an epoch; the rate changes little within one step
  const QString rate = tickText(QString::number(learning_rate_at(settings, done_ * steps, steps), 'g', 3).toDouble());
  if (!ends_with_the_run(settings.schedule) || total() == planned_)
    return tr("The learning rate goes on at %1.").arg(rate);
  return tr("The schedule of the learning rate now ends with epoch %1 instead of %2, so the rate goes on at %3.")
      .arg(total())
      .arg(planned_)
      .arg(rate);
}

}  // namespace nw::ui
