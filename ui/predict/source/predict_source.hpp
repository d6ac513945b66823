// SPDX-License-Identifier: GPL-3.0-or-later
// The chosen weights and images, and their predictions: sends requests to the helper process and stores the newest
// response. GUI thread.
#pragma once
#include <QHash>
#include <QImage>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <functional>
#include <memory>

#include "engine/design/choice.hpp"
#include "ui/predict/source/evaluation.hpp"
#include "ui/session/helper_client.hpp"

namespace nw::ui {

/// The network in use, as the response to "open_run" describes it.
struct NetworkInfo {
  QStringList names;                        // of classes, labels or numbers, as stored with the run
  QStringList filters;                      // dotted names of the layers that have filters, in order of computation
  int channels = 0, height = 0, width = 0;  // of its input
  QString checkpoint;
  qint64 step = 0;
  DataChoice data;  // what it was trained on
  bool known() const { return channels > 0; }
  TargetKind kind() const { return target_kind(data); }
};

class PredictSource : public QObject {
  Q_OBJECT
 public:
  explicit PredictSource(HelperClient& helper, QObject* parent = nullptr);
  using EvaluationReader = std::function<Result<EvaluationView>(const Message&, const QStringList&)>;
  /// For tests: what reads evaluations instead of evaluation_from(); none: that one again.
  static void setEvaluationReader(EvaluationReader reader);
  /// Another run or checkpoint ("best", "latest" or a name); the split is evaluated again.
  void setWeights(const QString& run, const QString& checkpoint);
  void setSplit(const QString& split);  // "train", "validation", "test"
  /// Own images instead of a split: each is predicted as a file. A folder named after a class gives the true class.
  void setFiles(const QStringList& files);
  void reload();

  QString run() const { return run_; }
  QString checkpoint() const { return checkpoint_; }
  QString split() const { return split_; }
  /// The name of a sample in project files; empty before the response to look(), and for own images.
  QString sampleName(qint64 sample) const { return sampleNames_.value(sample); }
  const QStringList& files() const { return files_; }
  const NetworkInfo& network() const { return network_; }
  /// The group name of samples with this label.
  QString groupName(int label) const {
    return name_in(view_ && !view_->groups.isEmpty() ? view_->groups : network_.names, label);
  }
  std::shared_ptr<const EvaluationView> view() const { return view_; }
  double seconds() const { return seconds_; }
  bool busy() const { return busy_; }

  using Classes = std::function<void(const Result<std::vector<float>>&)>;
  /// An own image in the network's input size; null while it is loaded, or if it is unreadable.
  QImage fileImage(qint64 file) const {
    return file >= 0 && file < std::ssize(fileImages_) ? fileImages_[static_cast<std::size_t>(file)] : QImage();
  }
  /// A sample of the split, or an own image, with its prediction: one request, one forward pass.
  struct Look {
    QImage image;  // in its own size
    std::vector<float> probability;
    Json shape;                        // of the layer's output
    std::vector<std::uint8_t> output;  // f32; empty when no layer was requested
  };
  using LookAnswer = std::function<void(const Result<Look>&)>;
  /// `layer`: the layer whose output is requested; empty: none.
  void look(QObject* context, const QString& split, qint64 sample, const QString& layer, LookAnswer done);
  /// An own image.
  void lookAtFile(QObject* context, qint64 file, LookAnswer done);
  struct FilePrediction {
    std::vector<float> probability;
    QImage input;  // in the network's input size
  };
  using FileAnswer = std::function<void(const Result<FilePrediction>&)>;
  /// The prediction of an image of any size; the helper converts and resizes it.
  qint64 predict(QObject* context, const QImage& image, FileAnswer done);
  /// Class probabilities of an image by other weights, of another run for example.
  qint64 predictWith(QObject* context, const protocol::Weights& weights, const QImage& image, Classes done);
  qint64 predictFile(QObject* context, const QString& path, FileAnswer done);
  /// One class of the split against the rest.
  void curves(QObject* context, int one, std::function<void(const Result<ClassCurves>&)> done);
  using Bytes = std::function<void(const Result<std::string>&)>;
  /// The report to write about the split: "html", a page; "csv", the table of classes.
  void report(QObject* context, const char* format, Bytes done);
  HelperClient& helper() { return helper_; }
  protocol::Weights weights() const { return {run_.toStdString(), checkpoint_.toStdString()}; }

 Q_SIGNALS:
  void opened();                     // network() is new
  void evaluated();                  // view() is new, or gone
  void progressed(double fraction);  // 0…1
  void failed(const QString& sentence);

 private:
  void open();
  void evaluate();
  void readEvaluation(const std::shared_ptr<const Result<Message>>& answer);
  void evaluateFiles();
  void nextFile(std::size_t at, const std::shared_ptr<EvaluationView>& into, quint64 turn);
  void finish(std::shared_ptr<EvaluationView> view);
  void fail(const Error& error);

  HelperClient& helper_;
  QString run_, checkpoint_ = QStringLiteral("best"), split_ = QStringLiteral("test");
  QStringList files_;
  std::vector<QImage> fileImages_;
  QHash<qint64, QString> sampleNames_;
  NetworkInfo network_;
  std::shared_ptr<const EvaluationView> view_;
  double seconds_ = 0;
  qint64 asked_ = 0;
  quint64 turn_ = 0;  // request counter: responses to older requests are discarded
  bool busy_ = false;
};

/// "training set", "validation set" or "test set", translated.
QString name_of_split(const QString& split);

}  // namespace nw::ui
