// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deploy/folder_watch.hpp"

#include <QDateTime>
#include <QDir>
#include <algorithm>

#include "engine/design/project_file.hpp"
#include "ui/predict/source/evaluation.hpp"
#include "ui/session/background.hpp"
#include "ui/session/helper_images.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

constexpr int look_ms = 400;
constexpr qsizetype most_pictures = 4096;

}  // namespace

QVector<FolderEntry> picturesIn(const QString& folder) {
  const QStringList endings{QStringLiteral("*.png"), QStringLiteral("*.jpg"), QStringLiteral("*.jpeg"),
                            QStringLiteral("*.bmp")};
  QFileInfoList files = QDir(folder).entryInfoList(endings, QDir::Files | QDir::Readable, QDir::Time);
  if (files.size() > most_pictures) files.resize(most_pictures);
  QVector<FolderEntry> all;
  for (auto it = files.rbegin(); it != files.rend(); ++it)
    all.push_back({it->absoluteFilePath(), it->lastModified().toMSecsSinceEpoch(), it->size()});
  return all;
}

FolderWatch::FolderWatch(HelperClient& helper, QObject* parent) : QObject(parent), helper_(helper) {
  timer_.setInterval(look_ms);
  connect(&timer_, &QTimer::timeout, this, &FolderWatch::look);
}

void FolderWatch::start(const QString& folder, const DeployWeights& weights) {
  stop();
  folder_ = folder;
  weights_ = weights;
  on_ = true;
  open();
}

void FolderWatch::stop() {
  ++turn_;
  on_ = looking_ = predicting_ = false;
  timer_.stop();
  known_.clear();
  unsettled_.clear();
  queue_.clear();
}

void FolderWatch::open() {
  const protocol::OpenRunRequest request{{weights_.run.toStdString(), weights_.checkpoint.toStdString()}};
  helper_.ask(this, request, [this, turn = turn_](const Result<Message>& answer) {
    if (turn != turn_) return;
    const int height = answer ? static_cast<int>(integerAt(answer->json, "height")) : 0;
    const int width = answer ? static_cast<int>(integerAt(answer->json, "width")) : 0;
    if (height < 1 || width < 1) {
      stop();
      return void(Q_EMIT failed(answer ? tr("The run does not record the size of its images.")
                                       : translated(answer.error().what)));
    }
    height_ = height;
    width_ = width;
    names_ = textsAt(answer->json, "classes");
    kind_ = TargetKind::classes;
    if (const auto data = answer->json.find("data"); data != answer->json.end())
      if (const Result<DataChoice> choice = data_from_json(*data, "helper")) kind_ = target_kind(*choice);
    timer_.start();
    look();
  });
}

void FolderWatch::look() {
  if (!on_ || looking_) return;
  looking_ = true;
  inBackground(
      this, [folder = folder_] { return picturesIn(folder); },
      [this, turn = turn_](const QVector<FolderEntry>& entries) {
        if (turn != turn_) return;
        looking_ = false;
        take(entries);
      });
}

/// A file is complete once it looks the same twice.
void FolderWatch::take(const QVector<FolderEntry>& entries) {
  for (const FolderEntry& e : entries) {
    const QString stamp = e.stamp();
    if (known_.value(e.path) == stamp) continue;
    if (unsettled_.value(e.path) != stamp) {
      unsettled_[e.path] = stamp;
      continue;
    }
    unsettled_.remove(e.path);
    known_[e.path] = stamp;
    if (!queue_.contains(e.path)) queue_ << e.path;
  }
  Q_EMIT waitingChanged();
  next();
}

void FolderWatch::next() {
  if (predicting_ || queue_.isEmpty()) return;
  predicting_ = true;
  const QString path = queue_.takeFirst();
  const protocol::PredictFileRequest request{{weights_.run.toStdString(), weights_.checkpoint.toStdString()},
                                             path.toStdString()};
  QElapsedTimer clock;
  clock.start();
  helper_.ask(this, request, [this, turn = turn_, path, clock](const Result<Message>& answer) {
    if (turn != turn_) return;
    predicting_ = false;
    finish(path, answer, static_cast<double>(clock.nsecsElapsed()) / 1e6);
    next();
    Q_EMIT waitingChanged();
  });
}

void FolderWatch::finish(const QString& path, const Result<Message>& answer, double ms) {
  WatchedImage done{.path = path, .ms = ms};
  const auto shares = answer ? probabilities_from(answer->json, kind_) : Result<std::vector<float>>(answer.error());
  if (!shares || shares->empty()) {
    done.problem = shares ? tr("no answer") : translated(shares.error().what);
    return void(Q_EMIT predicted(done));
  }
  if (auto images = images_from(answer->payload, 1, height_, width_)) done.image = images->front();
  const int best = top_classes(*shares, 1).front();
  done.answer = name_in(class_names(names_, static_cast<int>(shares->size())), best);
  done.share = static_cast<double>((*shares)[static_cast<std::size_t>(best)]);
  Q_EMIT predicted(done);
}

}  // namespace nw::ui
