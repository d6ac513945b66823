// SPDX-License-Identifier: GPL-3.0-or-later
// The rankings that an explorer sorts by, made where they do not hold up the window: names by the helper in one piece,
// brightness and contrast by it in short pieces between which pictures get their turn, losses from what weights read
// last; sorted on a worker thread. GUI thread.
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
  /// Other samples: everything under way is given up. `data` and `split` are those the samples were asked for with.
  void setSource(DataChoice data, std::string split);
  /// Makes the model's ranking of that order if it is one and is not there yet; what is under way for another is given
  /// up.
  void want(ExplorerModel::Order order);
  bool busy() const { return request_ != 0 || sorting_; }
  /// "Measuring 12 000 of 60 000 images"; empty when nothing is under way.
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
  int turn_ = 0;  // results of another turn are too late
  bool sorting_ = false;
};

}  // namespace nw::ui
