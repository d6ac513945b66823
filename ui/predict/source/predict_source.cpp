// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/source/predict_source.hpp"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <algorithm>

#include "engine/core/scores.hpp"
#include "engine/design/project_file.hpp"
#include "ui/session/background.hpp"
#include "ui/session/helper_images.hpp"
#include "ui/session/json_values.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {

QString string_in(const Json& answer, const char* key) {
  const auto found = answer.find(key);
  return found != answer.end() && found->is_string() ? QString::fromStdString(found->get<std::string>()) : QString();
}

/// The response to "sample": the image in its original size, then the layer's output.
Result<PredictSource::Look> look_from(const Message& answer, TargetKind kind) {
  PredictSource::Look look;
  NW_ASSIGN(look.probability, probabilities_from(answer.json, kind));
  const auto height = static_cast<int>(integerAt(answer.json, "height")),
             width = static_cast<int>(integerAt(answer.json, "width"));
  NW_ASSIGN(const std::vector<QImage> images, images_from(answer.payload, 1, height, width));
  look.image = images.front();
  look.shape = answer.json.value("shape", Json());
  look.output.assign(answer.payload.begin() + static_cast<std::ptrdiff_t>(height) * width * 4, answer.payload.end());
  return look;
}

int channels_of(const QImage& image) { return image.format() == QImage::Format_Grayscale8 ? 1 : 3; }

/// u8 (H,W,C): one channel of a grey image, else RGB.
std::vector<std::uint8_t> pixels_of(const QImage& image) {
  const int channels = channels_of(image);
  const QImage flat = channels == 1 ? image : image.convertToFormat(QImage::Format_RGB888);
  const std::size_t line = static_cast<std::size_t>(flat.width()) * static_cast<std::size_t>(channels);
  std::vector<std::uint8_t> out;
  out.reserve(line * static_cast<std::size_t>(flat.height()));
  for (int y = 0; y < flat.height(); ++y) out.insert(out.end(), flat.constScanLine(y), flat.constScanLine(y) + line);
  return out;
}

protocol::PredictRequest request_of(const protocol::Weights& weights, const QImage& image) {
  return {weights, image.height(), image.width(), channels_of(image)};
}

/// The response to "predict" and "predict_file".
Result<PredictSource::FilePrediction> prediction_from(const Result<Message>& answer, int height, int width,
                                                      TargetKind kind) {
  if (!answer) return answer.error();
  NW_ASSIGN(std::vector<float> probability, probabilities_from(answer->json, kind));
  NW_ASSIGN(const std::vector<QImage> seen, images_from(answer->payload, 1, height, width));
  return PredictSource::FilePrediction{std::move(probability), seen.front()};
}

NetworkInfo network_from(const Json& answer) {
  NetworkInfo info;
  info.names = textsAt(answer, "classes");
  info.filters = textsAt(answer, "filters");
  info.channels = static_cast<int>(integerAt(answer, "channels"));
  info.height = static_cast<int>(integerAt(answer, "height"));
  info.width = static_cast<int>(integerAt(answer, "width"));
  if (const auto name = answer.find("checkpoint"); name != answer.end() && name->is_string())
    info.checkpoint = QString::fromStdString(name->get<std::string>());
  if (const auto data = answer.find("data"); data != answer.end())
    if (const Result<DataChoice> choice = data_from_json(*data, "helper")) info.data = *choice;
  info.step = info.checkpoint.section(QLatin1Char('-'), -1).toLongLong();  // "step-00012000"
  return info;
}

/// The class a file's folder is named after; -1: none.
int class_of_folder(const QString& file, const QStringList& names) {
  return static_cast<int>(names.indexOf(QFileInfo(file).dir().dirName()));
}

QString numbersText(const std::vector<float>& numbers) {
  QStringList all;
  for (const float v : numbers) all << QString::number(static_cast<double>(v), 'g', 3);
  return all.join(QStringLiteral("; "));
}

/// `label` < 0: the class is unknown.
Sample sample_of(const PredictSource::FilePrediction& file, qint64 at, int label) {
  const int best = top_classes(file.probability, 1).front();
  return {at, label, best, file.probability[static_cast<std::size_t>(best)],
          predicting::cross_entropy_of(file.probability, label)};
}

