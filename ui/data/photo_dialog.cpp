// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/photo_dialog.hpp"

#include <QBoxLayout>
#include <QDir>
#include <QFileInfo>
#include <QFormLayout>
#include <QLabel>
#include <algorithm>

#include "engine/data/sources/photo_survey.hpp"
#include "engine/design/input_shape.hpp"
#include "engine/monitor/usable_gpu.hpp"
#include "engine/predict/data_requests.hpp"
#include "ui/data/data_rows.hpp"
#include "ui/data/recipe_timer.hpp"
#include "ui/session/helper_client.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

QString sizeText(std::int64_t width, std::int64_t height) { return QStringLiteral("%1×%2").arg(width).arg(height); }

QString titleOf(std::string_view network) { return translated(find_recipe_network(network)->title); }

}  // namespace

PhotoDialog::PhotoDialog(Session& session, const QString& folder, QWidget* parent)
    : QDialog(parent), session_(session), folder_(folder), timer_(new RecipeTimer(this)) {
  setObjectName(QStringLiteral("photoDialog"));
  setWindowTitle(tr("Train on your photos"));
  setMinimumWidth(520);
  summary_ = makeLabel(tr("Counting the photos…"), 1, static_cast<int>(TextRole::body), this);
  error_ = new SeverityLabel(SeverityLabel::Tone::error, this);
  other_ = makeButton({}, ButtonKind::tonal, QStringLiteral("folder"), this);
  other_->setObjectName(QStringLiteral("photoOther"));
  for (QLabel* label : {summary_, static_cast<QLabel*>(error_)}) label->setWordWrap(true);
  choices_ = makeChoices();
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::l, space::l, space::l, space::l);
  column->setSpacing(space::m);
  column->addWidget(makeLabel(QFileInfo(folder_).fileName(), 1, static_cast<int>(TextRole::title), this));
  column->addWidget(summary_);
  column->addWidget(error_);
  column->addWidget(other_, 0, Qt::AlignLeft);
  column->addWidget(choices_);
  column->addStretch(1);
  column->addWidget(makeButtons());
  connect(timer_, &RecipeTimer::changed, this, &PhotoDialog::showEstimate);
  connect(&session_, &Session::devicesChanged, this, &PhotoDialog::devicesFound);
  error_->say({});
  other_->hide();
  choices_->hide();
  count();
}

QWidget* PhotoDialog::makeChoices() {
  auto* box = new QWidget(this);
  auto* form = new QFormLayout(box);
  form->setContentsMargins(0, 0, 0, 0);
  form->setLabelAlignment(Qt::AlignLeft | Qt::AlignVCenter);
  form->setHorizontalSpacing(space::l);
  form->setVerticalSpacing(space::m);
  sizes_ = new SegmentedControl(box);
  sizes_->setAccessibleName(tr("Image size"));
  for (const std::int64_t size : recipe_sizes()) sizes_->addSegment(sizeText(size, size));
  networks_ = new SegmentedControl(box);
  networks_->setAccessibleName(tr("Network"));
  for (const RecipeNetwork& network : recipe_networks()) networks_->addSegment(translated(network.title));
  const auto quiet = [box] {
    QLabel* label = makeLabel({}, 2, static_cast<int>(TextRole::secondary), box);
    label->setWordWrap(true);
    return label;
  };
  resized_ = quiet();
  advice_ = quiet();
  estimate_ = makeLabel({}, 1, static_cast<int>(TextRole::body), box);
  estimate_->setWordWrap(true);
  form->addRow(tr("Image size"), sizes_);
  form->addRow(QString(), resized_);
  form->addRow(tr("Network"), networks_);
  form->addRow(QString(), advice_);
  form->addRow(tr("Training"), estimate_);
  thisProject_ = makeLabel(hasProject() ? aboutThisProject() : QString(), 1, static_cast<int>(TextRole::body), box);
  thisProject_->setWordWrap(true);
  thisProject_->setVisible(hasProject());
  if (hasProject()) form->addRow(tr("This project"), thisProject_);
  connect(sizes_, &SegmentedControl::currentChanged, this, &PhotoDialog::choiceChanged);
  connect(networks_, &SegmentedControl::currentChanged, this, &PhotoDialog::choiceChanged);
  return box;
}

QWidget* PhotoDialog::makeButtons() {
  auto* row = new QWidget(this);
  auto* buttons = new QHBoxLayout(row);
  buttons->setContentsMargins(0, 0, 0, 0);
  create_ = makeButton(tr("Create project"), ButtonKind::primary, QStringLiteral("check"), row);
  create_->setDefault(true);
  here_ = makeButton(tr("Use in this project"), ButtonKind::neutral, QStringLiteral("database"), row);
  here_->setToolTip(tr("Keep the network of %1 and train it on the photos").arg(session_.displayName()));
  here_->setVisible(hasProject());
  for (QPushButton* button : {create_, here_}) button->setEnabled(false);
  QPushButton* cancel = makeButton(tr("Cancel"), ButtonKind::ghost, {}, row);
  buttons->addStretch(1);
  buttons->addWidget(cancel);
  buttons->addWidget(here_);
  buttons->addWidget(create_);
  connect(here_, &QPushButton::clicked, this, [this] {
    forThisProject_ = true;
    accept();
  });
  connect(create_, &QPushButton::clicked, this, &QDialog::accept);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  connect(other_, &QPushButton::clicked, this, [this] {
    folder_ = other_->property("folder").toString();
    count();
  });
  return row;
}

