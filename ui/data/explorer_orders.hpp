// SPDX-License-Identifier: GPL-3.0-or-later
// The rankings that an explorer sorts by, computed without blocking the window: names in one request to the helper
// process, brightness and contrast in short requests so that thumbnails are not delayed, losses from the last
// evaluation; sorted on a worker thread. GUI thread.
#pragma once
#include <QObject>

#include "engine/design/choice.hpp"
#include "engine/predict/serve.hpp"
#include "ui/data/explorer_model.hpp"

namespace nw::ui {

class Session;

class ExplorerOrders : public QObject {
  Q_OBJECT
 public:
  ExplorerOrders(Session& session, ExplorerModel& model, QObject* parent = nullptr);
  /// Changes the samples and cancels pending work. `data` and `split` as in the request for the samples.
  void setSource(DataChoice data, std::string split);
  /// Computes the model's ranking for that order if it needs one that is missing; cancels the work for other orders.
  void want(ExplorerModel::Order order);
  bool busy() const { return request_ != 0 || sorting_; }
  /// "Measuring 12 000 of 60 000 images"; empty when no work is pending.
  QString statusText() const;

 Q_SIGNALS:
  void changed();  // statusText() changed
  void failed(const QString& sentence);

 private:
  void giveUp();
  void requestNames();
  void requestTones();
  void requestLosses();
  void takeTones(const Message& answer);
  void rank(std::vector<std::int32_t> values, bool down);
  void rankTones();
  Session& session_;
  ExplorerModel& model_;
  DataChoice data_;
  std::string split_;
  ExplorerModel::Order wanted_ = ExplorerModel::Order::place;
  std::vector<std::int32_t> means_, deviations_;  // of the first samples
  qint64 request_ = 0;
  int turn_ = 0;  // results of an earlier turn are discarded
  bool sorting_ = false;
};

}  // namespace nw::ui
