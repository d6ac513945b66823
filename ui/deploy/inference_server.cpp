// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/inference_server.hpp"

#include <QDir>
#include <QFileInfo>
#include <QNetworkProxy>
#include <QNetworkReply>
#include <QProcess>
#include <QTcpServer>
#include <algorithm>
#include <cerrno>
#include <csignal>

#include "engine/core/files.hpp"
#include "engine/core/json.hpp"
#include "kernels/printable.hpp"
#include "ui/session/command_process.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

constexpr int interval_ms = 500, most_rates = 120, recent = 20, patience_ms = 3000;
constexpr qint64 largest_answer = 1 << 20, largest_log = 8 << 20, most_log_at_once = 1 << 18, largest_line = 4096;

QString logFile() { return QString::fromStdString((state_folder() / "infer-server.log").string()); }

/// When the process began, in ticks after the start of the system (proc(5), field 22); 0: there is none.
qint64 birthOf(qint64 pid) {
  QFile file(QStringLiteral("/proc/%1/stat").arg(pid));
  if (!file.open(QIODevice::ReadOnly)) return 0;
  const QByteArray text = file.readAll();
  const QList<QByteArray> fields = text.mid(text.lastIndexOf(')') + 2).split(' ');
  return fields.size() > 19 && fields[0] != "Z" ? fields[19].toLongLong() : 0;
}

/// The first line, as the server reads it.
QByteArray tokenIn(const QString& file) {
  const auto text = read_file(file.toStdString(), 4096);
  return text ? QByteArray::fromStdString(text->substr(0, text->find_first_of("\r\n"))) : QByteArray();
}

}  // namespace

InferenceServer& inferenceServer(Session& session) {
  auto* known = session.findChild<InferenceServer*>(QStringLiteral("inferenceServer"), Qt::FindDirectChildrenOnly);
  return known != nullptr ? *known : *new InferenceServer(&session);
}

QString InferenceServer::stateFile() { return QString::fromStdString((state_folder() / "infer-server.json").string()); }

InferenceServer::InferenceServer(QObject* parent) : QObject(parent) {
  setObjectName(QStringLiteral("inferenceServer"));
  net_.setTransferTimeout(patience_ms);
  net_.setProxy(QNetworkProxy::NoProxy);
  timer_.setInterval(interval_ms);
  connect(&timer_, &QTimer::timeout, this, &InferenceServer::look);
  findEarlier();
}

InferenceServer::~InferenceServer() {
  if (pid_ > 0 && !choice_.outlives && isAlive()) ::kill(static_cast<pid_t>(pid_), SIGTERM);
}

bool InferenceServer::isAlive() const { return pid_ > 0 && birthOf(pid_) == born_ && born_ > 0; }

QString InferenceServer::address() const { return QStringLiteral("http://127.0.0.1:%1/").arg(choice_.port); }

/// One that outlived an earlier window: its number and its birth are those that were recorded.
void InferenceServer::findEarlier() {
  const auto text = read_file(stateFile().toStdString(), 1 << 20);
  const auto json = text ? parse_json(*text, "infer-server.json") : Result<Json>(text.error());
  if (!json || !json->is_object()) return;
  pid_ = integerAt(*json, "pid");
  born_ = integerAt(*json, "born");
  choice_ = {textsAt(*json, "runs"), textAt(*json, "checkpoint"), static_cast<int>(integerAt(*json, "port", 8000)),
             textAt(*json, "token_file"), true};
  const bool ours = pid_ > 1 && isAlive() && choice_.port > 0 && choice_.port < 65536;
  if (!ours) {
    pid_ = born_ = 0;
    choice_ = {};
    return;
  }
  since_.start();
  setState(State::running);
  timer_.start();
}

void InferenceServer::remember() const {
  Json runs = Json::array();
  for (const QString& run : choice_.runs) runs.push_back(run.toStdString());
  const Json json{{"pid", pid_},          {"born", born_},
                  {"runs", runs},         {"checkpoint", choice_.checkpoint.toStdString()},
                  {"port", choice_.port}, {"token_file", choice_.tokenFile.toStdString()}};
  (void)save_file(stateFile().toStdString(), canonical(json), 0600);
}

