// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/preferences/computer_speed.hpp"

#include <algorithm>

#include "ui/session/json_values.hpp"

namespace nw::ui {
namespace {

constexpr std::array formatNames{"fp32", "automatic"};
constexpr int measurements = static_cast<int>(formatNames.size() * scaling::compared_networks.size());

QString networkNames() {
  QStringList names;
  for (const std::string_view name : scaling::compared_networks)
    names << QLatin1String(name.data(), static_cast<qsizetype>(name.size()));
  return names.join(QLatin1Char(','));
}

/// Both formats in the same process order, then the kernels of a step of the first network.
QVector<StepCommand> commandsOfBenchmark() {
  const QString threads = QString::number(scaling::compared_threads);
  QVector<StepCommand> commands;
  for (const char* format : formatNames)
    commands.push_back(
        {QLatin1String(format),
         {QStringLiteral("bench"), QStringLiteral("--noise"), QStringLiteral("--nets"), networkNames(),
          QStringLiteral("--threads"), threads, QStringLiteral("--precision"), QLatin1String(format),
          QStringLiteral("--seconds"), QStringLiteral("1.5"), QStringLiteral("--repeats"), QStringLiteral("3")}});
  commands.push_back(
      {QStringLiteral("kernels"),
       {QStringLiteral("bench"), QStringLiteral("--noise"), QStringLiteral("--profile"), QStringLiteral("--nets"),
        networkNames().section(QLatin1Char(','), 0, 0), QStringLiteral("--threads"), threads,
        QStringLiteral("--precision"), QStringLiteral("automatic"), QStringLiteral("--seconds"), QStringLiteral("1")}});
  return commands;
}

}  // namespace

ComputerSpeed::ComputerSpeed(QObject* parent) : QObject(parent) {
  connect(&chain_, &CommandChain::line, this, &ComputerSpeed::take);
  connect(&chain_, &CommandChain::finished, this, [this] {
    measuring_ = false;
    Q_EMIT finished();
  });
  connect(&chain_, &CommandChain::failed, this, [this](const QString& sentence) {
    measuring_ = false;
    Q_EMIT failed(sentence);
  });
}

void ComputerSpeed::look() {
  chain_.start({{QStringLiteral("processor"), {QStringLiteral("devices"), QStringLiteral("--measure")}}});
}

void ComputerSpeed::measure() {
  measuring_ = true;
  done_ = 0;
  speeds_ = {};
  kernels_.clear();
  chain_.start(commandsOfBenchmark());
  Q_EMIT changed();
}

double ComputerSpeed::progress() const { return std::min(1.0, static_cast<double>(done_) / measurements); }

std::optional<double> ComputerSpeed::secondsLeft() const {
  if (done_ == 0) return std::nullopt;
  return chain_.seconds() / done_ * std::max(0, measurements - done_);
}

void ComputerSpeed::take(const QString& stage, const Json& line) {
  if (stage == QLatin1String("processor"))
    takeProcessor(line);
  else if (stage == QLatin1String("kernels"))
    takeKernel(line);
  else
    takeSpeed(stage == QLatin1String(formatNames[0]) ? Format::fp32 : Format::automatic, line);
  Q_EMIT changed();
}

void ComputerSpeed::takeProcessor(const Json& line) {
  if (textAt(line, "name") == QLatin1String("cpu")) {
    processor_.description = textAt(line, "description");
    processor_.memoryBytes = numberAt(line, "memory_bytes");
  }
  if (textAt(line, "type") != QLatin1String("processor")) return;
  processor_.flops = numberAt(line, "flops");
  processor_.memoryBytesPerSecond = numberAt(line, "memory_bytes_per_s");
  processor_.instructionSets.clear();
  const auto sets = line.find("instruction_sets");
  if (sets == line.end() || !sets->is_array()) return;
  for (const Json& set : *sets)
    processor_.instructionSets.push_back({textAt(set, "name"), flagAt(set, "usable"), flagAt(set, "used")});
}

void ComputerSpeed::takeKernel(const Json& line) {
  const QString type = textAt(line, "type");
  if (type == QLatin1String("kernel"))
    kernels_.push_back({textAt(line, "layer"), textAt(line, "kernel"), numberAt(line, "seconds"),
                        numberAt(line, "share"), numberAt(line, "flops")});
  if (type == QLatin1String("step")) peakFlops_ = numberAt(line, "peak_flops");
}

void ComputerSpeed::takeSpeed(Format format, const Json& line) {
  const std::string net = textAt(line, "net").toStdString();
  const auto& nets = scaling::compared_networks;
  const auto found = std::find(nets.begin(), nets.end(), net);
  const double rate = numberAt(line, "images_per_s");
  if (found == nets.end() || !(rate > 0)) return;
  speeds_[static_cast<std::size_t>(format)][static_cast<std::size_t>(found - nets.begin())] = rate;
  ++done_;
}

}  // namespace nw::ui
