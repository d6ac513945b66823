// SPDX-License-Identifier: GPL-3.0-or-later
// Every run of a folder as a table: rows, columns, filter. GUI thread; the rows come from RunScanner.
#pragma once
#include <QAbstractTableModel>
#include <QSet>
#include <QSortFilterProxyModel>
#include <QString>
#include <QVector>
#include <functional>
#include <limits>
#include <memory>

#include "engine/runs/index/run_query.hpp"
#include "engine/runs/run_folder.hpp"
#include "engine/runs/run_notes.hpp"
#include "ui/runs/run_tree.hpp"

namespace nw::ui {

/// A run and the settings shown for comparison.
struct RunRow {
  std::shared_ptr<const RunRecord> record;  // null: none was read
  RunSummary summary;
  double learningRate = -1;
  std::int64_t batch = 0, seed = -1;
  QString optimizer;
  double bestValidationLoss = -1;                                       // -1: unknown
  double bestTrainAccuracy = std::numeric_limits<double>::quiet_NaN();  // NaN: unknown
  RunNotes notes;
  QString notesProblem;  // why notes.json cannot be read; empty: it can, or there is none
  QString changes;       // of a branch: what differs from its parent
  QString id() const { return QString::fromStdString(summary.folder.string()); }
  QString title() const;  // the given name, or the folder's
};
/// "baseline, wide"; and the words of such a line, each once.
QString tagsText(const RunNotes& notes);
std::vector<std::string> tagsOf(const QString& line);

/// How a column is painted.
enum class RunCell { key, name, text, status, accuracy, curve };
/// Which value of a column is the best one.
enum class BestValue { none, highest, lowest };

struct RunColumn {
  const char* id;
  const char* title;
  RunCell cell;
  int width;
  bool right;  // numbers
  std::function<QString(const RunRow&)> text;
  // unknown: below zero where the lowest value is best, minus infinity where the highest is
  std::function<QVariant(const RunRow&)> sortKey;
  BestValue best = BestValue::none;
  bool atFirst = true;  // shown until the user chooses
  bool editable = false;
  QString computed = {}, name = {};  // of a column that the user computes, in place of id and title
  QString key() const { return computed.isEmpty() ? QLatin1String(id) : computed; }
};
/// The usual columns, then those that the user computes, as of takeComputedColumns().
const QVector<RunColumn>& runColumns();
int runColumn(const char* id);
int runColumn(const QString& key);
/// Takes the computed columns from the user's settings; models must know, see RunModel::takeComputedColumns().
void takeComputedColumns();
/// "today 11:20", "yesterday 9:05", "14 Nov"
QString whenText(double unixSeconds);
struct StatusStyle {
  QString icon, tone, text;
};
StatusStyle statusStyle(const RunSummary& summary);

class RunModel : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Role { sort_role = Qt::UserRole + 1, row_role };
  static constexpr int slots_count = 6;  // curves with a colour of their own
  explicit RunModel(QObject* parent = nullptr);
  /// The columns of the user's settings from now on.
  void takeComputedColumns();
  /// Updates the rows; selection and check marks stay with their runs.
  void setRows(QVector<RunRow> rows);
  const RunRow& row(int index) const { return rows_[index]; }
  int find(const QString& id) const;
  const RunTree& tree() const { return tree_; }
  /// Runs chosen for the chart, in the order of their colours; -1: not chosen.
  int slotOf(const QString& id) const { return static_cast<int>(chosen_.indexOf(id)); }
  QStringList chosen() const;
  /// Whether a run has a training setting of that name; without runs every name may be one.
  bool hasSetting(std::string_view name) const;
  void setChosen(const QString& id, bool on);
  /// Shows these until the run is read again.
  void setNotes(const QString& id, const RunNotes& notes);

  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(rows_.size());
  }
  int columnCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(runColumns().size());
  }
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

 Q_SIGNALS:
  void chosenChanged();
  void notesEdited(const QString& id, const nw::RunNotes& notes);  // in a cell; the model still has the old ones

 private:
  QVariant editText(const QModelIndex& index) const;
  void chooseFirst();
  QVector<RunRow> rows_;
  RunTree tree_;
  QStringList chosen_;    // by slot; empty text: a free slot
  bool touched_ = false;  // true after the user chose; before, the newest runs are shown
};

/// Words in names, tags, notes, folder, device, optimizer; and one status.
class RunFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit RunFilter(RunModel& model, QObject* parent = nullptr);
  /// Words, each of which is in the run's name, notes, tags, status, device or optimizer; or a condition on its fields
  /// and settings (engine/runs/index/run_query.hpp), recognised by an operator. Returns what is wrong with the
  /// condition, which then changes nothing.
  QString setWords(const QString& words);
  void setStatus(std::optional<RunStatus> status);
  /// Branches stand below the run they began with, at first.
  void setTree(bool on);
  bool isTree() const { return isTree_; }
  /// Of the runs above a row in the tree, how many are shown; 0 without the tree.
  int depth(const QModelIndex& index) const;
  const RunRow& rowAt(const QModelIndex& index) const { return model_.row(mapToSource(index).row()); }

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;

 private:
  bool isBefore(const QModelIndex& a, const QModelIndex& b) const;
  RunModel& model_;
  QStringList words_;
  std::optional<RunQuery> query_;
  std::optional<RunStatus> status_;
  bool isTree_ = true;
};

}  // namespace nw::ui
