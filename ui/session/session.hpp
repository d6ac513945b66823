// SPDX-License-Identifier: GPL-3.0-or-later
// The window's central object: the document with its undo stack, file and analysis, the devices, and the run being
// watched. GUI thread. Views listen to it and to nothing else; every change of the document goes through push().
#pragma once
#include <QObject>
#include <QUndoStack>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>

#include "engine/compile/compile.hpp"
#include "engine/monitor/monitor.hpp"
#include "ui/session/notification.hpp"

namespace nw::ui {

class RunFeed;        // ui/session/run_feed.hpp
class RunController;  // ui/session/run_controller.hpp
class HelperClient;   // ui/session/helper_client.hpp

class Session : public QObject {
  Q_OBJECT
 public:
  explicit Session(QObject* parent = nullptr);
  ~Session() override;

  // --- the document
  const GraphDoc& doc() const { return doc_; }
  /// Applies the edit as one undo step named `text`. Steps with the same mergeKey > 0 in a row become one (drags, spin
  /// boxes). False: refused; the sentence went out through message().
  bool push(const Edit& edit, const QString& text, int mergeKey = 0);
  QUndoStack& undoStack() { return undo_; }

  // --- its file
  QString path() const { return path_; }  // empty: never saved
  QString displayName() const;            // "lenet5"; in one line, whatever the file is called
  bool isModified() const { return !undo_.isClean(); }
  Status open(const QString& path);
  Status save(const QString& path);
  void replace(GraphDoc doc, const QString& path, const QString& name);  // new, template, recovered
  /// The file is open elsewhere: it can be viewed, changed and saved under another name.
  bool readOnly() const { return readOnly_; }
  /// Counts every change; equal numbers mean an equal document.
  quint64 version() const { return version_; }

  // --- its analysis; computed off the GUI thread on a snapshot, may lag by a few milliseconds
  const Analysis& analysis() const { return analysis_; }
  bool analysisCurrent() const { return analysed_ == version_; }
  DataFacts dataFacts() const { return facts_; }
  void setDataFacts(const DataFacts&);
  /// Replaces the analysis of sessions created later; empty: restores it. For tests.
  static void setAnalyser(std::function<Analysis(const GraphDoc&, const DataFacts&)> analyser);
  /// An error of the data set, to be listed with those of the network; nullopt: none.
  void setDataProblem(std::optional<Problem> problem);
  const std::optional<Problem>& dataProblem() const { return dataProblem_; }
  /// The data are being opened: whether they can be read is not known yet.
  bool dataOpening() const { return dataOpening_; }
  void setDataOpening(bool opening);

  // --- devices and runs
  /// Devices that can train. Only "cpu" until the devices are detected after the start; then devicesChanged().
  const std::vector<DeviceInfo>& devices() const { return devices_; }
  RunController& run() { return *run_; }
  RunFeed& feed() { return *feed_; }
  HelperClient& helper() { return *helper_; }

 Q_SIGNALS:
  void documentChanged(const nw::Edit& edit);  // after each push, undo, redo; `edit`: the change
  /// The document is still there, what follows replaces it: views let go of what they show of it.
  void documentAboutToBeReplaced();
  void documentReplaced();
  void analysisChanged();
  void dataFactsChanged();
  void dataOpeningChanged();
  void devicesChanged();
  void fileChanged();  // path, name, modified, read-only
  // 0 note, 1 warning, 2 error: shown in a banner, never a modal box
  void message(const QString& sentence, int severity, const nw::ui::NotificationActions& actions = {});

 private:
  friend class EditCommand;
  bool applyNow(const Edit& edit, Edit* inverse);
  void analyseSoon();
  void analysed(quint64 version, std::optional<Analysis> analysis);  // nullopt: it failed, which was reported
  bool lock(const QString& path, QString* holder);
  void setPath(const QString& path, const QString& name);
  void findDevices();

  GraphDoc doc_;
  QUndoStack undo_;
  QString path_, name_;
  bool readOnly_ = false;
  Analysis analysis_;
  quint64 version_ = 1, analysed_ = 0;
  DataFacts facts_;
  std::optional<Problem> dataProblem_;
  bool dataOpening_ = false;
  std::vector<DeviceInfo> devices_;
  struct Private;
  std::unique_ptr<Private> d_;
  std::unique_ptr<RunController> run_;
  std::unique_ptr<RunFeed> feed_;
  std::unique_ptr<HelperClient> helper_;
};

/// Words from outside (names of files, runs) as a title or a line may hold them: control characters become '?'.
QString inOneLine(const QString& words);
/// The engine's sentence in the window's language.
QString translated(const Text& text);

}  // namespace nw::ui
