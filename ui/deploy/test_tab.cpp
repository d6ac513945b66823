// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/test_tab.hpp"

#include <QComboBox>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QTableWidget>
#include <QTime>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "ui/data/path_field.hpp"
#include "ui/deploy/deploy_ground.hpp"
#include "ui/deploy/export_item.hpp"
#include "ui/deploy/inference_server.hpp"
#include "ui/deploy/rate_chart.hpp"
#include "ui/deploy/server_bench.hpp"
#include "ui/page/page.hpp"
#include "ui/session/background.hpp"
#include "ui/session/command_process.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/panes.hpp"

namespace nw::ui {
namespace {

constexpr int most_shown = 200, icon_side = 56, cell_width = 112, cell_height = 108, latency_places = 20;
constexpr std::size_t most_latencies = 100'000;
constexpr qint64 batches[] = {1, 8, 64};

}  // namespace

std::vector<double> latencyBins(const std::vector<double>& ms) {
  std::vector<double> bins(latency_places, 0);
  for (const double v : ms) {
    const int bin = v > 0 ? static_cast<int>(std::floor(std::log2(v))) + 4 : 0;
    bins[static_cast<std::size_t>(std::clamp(bin, 0, latency_places - 1))] += 1;
  }
  return bins;
}

double latencyWithin(std::vector<double> ms, double q) {
  if (ms.empty()) return -1;
  const auto at = static_cast<std::ptrdiff_t>(std::ceil(q * static_cast<double>(ms.size()))) - 1;
  const auto nth = ms.begin() + std::clamp<std::ptrdiff_t>(at, 0, std::ssize(ms) - 1);
  std::nth_element(ms.begin(), nth, ms.end());
  return *nth;
}

DeployTab* makeTestTab(const DeployContext& context) { return new TestTab(context); }

TestTab::TestTab(const DeployContext& context, QWidget* parent)
    : DeployTab(parent),
      context_(context),
      watch_(new FolderWatch(context.session.helper(), this)),
      serverBench_(new ServerBench(this)) {
  setObjectName(QStringLiteral("testTab"));
  auto* ground = new DeployGround(&Theme::canvas);
  auto* row = new QHBoxLayout(ground);
  row->setContentsMargins(12, 12, 12, 12);
  row->setSpacing(space::m);
  row->addWidget(makeFolder(), 3);
  row->addWidget(makeSpeed(), 2);
  auto* whole = new QVBoxLayout(this);
  whole->setContentsMargins(0, 0, 0, 0);
  whole->addWidget(ground);
  connect(watch_, &FolderWatch::predicted, this, &TestTab::take);
  connect(watch_, &FolderWatch::waitingChanged, this, &TestTab::showState);
  connect(watch_, &FolderWatch::failed, this, [this](const QString& sentence) {
    showState();
    note_->setText(sentence);
  });
  connect(&context_.session, &Session::devicesChanged, this, [this] {
    device_->clear();
    for (const DeviceInfo& d : context_.session.devices())
      device_->addItem(deviceText(d.name), QString::fromStdString(d.name));
  });
  for (const DeviceInfo& d : context_.session.devices())
    device_->addItem(deviceText(d.name), QString::fromStdString(d.name));
  const auto on = [this](const char* id, auto act) {
    connect(action(QLatin1String(id)), &QAction::triggered, this, [this, act] {
      if (isVisible()) act();
    });
  };
  on("deploy-watch", [this] { startOrStop(); });
  on("deploy-measure", [this] { measureOrStop(); });
  showState();
}

QWidget* TestTab::makeFolder() {
  auto* card = new Card(tr("Watched folder"));
  makePane(*card);
  auto* column = static_cast<QVBoxLayout*>(card->body()->layout());
  auto* line = new QHBoxLayout;
  folder_ = new PathField(true, tr("Folder with pictures"), card);
  folder_->setObjectName(QStringLiteral("testFolder"));
  start_ = makeButton({}, ButtonKind::primary, QStringLiteral("eye"), card);
  start_->setObjectName(QStringLiteral("testStart"));
  line->addWidget(folder_, 1);
  line->addWidget(start_);
  column->addLayout(line);
  figures_ = makeElidedLabel({}, 1, static_cast<int>(TextRole::body), card);
  figures_->setObjectName(QStringLiteral("testFigures"));
  column->addWidget(figures_);
  note_ = makeElidedLabel({}, 2, static_cast<int>(TextRole::secondary), card);
  column->addWidget(note_);
  wall_ = new QListWidget(card);
  wall_->setObjectName(QStringLiteral("testWall"));
  wall_->setAccessibleName(tr("Predicted pictures, newest first"));
  wall_->setViewMode(QListView::IconMode);
  wall_->setMovement(QListView::Static);
  wall_->setResizeMode(QListView::Adjust);
  wall_->setIconSize({icon_side, icon_side});
  wall_->setGridSize({cell_width, cell_height});
  wall_->setUniformItemSizes(true);
  wall_->setFrameShape(QFrame::NoFrame);
  column->addWidget(wall_, 1);
  column->addWidget(makeLabel(tr("Latency, in milliseconds"), 2, static_cast<int>(TextRole::secondary), card));
  chart_ = new RateChart(tr("Histogram of latencies"), card);
  column->addWidget(chart_);
  connect(start_, &QPushButton::clicked, this, &TestTab::startOrStop);
  connect(folder_, &PathField::pathChanged, this, &TestTab::showState);
  return card;
}

QWidget* TestTab::makeSpeed() {
  auto* card = new Card(tr("Speed"));
  makePane(*card);
  auto* column = static_cast<QVBoxLayout*>(card->body()->layout());
  auto* line = new QHBoxLayout;
  device_ = new QComboBox(card);
  device_->setAccessibleName(tr("Device"));
  measure_ = makeButton(tr("Measure"), ButtonKind::tonal, QStringLiteral("gauge"), card);
  measure_->setObjectName(QStringLiteral("testMeasure"));
  line->addWidget(device_, 1);
  line->addWidget(measure_);
  column->addLayout(line);
  table_ = new QTableWidget(0, 5, card);
  table_->setObjectName(QStringLiteral("testSpeeds"));
  table_->setAccessibleName(tr("Images a second"));
  table_->setHorizontalHeaderLabels({tr("What"), tr("Device"), tr("Batch 1"), tr("Batch 8"), tr("Batch 64")});
  table_->verticalHeader()->hide();
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setTabKeyNavigation(false);
  table_->setShowGrid(false);
  table_->setFrameShape(QFrame::NoFrame);
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setHighlightSections(false);
  column->addWidget(table_, 1);
  speedNote_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary), card);
  speedNote_->setWordWrap(true);
  speedNote_->setText(
      tr("Images a second of each measured run, of the running server, and of C libraries and bundles as their "
         "proofs timed them."));
  column->addWidget(speedNote_);
  connect(measure_, &QPushButton::clicked, this, &TestTab::measureOrStop);
  connect(serverBench_, &ServerBench::measured, this, [this](qint64 batch, double perSecond) {
    put(tr("Server: %1").arg(inOneLine(ServerBench::modelOf(weights_.run))), tr("HTTP, 1 client"), batch, perSecond);
  });
  connect(serverBench_, &ServerBench::ended, this, [this](const QString& problem) {
    measure_->setText(tr("Measure"));
    if (!problem.isEmpty()) Q_EMIT context_.session.message(problem, 2);
  });
  return card;
}

