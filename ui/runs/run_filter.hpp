// SPDX-License-Identifier: GPL-3.0-or-later
// The lines of the table of runs: filtered, ordered, with branches below their parents, under the headers of groups,
// and pinned runs above all. GUI thread.
#pragma once
#include <QAbstractProxyModel>
#include <QHash>
#include <QSet>
#include <QStringList>
#include <optional>

#include "ui/runs/run_groups.hpp"
#include "ui/runs/run_table.hpp"

namespace nw::ui {

class RunFilter : public QAbstractProxyModel {
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
  int depth(const QModelIndex& index) const { return isLine(index) ? now_.lines[index.row()].depth : 0; }

  /// Runs of the same value under a header; an unknown id: no groups. The groups have the order of their first runs.
  void setGrouping(const QString& id);
  QString grouping() const { return grouping_ ? grouping_->id : QString(); }
  /// The column, one of numbers, whose best value and mean the headers say.
  void setMeasure(int column, const QString& title);
  /// By their keys, of the grouping there is.
  void setCollapsed(const QStringList& keys);
  QStringList collapsed() const;
  void setAllCollapsed(bool on);
  /// nullptr: a run's line.
  const RunGroup* groupAt(const QModelIndex& index) const;
  const QVector<RunGroup>& groups() const { return now_.groups; }
  /// The header's line as one text: what a screen reader reads.
  QString headerText(const RunGroup& group) const;
  /// "6 runs · Validation accuracy: best 62.6, mean 61.0".
  QString figuresOf(const RunGroup& group) const;
  void setOpen(const QModelIndex& header, bool open);

  /// Folders of runs that stand above all others; those that there are not wait. At most most_pins.
  void setPins(const QStringList& runs);
  QStringList pins() const { return pins_; }
  bool setPinned(const QString& run, bool on);  // false: there are too many
  bool isPinned(const QString& run) const { return pins_.contains(run); }
  static constexpr int most_pins = 50;
  int pinnedLines() const;  // the first ones

  /// The run of a line; an empty one for a header.
  const RunRow& rowAt(const QModelIndex& index) const;
  /// All runs that the filter lets through, as rows of the model in the order of the lines, collapsed ones too.
  const QVector<int>& runs() const { return now_.runs; }

  QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
  QModelIndex parent(const QModelIndex&) const override { return {}; }
  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(now_.lines.size());
  }
  int columnCount(const QModelIndex& parent = {}) const override;
  QModelIndex mapToSource(const QModelIndex& index) const override;
  QModelIndex mapFromSource(const QModelIndex& index) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;
  void sort(int column, Qt::SortOrder order) override;

 Q_SIGNALS:
  void arranged();  // pins or collapsed groups are others

 private:
  struct Line {
    int run = -1, group = -1, depth = 0;  // run: of the model; -1: the header of the group
    bool operator==(const Line&) const = default;
  };
  struct Place {  // of a persistent index, while lines change
    QPersistentModelIndex run;
    bool isHeader;
    QString group;
    int column;
  };
  struct Key {
    bool known = true, isNumber = false;
    double number = 0;
    QString text;
  };
  struct Lines {
    QVector<Line> lines;
    QVector<RunGroup> groups;
    QVector<int> runs;  // rows of the model in the order of the lines, those of collapsed groups too
  };
  bool isLine(const QModelIndex& index) const { return index.isValid() && index.row() < now_.lines.size(); }
  bool accepts(int row) const;
  const QString& wordsOf(int row) const;
  Key keyOf(int row) const;
  QVector<int> ordered() const;
  Lines arrange() const;
  QVector<RunGroup> groupsOf(const QVector<int>& rest, const QVector<int>& pinned) const;
  QVector<Line> withBranches(const QVector<int>& rows, int group) const;
  void measure(RunGroup& group, int row) const;
  void rearrange();
  void beginChange();
  void endChange(Lines lines);
  QHash<QString, int> take(Lines lines);
  void takeChange(const QModelIndex& first, const QModelIndex& last, const QList<int>& roles);

  RunModel& model_;
  QStringList words_, pins_;
  std::optional<RunQuery> query_;
  std::optional<RunStatus> status_;
  std::optional<RunGrouping> grouping_;
  QSet<QString> collapsed_;
  QString measured_;
  int measure_ = -1, column_ = -1;
  Qt::SortOrder order_ = Qt::AscendingOrder;
  bool isTree_ = true;
  Lines now_;
  QVector<int> lineOf_;             // by the model's rows; -1: none
  mutable QVector<QString> texts_;  // in which words are searched; empty: not yet made
  QModelIndexList moving_;
  QVector<Place> places_;
};

}  // namespace nw::ui
