// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QDialog>
#include <map>
#include <string_view>

#include "engine/about/components.hpp"

class QGridLayout;
class QLabel;
class QPlainTextEdit;
class QTabWidget;

namespace nw::ui {

/// Version, licence, and the software of others that Netwright is made of, with versions and the texts of licences.
class AboutDialog : public QDialog {
  Q_OBJECT
 public:
  /// `licences`: the folder of the portable archive with the licences of its libraries.
  explicit AboutDialog(QWidget* parent = nullptr, const fs::path& licences = archive_licences());
  /// Shows the text of its licence, or opens its page in the browser where no text is installed.
  void showLicence(const Component& component);

 private:
  QWidget* makeTable(const fs::path& licences);
  void addBundled(QGridLayout* grid, int row, const BundledPackage& package);
  void showText(const QString& name, const QString& text);
  void showVersion(const ComponentState& state);
  QTabWidget* tabs_;
  QPlainTextEdit* licence_;
  std::map<std::string_view, QLabel*> versions_;
};

void showAbout(QWidget* parent);

}  // namespace nw::ui
