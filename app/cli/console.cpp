// SPDX-License-Identifier: Apache-2.0
#include "app/cli/console.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace nw::cli {
namespace {

bool on_terminal() {
  const char* term = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) != 0 && term && std::string_view(term) != "dumb";
}
bool colours_wanted() {
  const char* no = std::getenv("NO_COLOR");  // no-color.org: set and not empty
  return !no || !*no;
}

std::string bar_of(double share, int width) {
  const int full = static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * width));
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < full ? "━" : "─";
  return bar;
}

int terminal_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

}  // namespace

Console::Console(const TrainOutput& output, TrainControl* control)
    : output_(output),
      control_(control),
      bar_(!output.json && !output.quiet && on_terminal()),
      colour_(bar_ && colours_wanted()) {}

void Console::post(const Event& e) {
  if (std::holds_alternative<Resumed>(e.what)) began_ = true;
  if (std::holds_alternative<Started>(e.what)) {
    began_ = true;
    if (!output_.run.empty()) say("run folder: " + output_.run);
  }
  if (output_.silent) return;
  if (output_.json) return result(event_line(e));
  std::visit([this](const auto& what) { show(what); }, e.what);
}

void Console::say(const std::string& sentence) {
  if (output_.quiet) return;
  clear_bar();
  note(sentence);
}

void Console::result(const std::string& line) {
  if (!control_) return print(line);
  if (lost_ != 0) return;
  lost_ = try_print(line);
  if (lost_ == EPIPE)
    control_->stop_for_signal(SIGPIPE);
  else if (lost_ != 0)
    note(fmt::format("netwright-cli: the output cannot be written: {}; the run continues, its folder has all results",
                     std::strerror(lost_)));
}

int Console::exit_code(int code) const {
  return code == 0 && lost_ != 0 && lost_ != EPIPE ? static_cast<int>(Errc::disk) : code;
}

void Console::clear_bar() {
  if (bar_shown_) std::fputs("\r\033[K", stderr);
  bar_shown_ = false;
}

/// "accuracy 98.10 %", "R² 0.9810".
std::string Console::measured(double value) const {
  switch (started_.metric) {
    case Metric::accuracy:
      return "accuracy " + percent(value);
    case Metric::all_labels:
      return "all labels right " + percent(value);
    case Metric::r2:
      break;
  }
  return std::isnan(value) ? "R² undefined" : fmt::format("R² {:.4f}", value);
}

void Console::show(const Started& e) {
  started_ = e;
  say(fmt::format("{} on {}: {} parameters, {} images to train on, {} to validate, {} to test, {} of memory", e.name,
                  e.device, with_thousands(e.parameters), with_thousands(e.train), with_thousands(e.validation),
                  with_thousands(e.test), bytes_text(e.memory_bytes)));
}

void Console::show(const Steps& e) {
  if (!bar_) return;
  train_rate_ = train_rate_ == 0 ? e.images_per_s : 0.9 * train_rate_ + 0.1 * e.images_per_s;
  const double epochs = static_cast<double>(std::max<std::int64_t>(1, started_.epochs));
  const double left_s = train_rate_ > 0 ? (epochs - e.epoch) * static_cast<double>(started_.train) / train_rate_ : 0;
  const std::string text =
      fmt::format(" {:.2f}/{} epochs  loss {:.4f}  {}  {} images/s  {} left", e.epoch, started_.epochs, e.loss.mean,
                  measured(e.accuracy.mean), with_thousands(std::llround(e.images_per_s)), duration_text(left_s));
  const int room = terminal_width() - static_cast<int>(text.size()) - 1;
  const std::string bar = room >= 8 ? bar_of(e.epoch / epochs, std::min(room, 30)) : "";
  const char *on = colour_ ? "\033[36m" : "", *off = colour_ ? "\033[0m" : "";
  std::fprintf(stderr, "\r%s%s%s%s\033[K", on, bar.c_str(), off,
               text.substr(0, static_cast<std::size_t>(std::max(1, terminal_width() - 1))).c_str());
  std::fflush(stderr);
  bar_shown_ = true;
}

