// SPDX-License-Identifier: GPL-3.0-or-later
// What this computer reaches: the commands of netwright-cli that measure its processor and how fast it trains some
// templates, and what they printed. GUI thread; the work is in processes of its own.
#pragma once
#include <QObject>
#include <QStringList>
#include <array>
#include <optional>

#include "engine/scaling/known_processors.hpp"
#include "ui/session/command_chain.hpp"

namespace nw::ui {

/// What `netwright-cli devices --measure` says of the processor.
struct ProcessorFacts {
  struct InstructionSet {
    QString name;
    bool usable = false, used = false;
  };
  QString description;  // "AMD EPYC, avx512bf16"
  double memoryBytes = 0;
  QVector<InstructionSet> instructionSets;     // the best first
  double flops = 0, memoryBytesPerSecond = 0;  // of one thread
};

/// A kernel of a training step.
struct KernelFacts {
  QString layer, kernel;
  double seconds = 0, share = 0;  // share of all kernels
  double flops = 0;               // operations per second; 0: it is not counted
};

class ComputerSpeed : public QObject {
  Q_OBJECT
 public:
  explicit ComputerSpeed(QObject* parent = nullptr);
  enum class Format { fp32, automatic };
  /// Looks at the processor, in about 50 ms; factsChanged() or failed().
  void look();
  /// Measures the speed of training in both formats and the kernels of a step of the first network, in about a minute.
  void measure();
  /// Ends with failed() and an empty sentence.
  void stop() { chain_.stop(); }
  bool isMeasuring() const { return measuring_; }
  const ProcessorFacts& processor() const { return processor_; }
  /// Images per second; 0: not measured.
  double imagesPerSecond(Format format, std::size_t network) const {
    return speeds_[static_cast<std::size_t>(format)][network];
  }
  const QVector<KernelFacts>& kernels() const { return kernels_; }
  double peakFlops() const { return peakFlops_; }  // of one thread, in the step's measurement; 0: unknown
  /// 0 to 1.
  double progress() const;
  /// Nothing before the first measurement has ended.
  std::optional<double> secondsLeft() const;

 Q_SIGNALS:
  void changed();   // the processor, a speed, the kernels or the progress
  void finished();  // of look() and of measure()
  void failed(const QString& sentence);

 private:
  void take(const QString& stage, const Json& line);
  void takeProcessor(const Json& line);
  void takeKernel(const Json& line);
  void takeSpeed(Format format, const Json& line);
  CommandChain chain_{this};
  bool measuring_ = false;
  int done_ = 0;  // speeds since measure()
  ProcessorFacts processor_;
  std::array<scaling::TrainingSpeeds, 2> speeds_{};
  QVector<KernelFacts> kernels_;
  double peakFlops_ = 0;
};

}  // namespace nw::ui
