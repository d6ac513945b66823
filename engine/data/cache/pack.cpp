// SPDX-License-Identifier: Apache-2.0
#include "engine/data/cache/pack.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

#include "engine/core/enum_names.hpp"
#include "engine/core/json.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {
namespace {

constexpr std::string_view magic = "NWPACK4\n";
constexpr std::uint64_t header_at = magic.size() + 16, alignment = 64, longest_header = std::uint64_t{256} << 20;
constexpr std::int64_t most_samples = std::int64_t{1} << 40, largest_side = 1 << 20;

Error damaged(const std::string& where) {
  return fail(Errc::bad_input, NW_TR("{0}: is damaged or of another version"), where);
}

std::uint64_t aligned(std::uint64_t at) { return (at + alignment - 1) / alignment * alignment; }

/// A file mapped for reading; unmapped when the last owner releases it.
class Mapping {
 public:
  static Result<std::shared_ptr<const Mapping>> of(const fs::path& file) {
    NW_ASSIGN(const int fd, open_regular(file));
    struct stat info {};
    if (::fstat(fd, &info) != 0 || info.st_size <= 0) {
      ::close(fd);
      return fail(Errc::bad_input, NW_TR("{0}: cannot be read"), file.string());
    }
    const auto size = static_cast<std::size_t>(info.st_size);
    std::shared_ptr<Mapping> mapping;
    try {
      mapping.reset(new Mapping);
    } catch (const std::bad_alloc&) {
      ::close(fd);
      throw;
    }
    void* at = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
    ::close(fd);
    if (at == MAP_FAILED) return fail(Errc::bad_input, NW_TR("{0}: cannot be read"), file.string());
    mapping->at_ = static_cast<const char*>(at);
    mapping->size_ = size;
    return std::shared_ptr<const Mapping>(std::move(mapping));
  }
  ~Mapping() {
    if (at_) ::munmap(const_cast<char*>(at_), size_);
  }
  Mapping(const Mapping&) = delete;
  Mapping& operator=(const Mapping&) = delete;
  std::string_view bytes() const { return {at_, size_}; }

 private:
  Mapping() = default;
  const char* at_ = nullptr;
  std::size_t size_ = 0;
};

/// The layout of one set in a pack.
struct Part {
  std::int64_t count = 0, channels = 0, height = 0, width = 0, targets = 0;
  std::uint64_t labels_at = 0, targets_at = 0, pixels_at = 0;
  std::uint64_t labels_bytes() const { return static_cast<std::uint64_t>(count) * 8; }
  std::uint64_t targets_bytes() const { return static_cast<std::uint64_t>(count * targets) * sizeof(float); }
  std::uint64_t pixels_bytes() const { return static_cast<std::uint64_t>(count * channels * height * width); }
  std::uint64_t end() const { return pixels_at + pixels_bytes(); }
  /// Computes the offsets of the arrays if `from` bytes precede them.
  void lay(std::uint64_t from) {
    labels_at = aligned(from);
    targets_at = aligned(labels_at + labels_bytes());
    pixels_at = aligned(targets_at + targets_bytes());
  }
};

class PackedDataset final : public Dataset {
 public:
  PackedDataset(std::shared_ptr<const Mapping> map, const Part& p, std::vector<std::string> origins)
      : map_(std::move(map)), part_(p), origins_(std::move(origins)) {}
  std::int64_t size() const override { return part_.count; }
  std::int64_t channels() const override { return part_.channels; }
  std::int64_t height() const override { return part_.height; }
  std::int64_t width() const override { return part_.width; }
  Status pixels(std::int64_t i, std::span<std::uint8_t> hwc) const override {
    std::memcpy(hwc.data(), in_memory(i), hwc.size());
    return {};
  }
  const std::uint8_t* in_memory(std::int64_t i) const override {
    return reinterpret_cast<const std::uint8_t*>(map_->bytes().data()) + part_.pixels_at +
           static_cast<std::uint64_t>(i * bytes());
  }
  std::int64_t label(std::int64_t i) const override {
    std::int64_t l = 0;
    std::memcpy(&l, map_->bytes().data() + part_.labels_at + static_cast<std::uint64_t>(i) * 8, sizeof l);
    return l;
  }
  std::span<const float> targets(std::int64_t i) const override {
    // aligned, because its offset is a multiple of 64
    const auto* all = reinterpret_cast<const float*>(map_->bytes().data() + part_.targets_at);
    return {all + i * part_.targets, static_cast<std::size_t>(part_.targets)};
  }
  std::string origin(std::int64_t i) const override { return origin_among(origins_, size(), i); }

