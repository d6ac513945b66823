// SPDX-License-Identifier: GPL-3.0-or-later
// The user's own blocks, offered in every project: one file each in the user's data folder, in the form of copied
// layers, so that a file can be mailed and pasted too.
#pragma once
#include <QObject>
#include <QStringList>
#include <string>

#include "engine/design/graph_doc.hpp"

namespace nw::ui {

QStringList savedBlocks();                                   // names, sorted
Result<std::string> savedBlock(const std::string& name);     // its text
Status saveBlock(const GraphDoc&, const std::string& name);  // replaces one of that name
Status forgetBlock(const std::string& name);

/// Tells every palette when one was saved or taken away.
class SavedBlocksNotice : public QObject {
  Q_OBJECT
 Q_SIGNALS:
  void changed();
};
SavedBlocksNotice& savedBlocksNotice();

}  // namespace nw::ui
