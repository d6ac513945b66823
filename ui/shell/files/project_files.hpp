// SPDX-License-Identifier: GPL-3.0-or-later
// New, open, save, save as, recent, with their dialogs and messages. Asks before unsaved changes are discarded.
#pragma once
#include <QObject>
#include <QString>
#include <QVector>

#include "engine/design/graph_doc.hpp"
#include "ui/shell/files/chosen_data.hpp"
#include "ui/shell/files/onnx_import.hpp"
#include "ui/shell/files/run_adaptation.hpp"
#include "ui/shell/files/weight_start.hpp"

class QMenu;
class QWidget;

namespace nw::ui {

class GraphScene;
class Session;

/// The project of a .netwright file or of an exported PNG drawing.
Result<GraphDoc> readProject(const QString& path);

/// A run in the menu of recent things.
struct RecentRun {
  QString folder, title;
  bool operator==(const RecentRun&) const = default;
};

class ProjectFiles : public QObject {
  Q_OBJECT
 public:
  ProjectFiles(Session& session, QWidget* window);
  void newEmpty();
  bool newFromTemplate(const QString& name);
  /// A new, unsaved project named `name`. False: the user wants to keep the present one.
  bool newProject(GraphDoc doc, const QString& name);
  /// Asks the user for a file, or for a folder, where something was opened last, and opens it.
  void requestOpen();
  void requestOpenFolder();
  /// A project, a diagram that contains one, an ONNX file, a run's folder, or data (see ChosenData). False: rejected,
  /// with the reason in Session::message(). A diagram is read on another thread and an ONNX file by another process: it
  /// is opened, or rejected, later.
  bool openPath(const QString& path);
  /// Writes the example where the user's examples are, unless it is there already, and opens it.
  void openExample(const QString& name);
  /// An entry for each example.
  void fillExamples(QMenu& menu);
  /// A run's network, settings and data as a new, unsaved project. The run is read on another thread.
  void openRunProject(const QString& run);
  /// Asks the user for images, or for a table, and makes a project that trains the run's network on them.
  void adaptRun(const QString& run);
  void adaptRunToTable(const QString& run);
  /// Asks for a file of weights and shows what of it the open project's network would take.
  void startFromWeights();
  /// The same with the open project, which must begin with weights.
  void adaptProject();
  void adaptProjectToTable();
  bool save();
  bool saveAs();
  /// Asks the user for a file and writes the diagram to it.
  void exportDrawing(const GraphScene& scene);
  /// Asks the user when there are unsaved changes. True: the caller may continue.
  bool mayLeave();
  /// Projects, and the newest runs: those known at once, and all once they are read on another thread.
  void fillRecent(QMenu& menu);

 Q_SIGNALS:
  void opened();  // a document was opened
  void openRun(const QString& folder);

 private:
  bool openProject(const QString& path);
  void importedProject(const QString& project, const QString& sentence, bool opaque);
  /// The file of the open project; nullopt: it cannot be adapted, and the user was told why.
  std::optional<RunAdaptation::Source> adaptable();
  /// True: the file is one of another program that runs code when it is opened; the user was told.
  bool refuseForeignWeights(const QString& path);
  void openImage(const QString& path);
  void listRecent(QMenu& menu);
  Session& session_;
  QWidget* window_;
  ChosenData data_;
  OnnxImport onnx_;
  RunAdaptation adaptation_;
  WeightStart weights_;
  QVector<RecentRun> recentRuns_;  // when the menu was last shown
  quint64 turn_ = 0;               // counts what was opened
};

}  // namespace nw::ui