void InferenceServer::start(const ServerChoice& choice) {
  if (state_ != State::stopped) return;
  choice_ = choice;
  problem_.clear();
  portTaken_ = false;
  metrics_ = {};
  earlier_.clear();
  rates_.clear();
  rate_ = 0;
  read_ = 0;
  QDir().mkpath(QFileInfo(logFile()).absolutePath());
  QFile::remove(logFile());
  QProcess process;
  process.setProgram(CommandProcess::program());
  QStringList arguments{QStringLiteral("infer-server")};
  arguments += choice.runs;
  arguments +=
      {QStringLiteral("--port"), QString::number(choice.port), QStringLiteral("--checkpoint"), choice.checkpoint};
  if (!choice.tokenFile.isEmpty()) arguments += {QStringLiteral("--token-file"), choice.tokenFile};
  process.setArguments(arguments);
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert(QStringLiteral("NETWRIGHT_ERRORS"), QStringLiteral("json"));
  process.setProcessEnvironment(environment);
  process.setStandardInputFile(QProcess::nullDevice());
  process.setStandardOutputFile(QProcess::nullDevice());
  process.setStandardErrorFile(logFile());
  if (!process.startDetached(&pid_)) {
    problem_ = tr("%1 could not be started. Install Netwright again.").arg(inOneLine(process.program()));
    return setState(State::stopped);
  }
  born_ = birthOf(pid_);
  if (choice_.outlives) remember();
  since_.start();
  setState(State::starting);
  timer_.start();
}

void InferenceServer::stop() {
  if (state_ == State::stopped) return;
  if (isAlive()) ::kill(static_cast<pid_t>(pid_), SIGTERM);  // a second one ends it at once
  setState(State::stopping);
}

void InferenceServer::setOutlives(bool outlives) {
  choice_.outlives = outlives;
  if (state_ == State::stopped) return;
  if (outlives)
    remember();
  else
    QFile::remove(stateFile());
}

QByteArray InferenceServer::token() const {
  return choice_.tokenFile.isEmpty() ? QByteArray() : tokenIn(choice_.tokenFile);
}

void InferenceServer::look() {
  readLog();
  if (!isAlive()) return ended();
  if (!asking_ && state_ != State::stopping) ask("metrics");
}

void InferenceServer::ask(const QByteArray& path) {
  QNetworkRequest request(QUrl(address() + QString::fromLatin1(path)));
  if (const QByteArray secret = token(); !secret.isEmpty()) request.setRawHeader("Authorization", "Bearer " + secret);
  asking_ = true;
  QNetworkReply* reply = net_.get(request);
  connect(reply, &QNetworkReply::finished, this, [this, reply] {
    reply->deleteLater();
    asking_ = false;
    if (reply->error() == QNetworkReply::NoError) takeMetrics(reply->read(largest_answer));
  });
}

void InferenceServer::takeMetrics(const QByteArray& text) {
  if (state_ == State::stopped || !text.contains("netwright_")) return;
  const double seconds = static_cast<double>(since_.restart()) / 1000;
  const ServerMetrics now = metricsIn(text);
  if (!earlier_.empty()) rate_ = std::max(0.0, now.requests - metrics_.requests - 1) / std::max(seconds, 1e-3);
  metrics_ = now;  // "- 1": the question itself
  earlier_.push_back(now);
  rates_.push_back(rate_);
  if (earlier_.size() > recent) earlier_.pop_front();
  if (rates_.size() > most_rates) rates_.pop_front();
  if (state_ == State::starting) setState(State::running);
  Q_EMIT measured();
}

std::map<double, double> InferenceServer::recentLatency() const {
  if (earlier_.empty()) return {};
  const auto since = latencySince(metrics_, earlier_.front());
  return !since.empty() && since.rbegin()->second > 0 ? since : metrics_.latency;
}

void InferenceServer::readLog() {
  QFile file(logFile());
  if (read_ >= largest_log || !file.open(QIODevice::ReadOnly) || !file.seek(read_)) return;
  const QByteArray bytes = file.read(most_log_at_once);
  const QByteArray whole = bytes.left(bytes.lastIndexOf('\n') + 1);  // the rest of a line comes later
  read_ += whole.size();
  for (const QByteArray& line : whole.split('\n'))
    if (!line.isEmpty()) takeLine(line.left(largest_line));
}

void InferenceServer::takeLine(const QByteArray& line) {
  lines_ << QString::fromStdString(printable(line.toStdString()));
  const auto json = parse_json(line.toStdString(), "log");
  if (!json) return;
  if (const QString sentence = sentenceOf(*json); !sentence.isEmpty()) problem_ = sentence;
}

QStringList InferenceServer::takeLog() { return std::exchange(lines_, {}); }

void InferenceServer::ended() {
  readLog();
  timer_.stop();
  pid_ = born_ = 0;
  rate_ = 0;
  QFile::remove(stateFile());
  if (state_ == State::stopping)
    problem_.clear();
  else if (problem_.isEmpty())
    problem_ = tr("The server has ended unexpectedly; its last lines are below.");
  const auto port = static_cast<quint16>(choice_.port);
  portTaken_ = state_ == State::starting && !QTcpServer().listen(QHostAddress::LocalHost, port);
  setState(State::stopped);
}

int InferenceServer::freePort() {
  QTcpServer probe;
  return probe.listen(QHostAddress::LocalHost) ? probe.serverPort() : 0;
}

void InferenceServer::setState(State state) {
  state_ = state;
  Q_EMIT changed();
}

}  // namespace nw::ui
