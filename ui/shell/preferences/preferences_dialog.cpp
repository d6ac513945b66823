// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preferences/preferences_dialog.hpp"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QPushButton>
#include <QTabBar>
#include <QTabWidget>
#include <QThread>
#include <QVBoxLayout>

#include "engine/runs/run_folder.hpp"
#include "ui/page/page.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/number_spin.hpp"
#include "ui/settings/refusal_note.hpp"
#include "ui/shell/preferences/computer_page.hpp"
#include "ui/shell/preferences/shortcuts_page.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

PreferencesDialog::PreferencesDialog(Session& session, QWidget* parent) : QDialog(parent), session_(session) {
  setWindowTitle(tr("Preferences"));
  setMinimumSize(640, 520);
  theme_ = new QComboBox(this);
  theme_->addItem(tr("Same as system"), static_cast<int>(ThemeMode::system));
  theme_->addItem(tr("Light"), static_cast<int>(ThemeMode::light));
  theme_->addItem(tr("Dark"), static_cast<int>(ThemeMode::dark));
  theme_->addItem(tr("High contrast"), static_cast<int>(ThemeMode::contrast));
  language_ = new QComboBox(this);
  language_->addItem(tr("Same as system"), QString());
  language_->addItem(QStringLiteral("English"), QStringLiteral("en"));
  language_->addItem(QStringLiteral("简体中文"), QStringLiteral("zh_CN"));
  threads_ = new NumberSpin(true, 0, qMax(1, QThread::idealThreadCount()), 1, this);
  threads_->setObjectName(QStringLiteral("preferredThreads"));
  threads_->setZeroText(tr("All available"));
  data_ = new QLineEdit(this);
  data_->setPlaceholderText(QString::fromStdString(data_folder().string()));
  runs_ = new QLineEdit(this);
  runs_->setPlaceholderText(QString::fromStdString((data_folder() / "runs").string()));
  motion_ = new ToggleSwitch(tr("Reduce motion"), this);
  reopen_ = new ToggleSwitch(tr("Open the last project"), this);

  auto* look = new FormSection(tr("Appearance"), this);
  look->addRow(tr("Theme"), theme_);
  look->addRow(tr("Language"), language_);
  look->addRow(tr("Reduce motion"), motion_, tr("Panels and nodes move without animation."));
  auto* work = new FormSection(tr("Work"), this);
  work->addRow(tr("Open the last project"), reopen_,
               tr("At startup, with the page and the part of the canvas last shown."));
  work->addRow(tr("Threads"), threads_, tr("For new projects; each project stores its own number."));
  auto* limits = new RefusalNote(this);
  limits->follow(*threads_);
  work->addWide(limits);
  work->addRow(tr("Data folder"), folderRow(data_, tr("Choose the folder with data sets")),
               tr("Netwright looks for MNIST and CIFAR-10 here."));
  work->addRow(tr("Runs folder"), folderRow(runs_, tr("Choose the folder for runs")),
               tr("Folder for the results of trainings."));
  QPushButton* restore = makeButton(tr("Restore"), ButtonKind::neutral, QStringLiteral("undo"), this);
  QPushButton* close = makeButton(tr("Close"), ButtonKind::primary, {}, this);
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(restore);
  buttons->addStretch(1);
  buttons->addWidget(close);
  auto* general = new QWidget(this);
  auto* sections = new QVBoxLayout(general);
  sections->setContentsMargins(0, space::m, 0, 0);
  sections->setSpacing(space::m);
  sections->addWidget(look);
  sections->addWidget(work);
  sections->addStretch(1);
  auto* tabs = new QTabWidget(this);
  tabs->setDocumentMode(true);
  tabs->addTab(general, tr("General"));
  tabs->addTab(new ShortcutsPage(this), tr("Keyboard"));
  tabs->addTab(new ComputerPage(session, this), tr("This computer"));
  tabs->tabBar()->setAccessibleName(tr("Preferences"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::xl, space::s, space::xl, space::l);
  column->setSpacing(space::m);
  column->addWidget(tabs, 1);
  column->addLayout(buttons);
  // the other pages have buttons of their own
  connect(tabs, &QTabWidget::currentChanged, restore, [restore](int page) { restore->setVisible(page == 0); });

  fill(preferences());
  for (QComboBox* box : {theme_, language_})
    connect(box, &QComboBox::currentIndexChanged, this, &PreferencesDialog::change);
  connect(threads_, &QDoubleSpinBox::valueChanged, this, &PreferencesDialog::change);
  for (QLineEdit* field : {data_, runs_}) connect(field, &QLineEdit::editingFinished, this, &PreferencesDialog::change);
  for (ToggleSwitch* toggle : {motion_, reopen_})
    connect(toggle, &QAbstractButton::toggled, this, &PreferencesDialog::change);
  connect(restore, &QPushButton::clicked, this, [this] {
    fill({});
    change();
  });
  connect(close, &QPushButton::clicked, this, &QDialog::accept);
}

QWidget* PreferencesDialog::folderRow(QLineEdit* field, const QString& title) {
  auto* row = new QWidget(this);
  auto* line = new QHBoxLayout(row);
  line->setContentsMargins(0, 0, 0, 0);
  line->setSpacing(space::xs);
  QPushButton* choose = makeIconButton(QStringLiteral("folder"), title, row);
  line->addWidget(field, 1);
  line->addWidget(choose);
  field->setAccessibleName(title);
  connect(choose, &QPushButton::clicked, this, [this, field, title] {
    const QString path = QFileDialog::getExistingDirectory(this, title, field->text());
    if (path.isEmpty()) return;
    field->setText(path);
    change();
  });
  return row;
}

void PreferencesDialog::fill(const Preferences& p) {
  showing_ = true;
  theme_->setCurrentIndex(theme_->findData(static_cast<int>(p.theme)));
  language_->setCurrentIndex(qMax(0, language_->findData(p.language)));
  threads_->follow(p.threads);
  data_->setText(p.dataFolder);
  runs_->setText(p.runsFolder);
  motion_->setChecked(p.reduceMotion);
  reopen_->setChecked(p.reopen);
  showing_ = false;
}

void PreferencesDialog::change() {
  if (showing_) return;
  Preferences p;
  p.theme = static_cast<ThemeMode>(theme_->currentData().toInt());
  p.language = language_->currentData().toString();
  p.threads = static_cast<int>(threads_->value());
  p.dataFolder = data_->text().trimmed();
  p.runsFolder = runs_->text().trimmed();
  p.reduceMotion = motion_->isChecked();
  p.reopen = reopen_->isChecked();
  const Preferences before = preferences();
  setPreferences(p);
  p = preferences();  // with absolute folders
  applyPreferences(p);
  const char* const themes[] = {"theme-system", "theme-light", "theme-dark", "theme-contrast"};
  action(QLatin1String(themes[static_cast<int>(p.theme)]))->setChecked(true);
  if (p.runsFolder != before.runsFolder) session_.run().setRunsFolder(p.runsFolder);
  if (p.language != before.language) {
    Q_EMIT languageChosen(p.language);
    accept();
  }
}

}  // namespace nw::ui
