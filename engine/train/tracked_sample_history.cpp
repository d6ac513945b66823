// SPDX-License-Identifier: Apache-2.0
#include "engine/train/tracked_sample_history.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "engine/runs/contained.hpp"

namespace nw {
namespace {

constexpr std::string_view magic = "NWPROBE1";
constexpr const char* file_name = "probes.bin";
constexpr const char* splits[] = {"train", "validation", "test"};
constexpr std::uint64_t file_limit_bytes = std::uint64_t{64} << 20;
constexpr std::uint32_t max_tracked_samples = 4096, largest_side = 1024, most_classes = 1U << 24;

template <class T>
void put(std::string& to, T v) {
  to.append(reinterpret_cast<const char*>(&v), sizeof v);
}

/// Reads numbers one after another; beyond the end they are 0, and that is recorded.
class Bytes {
 public:
  explicit Bytes(std::string_view all) : all_(all) {}
  template <class T>
  T take() {
    T v{};
    if (all_.size() - at_ < sizeof v)
      short_ = true;
    else
      std::memcpy(&v, all_.data() + at_, sizeof v);
    if (!short_) at_ += sizeof v;
    return v;
  }
  std::string_view take_bytes(std::size_t count) {
    if (all_.size() - at_ < count) short_ = true;
    return short_ ? std::string_view() : all_.substr(std::exchange(at_, at_ + count), count);
  }
  std::string_view before() const { return all_.substr(0, at_); }
  std::size_t left() const { return all_.size() - at_; }
  bool whole() const { return !short_; }

 private:
  std::string_view all_;
  std::size_t at_ = 0;
  bool short_ = false;
};

std::size_t record_bytes(std::size_t probes) { return 8 + probes * 12 + 8; }

std::string header_of(const TrackedSampleHistory& h) {
  const auto split =
      static_cast<std::uint32_t>(std::find(std::begin(splits), std::end(splits), h.split) - std::begin(splits));
  std::string bytes(magic);
  for (const std::int64_t v : {static_cast<std::int64_t>(h.probes.size()), h.classes, h.channels, h.height, h.width,
                               static_cast<std::int64_t>(split), h.every, std::int64_t{0}})
    put(bytes, static_cast<std::uint32_t>(v));
  for (const Probe& p : h.probes) {
    put(bytes, p.sample);
    put(bytes, p.label);
  }
  bytes.append(reinterpret_cast<const char*>(h.pixels.data()), h.pixels.size());
  put(bytes, xxh3(bytes));
  return bytes;
}

std::string record_of(std::int64_t step, const TrackedPrediction* answers, std::size_t count) {
  std::string bytes;
  put(bytes, step);
  for (std::size_t i = 0; i < count; ++i) {
    put(bytes, answers[i].predicted);
    put(bytes, answers[i].confidence);
    put(bytes, answers[i].truth);
  }
  put(bytes, xxh3(bytes));
  return bytes;
}

bool is_share(float v) { return std::isfinite(v) && v >= 0 && v <= 1; }

/// False: the values are not valid for a file written by a run.
bool take_header(Bytes& bytes, TrackedSampleHistory& h) {
  if (bytes.take_bytes(magic.size()) != magic) return false;
  const auto count = bytes.take<std::uint32_t>(), classes = bytes.take<std::uint32_t>(),
             channels = bytes.take<std::uint32_t>(), height = bytes.take<std::uint32_t>(),
             width = bytes.take<std::uint32_t>(), split = bytes.take<std::uint32_t>(),
             every = bytes.take<std::uint32_t>();
  bytes.take<std::uint32_t>();
  if (!bytes.whole() || count == 0 || count > max_tracked_samples || classes == 0 || classes > most_classes ||
      (channels != 1 && channels != 3) || height == 0 || height > largest_side || width == 0 || width > largest_side ||
      split > 2 || every == 0)
    return false;
  h = {.classes = classes,
       .channels = channels,
       .height = height,
       .width = width,
       .every = every,
       .split = splits[split],
       .probes = {},
       .pixels = {},
       .steps = {},
       .answers = {}};
  for (std::uint32_t i = 0; i < count && bytes.whole(); ++i) {
    const auto sample = bytes.take<std::int64_t>(), label = bytes.take<std::int64_t>();
    if (sample < 0 || label < 0 || label >= h.classes) return false;
    h.probes.push_back({sample, label});
  }
  const std::string_view pixels = bytes.take_bytes(std::size_t{count} * channels * height * width);
  h.pixels.assign(pixels.begin(), pixels.end());
  const std::string_view checked = bytes.before();
  return bytes.take<std::uint64_t>() == xxh3(checked) && bytes.whole();
}

bool take_record(std::string_view record, TrackedSampleHistory& h) {
  Bytes bytes(record);
  const auto step = bytes.take<std::int64_t>();
  std::vector<TrackedPrediction> answers;
  for (std::size_t i = 0; i < h.probes.size(); ++i) {
    const auto predicted = bytes.take<std::int32_t>();
    const auto confidence = bytes.take<float>(), truth = bytes.take<float>();
    if (predicted < 0 || predicted >= h.classes || !is_share(confidence) || !is_share(truth)) return false;
    answers.push_back({predicted, confidence, truth});
  }
  if (bytes.take<std::uint64_t>() != xxh3(record.substr(0, record.size() - 8)) || step < 0 ||
      (!h.steps.empty() && step <= h.steps.back()))
    return false;
  h.steps.push_back(step);
  h.answers.insert(h.answers.end(), answers.begin(), answers.end());
  return true;
}

}  // namespace

std::size_t correct_at(const TrackedSampleHistory& h, std::size_t record) {
  std::size_t correct = 0;
  for (std::size_t i = 0; i < h.probes.size(); ++i) correct += h.right(record, i) ? 1 : 0;
  return correct;
}

TrackedSampleState state_at(const TrackedSampleHistory& h, std::size_t record, std::size_t probe) {
  if (h.right(record, probe)) return TrackedSampleState::right;
  for (std::size_t r = 0; r < record; ++r)
    if (h.right(r, probe)) return TrackedSampleState::forgotten;
  return TrackedSampleState::not_yet;
}

LearningMilestones turns_of(const TrackedSampleHistory& h, std::size_t probe) {
  LearningMilestones turns;
  for (std::size_t r = 0; r < h.steps.size(); ++r) {
    const bool now = h.right(r, probe), before = r > 0 && h.right(r - 1, probe);
    if (now && !before) turns.learnt.push_back(r);
    if (!now && before) turns.forgotten.push_back(r);
  }
  return turns;
}

Result<TrackedSampleHistory> read_tracked_samples(const fs::path& run) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(run / file_name, ignored)))
    return fail(Errc::not_recorded, NW_TR("{0} has no tracked samples"), run.string());
  NW_ASSIGN(const std::string all, read_inside(run, file_name, file_limit_bytes));
  return tracked_samples_from(all, (run / file_name).string());
}

