// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/help/about.hpp"

#include <QDesktopServices>
#include <QFile>
#include <QGridLayout>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTabWidget>
#include <QUrl>
#include <QVBoxLayout>

#include "engine/core/version.hpp"
#include "ui/session/background.hpp"
#include "ui/session/session.hpp"
#include "ui/shell/welcome/welcome_side.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

/// "1.2.13", or "1.2.13 (1.3 here)" where another version is loaded.
QString versionText(const ComponentState& state) {
  const QString built = QString::fromStdString(state.built), loaded = QString::fromStdString(state.loaded);
  if (loaded.isEmpty() && built.isEmpty())
    return state.component->with_system ? AboutDialog::tr("with the system") : AboutDialog::tr("not in this build");
  if (loaded.isEmpty() || loaded == built) return built;
  return built.isEmpty() ? loaded : AboutDialog::tr("%1 (here %2)", "versions").arg(built, loaded);
}

/// What this process knows itself; the command line knows the modules that it loads.
std::vector<ComponentState> ownStates() {
  std::vector<ComponentState> all;
  for (const Component& c : all_components())
    all.push_back({&c, built_version(c.name), c.name == "Qt" ? std::string(qVersion()) : std::string()});
  return all;
}

constexpr qint64 longest_licence_bytes = qint64{1} << 20;

QString textOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(longest_licence_bytes)) : QString();
}

QScrollArea* scrolling(QWidget* content) {
  auto* area = new QScrollArea;
  area->setFrameShape(QFrame::NoFrame);
  area->setWidgetResizable(true);
  area->setWidget(content);
  return area;
}

}  // namespace

AboutDialog::AboutDialog(QWidget* parent, const fs::path& licences) : QDialog(parent) {
  setWindowTitle(tr("About Netwright"));
  resize(760, 600);
  auto* head = new QWidget(this);
  auto* top = new QVBoxLayout(head);
  top->setContentsMargins(space::m, space::xl, space::xxl, space::s);
  top->addWidget(new Brand(head));
  const auto line = [&](const QString& text, int level) {
    QLabel* label = makeLabel(text, level);
    label->setWordWrap(true);
    label->setContentsMargins(12, 0, 0, 0);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    top->addWidget(label);
  };
  line(tr("Version %1").arg(QString::fromStdString(version())), 1);
  line(tr("The window is free software under the GNU General Public License, version 3 or later. The engine, the "
          "kernels and the "
          "command line are free software under the Apache License 2.0. There is no warranty."),
       2);
  tabs_ = new QTabWidget(this);
  tabs_->setDocumentMode(true);
  tabs_->addTab(scrolling(makeTable(licences)), tr("Built with"));
  licence_ = new QPlainTextEdit;
  licence_->setReadOnly(true);
  licence_->setAccessibleName(tr("Licence"));
  licence_->setFrameShape(QFrame::NoFrame);
  licence_->setFont(ui::font(TextRole::mono));
  licence_->setPlainText(textOf(QStringLiteral(":/fonts/LICENCE-Inter.txt")));
  tabs_->addTab(licence_, tr("Font licence"));
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->addWidget(head);
  column->addWidget(tabs_, 1);
  inBackground(
      this, [] { return reported_components(); },
      [this](const std::vector<ComponentState>& states) {
        for (const ComponentState& state : states)
          if (state.component->name != "Qt") showVersion(state);
      });
}

QWidget* AboutDialog::makeTable(const fs::path& licences) {
  auto* page = new QWidget;
  auto* grid = new QGridLayout(page);
  grid->setContentsMargins(space::xxl, space::l, space::xxl, space::l);
  grid->setHorizontalSpacing(space::l);
  grid->setVerticalSpacing(2);
  int row = 0;
  for (const ComponentState& state : ownStates()) {
    const Component& c = *state.component;
    const QString name = QString::fromUtf8(c.name.data(), qsizetype(c.name.size()));
    grid->addWidget(makeLabel(name, 1, static_cast<int>(TextRole::button)), row, 0);
    QLabel* use = makeLabel(translated(c.use), 2);
    use->setWordWrap(true);
    grid->addWidget(use, row, 1);
    versions_[c.name] = makeLabel({}, 1);
    grid->addWidget(versions_[c.name], row, 2);
    showVersion(state);
    auto* licence =
        makeButton(QString::fromUtf8(c.licence.data(), qsizetype(c.licence.size())), ButtonKind::ghost, {}, page);
    licence->setAccessibleName(tr("Licence of %1: %2").arg(name, licence->text()));
    licence->setToolTip(tr("Shows the text of this licence."));
    connect(licence, &QPushButton::clicked, this, [this, &c] { showLicence(c); });
    grid->addWidget(licence, row++, 3, Qt::AlignLeft);
  }
  for (const BundledPackage& package : bundled_packages(licences)) addBundled(grid, row++, package);
  grid->setColumnStretch(1, 1);
  grid->setRowStretch(row, 1);
  return page;
}

/// A library of the portable archive that a component needs itself.
void AboutDialog::addBundled(QGridLayout* grid, int row, const BundledPackage& package) {
  const QString name = QString::fromStdString(package.name);
  grid->addWidget(makeLabel(name, 1, static_cast<int>(TextRole::button)), row, 0);
  grid->addWidget(makeLabel(tr("bundled library of the system"), 2), row, 1);
  grid->addWidget(makeLabel(QString::fromStdString(package.version), 1), row, 2);
  auto* licence = makeButton(tr("Text"), ButtonKind::ghost, {}, grid->parentWidget());
  licence->setAccessibleName(tr("Licence of %1: %2").arg(name, licence->text()));
  licence->setToolTip(tr("Shows the text of this licence."));
  connect(licence, &QPushButton::clicked, this,
          [this, name, file = package.licence] { showText(name, textOf(QString::fromStdString(file.string()))); });
  grid->addWidget(licence, row, 3, Qt::AlignLeft);
}

void AboutDialog::showText(const QString& name, const QString& text) {
  licence_->setPlainText(text);
  tabs_->setTabText(1, tr("Licence of %1").arg(name));
  tabs_->setCurrentIndex(1);
}

void AboutDialog::showVersion(const ComponentState& state) {
  if (QLabel* label = versions_[state.component->name]) label->setText(versionText(state));
}

/// The text that is installed here, else the licence's page in the browser.
void AboutDialog::showLicence(const Component& component) {
  const bool isOurFont = component.name == "Inter";
  const QString file = isOurFont ? QStringLiteral(":/fonts/LICENCE-Inter.txt")
                                 : QString::fromStdString(licence_file(component).string());
  const QString text = file.isEmpty() ? QString() : textOf(file);
  if (text.isEmpty()) return void(QDesktopServices::openUrl(QUrl(QString::fromStdString(licence_address(component)))));
  showText(QString::fromUtf8(component.name.data(), qsizetype(component.name.size())), text);
}

void showAbout(QWidget* parent) {
  auto* dialog = new AboutDialog(parent);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->show();
}

}  // namespace nw::ui
