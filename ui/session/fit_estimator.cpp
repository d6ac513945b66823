// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/fit_estimator.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <QFile>
#include <algorithm>

#include "engine/core/free_memory.hpp"
#include "engine/core/json.hpp"
#include "engine/design/graph_diff.hpp"
#include "engine/design/project_file.hpp"
#include "engine/runs/run_folder.hpp"
#include "ui/session/background.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/run_feed.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

constexpr std::size_t mostRuns = 200;
constexpr int background_nice = 10;
QString& programName() {
  static QString name;
  return name;
}

/// The inputs of an estimate: the network, the data set, the settings.
std::uint64_t hashOf(const GraphDoc& doc) {
  return xxh3(std::to_string(network_hash(doc)) + to_json(doc.data()).dump() + to_json(doc.settings()).dump());
}

bool matters(const Put& change) {
  return !std::holds_alternative<PutFrame>(change) && !std::holds_alternative<PutNote>(change);
}

struct Prepared {
  std::uint64_t hash = 0;
  QString file;  // empty: nothing to estimate
  std::optional<LastRun> last;
  double free = 0;
};

/// Worker thread. `known`: the inputs of the previous estimate.
Prepared prepare(const GraphDoc& doc, std::uint64_t known, quint64 generation, const fs::path& runs) {
  Prepared p{hashOf(doc), {}, lastRunOf(runs, network_hash(doc)), static_cast<double>(free_memory_bytes())};
  if (p.hash == known) return p;
  const fs::path file =
      state_folder() / "estimate" / (std::to_string(::getpid()) + "-" + std::to_string(generation) + ".netwright");
  if (make_folder(file.parent_path(), 0700) && ProjectFile::save(doc, file))
    p.file = QString::fromStdString(file.string());
  return p;
}

std::optional<LastRun> measuredBy(const fs::path& folder) {
  EventTail tail(folder);
  std::vector<Event> events;
  for (;;) {
    const auto more = tail.poll(events);
    if (!more || !*more) break;
  }
  LastRun run{.folder = QString::fromStdString(folder.string())};
  for (const Event& e : events) {
    if (const auto* started = std::get_if<Started>(&e.what))
      run.memoryBytes = static_cast<double>(started->memory_bytes);
    if (const auto* epoch = std::get_if<EpochEnd>(&e.what)) {
      run.epochSeconds = epoch->seconds;
      run.imagesPerSecond = epoch->images_per_s;
    }
  }
  return run.epochSeconds > 0 ? std::optional(run) : std::nullopt;
}

}  // namespace

std::optional<LastRun> lastRunOf(const fs::path& runs, std::uint64_t networkHash) {
  std::vector<fs::path> folders;
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(runs, ignored))
    if (entry.is_directory(ignored)) folders.push_back(entry.path());
  const auto age = [&](const fs::path& p) { return fs::last_write_time(p, ignored); };
  std::sort(folders.begin(), folders.end(), [&](const fs::path& a, const fs::path& b) { return age(a) > age(b); });
  folders.resize(std::min(folders.size(), mostRuns));
  for (const fs::path& folder : folders) {
    const auto run = read_run_definition(folder);
    if (!run || network_hash(run->doc) != networkHash) continue;
    if (auto measured = measuredBy(folder)) return measured;
  }
  return {};
}

void FitEstimator::setProgram(const QString& program) { programName() = program; }

QString FitEstimator::program() {
  if (!programName().isEmpty()) return programName();
  return QString::fromStdString((program_folder() / "netwright-cli").string());
}

FitEstimator::FitEstimator(Session& session, QObject* parent) : QObject(parent), session_(session) {
  quiet_.setSingleShot(true);
  quiet_.setInterval(quietMs);
  connect(&quiet_, &QTimer::timeout, this, &FitEstimator::begin);
  connect(&session_, &Session::documentChanged, this, &FitEstimator::follow);
  connect(&session_, &Session::documentReplaced, this, [this] {
    mayTrain_ = false;
    forget();
    restart();
  });
  connect(&session_, &Session::dataFactsChanged, this, &FitEstimator::restart);
  connect(&session_.run(), &RunController::started, this, [this] { mayTrain_ = true; });
  connect(&session_.run(), &RunController::stateChanged, this, [this] {
    // the ended run added a measurement, and the machine is idle again
    if (session_.run().state() == RunController::State::idle) known_ = 0;
    restart();
  });
}

FitEstimator::~FitEstimator() { stop(); }

void FitEstimator::setOn(bool on) {
  if (on == std::exchange(on_, on)) return;
  if (on) return quiet_.start();
  stop();
}

/// Edits of frames and notes alone do not affect the estimate.
void FitEstimator::follow(const Edit& edit) {
  if (std::any_of(edit.begin(), edit.end(), matters)) restart();
}