void PhotoDialog::count() {
  error_->say({});
  other_->hide();
  summary_->setText(tr("Counting the photos…"));
  session_.helper().ask(this, protocol::SurveyRequest{folder_.toStdString()}, [this](const Result<Message>& answer) {
    if (!answer) return refused(translated(answer.error().what));
    counted({integerAt(answer->json, "images"), integerAt(answer->json, "classes"), integerAt(answer->json, "height"),
             integerAt(answer->json, "width")});
  });
}

/// Offers the folder nearby that has class folders, if there is one.
void PhotoDialog::refused(const QString& sentence) {
  summary_->clear();
  error_->say(sentence);
  const auto near = folder_of_classes(folder_.toStdString());
  other_->setVisible(near.has_value());
  if (!near) return;
  other_->setProperty("folder", QString::fromStdString(near->string()));
  const QString shown = QDir::toNativeSeparators(QString::fromStdString(near->string()));
  setShortenedText(*other_, tr("Use %1").arg(shown), 400);
}

void PhotoDialog::counted(const PhotoSet& photos) {
  photos_ = photos;
  const QString images = tr("%n photo(s)", nullptr, static_cast<int>(photos.images)),
                classes = tr("%n class(es)", nullptr, static_cast<int>(photos.classes));
  summary_->setText(
      photos.height > 0
          ? tr("%1 in %2, most about %3 pixels.").arg(images, classes, sizeText(photos.width, photos.height))
          : tr("%1 in %2.").arg(images, classes));
  recommended_ = best();
  choose(recommended_);
  choices_->show();
  for (QPushButton* button : {create_, here_}) button->setEnabled(true);
  create_->setFocus();
}

bool PhotoDialog::hasProject() const { return !session_.doc().graph().nodes.empty(); }

/// To which size the photos are resized, if they are.
QString PhotoDialog::aboutThisProject() const {
  const DataChoice data = dataOfThisProject();
  return data.width > 0 ? tr("%1 expects images of %2: used in this project, the photos are resized to that.")
                              .arg(session_.displayName(), sizeText(data.width, data.height))
                        : tr("%1 has no single input: used in this project, the photos keep the size of the first.")
                              .arg(session_.displayName());
}

DataChoice PhotoDialog::dataOfThisProject() const {
  DataChoice data = choice_for(folder_, session_.doc().data());
  const std::optional<Shape> input = input_shape(session_.doc());
  data.channels = input && ((*input)[1] == 1 || (*input)[1] == 3) ? (*input)[1] : 0;
  data.height = input ? (*input)[2] : 0;
  data.width = input ? (*input)[3] : 0;
  return data;
}

std::string PhotoDialog::device() const {
  const std::string gpu = first_usable_gpu(session_.devices());
  return gpu.empty() ? "cpu" : gpu;
}

Recipe PhotoDialog::best() const { return recommended_recipe(photos_, device() != "cpu"); }

/// Devices are found a moment after the start: a recommendation that was not changed follows them.
void PhotoDialog::devicesFound() {
  if (!isCounted()) return;
  const bool untouched = recipe() == recommended_;
  recommended_ = best();
  if (untouched) choose(recommended_);
  choiceChanged();
}

Recipe PhotoDialog::recipe() const {
  return {recipe_networks()[static_cast<std::size_t>(networks_->current())].name,
          recipe_sizes()[static_cast<std::size_t>(sizes_->current())]};
}

void PhotoDialog::choose(const Recipe& recipe) {
  const auto sizes = recipe_sizes();
  const auto networks = recipe_networks();
  const auto size = std::find(sizes.begin(), sizes.end(), recipe.size);
  const auto network =
      std::find_if(networks.begin(), networks.end(), [&](const RecipeNetwork& n) { return n.name == recipe.network; });
  if (size != sizes.end()) sizes_->setCurrent(static_cast<int>(size - sizes.begin()));
  if (network != networks.end()) networks_->setCurrent(static_cast<int>(network - networks.begin()));
  choiceChanged();
}

void PhotoDialog::choiceChanged() {
  if (!isCounted()) return;
  const Recipe now = recipe(), best = this->best();
  resized_->setText(
      tr("The network sees the photos at %1; the files stay as they are.").arg(sizeText(now.size, now.size)));
  advice_->setText(now == best
                       ? tr("Recommended for this folder and this computer.")
                       : tr("Recommended: %1 at %2.").arg(titleOf(best.network), sizeText(best.size, best.size)));
  timer_->measure({now, photos_, folder_, device()});
  showEstimate();
}

void PhotoDialog::showEstimate() {
  if (!isCounted()) return;
  const std::int64_t epochs = project().settings().epochs;
  const QString count = tr("%n epoch(s)", nullptr, static_cast<int>(epochs));
  if (const auto speed = timer_->speed(recipe()))
    estimate_->setText(
        tr("%1, about %2 on this computer").arg(count, durationText(speed->seconds(photos_.images, epochs))));
  else if (timer_->isMeasuring())
    estimate_->setText(tr("%1; measuring the speed…").arg(count));
  else
    estimate_->setText(tr("%1; the speed could not be measured: %2").arg(count, timer_->failure()));
}

DataChoice PhotoDialog::data() const {
  DataChoice data;
  data.kind = SourceKind::image_folder;
  data.path = folder_.toStdString();
  return data;
}

GraphDoc PhotoDialog::project() const { return make_recipe(recipe(), data(), photos_, device()); }
QString PhotoDialog::estimateText() const { return estimate_->text(); }
bool PhotoDialog::isMeasured() const { return isCounted() && !timer_->isMeasuring(); }
QString PhotoDialog::errorText() const { return error_->isHidden() ? QString() : error_->sentence(); }

}  // namespace nw::ui
