// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/server_bench.hpp"

#include <QFileInfo>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QRegularExpression>
#include <QUrl>

#include "engine/core/json.hpp"
#include "ui/session/json_values.hpp"

namespace nw::ui {
namespace {

constexpr qint64 sizes[] = {1, 8, 64};
constexpr qint64 measure_ms = 600, largest_input = 16 << 20, largest_reply = 4 << 20;
constexpr int patience = 10'000;

/// [-1, C, H, W] of the network's only input; false: it is not there, or too large for one request.
bool readShape(const QByteArray& answer, qint64& channels, qint64& height, qint64& width) {
  const auto json = parse_json(answer.toStdString(), "server");
  if (!json || !json->is_object() || !json->contains("inputs")) return false;
  const Json& inputs = (*json)["inputs"];
  if (!inputs.is_array() || inputs.empty() || !inputs[0].is_object() || !inputs[0].contains("shape")) return false;
  const Json& shape = inputs[0]["shape"];
  if (!shape.is_array() || shape.size() != 4) return false;
  qint64 sides[3];
  for (std::size_t i = 0; i < 3; ++i) {
    if (!shape[i + 1].is_number_integer()) return false;
    sides[i] = shape[i + 1].get<qint64>();
    if (sides[i] < 1 || sides[i] > 16384) return false;
  }
  channels = sides[0];
  height = sides[1];
  width = sides[2];
  return channels * height * width <= largest_input;
}

}  // namespace

ServerBench::ServerBench(QObject* parent) : QObject(parent) {
  net_.setTransferTimeout(patience);
  net_.setProxy(QNetworkProxy::NoProxy);
}

QString ServerBench::modelOf(const QString& run) {
  static const QRegularExpression foreign(QStringLiteral("[^A-Za-z0-9._-]"));
  const QByteArray bytes = QFileInfo(run).fileName().toUtf8();  // the server replaces each byte
  return QString::fromLatin1(bytes).replace(foreign, QStringLiteral("-"));
}

void ServerBench::start(const QString& address, const QString& model, const QByteArray& token) {
  stop();
  url_ = address + QStringLiteral("v2/models/") + model;
  token_ = token;
  batch_ = -1;
  on_ = true;
  askSize();
}

void ServerBench::stop() {
  ++turn_;
  if (on_) end({});
}

void ServerBench::end(const QString& problem) {
  on_ = false;
  Q_EMIT ended(problem);
}

void ServerBench::send(QNetworkReply* reply, const std::function<void(const QByteArray&)>& use) {
  connect(reply, &QNetworkReply::finished, this, [this, reply, use, turn = turn_] {
    reply->deleteLater();
    if (turn != turn_ || !on_) return;
    if (reply->error() != QNetworkReply::NoError) return end(tr("The server does not answer the measurement."));
    use(reply->read(largest_reply));
  });
}

void ServerBench::askSize() {
  QNetworkRequest request{QUrl(url_)};
  if (!token_.isEmpty()) request.setRawHeader("Authorization", "Bearer " + token_);
  send(net_.get(request), [this](const QByteArray& answer) {
    if (!readShape(answer, channels_, height_, width_)) return end(tr("The server does not answer the measurement."));
    nextBatch();
  });
}

void ServerBench::nextBatch() {
  if (batch_ >= 0)
    Q_EMIT measured(sizes[batch_], 1000.0 * static_cast<double>(done_ * sizes[batch_]) /
                                       static_cast<double>(std::max<qint64>(1, clock_.elapsed())));
  ++batch_;
  done_ = -1;  // the first one is not timed
  if (batch_ == std::ssize(sizes) || sizes[batch_] * channels_ * height_ * width_ > largest_input) return end({});
  askOnce();
}

void ServerBench::askOnce() {
  const qint64 bytes = sizes[batch_] * channels_ * height_ * width_;
  const Json head{{"inputs",
                   {{{"name", "images"},
                     {"datatype", "UINT8"},
                     {"shape", {sizes[batch_], channels_, height_, width_}},
                     {"parameters", {{"binary_data_size", bytes}}}}}},
                  {"outputs", {{{"name", "probabilities"}, {"parameters", {{"binary_data", true}}}}}}};
  const QByteArray json = QByteArray::fromStdString(head.dump());
  QNetworkRequest request{QUrl(url_ + QStringLiteral("/infer"))};
  request.setHeader(QNetworkRequest::ContentTypeHeader, QStringLiteral("application/octet-stream"));
  request.setRawHeader("Inference-Header-Content-Length", QByteArray::number(json.size()));
  if (!token_.isEmpty()) request.setRawHeader("Authorization", "Bearer " + token_);
  send(net_.post(request, json + QByteArray(bytes, '\x40')), [this](const QByteArray&) {
    if (++done_ == 0) clock_.start();
    if (done_ > 0 && clock_.elapsed() >= measure_ms)
      nextBatch();
    else
      askOnce();
  });
}

}  // namespace nw::ui