/// Fills in the confusion matrix, accuracy and loss if the class of every file is known.
void summarize(EvaluationView& view) {
  std::vector<predicting::LabelledPrediction> all;
  for (const Sample& s : view.samples)
    if (s.label >= 0) all.push_back({s.label, s.predicted, s.loss});
  if (all.empty() || all.size() != view.samples.size()) return;
  const predicting::PredictionSummary summary = predicting::summary_of(all, view.classes);
  view.confusion.assign(summary.confusion.begin(), summary.confusion.end());
  view.loss = summary.loss;
  view.accuracy = summary.accuracy;
}

/// Adds the network's outputs for one file to the view.
void add_file(EvaluationView& view, const NetworkInfo& network, const PredictSource::FilePrediction& file, qint64 at,
              const QString& path) {
  view.kind = network.kind();
  view.outputs = view.kind == TargetKind::classes
                     ? class_names(network.names, static_cast<int>(file.probability.size()))
                     : network.names;
  if (view.kind == TargetKind::values)
    view.names << numbersText(file.probability);  // each file is shown as a class of its own
  else
    view.names = view.outputs;
  view.classes = static_cast<int>(view.names.size());
  if (view.kind == TargetKind::values)
    view.samples.push_back({at, -1, view.classes - 1, -1, -1});
  else
    view.samples.push_back(
        sample_of(file, at, view.kind == TargetKind::classes ? class_of_folder(path, view.names) : -1));
}

PredictSource::EvaluationReader& evaluation_reader() {
  static PredictSource::EvaluationReader reader = evaluation_from;
  return reader;
}

}  // namespace

QString name_of_split(const QString& split) {
  if (split == QLatin1String("train")) return QCoreApplication::translate("PredictHeader", "training set");
  if (split == QLatin1String("validation")) return QCoreApplication::translate("PredictHeader", "validation set");
  return QCoreApplication::translate("PredictHeader", "test set");
}

PredictSource::PredictSource(HelperClient& helper, QObject* parent) : QObject(parent), helper_(helper) {}

void PredictSource::setEvaluationReader(EvaluationReader reader) {
  evaluation_reader() = reader ? std::move(reader) : evaluation_from;
}

void PredictSource::setWeights(const QString& run, const QString& checkpoint) {
  run_ = run;
  checkpoint_ = checkpoint;
  reload();
}

void PredictSource::setSplit(const QString& split) {
  split_ = split;
  files_.clear();
  reload();
}

void PredictSource::setFiles(const QStringList& files) {
  files_ = files;
  reload();
}

void PredictSource::reload() {
  if (asked_ != 0) helper_.cancel(asked_);
  asked_ = 0;
  ++turn_;
  network_ = {};
  view_.reset();
  fileImages_.clear();
  sampleNames_.clear();
  busy_ = !run_.isEmpty();
  Q_EMIT evaluated();
  if (!run_.isEmpty()) open();
}

void PredictSource::open() {
  asked_ = helper_.ask(this, protocol::OpenRunRequest{weights()}, [this, turn = turn_](const Result<Message>& answer) {
    if (turn != turn_) return;
    if (!answer) return fail(answer.error());
    network_ = network_from(answer->json);
    if (!network_.known())
      return fail(nw::fail(Errc::bad_input, NW_TR("The run does not record the size of its network's input.")));
    Q_EMIT opened();
    if (files_.isEmpty())
      evaluate();
    else
      evaluateFiles();
  });
}

void PredictSource::evaluate() {
  QElapsedTimer clock;
  clock.start();
  asked_ = helper_.askShared(
      this, protocol::EvaluateRequest{weights(), split_.toStdString()},
      [this, turn = turn_, clock](const std::shared_ptr<const Result<Message>>& answer) {
        if (turn != turn_) return;
        if (!*answer) return fail(answer->error());
        seconds_ = numberAt((*answer)->json, "seconds", static_cast<double>(clock.elapsed()) / 1000.0);
        readEvaluation(answer);
      },
      [this, turn = turn_](double fraction) {
        if (turn == turn_) Q_EMIT progressed(fraction);
      });
}

/// Many classes or images make it long: it is read on a worker thread.
void PredictSource::readEvaluation(const std::shared_ptr<const Result<Message>>& answer) {
  inBackground(
      this,
      [answer, names = network_.names, read = evaluation_reader()]() -> Result<std::shared_ptr<EvaluationView>> {
        NW_ASSIGN(EvaluationView view, read(**answer, names));
        return std::make_shared<EvaluationView>(std::move(view));
      },
      [this, turn = turn_](const Result<std::shared_ptr<EvaluationView>>& view) {
        if (turn != turn_) return;
        if (!view) return fail(view.error());
        finish(*view);
      });
}