void TestTab::setWeights(const DeployWeights& weights) {
  const bool other = weights.run != weights_.run || weights.checkpoint != weights_.checkpoint;
  weights_ = weights;
  if (other && watch_->isOn()) watch_->start(folder_->path(), weights_);
  showState();
}

void TestTab::startOrStop() {
  note_->setText({});
  if (watch_->isOn()) {
    watch_->stop();
  } else if (QFileInfo(folder_->path()).isDir()) {
    latency_.clear();
    failures_ = 0;
    wall_->clear();
    watch_->start(folder_->path(), weights_);
  } else {
    note_->setText(tr("There is no such folder."));
  }
  showState();
}

void TestTab::take(const WatchedImage& image) {
  const QString file = inOneLine(QFileInfo(image.path).fileName());
  if (!image.problem.isEmpty()) {
    ++failures_;
    note_->setText(tr("%1: %2").arg(file, image.problem));
    return showState();
  }
  if (latency_.size() < most_latencies) latency_.push_back(image.ms);
  QPixmap picture = QPixmap::fromImage(image.image.scaled(icon_side, icon_side, Qt::KeepAspectRatio));
  auto* item = new QListWidgetItem(QIcon(picture), {});
  item->setText(inOneLine(image.answer) + u' ' + percentText(image.share) + u'\n' +
                QTime::currentTime().toString(QStringLiteral("hh:mm:ss")));
  item->setToolTip(file);
  item->setSizeHint({cell_width - 4, cell_height - 4});  // wider than the picture, for the words
  wall_->insertItem(0, item);
  if (wall_->count() > most_shown) delete wall_->takeItem(wall_->count() - 1);
  showState();
}

