// SPDX-License-Identifier: Apache-2.0
#include "engine/train/run_files.hpp"

#include <chrono>
#include <cstdlib>
#include <functional>
#include <span>

#include "engine/runs/contained.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw {
namespace {

constexpr std::size_t waiting_limit = std::size_t{1} << 20;  // of events; beyond it, samples of the machine are dropped
constexpr double row_interval_s = 1;  // between rows of metrics.csv and TensorBoard; events.jsonl has more
constexpr const char* csv_header = "step,epoch,time_s,name,value";

double unix_time() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

/// Rewrites a file of lines with those that are kept. It is read and written in pieces: it may be larger than memory.
Status keep_lines(const fs::path& run, const char* name, const std::function<bool(std::string_view)>& kept) {
  constexpr std::size_t longest_line = std::size_t{64} << 20, piece = std::size_t{1} << 20;
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(run / name, ignored))) return {};
  NW_ASSIGN(AtomicFile file, AtomicFile::create(run / name, 0600, Links::replace));
  std::string waiting;
  Status written;
  const auto write = [&] {
    if (written) written = file.write(std::as_bytes(std::span(waiting)));
    waiting.clear();
  };
  NW_TRY(each_line_inside(run, name, longest_line, [&](std::string_view line) {
    if (kept(line)) waiting.append(line).append("\n");
    if (waiting.size() >= piece) write();
  }));
  write();
  NW_TRY(written);
  return file.commit();
}

/// metrics.csv without the rows after `step`, which the resumed run will write again.
Status cut_csv(const fs::path& run, std::int64_t step) {
  return keep_lines(run, "metrics.csv", [&](std::string_view line) {
    return line == csv_header || std::strtoll(std::string(line).c_str(), nullptr, 10) <= step;
  });
}

/// statistics.jsonl without the records after `step`. Unreadable lines are removed.
Status cut_statistics(const fs::path& run, std::int64_t step) {
  return keep_lines(run, statistics_file, [&](std::string_view line) {
    const auto event = parse_event(line);
    const auto* s = event ? std::get_if<LayerStatistics>(&event->what) : nullptr;
    return s && s->step <= step;
  });
}

}  // namespace

Result<std::unique_ptr<RunFiles>> RunFiles::open(const fs::path& run, std::int64_t from_step) {
  NW_TRY(cut_csv(run, from_step));
  NW_TRY(cut_statistics(run, from_step));
  NW_ASSIGN(LineFile events, LineFile::open(run / "events.jsonl"));
  NW_ASSIGN(LineFile csv, LineFile::open(run / "metrics.csv"));
  NW_ASSIGN(const std::uint64_t csv_bytes, size_inside(run, "metrics.csv"));
  if (csv_bytes == 0) NW_TRY(csv.append(csv_header));
  NW_ASSIGN(LossHistoryFile losses, LossHistoryFile::open(run, from_step));
  NW_ASSIGN(TensorboardFile board, TensorboardFile::create(run, unix_time()));
  return std::unique_ptr<RunFiles>(
      new RunFiles(run, std::move(events), std::move(csv), std::move(losses), std::move(board)));
}

RunFiles::RunFiles(const fs::path& run, LineFile events, LineFile csv, LossHistoryFile losses, TensorboardFile board)
    : events_(std::move(events)),
      csv_(std::move(csv)),
      statistics_(run / statistics_file),
      losses_(std::move(losses)),
      board_(std::move(board)) {}

void RunFiles::note(const Status& written) {
  if (!written) has_unwritten_ = true;
}

// While the run is paused only samples of the machine arrive: of these, later ones are dropped.
void RunFiles::post(const Event& e) {
  const std::lock_guard lock(mutex_);
  if (const auto* layers = std::get_if<LayerStatistics>(&e.what)) return add_statistics(*layers, event_line(e));
  if (std::holds_alternative<DeviceSample>(e.what) && events_.waiting_bytes() > waiting_limit) return;
  note(events_.add(event_line(e)));
  write_metrics(e);
}

void RunFiles::write_metrics(const Event& e) {
  if (const auto* s = std::get_if<Steps>(&e.what)) {
    if (e.t - last_row_t_ < row_interval_s && e.t >= last_row_t_) return;
    last_row_t_ = e.t;
    std::vector<Scalar> scalars;
    scalars.emplace_back("train/loss", s->loss.mean);
    if (s->penalty != 0) scalars.emplace_back("train/penalty", s->penalty);
    scalars.emplace_back("train/accuracy", s->accuracy.mean);
    scalars.emplace_back("learning_rate", s->learning_rate);
    scalars.emplace_back("images_per_s", s->images_per_s);
    add_row(e, s->last, s->epoch, scalars);
  } else if (const auto* epoch = std::get_if<EpochEnd>(&e.what)) {
    std::vector<Scalar> scalars;
    scalars.emplace_back("epoch/train_loss", epoch->train_loss);
    scalars.emplace_back("epoch/train_accuracy", epoch->train_accuracy);
    if (epoch->has_validation) {
      scalars.emplace_back("epoch/validation_loss", epoch->validation_loss);
      scalars.emplace_back("epoch/validation_accuracy", epoch->validation_accuracy);
    }
    add_row(e, epoch->step, static_cast<double>(epoch->epoch), scalars);
  } else if (const auto* end = std::get_if<Ended>(&e.what)) {
    add_to_board(tensorboard_end_event(unix_time(), end->reason != EndReason::failed));
  }
}

void RunFiles::add_to_board(const std::string& event) { note(board_.append(event)); }

void RunFiles::add_settings(const Json& settings) {
  const std::lock_guard lock(mutex_);
  add_to_board(tensorboard_settings_event(unix_time(), settings));
}

void RunFiles::add_image(const std::string& tag, std::int64_t step, const Image& image) {
  const std::lock_guard lock(mutex_);
  add_to_board(tensorboard_image_event(unix_time(), step, tag, image));
}

void RunFiles::add_row(const Event& e, std::int64_t step, double epoch, const std::vector<Scalar>& scalars) {
  for (const Scalar& s : scalars)
    note(csv_.add(fmt::format("{},{:.6g},{:.3f},{},{:.9g}", step, epoch, e.t, s.tag, s.value)));
  add_to_board(tensorboard_scalars_event(unix_time(), step, scalars));
}

void RunFiles::add_statistics(const LayerStatistics& layers, const std::string& line) {
  add_to_board(tensorboard_histograms_event(unix_time(), layers));
  note(statistics_.add(line));
}

void RunFiles::add_losses(std::span<const float> losses) {
  const std::lock_guard lock(mutex_);
  note(losses_.append(losses));
}

// Whatever the reason why a file cannot be written, it may be mended.
Status RunFiles::flush() {
  const std::lock_guard lock(mutex_);
  for (const Status& written :
       {events_.write(), csv_.write(), statistics_.write(), losses_.write(), board_.write(), events_.sync()})
    if (!written) {
      has_unwritten_ = true;
      return Error{Errc::disk, written.error().what};
    }
  has_unwritten_ = false;
  return {};
}

}  // namespace nw
