// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/explorer_orders.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "ui/session/background.hpp"
#include "ui/session/helper_client.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"

namespace nw::ui {
namespace {

using Order = ExplorerModel::Order;
using Places = std::vector<std::int32_t>;

/// Numbers of the helper's payload: int32 in native byte order. Empty if there are fewer.
Places order_from(const std::vector<std::uint8_t>& payload, std::size_t count) {
  if (payload.size() != count * sizeof(std::int32_t)) return {};
  Places out(count);
  if (count > 0) std::memcpy(out.data(), payload.data(), payload.size());
  return out;
}

Places sorted(const Places& values, bool down) {
  Places places(values.size());
  std::iota(places.begin(), places.end(), 0);
  const auto value = [&](std::int32_t p) { return values[static_cast<std::size_t>(p)]; };
  std::stable_sort(places.begin(), places.end(),
                   [&](std::int32_t a, std::int32_t b) { return down ? value(a) > value(b) : value(a) < value(b); });
  return places;
}

}  // namespace

ExplorerOrders::ExplorerOrders(Session& session, ExplorerModel& model, QObject* parent)
    : QObject(parent), session_(session), model_(model) {}

void ExplorerOrders::giveUp() {
  session_.helper().cancel(request_);
  request_ = 0;
  sorting_ = false;
  ++turn_;
}

void ExplorerOrders::setSource(DataChoice data, std::string split) {
  giveUp();
  data_ = std::move(data);
  split_ = std::move(split);
  means_.clear();
  deviations_.clear();
  Q_EMIT changed();
}

void ExplorerOrders::want(Order order) {
  giveUp();
  wanted_ = order;
  if (order >= Order::name && !model_.hasRanking(order) && model_.total() > 0) {
    if (order == Order::name)
      requestNames();
    else if (order >= Order::loss)
      requestLosses();
    else if (static_cast<int>(means_.size()) < model_.total())
      requestTones();
    else
      rankTones();
  }
  Q_EMIT changed();
}

void ExplorerOrders::requestNames() {
  const protocol::OrderByNameRequest request{{data_}, split_};
  request_ = session_.helper().ask(this, request, [this](const Result<Message>& answer) {
    request_ = 0;
    const auto count = static_cast<std::size_t>(model_.total());
    Places places = answer ? order_from(answer->payload, count) : Places();
    if (!answer)
      Q_EMIT failed(translated(answer.error().what));
    else if (places.size() != count)
      Q_EMIT failed(tr("The helper process sent a response that cannot be read. Try again."));
    else
      model_.setRanking(Order::name, std::move(places));
    Q_EMIT changed();
  });
}

void ExplorerOrders::requestTones() {
  const protocol::TonesRequest request{{data_}, split_, static_cast<std::int64_t>(means_.size())};
  request_ = session_.helper().ask(this, request, [this](const Result<Message>& answer) {
    request_ = 0;
    if (answer)
      takeTones(*answer);
    else
      Q_EMIT failed(translated(answer.error().what));
    Q_EMIT changed();
  });
}

void ExplorerOrders::takeTones(const Message& answer) {
  const auto count = answer.json.value("count", std::size_t{0});
  const Places values = order_from(answer.payload, 2 * count);
  if (count == 0 || values.empty() || means_.size() + count > static_cast<std::size_t>(model_.total()))
    return Q_EMIT failed(tr("The helper process sent a response that cannot be read. Try again."));
  const auto half = values.begin() + static_cast<std::ptrdiff_t>(count);
  means_.insert(means_.end(), values.begin(), half);
  deviations_.insert(deviations_.end(), half, values.end());
  if (static_cast<int>(means_.size()) < model_.total())
    requestTones();
  else
    rankTones();
}

void ExplorerOrders::requestLosses() {
  const protocol::LossesRequest request{{data_}, split_};
  request_ = session_.helper().ask(this, request, [this](const Result<Message>& answer) {
    request_ = 0;
    const auto count = static_cast<std::size_t>(model_.total());
    const Places values = answer ? order_from(answer->payload, 2 * count) : Places();
    const auto half = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    if (!answer)
      Q_EMIT failed(translated(answer.error().what));
    else if (values.empty())
      Q_EMIT failed(tr("The helper process sent a response that cannot be read. Try again."));
    else if (wanted_ == Order::loss)
      rank({values.begin(), half}, true);
    else
      rank({half, values.end()}, false);
    Q_EMIT changed();
  });
}

void ExplorerOrders::rankTones() {
  const bool by_contrast = wanted_ == Order::flattest || wanted_ == Order::starkest;
  rank(by_contrast ? deviations_ : means_, wanted_ == Order::brightest || wanted_ == Order::starkest);
}

/// Sorting a million samples takes 0.1 s, so it runs on a worker thread.
void ExplorerOrders::rank(Places values, bool down) {
  sorting_ = true;
  inBackground(
      this, [values = std::move(values), down] { return sorted(values, down); },
      [this, order = wanted_, turn = turn_](Places places) {
        if (turn != turn_) return;
        sorting_ = false;
        model_.setRanking(order, std::move(places));
        Q_EMIT changed();
      },
      [this, turn = turn_] {
        if (turn != turn_) return;
        sorting_ = false;
        Q_EMIT changed();
      });
}

QString ExplorerOrders::statusText() const {
  if (!busy()) return {};
  if (wanted_ == Order::name) return tr("Reading the names");
  if (wanted_ >= Order::loss) return tr("Reading the predictions");
  return tr("Measuring %1 of %2 image(s)", nullptr, static_cast<int>(model_.total()))
      .arg(grouped(static_cast<qint64>(means_.size())), grouped(model_.total()));
}

}  // namespace nw::ui