void TestTab::showState() {
  const bool on = watch_->isOn();
  start_->setText(on ? tr("Stop watching") : tr("Watch"));
  start_->setEnabled(on || (!weights_.run.isEmpty() && !folder_->path().isEmpty()));
  folder_->setEnabled(!on);
  if (latency_.empty()) {
    figures_->setText(on ? tr("Waits for pictures") : tr("Pictures that arrive in the folder are predicted at once."));
  } else {
    figures_->setText(tr("%1 predicted · p50 %2 · p99 %3 · %4 waiting · %5 not readable")
                          .arg(grouped(std::ssize(latency_)), millisecondsText(latencyWithin(latency_, 0.5)),
                               millisecondsText(latencyWithin(latency_, 0.99)), grouped(watch_->waiting()),
                               grouped(failures_)));
  }
  chart_->setValues(latencyBins(latency_), latency_places, QStringLiteral("0.06"), QStringLiteral("32 768"));
  Q_EMIT statusChanged();
}

void TestTab::measureOrStop() {
  if (serverBench_->isOn()) return serverBench_->stop();
  if (bench_) return bench_->stop();
  if (weights_.run.isEmpty()) return;
  auto* process = new CommandProcess(this);
  bench_ = process;
  measure_->setText(tr("Stop"));
  process->onLine([this](const Json& line) { takeSpeed(line); });
  const auto end = [this, process](const QString& sentence) {
    process->deleteLater();
    bench_ = nullptr;
    measure_->setText(tr("Measure"));
    if (!sentence.isEmpty()) Q_EMIT context_.session.message(sentence, 2);
    measureServer();
  };
  process->start(
      {QStringLiteral("infer-bench"), weights_.run, QStringLiteral("--checkpoint"), weights_.checkpoint,
       QStringLiteral("--devices"), device_->currentData().toString(), QStringLiteral("--batches"),
       QStringLiteral("1,8,64"), QStringLiteral("--seconds"), QStringLiteral("0.5")},
      [end](const Json&) { end({}); }, end);
  addProved();
}

void TestTab::takeSpeed(const Json& line) {
  if (const double perSecond = numberAt(line, "images_per_s"); perSecond > 0)
    put(context_.weights.describe(weights_.run, weights_.checkpoint, weights_.step),
        deviceText(textAt(line, "device").toStdString()), integerAt(line, "batch"), perSecond);
}

/// After the run itself: both compute with all of the processor.
void TestTab::measureServer() {
  const InferenceServer& server = inferenceServer(context_.session);
  const bool serves = server.choice().runs.contains(weights_.run);
  if (server.state() != InferenceServer::State::running || !serves) return;
  measure_->setText(tr("Stop"));
  serverBench_->start(server.address(), ServerBench::modelOf(weights_.run), server.token());
}

/// C libraries and bundles of the run, as their proofs timed them on one thread.
void TestTab::addProved() {
  inBackground(
      this, [run = weights_.run.toStdString()] { return readExports(run); },
      [this](const QVector<ExportRecord>& records) {
        for (const ExportRecord& r : records)
          for (const NetworkFormat& f : networkFormats()) {
            const bool compiled = r.format == QLatin1String("c") || r.format == QLatin1String("bundle");
            if (!compiled || r.format != QLatin1String(f.id)) continue;
            const ExportItem item{.format = &f, .record = r};
            if (const double ms = millisecondsOf(item); ms > 0)
              put(nameOf(f) + QStringLiteral(": ") + inOneLine(QFileInfo(r.file).fileName()), tr("CPU, 1 thread"), 1,
                  1000 / ms);
          }
      });
}

void TestTab::put(const QString& what, const QString& device, qint64 batch, double perSecond) {
  const auto column = std::find(std::begin(batches), std::end(batches), batch) - std::begin(batches);
  if (column == std::ssize(batches)) return;
  int row = 0;
  while (row < table_->rowCount() && (table_->item(row, 0)->text() != what || table_->item(row, 1)->text() != device))
    ++row;
  if (row == table_->rowCount()) {
    table_->insertRow(row);
    for (int c = 0; c < table_->columnCount(); ++c) {
      table_->setItem(row, c, new QTableWidgetItem(c == 0 ? what : c == 1 ? device : QStringLiteral("–")));
      if (c > 1) table_->item(row, c)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    }
    table_->item(row, 0)->setToolTip(what);
  }
  table_->item(row, static_cast<int>(column) + 2)->setText(grouped(static_cast<qint64>(perSecond)));
}

QString TestTab::status() const {
  return watch_->isOn() ? tr("Watches %1").arg(inOneLine(QFileInfo(folder_->path()).fileName()))
                        : tr("No folder is watched");
}

}  // namespace nw::ui
