// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/get_data_dialog.hpp"

#include <QBoxLayout>
#include <QHeaderView>
#include <QProgressBar>
#include <QTreeWidget>

#include "ui/data/data_fetch.hpp"
#include "ui/data/data_opener.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int idRole = Qt::UserRole;
constexpr int barSteps = 1000;

QString translatedText(const std::string& s) { return translated(Text{s, {}}); }

QString phaseText(const FetchProgress& p) {
  if (p.phase == QLatin1String("connecting")) return GetDataDialog::tr("Connecting to %1").arg(p.host);
  if (p.phase == QLatin1String("checking")) return GetDataDialog::tr("Checking %1").arg(p.file);
  if (p.phase == QLatin1String("unpacking")) return GetDataDialog::tr("Unpacking %1").arg(p.file);
  return GetDataDialog::tr("%1 from %2").arg(p.file, p.host);
}

QString sizesText(const FetchProgress& p) {
  QString text = p.totalBytes > 0 ? GetDataDialog::tr("%1 of %2").arg(bytesText(p.doneBytes), bytesText(p.totalBytes))
                                  : bytesText(p.doneBytes);
  if (p.bytesPerSecond > 0)
    text += QStringLiteral(" · ") + GetDataDialog::tr("%1 per second").arg(bytesText(p.bytesPerSecond));
  if (p.secondsLeft >= 0) text += QStringLiteral(" · ") + GetDataDialog::tr("%1 left").arg(durationText(p.secondsLeft));
  return text;
}

bool partly_here(const PublicSet& set) {
  std::error_code error;
  const fs::path folder = place_of(set);
  for (const PublicFile& f : set.files)
    if (fs::exists(folder / ("." + f.name + ".part"), error) || fs::exists(folder / f.name, error)) return true;
  return false;
}

}  // namespace

DataChoice choice_of(const PublicSet& set, const DataChoice& current) {
  DataChoice c = set.choice;
  c.target = current.target == "coarse" && set.id != "cifar-100" ? "class" : current.target;
  c.validation_fraction = current.validation_fraction, c.test_fraction = current.test_fraction;
  c.stratified = current.stratified, c.split_seed = current.split_seed, c.group_by = current.group_by,
  c.normalize = current.normalize;
  c.synthetic_train = current.synthetic_train, c.synthetic_test = current.synthetic_test;
  return c;
}

GetDataDialog::GetDataDialog(Session& session, QWidget* parent)
    : QDialog(parent), session_(session), fetcher_(dataFetch(session)) {
  setObjectName(QStringLiteral("getDataDialog"));
  setWindowTitle(tr("Get data"));
  resize(940, 560);
  list_ = new QTreeWidget(this);
  list_->setAccessibleName(tr("Public data sets"));
  list_->setHeaderLabels({tr("Data set"), tr("Images"), tr("Download size"), tr("Licence"), tr("State")});
  list_->setRootIsDecorated(false);
  list_->setUniformRowHeights(true);
  list_->setAlternatingRowColors(false);
  facts_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary), this);
  facts_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  state_ = makeLabel({}, 1, static_cast<int>(TextRole::secondary), this);
  error_ = new SeverityLabel(SeverityLabel::Tone::error, this);
  note_ = new SeverityLabel(SeverityLabel::Tone::warn, this);
  for (QLabel* label : {facts_, state_, static_cast<QLabel*>(error_), static_cast<QLabel*>(note_)})
    label->setWordWrap(true);
  bar_ = new QProgressBar(this);
  bar_->setTextVisible(false);
  bar_->setFixedHeight(6);
  bar_->setAccessibleName(tr("Progress of the download"));
  fetch_ = makeButton(tr("Download"), ButtonKind::primary, QStringLiteral("download"), this);
  fetch_->setObjectName(QStringLiteral("getData"));
  use_ = makeButton(tr("Use this data"), ButtonKind::neutral, QStringLiteral("check"), this);
  QPushButton* close = makeButton(tr("Close"), ButtonKind::ghost, {}, this);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(fetch_);
  buttons->addWidget(use_);
  buttons->addStretch(1);
  buttons->addWidget(close);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::l, space::l, space::l, space::l);
  column->setSpacing(space::m);
  column->addWidget(list_, 1);
  for (QWidget* w : {static_cast<QWidget*>(facts_), static_cast<QWidget*>(error_), static_cast<QWidget*>(note_),
                     static_cast<QWidget*>(state_), static_cast<QWidget*>(bar_)})
    column->addWidget(w);
  column->addLayout(buttons);
  connect(list_, &QTreeWidget::currentItemChanged, this, &GetDataDialog::refresh);
  connect(fetch_, &QPushButton::clicked, this, &GetDataDialog::fetchOrStop);
  connect(use_, &QPushButton::clicked, this, &GetDataDialog::use);
  connect(close, &QPushButton::clicked, this, &QDialog::close);
  connect(&fetcher_, &DataFetch::progressed, this, &GetDataDialog::showProgress);
  connect(&fetcher_, &DataFetch::finished, this, [this](bool whole) {
    refresh();
    if (whole) dataOpener(session_).reopen();
  });
  fill();
}

