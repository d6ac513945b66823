// SPDX-License-Identifier: GPL-3.0-or-later
// What the command palette finds: commands, layers of the network and of its blocks, settings, templates, runs and
// recent projects. A kind is a row of the table in the .cpp. GUI thread.
#pragma once
#include <QObject>
#include <QString>
#include <functional>
#include <vector>

#include "engine/runs/run_folder.hpp"

namespace nw::ui {

class MainWindow;
class Session;

struct PaletteEntry {
  QString title;   // matched and shown
  QString detail;  // shown at the right: a shortcut, or the kind
  QString icon;
  std::function<void()> run;
  QString other = {};  // another text that is matched, in English: "export-drawing"
};

class PaletteEntries : public QObject {
  Q_OBJECT
 public:
  PaletteEntries(MainWindow& window, Session& session);
  /// Those that fit the query, the best first; without a query, the commands.
  std::vector<PaletteEntry> matching(const QString& query) const;
  /// Reads the list of runs again on a worker thread, then changed() is emitted.
  void refresh();
  MainWindow& window() const { return window_; }
  Session& session() const { return session_; }
  const std::vector<RunSummary>& runs() const { return runs_; }

 Q_SIGNALS:
  void changed();

 private:
  MainWindow& window_;
  Session& session_;
  std::vector<RunSummary> runs_;
};

}  // namespace nw::ui
