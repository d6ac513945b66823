// SPDX-License-Identifier: GPL-3.0-or-later
// Every run of a folder as a table: rows and columns; which of them are shown is run_filter.hpp's. GUI thread; the rows
// come from RunScanner.
#pragma once
#include <QAbstractTableModel>
#include <QSet>
#include <QStringList>
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
  QStringList changes;   // of a branch: what differs from its parent
  QString study;         // of a trial: the name of its study; empty: the run is none
  QString id() const { return QString::fromStdString(summary.folder.string()); }
  QString title() const;  // the given name, or the folder's
};
/// "baseline, wide"; and the words of such a line, each once.
QString tagsText(const RunNotes& notes);
std::vector<std::string> tagsOf(const QString& line);

/// How a column is painted.
enum class RunCell { key, name, text, pills, status, accuracy, curve };
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
/// Whether a sort key of the column is a known figure.
bool isKnown(const RunColumn& column, double value);
/// A value of a column of figures as in its cell; `like`: a run that has one.
QString figureText(const RunColumn& column, const RunRow& like, double value);
/// Takes the computed columns from the user's settings; models must know, see RunModel::takeComputedColumns().
void takeComputedColumns();
/// "today 11:20", "yesterday 9:05", "14 Nov"
QString whenText(double unixSeconds);
struct StatusStyle {
  QString icon, tone, text;
};
StatusStyle statusStyle(const RunSummary& summary);
/// The same, or "Paused".
StatusStyle statusStyle(const RunRow& row);

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

}  // namespace nw::ui