void Console::show(const EpochEnd& e) {
  std::string line = fmt::format("epoch {}: loss {:.4f}, {}", e.epoch, e.train_loss, measured(e.train_accuracy));
  if (e.has_validation)
    line += fmt::format("; validation loss {:.4f}, {}{}", e.validation_loss, measured(e.validation_accuracy),
                        e.best ? " (best)" : "");
  say(line + fmt::format("; {:.1f} s, {} images/s", e.seconds, with_thousands(std::llround(e.images_per_s))));
}

void Console::show(const Health& e) {
  clear_bar();
  note(e.message.str());  // warnings are printed even with --quiet
}

void Console::show(const Knob& e) { say(fmt::format("{} is {:g} from step {} on", e.name, e.value, e.step + 1)); }
void Console::show(const Saved&) {}
void Console::show(const LayerStatistics&) {}

void Console::show(const PipelinePlan& p) {
  for (std::size_t i = 0; i < p.stages.size(); ++i) {
    const PipelineStage& s = p.stages[i];
    std::int64_t sent = 0;
    for (const PipelineTransfer& t : p.transfers)
      if (t.from == static_cast<int>(i)) sent += t.bytes;
    say(fmt::format("stage {} on {}: {} to {}, {} multiply-adds, {} parameters, {}; sends {} for each micro-batch", i,
                    s.device, s.first, s.last, with_thousands(s.multiply_adds), with_thousands(s.parameters),
                    bytes_text(s.memory_bytes), bytes_text(sent)));
  }
  say(fmt::format("pipeline {}: {} micro-batch{} of {}; devices are predicted to wait for {} of the time", p.schedule,
                  p.micro_batches, p.micro_batches == 1 ? "" : "es", p.micro_batch, percent(p.predicted_bubble)));
  if (p.statistics_per_micro_batch) say("batch norm takes its statistics of each micro-batch");
}

void Console::show(const PipelineTimes& t) {
  say(fmt::format("pipeline in epoch {}: devices waited for {} of the time; {} sent between stages", t.epoch,
                  percent(t.bubble), bytes_text(t.bytes)));
}

void Console::show(const RankTimes& t) {
  if (const auto hidden = hidden_share(t))
    say(fmt::format("gradients in epoch {}: {} of their exchange took place while devices computed", t.epoch,
                    percent(*hidden)));
}

void Console::show(const Resumed& e) { say(fmt::format("going on from step {}", e.from_step)); }
void Console::show(const Paused& e) { say(fmt::format("paused after step {}", e.step)); }
void Console::show(const Continued& e) { say(fmt::format("continued after step {}", e.step)); }

void Console::show(const StepSplit& s) { split_ = joined(split_, s); }

void Console::print_split() {
  if (split_.count == 0) return;
  const StepDiagnosis verdict = diagnose_step(split_);
  const auto part = [&](const char* name, double s) { return fmt::format("{} {}", name, percent(s / split_.seconds)); };
  say(fmt::format("a step takes {:.2f} ms: {}, {}, {}, {}, {}, {}", 1000 * split_.seconds,
                  part("decode", split_.decode_s), part("augment", split_.augment_s), part("copy", split_.copy_s),
                  part("compute", split_.compute_s), part("reduce", split_.reduce_s), part("wait", split_.wait_s)));
  std::string line = verdict.sentence.str();
  for (const Recommendation& r : verdict.remedies)
    line += fmt::format("\n  {}{}", r.what.str(), r.gain > 0 ? fmt::format(" (up to +{:.0f} %)", 100 * r.gain) : "");
  say(line);
}

void Console::show(const Ended& e) {
  clear_bar();
  if (e.reason == EndReason::failed) return;  // the error is reported with its exit code
  say(fmt::format("{} after {} steps and {}, {} images/s", name_of(e.reason), e.step, duration_text(e.wall_s),
                  with_thousands(std::llround(e.images_per_s))));
  const auto print_energy = [&](const char* of, double joules) {
    if (joules < 0 || e.images == 0) return;
    say(fmt::format("energy of {}: {:.1f} kJ, {:.2f} J per 1 000 images", of, joules / 1000,
                    1000 * joules / static_cast<double>(e.images)));
  };
  print_energy("the GPUs", e.gpu_energy_j);
  print_energy("the processors", e.cpu_energy_j);
  print_split();
  if (is_tested(e)) result(fmt::format("test {}, loss {:.4f}", measured(e.test_accuracy), e.test_loss));
}

}  // namespace nw::cli