Result<TrackedSampleHistory> tracked_samples_from(std::string_view all, const std::string& where) {
  const Error damaged = fail(Errc::bad_input, NW_TR("{0} is damaged; the tracked samples cannot be shown"), where);
  Bytes bytes(all);
  TrackedSampleHistory h;
  if (!take_header(bytes, h)) return damaged;
  const std::size_t each = record_bytes(h.probes.size());
  while (bytes.left() >= each)
    if (!take_record(bytes.take_bytes(each), h)) return damaged;
  return h;
}

Result<TrackedSampleFile> TrackedSampleFile::open(const fs::path& run, const TrackedSampleHistory& history,
                                                  std::int64_t from_step) {
  const std::string header = header_of(history);
  std::string bytes = header;
  TrackedSampleFile file;
  if (from_step > 0) {
    const auto old = read_tracked_samples(run);
    if (!old && old.error().code == Errc::disk) return old.error();  // the file is written anew below
    const std::size_t kept = old && header_of(*old) == header ? old->steps.size() : 0;
    for (std::size_t r = 0; r < kept && old->steps[r] <= from_step; ++r)
      bytes += record_of(file.last_step_ = old->steps[r], &old->at(r, 0), old->probes.size());
  }
  NW_TRY(save_file(run / file_name, bytes, 0600, Links::replace));
  file.run_ = run;
  file.fd_ = ::open((run / file_name).c_str(), O_WRONLY | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file.fd_ < 0)
    return fail(Errc::disk, NW_TR("{0} cannot be opened: {1}"), (run / file_name).string(), std::strerror(errno));
  return file;
}

TrackedSampleFile::TrackedSampleFile(TrackedSampleFile&& other) noexcept { *this = std::move(other); }
TrackedSampleFile& TrackedSampleFile::operator=(TrackedSampleFile&& other) noexcept {
  std::swap(run_, other.run_);
  std::swap(fd_, other.fd_);
  std::swap(waiting_, other.waiting_);
  std::swap(last_step_, other.last_step_);
  return *this;
}
TrackedSampleFile::~TrackedSampleFile() {
  if (fd_ >= 0) ::close(fd_);
}

Status TrackedSampleFile::append(std::int64_t step, const std::vector<TrackedPrediction>& answers) {
  waiting_ += record_of(last_step_ = step, answers.data(), answers.size());
  const off_t before = ::lseek(fd_, 0, SEEK_END);
  if (::write(fd_, waiting_.data(), waiting_.size()) == static_cast<ssize_t>(waiting_.size())) {
    waiting_.clear();
    return {};
  }
  const int error = errno;
  (void)!::ftruncate(fd_, before);
  return fail(Errc::disk, NW_TR("{0} cannot be written: {1}"), (run_ / file_name).string(), std::strerror(error));
}

}  // namespace nw
