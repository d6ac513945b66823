// SPDX-License-Identifier: GPL-3.0-or-later
// Images a second of a running inference server, asked by one client over one connection: noise as bytes, by the
// protocol's binary extension. GUI thread; nothing blocks.
#pragma once
#include <QElapsedTimer>
#include <QNetworkAccessManager>
#include <QObject>
#include <functional>

class QNetworkReply;

namespace nw::ui {

class ServerBench : public QObject {
  Q_OBJECT
 public:
  explicit ServerBench(QObject* parent = nullptr);
  /// Measures batches of 1, 8 and 64 of the network `model`; `token` may be empty. What was being measured is stopped.
  void start(const QString& address, const QString& model, const QByteArray& token);
  void stop();
  bool isOn() const { return on_; }
  /// The name under which the server offers the run of this folder (docs/serve.md).
  static QString modelOf(const QString& run);

 Q_SIGNALS:
  void measured(qint64 batch, double imagesPerSecond);
  void ended(const QString& problem);  // empty: all were measured, or it was stopped

 private:
  void askSize();
  void nextBatch();
  void askOnce();
  void send(QNetworkReply* reply, const std::function<void(const QByteArray&)>& use);
  void end(const QString& problem);
  QNetworkAccessManager net_;
  QElapsedTimer clock_;
  QString url_;
  QByteArray token_;
  qint64 channels_ = 0, height_ = 0, width_ = 0, done_ = 0;
  int batch_ = -1;  // index of the batch that is measured
  bool on_ = false;
  quint64 turn_ = 0;
};

}  // namespace nw::ui