 private:
  const std::shared_ptr<const Mapping> map_;
  const Part part_;
  const std::vector<std::string> origins_;
};

template <class T>
std::string_view bytes_of(const std::vector<T>& list) {
  return {reinterpret_cast<const char*>(list.data()), list.size() * sizeof(T)};
}
std::string_view pixels_of(const Dataset& set) {
  return {reinterpret_cast<const char*>(set.in_memory(0)), static_cast<std::size_t>(set.size() * set.bytes())};
}

Json json_of(const MemoryDataset& set) {
  return {{"count", set.size()},
          {"channels", set.channels()},
          {"height", set.height()},
          {"width", set.width()},
          {"origins", set.origins_},
          {"targets", set.target_width_},
          {"labels_xxh3", hex(xxh3(bytes_of(set.labels_)))},
          {"targets_xxh3", hex(xxh3(bytes_of(set.targets_)))},
          {"pixels_xxh3", hex(xxh3(pixels_of(set)))}};
}

std::string header_of(const std::string& key, const OpenedData& d, const std::vector<const MemoryDataset*>& sets) {
  Json warnings = Json::array();
  for (const Text& w : d.warnings) warnings.push_back({{"source", w.source}, {"args", w.args}});
  Json header{{"key", key},
              {"classes", d.classes},
              {"target_kind", name_of(d.target_kind)},
              {"validation_from", d.validation_from},
              {"target_names", d.target_names},
              {"warnings", warnings},
              {"unreadable", d.unreadable},
              {"description", d.description},
              {"place", d.place},
              {"sets", Json::array()},
              {"skipped_files", Json::array()}};
  for (const SkippedFile& f : d.skipped_files)
    header["skipped_files"].push_back({{"unreadable", f.kind == SkippedFile::Kind::unreadable},
                                       {"test_set", f.test_set},
                                       {"file", f.file},
                                       {"reason", f.why}});
  for (const MemoryDataset* set : sets) header["sets"].push_back(json_of(*set));
  return header.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string eight_bytes(std::uint64_t n) { return {reinterpret_cast<const char*>(&n), sizeof n}; }

/// Writes to a file and counts the bytes.
struct Writer {
  AtomicFile& file;
  std::uint64_t at = 0;
  Status write(std::string_view bytes) {
    at += bytes.size();
    return file.write(std::as_bytes(std::span(bytes)));
  }
  Status write_at(std::uint64_t offset, std::string_view bytes) {
    NW_TRY(write(std::string(offset - at, '\0')));
    return write(bytes);
  }
};

std::vector<std::string> strings_in(const Json& list) {
  std::vector<std::string> all;
  for (const Json& s : list) all.push_back(s.is_string() ? s.get<std::string>() : std::string());
  return all;
}

/// Reads the header's entry for one set and checks it against the size of the file.
Result<std::shared_ptr<const Dataset>> set_in(const std::shared_ptr<const Mapping>& map, const Json& json,
                                              const std::string& where, std::uint64_t& at) {
  JsonReader r(json, where);
  Part p{.count = r.integer("count", 1, most_samples),
         .channels = r.integer("channels", 1, 4096),
         .height = r.integer("height", 1, largest_side),
         .width = r.integer("width", 1, largest_side),
         .targets = r.integer("targets", 0, largest_side)};
  const std::string labels_sum = r.string("labels_xxh3"), targets_sum = r.string("targets_xxh3"),
                    pixels_sum = r.string("pixels_xxh3");
  const Json* origins = r.child("origins", Json::value_t::array);
  NW_TRY(r.status());
  const std::string_view all = map->bytes();
  const auto too_much = [&] {
    return static_cast<unsigned __int128>(p.count) * static_cast<unsigned __int128>(p.channels * p.height * p.width) >
           all.size();
  };
  const auto too_many_targets = [&] {
    return static_cast<unsigned __int128>(p.count) * static_cast<unsigned __int128>(p.targets) * sizeof(float) >
           all.size();
  };
  if (too_much() || too_many_targets() || p.labels_bytes() > all.size()) return damaged(where);
  p.lay(at);
  at = p.end();
  if (at > all.size()) return damaged(where);
  if (hex(xxh3(all.substr(p.labels_at, p.labels_bytes()))) != labels_sum ||
      hex(xxh3(all.substr(p.targets_at, p.targets_bytes()))) != targets_sum ||
      hex(xxh3(all.substr(p.pixels_at, p.pixels_bytes()))) != pixels_sum)
    return damaged(where);
  return std::shared_ptr<const Dataset>(
      std::make_shared<PackedDataset>(map, p, origins ? strings_in(*origins) : std::vector<std::string>()));
}

Result<std::vector<SkippedFile>> skipped_files_in(const Json& list, const std::string& where) {
  std::vector<SkippedFile> all;
  for (const Json& f : list) {
    JsonReader r(f, where);
    all.push_back({r.boolean_or("unreadable", true) ? SkippedFile::Kind::unreadable : SkippedFile::Kind::other_size,
                   r.boolean_or("test_set", false), r.string("file"), r.string("reason")});
    NW_TRY(r.status());
  }
  return all;
}

Result<OpenedData> opened_of(const std::shared_ptr<const Mapping>& map, const Json& header, const std::string& where,
                             std::uint64_t at) {
  JsonReader r(header, where);
  OpenedData d;
  d.unreadable = r.integer("unreadable", 0, most_samples);
  d.description = r.string("description");
  d.place = r.string("place");
  const auto target_kind = named<TargetKind>(r.string("target_kind"));
  d.validation_from = r.integer("validation_from", -1, most_samples);
  const Json *names = r.child("target_names", Json::value_t::array),
             *classes = r.child("classes", Json::value_t::array), *warnings = r.child("warnings", Json::value_t::array),
             *sets = r.child("sets", Json::value_t::array), *odd = r.child("skipped_files", Json::value_t::array);
  NW_TRY(r.status());
  if (!target_kind) return damaged(where);
  d.target_kind = *target_kind;
  if (!names || !classes || !warnings || !sets || !odd || sets->empty() || sets->size() > 2) return damaged(where);
  d.classes = strings_in(*classes);
  d.target_names = strings_in(*names);
  for (const Json& w : *warnings) {
    JsonReader text(w, where);
    const std::string source = text.string("source");
    const Json* args = text.child("args", Json::value_t::array);
    NW_TRY(text.status());
    d.warnings.push_back({source, args ? strings_in(*args) : std::vector<std::string>()});
  }
  NW_ASSIGN(d.skipped_files, skipped_files_in(*odd, where));
  NW_ASSIGN(d.train, set_in(map, sets->at(0), where, at));
  if (sets->size() == 2) { NW_ASSIGN(d.test, set_in(map, sets->at(1), where, at)); }
  for (const auto& set : {d.train, d.test})
    if (set && set->targets(0).size() != d.target_names.size()) return damaged(where);
  if (d.validation_from > d.train->size() || (d.target_kind != TargetKind::classes) != !d.target_names.empty())
    return damaged(where);
  return d;
}

}  // namespace

Status write_pack(const fs::path& file, const std::string& key, const OpenedData& d) {
  std::vector<const MemoryDataset*> sets;
  for (const auto& set : {d.train, d.test})
    if (set) sets.push_back(dynamic_cast<const MemoryDataset*>(set.get()));
  if (std::find(sets.begin(), sets.end(), nullptr) != sets.end())
    return fail(Errc::other, NW_TR("{0}: its pixels are not in memory"), d.description);
  const std::string header = header_of(key, d, sets);
  NW_ASSIGN(AtomicFile out, AtomicFile::create(file, 0600));
  Writer writer{out};
  NW_TRY(writer.write(std::string(magic) + eight_bytes(header.size()) + eight_bytes(xxh3(header)) + header));
  for (const MemoryDataset* set : sets) {
    Part p{.count = set->size(),
           .channels = set->channels(),
           .height = set->height(),
           .width = set->width(),
           .targets = set->target_width_};
    p.lay(writer.at);
    NW_TRY(writer.write_at(p.labels_at, bytes_of(set->labels_)));
    NW_TRY(writer.write_at(p.targets_at, bytes_of(set->targets_)));
    NW_TRY(writer.write_at(p.pixels_at, pixels_of(*set)));
  }
  return out.commit();
}

Result<OpenedData> open_pack(const fs::path& file, const std::string& key) {
  NW_ASSIGN(const auto map, Mapping::of(file));
  const std::string_view all = map->bytes();
  const std::string where = file.string();
  if (all.size() < header_at || !all.starts_with(magic)) return damaged(where);
  std::uint64_t length = 0, sum = 0;
  std::memcpy(&length, all.data() + magic.size(), sizeof length);
  std::memcpy(&sum, all.data() + magic.size() + sizeof length, sizeof sum);
  if (length > all.size() - header_at || length > longest_header) return damaged(where);
  const std::string_view text = all.substr(header_at, length);
  if (xxh3(text) != sum) return damaged(where);
  NW_ASSIGN(const Json header, parse_json(text, where, {.bytes = longest_header}));
  JsonReader r(header, where);
  const std::string made_from = r.string("key");
  NW_TRY(r.status());
  if (made_from != key) return fail(Errc::bad_input, NW_TR("{0}: was made from other files"), where);
  return opened_of(map, header, where, header_at + length);
}

}  // namespace nw
