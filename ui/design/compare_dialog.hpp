// SPDX-License-Identifier: GPL-3.0-or-later
// Two projects or runs side by side: layers added, removed and changed, connections, data and training settings.
#pragma once
#include <QDialog>

#include "engine/design/graph_diff.hpp"

class QTreeWidget;
class QTreeWidgetItem;

namespace nw::ui {

class Session;

/// One side of a comparison: name and document.
struct Compared {
  QString name;
  GraphDoc doc;
};

class CompareDialog : public QDialog {
  Q_OBJECT
 public:
  CompareDialog(const Compared& before, const Compared& after, QWidget* parent = nullptr);
  const GraphDiff& difference() const { return diff_; }
  QTreeWidget& tree() { return *tree_; }

 Q_SIGNALS:
  /// A layer of the second document was chosen.
  void chosen(const QString& scope, qint64 node);

 protected:
  void changeEvent(QEvent*) override;

 private:
  QTreeWidgetItem* group(const QString& title, int count);
  void fill();
  void addNode(QTreeWidgetItem* under, const NodeChange& change);
  void addFields(QTreeWidgetItem* under, const std::vector<FieldChange>& fields);
  GraphDiff diff_;
  QTreeWidget* tree_ = nullptr;
};

/// A project file, or the folder of a run.
Result<Compared> readCompared(const QString& path);
/// Reads the path on a worker thread and shows its differences from the session's document, or the error.
void compareWith(Session& session, const QString& path, QWidget* parent);
/// The same for a project file or run.json chosen in a file dialog.
void requestComparison(Session& session, QWidget* parent);

}  // namespace nw::ui
