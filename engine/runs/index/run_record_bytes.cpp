// SPDX-License-Identifier: Apache-2.0
// Records of runs as bytes: the members one after the other, numbers in the processor's order, texts and lists with
// their length before them. The index is a cache of this machine; another version's bytes are not read.
#include <cstring>
#include <type_traits>

#include "engine/core/text_json.hpp"
#include "engine/runs/index/run_record.hpp"

namespace nw {
namespace {

constexpr std::uint32_t format = 4;                         // tests/fuzz/make_corpus.py writes it, too
constexpr std::uint64_t longest = std::uint64_t{64} << 20;  // of a text or a list, in elements

template <class T>
concept Plain = std::is_arithmetic_v<T> || std::is_enum_v<T>;

struct Writer {
  std::string bytes = {};

  template <Plain T>
  void operator()(const T& value) {
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void operator()(const std::string& text) {
    (*this)(static_cast<std::uint64_t>(text.size()));
    bytes += text;
  }
  void operator()(const fs::path& path) { (*this)(path.string()); }
  void operator()(const Text& sentence) { (*this)(sentence.empty() ? std::string() : to_json(sentence).dump()); }
  template <class T>
  void operator()(const std::vector<T>& list) {
    (*this)(static_cast<std::uint64_t>(list.size()));
    for (const T& element : list) (*this)(element);
  }
  void operator()(const EpochFigures& e);
  void operator()(const RecordedSetting& s);
};

struct Reader {
  std::string_view rest;
  bool good = true;

  template <Plain T>
  void operator()(T& value) {
    good = good && rest.size() >= sizeof value;
    if (!good) return;
    std::memcpy(&value, rest.data(), sizeof value);
    rest.remove_prefix(sizeof value);
  }
  std::uint64_t length() {
    std::uint64_t n = 0;
    (*this)(n);
    good = good && n <= longest && n <= rest.size();  // each element takes at least a byte
    return good ? n : 0;
  }
  void operator()(std::string& text) {
    text = rest.substr(0, length());
    rest.remove_prefix(text.size());
  }
  void operator()(fs::path& path) {
    std::string text;
    (*this)(text);
    path = text;
  }
  void operator()(Text& sentence) {
    std::string text;
    (*this)(text);
    sentence = text.empty() ? Text() : text_in(Json::parse(text, nullptr, false));
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    for (std::uint64_t n = length(); n > 0 && good; --n) (*this)(list.emplace_back());
  }
  void operator()(EpochFigures& e);
  void operator()(RecordedSetting& s);
};

/// Gives the members to `each`, a Writer or a Reader; `Of` is const for a Writer.
template <class Each, class Of>
void epoch_members(Each& each, Of& e) {
  each(e.epoch), each(e.train_loss), each(e.train_accuracy), each(e.validation_loss), each(e.validation_accuracy);
  each(e.learning_rate), each(e.step), each(e.seconds), each(e.gpu_energy_j);
}
template <class Each, class Of>
void summary_members(Each& each, Of& s) {
  each(s.folder), each(s.name), each(s.device), each(s.given_name), each(s.status), each(s.created), each(s.wall_s);
  each(s.epochs), each(s.epochs_done), each(s.steps), each(s.parameters), each(s.extended_from_step);
  each(s.best_accuracy), each(s.test_accuracy), each(s.last_loss), each(s.metric), each(s.gpu_energy_j);
  each(s.cpu_energy_j), each(s.images), each(s.curve), each(s.history), each(s.can_resume), each(s.can_train_further);
}
template <class Each, class Of>
void record_members(Each& each, Of& r) {
  summary_members(each, r.summary);
  each(r.notes.name), each(r.notes.notes), each(r.notes.tags), each(r.problem), each(r.notes_problem), each(r.settings),
      each(r.data_hash);
  each(r.network_hash), each(r.parent), each(r.parent_step), each(r.parent_epoch), each(r.paused);
  each(r.pause_reason);
}

void Writer::operator()(const EpochFigures& e) { epoch_members(*this, e); }
void Reader::operator()(EpochFigures& e) { epoch_members(*this, e); }
void Writer::operator()(const RecordedSetting& s) { (*this)(s.name), (*this)(s.value); }
void Reader::operator()(RecordedSetting& s) { (*this)(s.name), (*this)(s.value); }

}  // namespace

std::string to_bytes(const RunRecord& record) {
  Writer writer;
  writer(format);
  record_members(writer, record);
  return std::move(writer.bytes);
}

std::optional<RunRecord> run_record_from_bytes(std::string_view bytes) {
  Reader reader{bytes};
  std::uint32_t version = 0;
  RunRecord record;
  reader(version);
  if (version != format) return std::nullopt;
  record_members(reader, record);
  if (!reader.good || !reader.rest.empty()) return std::nullopt;
  return record;
}

}  // namespace nw
