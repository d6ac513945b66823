// SPDX-License-Identifier: GPL-3.0-or-later
// Blocks saved by the user, offered in every project: one file each in the user's data folder, in the clipboard format
// of copied layers, so that the content of a file can also be pasted.
#pragma once
#include <QObject>
#include <QStringList>
#include <string>

#include "engine/design/block_card.hpp"

namespace nw::ui {

QStringList savedBlocks();                                // names, sorted
Result<std::string> savedBlock(const std::string& name);  // its text
/// The icon and the help of a saved block; empty where its file has none or cannot be read.
BlockCard savedCard(const QString& name);
/// Under the name `as`; replaces a saved block of that name.
Status saveBlock(const GraphDoc&, const std::string& block, const std::string& as, const BlockCard&);
Status forgetBlock(const std::string& name);

/// Notifies every palette when a block was saved or removed. GUI thread.
class SavedBlocksNotice : public QObject {
  Q_OBJECT
 Q_SIGNALS:
  void changed();
};
SavedBlocksNotice& savedBlocksNotice();

}  // namespace nw::ui