void PredictSource::evaluateFiles() {
  auto view = std::make_shared<EvaluationView>();
  fileImages_.assign(static_cast<std::size_t>(files_.size()), QImage());
  seconds_ = 0;
  nextFile(0, view, turn_);
}

/// Requests one file at a time, so that the user can stop in between; files that are not images are skipped.
void PredictSource::nextFile(std::size_t at, const std::shared_ptr<EvaluationView>& view, quint64 turn) {
  if (turn != turn_) return;
  if (at == static_cast<std::size_t>(files_.size())) {
    if (view->samples.empty())
      return fail(nw::fail(Errc::bad_input, NW_TR("None of the {0} files could be read as an image."), at));
    summarize(*view);
    return finish(view);
  }
  Q_EMIT progressed(static_cast<double>(at) / static_cast<double>(files_.size()));
  QElapsedTimer clock;
  clock.start();
  const QString path = files_[static_cast<qsizetype>(at)];
  asked_ = predictFile(this, path, [this, at, view, turn, path, clock](const Result<FilePrediction>& answer) {
    if (turn != turn_) return;
    seconds_ += static_cast<double>(clock.elapsed()) / 1000.0;
    if (answer) {
      add_file(*view, network_, *answer, static_cast<qint64>(at), path);
      fileImages_[at] = answer->input;
    }
    nextFile(at + 1, view, turn);
  });
}

void PredictSource::finish(std::shared_ptr<EvaluationView> view) {
  asked_ = 0;
  busy_ = false;
  view_ = std::move(view);
  Q_EMIT evaluated();
}

void PredictSource::fail(const Error& error) {
  asked_ = 0;
  busy_ = false;
  Q_EMIT failed(translated(error.what));
}

qint64 PredictSource::predict(QObject* context, const QImage& image, FileAnswer done) {
  const int height = network_.height, width = network_.width;
  const auto take = [done = std::move(done), height, width, kind = network_.kind()](const Result<Message>& answer) {
    done(prediction_from(answer, height, width, kind));
  };
  return helper_.ask(context, request_of(weights(), image), take, {}, pixels_of(image));
}

qint64 PredictSource::predictWith(QObject* context, const protocol::Weights& weights, const QImage& image,
                                  Classes done) {
  const auto take = [done = std::move(done), kind = network_.kind()](const Result<Message>& answer) {
    if (!answer) return done(answer.error());
    done(probabilities_from(answer->json, kind));
  };
  return helper_.ask(context, request_of(weights, image), take, {}, pixels_of(image));
}

void PredictSource::curves(QObject* context, int one, std::function<void(const Result<ClassCurves>&)> done) {
  const protocol::CurvesRequest request{weights(), split_.toStdString(), one};
  helper_.ask(context, request, [done = std::move(done)](const Result<Message>& answer) {
    if (!answer) return done(answer.error());
    done(curves_from(answer->json));
  });
}

void PredictSource::report(QObject* context, const char* format, Bytes done) {
  const protocol::ReportRequest request{weights(), split_.toStdString(), format};
  helper_.ask(context, request, [done = std::move(done)](const Result<Message>& answer) {
    if (!answer) return done(answer.error());
    done(std::string(answer->payload.begin(), answer->payload.end()));
  });
}

qint64 PredictSource::predictFile(QObject* context, const QString& path, FileAnswer done) {
  const protocol::PredictFileRequest request{weights(), path.toStdString()};
  const int height = network_.height, width = network_.width;
  return helper_.ask(context, request,
                     [done = std::move(done), height, width, kind = network_.kind()](const Result<Message>& answer) {
                       done(prediction_from(answer, height, width, kind));
                     });
}

void PredictSource::look(QObject* context, const QString& split, qint64 sample, const QString& layer, LookAnswer done) {
  const protocol::SampleRequest request{weights(), split.toStdString(), layer.toStdString(), sample};
  helper_.ask(context, request,
              [this, self = QPointer(this), turn = turn_, done = std::move(done), sample, own = split == split_,
               kind = network_.kind()](const Result<Message>& answer) {
                if (!answer) return done(answer.error());
                if (self && turn == turn_ && own) sampleNames_.insert(sample, string_in(answer->json, "name"));
                done(look_from(*answer, kind));
              });
}

void PredictSource::lookAtFile(QObject* context, qint64 file, LookAnswer done) {
  predictFile(context, files_.value(static_cast<qsizetype>(file)),
              [done = std::move(done)](const Result<FilePrediction>& answer) {
                if (!answer) return done(answer.error());
                done(Look{answer->input, answer->probability, {}, {}});
              });
}

}  // namespace nw::ui
