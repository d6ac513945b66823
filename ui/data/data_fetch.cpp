// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/data_fetch.hpp"

#include "engine/core/files.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

QString& programName() {
  static QString name;
  return name;
}

/// A message of the engine: template and arguments.
Text text_from(const Json& j) {
  Text text{textAt(j, "source").toStdString(), {}};
  if (const auto args = j.find("args"); args != j.end() && args->is_array())
    for (const Json& arg : *args) text.args.push_back(arg.is_string() ? arg.get<std::string>() : std::string());
  return text;
}

constexpr int code_of_stopped = 8;
constexpr qsizetype longest_line = 1 << 20;

}  // namespace

void DataFetch::setProgram(const QString& program) { programName() = program; }

DataFetch::DataFetch(QObject* parent) : QObject(parent) { setObjectName(QStringLiteral("dataFetch")); }

DataFetch::~DataFetch() {
  if (!process_) return;
  process_->disconnect(this);
  process_->terminate();
  process_->waitForFinished(500);
}

void DataFetch::start(const QString& setId) {
  if (process_) return;
  set_ = setId;
  error_.clear(), note_.clear(), rest_.clear();
  progress_ = {QStringLiteral("connecting"), {}, {}};
  stopping_ = false;
  process_ = new QProcess(this);
  process_->setStandardErrorFile(QProcess::nullDevice());
  connect(process_, &QProcess::readyReadStandardOutput, this, &DataFetch::readLines);
  connect(process_, &QProcess::finished, this,
          [this](int code, QProcess::ExitStatus how) { ended(how == QProcess::NormalExit ? code : -1); });
  connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) ended(-1);
  });
  QStringList arguments{QStringLiteral("data"), QStringLiteral("get"), setId, QStringLiteral("--json")};
  if (const QString mirror = qEnvironmentVariable("NETWRIGHT_DATA_MIRROR"); !mirror.isEmpty())
    arguments << QStringLiteral("--mirror") << mirror;
  process_->start(
      programName().isEmpty() ? QString::fromStdString((program_folder() / "netwright-cli").string()) : programName(),
      arguments, QIODevice::ReadOnly);
  Q_EMIT progressed();
}

void DataFetch::stop() {
  if (!process_) return;
  stopping_ = true;
  process_->terminate();
}

void DataFetch::readLines() {
  rest_ += process_->readAllStandardOutput();
  for (qsizetype end; (end = rest_.indexOf('\n')) >= 0; rest_.remove(0, end + 1)) readLine(rest_.left(end));
  if (rest_.size() > longest_line) rest_.clear();
}

void DataFetch::readLine(const QByteArray& line) {
  const auto json = parse_json(std::string_view(line.constData(), static_cast<std::size_t>(line.size())), "data get");
  if (!json || !json->is_object()) return;
  const QString type = textAt(*json, "type");
  if (type == QLatin1String("error")) error_ = translated(text_from(*json));
  if (const auto notes = json->find("notes"); notes != json->end() && notes->is_array())
    for (const Json& note : *notes)
      if (note.is_object()) note_ += (note_.isEmpty() ? QString() : QStringLiteral("\n")) + translated(text_from(note));
  if (type != QLatin1String("progress")) return;
  progress_ = {textAt(*json, "phase"),        textAt(*json, "file"),          textAt(*json, "host"),
               numberAt(*json, "done_bytes"), numberAt(*json, "total_bytes"), numberAt(*json, "bytes_per_s"),
               numberAt(*json, "remaining_s")};
  Q_EMIT progressed();
}

void DataFetch::ended(int code) {
  readLines();
  process_->disconnect(this);
  process_->deleteLater();
  process_ = nullptr;
  if (stopping_ || code == code_of_stopped)
    error_.clear();
  else if (code != 0 && error_.isEmpty())
    error_ = tr("The download ended without reporting a reason. Try again.");
  Q_EMIT finished(code == 0);
}

DataFetch& dataFetch(Session& session) {
  auto* fetch = session.findChild<DataFetch*>(QStringLiteral("dataFetch"), Qt::FindDirectChildrenOnly);
  return fetch != nullptr ? *fetch : *new DataFetch(&session);
}

}  // namespace nw::ui
