// SPDX-License-Identifier: Apache-2.0
#include "engine/data/cache/open.hpp"
#include "engine/data/cache/pack.hpp"
#include "engine/data/sources/decoder.hpp"
#include "engine/data/sources/sources.hpp"

namespace nw {
namespace {

/// Replaces the labels by even (0) or odd (1).
class OddEvenLabels final : public Dataset {
 public:
  explicit OddEvenLabels(std::shared_ptr<const Dataset> inner) : inner_(std::move(inner)) {}
  std::int64_t size() const override { return inner_->size(); }
  std::int64_t channels() const override { return inner_->channels(); }
  std::int64_t height() const override { return inner_->height(); }
  std::int64_t width() const override { return inner_->width(); }
  Status pixels(std::int64_t i, std::span<std::uint8_t> hwc) const override { return inner_->pixels(i, hwc); }
  const std::uint8_t* in_memory(std::int64_t i) const override { return inner_->in_memory(i); }
  std::int64_t label(std::int64_t i) const override { return inner_->label(i) % 2; }
  std::string origin(std::int64_t i) const override { return inner_->origin(i); }

 private:
  std::shared_ptr<const Dataset> inner_;
};

/// The key of all settings and files that determine what is read; empty if no file is read or a file is inaccessible.
std::string key_of(const DataChoice& c, const SourceReading& r) {
  const std::string files = fingerprint(r.places, r.deep);
  if (files.empty()) return {};
  const std::string labels = c.target == "class" || c.target == "odd" ? "" : c.target;
  return fmt::format("{} {}x{}x{} {} {} {} images {} {}", c.kind.name(), c.channels, c.height, c.width, c.resize,
                     c.target_column, labels, image_module_version, files);
}

Result<OpenedData> open_source(const DataChoice& c, const fs::path& data_dir) {
  const DataSource* source = find_source(c.kind.name());
  if (!source) return fail(Errc::bad_input, NW_TR("This kind of data source is not known"));
  NW_ASSIGN(const SourceReading reading, source->read(c, data_dir));
  return kept_between_runs(key_of(c, reading), reading.open);
}

}  // namespace

Result<OpenedData> open_data(const DataChoice& c, const fs::path& data_dir, bool allow_synthetic, bool* fell_back) {
  if (fell_back) *fell_back = false;
  auto opened = open_source(c, data_dir);
  const bool nowhere = data_dir.empty() && c.path.empty();
  const bool digits = c.kind == SourceKind::mnist;
  if (!opened && allow_synthetic && nowhere && digits && find_set({}, mnist_set()).empty()) {
    if (fell_back) *fell_back = true;
    opened = make_synthetic(c.synthetic_train, c.synthetic_test);
  }
  if (!opened) return opened;
  if (opened->target_kind != target_kind(c))
    return fail(Errc::bad_input,
                NW_TR("{0}: has a class for each image and no other target; choose class as the target"),
                opened->description);
  if (c.target == "coarse" && c.kind != SourceKind::cifar)
    return fail(Errc::bad_input, NW_TR("{0}: only CIFAR-100 has coarse labels; choose its folder, or learn the class"),
                opened->description);
  if (c.target == "odd") {
    opened->train = std::make_shared<OddEvenLabels>(opened->train);
    if (opened->test) opened->test = std::make_shared<OddEvenLabels>(opened->test);
    opened->classes = {"even", "odd"};
  }
  return opened;
}

}  // namespace nw
