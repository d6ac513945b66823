// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
#include <QHash>
#include <QLabel>
#include <QMap>
#include "engine/core/files.hpp"
#include "ui/page/page.hpp"
#include "ui/runs/run_chart.hpp"
#include "ui/runs/run_filter.hpp"
#include "ui/runs/run_trash.hpp"
#include "ui/train/branch_tree.hpp"

class QLineEdit;
class QMenu;
class QPushButton;
class QStackedLayout;
class QStackedWidget;
class QTabBar;
class QTableView;

namespace nw::ui {

struct ComputedColumn;
struct RunView;
class BranchCard;
class ColumnChoice;
class EmptyState;
class NoticeBar;
class RunDetails;
class RunScanner;
class RunsView;
class SegmentedControl;
class JobsPanel;
class QueuePanel;
class StudiesPanel;

/// Every run on this computer: table, compared curves, and the actions of a run. Behind the other tabs: the
/// studies and the queue.
class RunsPage : public Page {
  Q_OBJECT
 public:
  /// Empty: runs_folder().
  explicit RunsPage(Session& session, fs::path runs = {});
  void activated() override;
  QWidget* statusWidget() override { return status_; }

  RunModel& model() { return *model_; }
  RunFilter& filter() { return *filter_; }
  QTableView& table();
  RunChart& chart() { return *chart_; }
  ColumnChoice& columns() { return *columns_; }
  RunDetails& details() { return *details_; }
  BranchCard& branches() { return *branches_; }
  /// The switch of what stands beside the details: curves, branches.
  SegmentedControl& lowerViews() { return *lowerViews_; }
  bool branchHere() override;
  QLineEdit& search() { return *search_; }
  StudiesPanel& studies() { return *studies_; }
  JobsPanel& jobs() { return *jobs_; }
  QueuePanel& queue() { return *queue_; }
  QTabBar& tabs() { return *tabs_; }
  /// Opens the dialog that starts a study.
  void searchForSettings();
  /// Adds the open project to the queue, which is shown.
  void addToQueue();
  /// With the chosen run: "open", "predict", "canvas", "resume", "further", "branch", "report", "rename", "reveal",
  /// "compare"; with all selected runs: "delete", "pin".
  void act(const QString& id);
  /// Folders, in the order of the table.
  QStringList selectedRuns() const;
  /// The rows as they are shown, one column each, C locale; texts are quoted and never formulas.
  QString csv() const;

 Q_SIGNALS:
  void scanned();

 protected:
  void hideEvent(QHideEvent*) override;
  bool eventFilter(QObject* watched, QEvent* event) override;

 private:
  void build();
  void buildRuns(QWidget& place);
  void watchShownTab();
  QWidget* makeParts();
  QWidget* makeToolbar();
  QWidget* makeTable();
  QWidget* makeLower();
  QPushButton* makeTreeButton();
  QPushButton* makeViewsButton();
  QPushButton* makeGroupsButton();
  void openGroups(const QPoint& at);
  void keepArrangement();
  void sayGroups();
  void toggleGroup(const QModelIndex& header);
  bool takeGroupKey(int key);
  void togglePins();
  void openViews(const QPoint& at);
  RunView viewNow(const QString& name) const;
  void showView(const RunView& view);
  void nameView();
  void changeColumns(const QVector<ComputedColumn>& computed);
  void addComputed();
  void fillColumnsMenu(QMenu& menu, int column);
  void takeRows(QVector<RunRow> rows);
  void refreshBranches();
  void takeLanes(QVector<BranchLane> lanes, double epochs, const QString& root);
  void compareCurves(const QStringList& runs);
  void branchFromRun(const QString& run, std::int64_t step);
  void selectSomeRun();
  void refreshChart();
  void sortBestFirst();
  void sayBestFirst();
  void refreshChosen();
  void refreshCount();
  const RunRow* chosenRun() const;
  QString titleOf(const QString& run) const;
  void trainFurther(const RunRow& row);
  void deleteSelected();
  void reportTrash(const QVector<TrashedRun>& runs, const QString& name);
  void takeBack(const QVector<TrashedRun>& runs);
  void deleteForGood();
  void saveNotes(const QString& run, const RunNotes& notes);
  void showNotes(const QString& run, const RunNotes& notes);
  void saveNextNotes();
  void putRecentNotes(QVector<RunRow>& rows);
  void exportCsv();
  void filterRuns(const QString& words);
  void rename();
  void showMenu(const QTableView& part, const QPoint& at);

  Session& session_;
  bool usual_;
  fs::path runs_;
  RunModel* model_;
  RunFilter* filter_;
  RunScanner* scanner_;
  ChartCursor* cursor_;
  QTabBar* tabs_ = nullptr;
  QStackedWidget* parts_ = nullptr;  // one for each tab
  StudiesPanel* studies_ = nullptr;
  QueuePanel* queue_ = nullptr;
  JobsPanel* jobs_ = nullptr;
  QStackedLayout* stack_ = nullptr;
  EmptyState* empty_ = nullptr;
  NoticeBar* notice_ = nullptr;
  QLineEdit* search_ = nullptr;
  SegmentedControl* statuses_ = nullptr;
  QLabel *count_ = nullptr, *status_ = nullptr;
  RunsView* table_ = nullptr;
  ColumnChoice* columns_ = nullptr;
  QPushButton *bestFirst_ = nullptr, *groups_ = nullptr;
  RunChart* chart_ = nullptr;
  RunDetails* details_ = nullptr;
  BranchCard* branches_ = nullptr;
  SegmentedControl* lowerViews_ = nullptr;
  int lanesWanted_ = 0;  // counts the readings of lanes
  struct ReadCheckpoints {
    std::uint64_t stamp = 0;
    QVector<RunCheckpoint> all;
  };
  QHash<QString, ReadCheckpoints> checkpoints_;  // of runs, until their files change
  QStringList refusedTrash_;                     // folders that could not be moved to the trash
  struct RecentNotes {
    RunNotes notes;
    int scans = 0;  // for so many scans they are shown instead of what was read
  };
  QMap<QString, RunNotes> unsaved_;  // by run
  QMap<QString, RecentNotes> recent_;
  bool saving_ = false, active_ = false;
};

}  // namespace nw::ui
