// SPDX-License-Identifier: GPL-3.0-or-later
// Under which name, with which icon and help a block is kept in the user's palette.
#pragma once
#include <QDialog>

#include "engine/design/block_card.hpp"

class QButtonGroup;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;

namespace nw::ui {

class RefusalNote;

/// The icons that a saved block may have, the first by default.
QStringList blockIcons();

class SaveBlockDialog final : public QDialog {
  Q_OBJECT
 public:
  /// `name` and `card`: what is proposed. `taken`: names of the blocks that are saved already.
  SaveBlockDialog(const QString& name, const BlockCard& card, const QStringList& taken, QWidget* parent);
  QString name() const;
  BlockCard card() const;
  /// Says why the name was refused and stays open.
  void refuse(const QString& sentence);

 Q_SIGNALS:
  void wanted();

 private:
  QWidget* makeIcons(const QString& chosen);
  void refresh();
  QLineEdit* name_;
  QPlainTextEdit* help_;
  QButtonGroup* icons_;
  RefusalNote* note_;
  QPushButton* save_;
  const QStringList taken_;
};

}  // namespace nw::ui
