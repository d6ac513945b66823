// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/editors/save_block_dialog.hpp"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QCoreApplication>
#include <QGridLayout>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <algorithm>

#include "engine/design/names.hpp"
#include "ui/settings/refusal_note.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int iconsInRow = 10, iconButton = 32, iconSize = 18;

struct IconRow {
  const char* id;
  const char* name;
};
const IconRow iconRows[] = {
    {"layer-block", QT_TRANSLATE_NOOP("SaveBlockDialog", "Block")},
    {"layer-conv2d", QT_TRANSLATE_NOOP("SaveBlockDialog", "Convolution")},
    {"layer-convtranspose2d", QT_TRANSLATE_NOOP("SaveBlockDialog", "Transposed convolution")},
    {"layer-maxpool2d", QT_TRANSLATE_NOOP("SaveBlockDialog", "Pooling")},
    {"layer-linear", QT_TRANSLATE_NOOP("SaveBlockDialog", "Linear")},
    {"layer-multiheadattention", QT_TRANSLATE_NOOP("SaveBlockDialog", "Attention")},
    {"layer-batchnorm2d", QT_TRANSLATE_NOOP("SaveBlockDialog", "Normalization")},
    {"layer-relu", QT_TRANSLATE_NOOP("SaveBlockDialog", "Activation")},
    {"layer-dropout", QT_TRANSLATE_NOOP("SaveBlockDialog", "Regularization")},
    {"layer-add", QT_TRANSLATE_NOOP("SaveBlockDialog", "Sum")},
    {"layer-concat", QT_TRANSLATE_NOOP("SaveBlockDialog", "Concatenation")},
    {"layer-multiply", QT_TRANSLATE_NOOP("SaveBlockDialog", "Product")},
    {"layer-upsample", QT_TRANSLATE_NOOP("SaveBlockDialog", "Enlarging")},
    {"layer-flatten", QT_TRANSLATE_NOOP("SaveBlockDialog", "Shape")},
    {"layer-softmax", QT_TRANSLATE_NOOP("SaveBlockDialog", "Softmax")},
    {"layers", QT_TRANSLATE_NOOP("SaveBlockDialog", "Layers")},
    {"bolt", QT_TRANSLATE_NOOP("SaveBlockDialog", "Bolt")},
    {"flag", QT_TRANSLATE_NOOP("SaveBlockDialog", "Flag")},
    {"grid", QT_TRANSLATE_NOOP("SaveBlockDialog", "Grid")},
    {"filter", QT_TRANSLATE_NOOP("SaveBlockDialog", "Filter")},
};

}  // namespace

QStringList blockIcons() {
  QStringList ids;
  for (const IconRow& row : iconRows) ids << QLatin1String(row.id);
  return ids;
}

SaveBlockDialog::SaveBlockDialog(const QString& name, const BlockCard& card, const QStringList& taken, QWidget* parent)
    : QDialog(parent),
      name_(new QLineEdit(name, this)),
      help_(new QPlainTextEdit(QString::fromStdString(card.help), this)),
      icons_(new QButtonGroup(this)),
      note_(new RefusalNote(this)),
      save_(makeButton({}, ButtonKind::primary, QStringLiteral("save"), this)),
      taken_(taken) {
  setObjectName(QStringLiteral("saveBlockDialog"));
  setWindowTitle(tr("Save to my palette"));
  name_->setObjectName(QStringLiteral("blockName"));
  name_->setAccessibleName(tr("Name"));
  name_->setMaxLength(60);
  help_->setObjectName(QStringLiteral("blockHelp"));
  help_->setAccessibleName(tr("Help"));
  help_->setPlaceholderText(tr("What the block is for, shown when the mouse rests on it in the palette"));
  help_->setTabChangesFocus(true);
  help_->setFixedHeight(84);
  QPushButton* cancel = makeButton(tr("Cancel"), ButtonKind::ghost, {}, this);
  auto* buttons = new QHBoxLayout;
  buttons->addStretch(1);
  buttons->addWidget(cancel);
  buttons->addWidget(save_);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(space::l, space::l, space::l, space::l);
  column->setSpacing(space::s);
  const auto caption = [this](const QString& text) {
    return makeLabel(text, 2, static_cast<int>(TextRole::secondary), this);
  };
  column->addWidget(caption(tr("Name")));
  column->addWidget(name_);
  column->addWidget(note_);
  column->addWidget(caption(tr("Icon")));
  column->addWidget(makeIcons(QString::fromStdString(card.icon)));
  column->addWidget(caption(tr("Help")));
  column->addWidget(help_);
  column->addLayout(buttons);
  save_->setDefault(true);
  connect(name_, &QLineEdit::textChanged, this, &SaveBlockDialog::refresh);
  connect(note_, &RefusalNote::nearestWanted, name_, &QLineEdit::setText);
  connect(save_, &QPushButton::clicked, this, &SaveBlockDialog::wanted);
  connect(cancel, &QPushButton::clicked, this, &QDialog::reject);
  refresh();
  name_->selectAll();
}

QWidget* SaveBlockDialog::makeIcons(const QString& chosen) {
  auto* area = new QWidget(this);
  auto* grid = new QGridLayout(area);
  grid->setContentsMargins(0, 0, 0, 0);
  grid->setSpacing(2);
  int at = 0;
  for (const IconRow& row : iconRows) {
    QPushButton* button =
        makeIconButton(QLatin1String(row.id), QCoreApplication::translate("SaveBlockDialog", row.name), area);
    button->setObjectName(QStringLiteral("icon-") + QLatin1String(row.id));
    button->setCheckable(true);
    button->setFixedSize(iconButton, iconButton);
    button->setIconSize({iconSize, iconSize});
    button->setChecked(at == 0 || chosen == QLatin1String(row.id));
    icons_->addButton(button, at);
    if (chosen == QLatin1String(row.id)) button->setChecked(true);
    grid->addWidget(button, at / iconsInRow, at % iconsInRow);
    ++at;
  }
  grid->setColumnStretch(iconsInRow, 1);
  return area;
}

QString SaveBlockDialog::name() const { return name_->text().trimmed(); }

BlockCard SaveBlockDialog::card() const {
  const int icon = std::max(0, icons_->checkedId());
  return {iconRows[icon].id, help_->toPlainText().trimmed().toStdString()};
}

void SaveBlockDialog::refuse(const QString& sentence) { note_->say(sentence, {}); }

/// A block that is saved under the name already is replaced, and the button says so.
void SaveBlockDialog::refresh() {
  const std::string typed = name().toStdString();
  const bool good = is_name(typed);
  save_->setText(taken_.contains(name()) ? tr("Replace") : tr("Save"));
  save_->setEnabled(good);
  if (good || typed.empty()) return note_->clear();
  note_->say(tr("Letters, digits, _ and . are permitted, beginning with a letter."),
             QString::fromStdString(nearest_name(typed)));
}

}  // namespace nw::ui