void FitEstimator::forget() {
  known_ = 0;
  devices_.clear();
  largestBatch_ = 0;
  epochSeconds_ = imagesPerSecond_ = 0;
  lastRun_.reset();
  error_.clear();
}

void FitEstimator::measure() {
  mayTrain_ = true;
  known_ = 0;
  restart();
}

void FitEstimator::stop() {
  ++generation_;
  quiet_.stop();
  if (process_) {
    process_->disconnect(this);
    connect(process_, &QProcess::finished, process_, &QObject::deleteLater);
    process_->setParent(nullptr);
    process_->kill();
    process_ = nullptr;
    known_ = 0;
  }
  if (!file_.isEmpty()) QFile::remove(std::exchange(file_, {}));
  if (state_ == State::measuring) state_ = State::idle;
}

void FitEstimator::restart() {
  const State before = state_;
  stop();
  if (on_) quiet_.start();
  if (state_ != before) Q_EMIT changed();
}

void FitEstimator::begin() {
  if (!session_.analysisCurrent()) return quiet_.start();
  if (!session_.analysis().ok() || session_.analysis().memory_bytes <= 0) {
    forget();
    state_ = State::idle;
    Q_EMIT changed();
    return;
  }
  const QString runs = session_.run().runsFolder();
  const auto work = [doc = session_.doc(), known = known_, generation = generation_,
                     folder = runs.isEmpty() ? runs_folder() : fs::path(runs.toStdString())] {
    return prepare(doc, known, generation, folder);
  };
  inBackground(this, work, [this, generation = generation_](const Prepared& p) {
    if (generation != generation_ || !on_) return void(QFile::remove(p.file));
    freeBytes_ = p.free;
    if (p.file.isEmpty()) {
      lastRun_ = p.last;
      Q_EMIT changed();
      return;
    }
    forget();
    lastRun_ = p.last;
    known_ = p.hash;
    launch(p.file);
  });
}

/// How the estimate is made; without a measurement while a run trains, which it would slow down.
QStringList FitEstimator::wayOf() const {
  const bool free = session_.run().state() == RunController::State::idle;
  const QString seconds = !free ? QStringLiteral("0") : mayTrain_ ? QStringLiteral("1") : QStringLiteral("0.3");
  QStringList way{QStringLiteral("--seconds"), seconds};
  if (!mayTrain_) way << QStringLiteral("--plan");
  return way;
}

void FitEstimator::launch(const QString& file) {
  file_ = file;
  measured_ = mayTrain_;
  const QStringList arguments = QStringList{QStringLiteral("estimate"), file, QStringLiteral("--json")} + wayOf();
  process_ = new QProcess(this);
  process_->setChildProcessModifier([] { ::setpriority(PRIO_PROCESS, 0, background_nice); });
  connect(process_, &QProcess::readyReadStandardOutput, this, &FitEstimator::readLines);
  connect(process_, &QProcess::finished, this, &FitEstimator::ended);
  connect(process_, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
    if (error == QProcess::FailedToStart) ended(1, QProcess::NormalExit);
  });
  state_ = State::measuring;
  process_->start(program(), arguments, QIODevice::ReadOnly);
  Q_EMIT changed();
}

void FitEstimator::readLines() {
  while (process_ && process_->canReadLine()) {
    const auto line = parse_json(process_->readLine().toStdString(), "estimate");
    if (!line || !line->is_object()) continue;
    JsonReader reader(*line, "estimate");
    if (const Json* devices = reader.has("devices") ? reader.child("devices", Json::value_t::array) : nullptr) {
      devices_.clear();
      for (const Json& one : *devices) {
        JsonReader d(one, "device");
        const QString name = QString::fromStdString(d.string("name"));
        devices_.push_back({name, d.real("memory_bytes"), d.real("capacity_bytes")});
      }
      largestBatch_ = reader.integer_or("largest_batch", 0, 0, std::int64_t{1} << 40);
    }
    epochSeconds_ = reader.real_or("epoch_s", epochSeconds_);
    imagesPerSecond_ = reader.real_or("images_per_s", imagesPerSecond_);
    Q_EMIT changed();
  }
}

void FitEstimator::ended(int code, QProcess::ExitStatus status) {
  readLines();
  state_ = code == 0 && status == QProcess::NormalExit ? State::done : State::failed;
  if (state_ == State::failed)
    error_ = QString::fromUtf8(process_->readAllStandardError()).trimmed().section(u'\n', -1);
  process_->deleteLater();
  process_ = nullptr;
  if (!file_.isEmpty()) QFile::remove(std::exchange(file_, {}));
  Q_EMIT changed();
}

}  // namespace nw::ui