void GetDataDialog::fill() {
  for (const PublicSet& set : public_sets()) {
    auto* item =
        new QTreeWidgetItem(list_, {QString::fromStdString(set.title),
                                    translatedText(set.images),
                                    set.bytes() > 0 ? bytesText(static_cast<double>(set.bytes())) : tr("not known"),
                                    translatedText(set.licence),
                                    {}});
    item->setData(0, idRole, QString::fromStdString(set.id));
    item->setTextAlignment(2, Qt::AlignRight | Qt::AlignVCenter);
    for (int c = 0; c < 4; ++c) item->setToolTip(c, item->text(c));
  }
  const int widths[] = {136, 300, 112, 200};
  for (int c = 0; c < 4; ++c) list_->setColumnWidth(c, widths[c]);
  choose(fetcher_.setId().isEmpty() ? QString::fromStdString(public_sets().front().id) : fetcher_.setId());
}

void GetDataDialog::choose(const QString& setId) {
  for (int i = 0; i < list_->topLevelItemCount(); ++i)
    if (list_->topLevelItem(i)->data(0, idRole).toString() == setId) list_->setCurrentItem(list_->topLevelItem(i));
}

const PublicSet* GetDataDialog::chosen() const {
  const QTreeWidgetItem* item = list_->currentItem();
  return item ? find_public_set(item->data(0, idRole).toString().toStdString()) : nullptr;
}

void GetDataDialog::refreshRow(QTreeWidgetItem* item, const PublicSet& set) {
  const bool running = fetcher_.isRunning() && fetcher_.setId() == QString::fromStdString(set.id),
             here = is_complete(set, place_of(set));
  item->setText(4, running            ? tr("downloading")
                   : here             ? tr("downloaded")
                   : partly_here(set) ? tr("partly downloaded")
                                      : tr("not downloaded"));
  item->setToolTip(4, item->text(4));
  item->setIcon(4, here ? icon(QStringLiteral("check")) : QIcon());
}

void GetDataDialog::refresh() {
  for (int i = 0; i < list_->topLevelItemCount(); ++i)
    if (const PublicSet* set = find_public_set(list_->topLevelItem(i)->data(0, idRole).toString().toStdString()))
      refreshRow(list_->topLevelItem(i), *set);
  const PublicSet* set = chosen();
  if (!set) return;
  const fs::path place = place_of(*set);
  const bool here = is_complete(*set, place), running = fetcher_.isRunning(),
             mine = fetcher_.setId() == QString::fromStdString(set->id);
  const QString digests =
      set->verifiable() ? tr("Each file is verified against the SHA-256 checksum published by %1.")
                              .arg(QString::fromStdString(set->digest_source))
                        : tr("No SHA-256 was published, only an MD5 (%1); the first download's checksum is recorded "
                             "and later downloads are compared with it.")
                              .arg(QString::fromStdString(set->digest_source));
  facts_->setText(tr("Licence: %1 (%2)\n%3\nFolder: %4")
                      .arg(translatedText(set->licence), QString::fromStdString(set->licence_source), digests,
                           QString::fromStdString(place.string())));
  error_->say(mine && !running ? fetcher_.error() : QString());
  note_->say(mine && !running ? fetcher_.note() : QString());
  fetch_->setText(running ? tr("Stop") : partly_here(*set) && !here ? tr("Continue") : tr("Download"));
  fetch_->setIcon(icon(running ? QStringLiteral("stop") : QStringLiteral("download")));
  fetch_->setEnabled(running ? mine : !here);
  setButtonKind(fetch_, running || here ? ButtonKind::neutral : ButtonKind::primary);
  use_->setEnabled(here);
  setButtonKind(use_, here ? ButtonKind::primary : ButtonKind::neutral);
  showProgress();
}

void GetDataDialog::showProgress() {
  const PublicSet* set = chosen();
  const bool shown = set && fetcher_.isRunning() && fetcher_.setId() == QString::fromStdString(set->id);
  bar_->setVisible(shown);
  state_->setVisible(shown);
  if (!shown) return;
  const FetchProgress& p = fetcher_.progress();
  if (fetch_->text() != tr("Stop")) refresh();
  state_->setText(phaseText(p) + QStringLiteral("\n") + sizesText(p));
  bar_->setRange(0, p.totalBytes > 0 ? barSteps : 0);
  if (p.totalBytes > 0) bar_->setValue(static_cast<int>(barSteps * p.doneBytes / p.totalBytes));
}

void getData(Session& session, QWidget* parent) {
  auto* there = parent->findChild<GetDataDialog*>(QStringLiteral("getDataDialog"));
  auto* dialog = there ? there : new GetDataDialog(session, parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
  dialog->raise();
}

QString GetDataDialog::errorText() const { return error_->isHidden() ? QString() : error_->sentence(); }
QString GetDataDialog::progressText() const { return state_->isHidden() ? QString() : state_->text(); }

void GetDataDialog::fetchOrStop() {
  if (fetcher_.isRunning()) return fetcher_.stop();
  if (const PublicSet* set = chosen()) fetcher_.start(QString::fromStdString(set->id));
  refresh();
}

void GetDataDialog::use() {
  const PublicSet* set = chosen();
  if (!set) return;
  if (const DataChoice choice = choice_of(*set, session_.doc().data()); choice != session_.doc().data())
    session_.push({PutData{choice}}, tr("Use %1").arg(QString::fromStdString(set->title)));
  close();
}

}  // namespace nw::ui
