// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/doctor_panel.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/session/session.hpp"
#include "ui/settings/setting_rows.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/doctor_watch.hpp"
#include "ui/train/evidence_chart.hpp"
#include "ui/widgets/severity_icon.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {
constexpr int panel_width = 520, panel_height = 620;

QString labelOfSetting(const std::string& id) {
  for (const SettingRow& row : settingRows())
    if (row.id.toStdString() == id) return row.label;
  return QString::fromStdString(id);
}

QLabel* wrapped(const QString& text, int level, TextRole role) {
  QLabel* label = makeLabel(text, level, static_cast<int>(role));
  label->setWordWrap(true);
  label->setTextInteractionFlags(Qt::TextSelectableByMouse);
  return label;
}

/// A card whose frame says that something is wrong.
class FindingCard : public QWidget {
 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter p(this);
    style::box(p, rect(), radius::card, theme().chartCard, theme().warn);
  }
};
}  // namespace

DoctorPanel::DoctorPanel(DoctorWatch& watch, QWidget* parent) : QDialog(parent), watch_(watch) {
  setObjectName(QStringLiteral("doctorPanel"));
  setWindowTitle(tr("Training doctor"));
  resize(panel_width, panel_height);
  said_ = wrapped({}, 1, TextRole::body);
  said_->setObjectName(QStringLiteral("doctorSaid"));
  auto* list = new QWidget;
  cards_ = new QVBoxLayout(list);
  cards_->setContentsMargins(0, 0, 0, 0);
  cards_->setSpacing(space::m);
  auto* scroll = new QScrollArea;
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setWidgetResizable(true);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setWidget(list);
  for (QWidget* each : {list, scroll->viewport()}) each->setAutoFillBackground(false);
  compare_ = makeButton(tr("Compare the images"), ButtonKind::neutral, QStringLiteral("images"), this);
  compare_->setObjectName(QStringLiteral("compareImages"));
  compare_->setToolTip(tr("Looks for validation images that are also training images"));
  auto* close = makeButton(tr("Close"), ButtonKind::ghost, {}, this);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(compare_);
  buttons->addStretch(1);
  buttons->addWidget(close);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::l, space::l, space::l, space::l);
  column->setSpacing(space::m);
  column->addWidget(said_);
  column->addWidget(scroll, 1);
  column->addLayout(buttons);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  connect(compare_, &QPushButton::clicked, &watch, &DoctorWatch::compareImages);
  connect(&watch, &DoctorWatch::changed, this, &DoctorPanel::fill);
  fill();
}

/// The cards are made anew only where the findings are others.
void DoctorPanel::fill() {
  const auto count = static_cast<int>(watch_.findings().size());
  said_->setText(!watch_.examined() ? tr("The run is being examined.")
                 : count > 0        ? tr("%n finding(s), examined after every epoch.", nullptr, count)
                                    : tr("Nothing found: %n check(s) are clean.", nullptr,
                                         static_cast<int>(doctor::all_diagnoses().size())));
  compare_->setEnabled(watch_.examined() && !watch_.comparing());
  compare_->setText(watch_.comparing()        ? tr("Comparing the images…")
                    : watch_.imagesCompared() ? tr("Compare the images again")
                                              : tr("Compare the images"));
  clearLayout(cards_);
  for (const doctor::Finding& finding : watch_.findings()) cards_->addWidget(makeCard(finding));
  cards_->addStretch(1);
}

QWidget* DoctorPanel::makeCard(const doctor::Finding& finding) {
  auto* card = new FindingCard;
  auto* head = new QHBoxLayout;
  head->setSpacing(space::s);
  head->addWidget(new SeverityIcon(Severity::warning));
  const doctor::Diagnosis* diagnosis = doctor::find_diagnosis(finding.id);
  head->addWidget(makeLabel(diagnosis ? translated(diagnosis->title) : QString(), 1, static_cast<int>(TextRole::node)));
  head->addStretch(1);
  auto* foot = new QHBoxLayout;
  foot->addWidget(makeAction(finding));
  foot->addStretch(1);
  auto* column = new QVBoxLayout(card);
  column->setContentsMargins(14, 10, 14, 12);
  column->setSpacing(space::s);
  column->addLayout(head);
  column->addWidget(wrapped(translated(finding.sentence), 1, TextRole::body));
  if (!finding.evidence.empty()) column->addWidget(new EvidenceChart(finding.evidence));
  column->addWidget(wrapped(translated(finding.recommendation.sentence), 2, TextRole::secondary));
  column->addLayout(foot);
  card->setAccessibleName(translated(finding.sentence));
  return card;
}

/// The one button: a branch with the recommended value, or the place where the cause can be seen.
QPushButton* DoctorPanel::makeAction(const doctor::Finding& finding) {
  const doctor::Recommendation& r = finding.recommendation;
  const double value = QString::fromStdString(r.value).toDouble();
  if (!r.setting.empty() && watch_.canBranch()) {
    auto* branch =
        makeButton(tr("Branch with %1 = %2…").arg(labelOfSetting(r.setting), QString::fromStdString(r.value)),
                   ButtonKind::tonal, QStringLiteral("branch"));
    connect(branch, &QPushButton::clicked, this,
            [this, id = QString::fromStdString(r.setting), value] { Q_EMIT branchAsked(id, value); });
    return branch;
  }
  if (!finding.layer.empty()) {
    auto* layers = makeButton(tr("Show the layers"), ButtonKind::tonal, QStringLiteral("layers"));
    connect(layers, &QPushButton::clicked, this, &DoctorPanel::layersAsked);
    return layers;
  }
  auto* design = makeButton(tr("Go to Design"), ButtonKind::tonal, QStringLiteral("page-design"));
  connect(design, &QPushButton::clicked, this, &DoctorPanel::designAsked);
  return design;
}

}  // namespace nw::ui
