// SPDX-License-Identifier: Apache-2.0
#include "engine/data/checks/data_check_report.hpp"
#include "engine/core/path_text.hpp"
#include "engine/core/text_json.hpp"
#include "engine/data/dataset.hpp"
#include "engine/data/split/split.hpp"
#include "kernels/nested_text.hpp"

#include <algorithm>
#include <numeric>

namespace nw {
namespace {

const CheckedSplit& part_of(const CheckedSample& s, const std::vector<CheckedSplit>& parts) {
  return parts[static_cast<std::size_t>(s.part)];
}
bool same(const CheckedSample& a, const CheckedSample& b) { return a.part == b.part && a.index == b.index; }

/// The sample to keep: that of the last split in the order training, validation, test.
const CheckedSample& kept(const Defect& d) {
  return *std::max_element(d.samples.begin(), d.samples.end(),
                           [](const CheckedSample& a, const CheckedSample& b) { return a.part < b.part; });
}

}  // namespace

std::vector<CheckedSplit> checked_splits(const OpenedData& d, const Splits& s) {
  std::vector<CheckedSplit> parts{{"train", d.train, s.train}};
  if (!s.validation.empty()) parts.push_back({"validation", d.train, s.validation});
  if (!s.test.empty()) parts.push_back({"test", s.test_from_train ? d.train : d.test, s.test, !s.test_from_train});
  for (CheckedSplit& part : parts) part.targets = d.target_kind;
  return parts;
}

std::vector<CheckedSplit> checked_splits(const OpenedData& d) {
  std::vector<CheckedSplit> parts;
  const auto add = [&](const char* name, const std::shared_ptr<const Dataset>& set, std::int64_t begin,
                       std::int64_t end) {
    parts.push_back(
        {name, set, std::vector<std::int64_t>(static_cast<std::size_t>(end - begin)), set == d.test, d.target_kind});
    std::iota(parts.back().indices.begin(), parts.back().indices.end(), begin);
  };
  const std::int64_t held = d.validation_from >= 0 ? d.validation_from : d.train->size();
  add("train", d.train, 0, held);
  if (held < d.train->size()) add("validation", d.train, held, d.train->size());
  if (d.test) add("test", d.test, 0, d.test->size());
  return parts;
}

std::string name_of(const CheckedSample& s, const std::vector<CheckedSplit>& parts) {
  const CheckedSplit& part = part_of(s, parts);
  return path_to_text(sample_name(part.test_set, part.set->origin(s.index)));
}

std::vector<CheckedSample> superfluous(const Defect& d, const std::vector<CheckedSplit>&) {
  std::vector<CheckedSample> all = d.samples;
  const bool alike = d.kind == DefectKind::duplicate || d.kind == DefectKind::near_duplicate;
  if (alike && !d.contradicts && !all.empty())
    std::erase_if(all, [one = kept(d)](const CheckedSample& s) { return same(s, one); });
  return all;
}

Json to_json(const Defect& d, const std::vector<CheckedSplit>& parts) {
  Json samples = Json::array();
  const std::vector<CheckedSample> out = superfluous(d, parts);
  for (const CheckedSample& s : d.samples) {
    const CheckedSplit& part = part_of(s, parts);
    const bool goes = std::any_of(out.begin(), out.end(), [&](const CheckedSample& o) { return same(o, s); });
    samples.push_back({{"split", part.name},
                       {"index", s.index},
                       {"test_set", part.test_set},
                       {"origin", part.set->origin(s.index)},
                       {"name", name_of(s, parts)},
                       {"label", part.set->label(s.index)},
                       {"redundant", goes}});
  }
  Json j{
      {"kind", name_of(d.kind)}, {"samples", samples}, {"across_splits", d.across}, {"labels_differ", d.contradicts}};
  if (d.kind == DefectKind::near_duplicate) j["similarity"] = d.likeness;
  if (d.part >= 0) j["split"] = parts[static_cast<std::size_t>(d.part)].name;
  if (d.which >= 0) j[d.kind == DefectKind::small_class ? "class" : "channel"] = d.which;
  return j;
}

Json to_json(const SkippedFile& f) {
  Json j{{"kind", f.kind == SkippedFile::Kind::unreadable ? "unreadable" : "wrong size"},
         {"test_set", f.test_set},
         {"file", f.file},
         {"name", path_to_text(sample_name(f.test_set, f.file))},
         {"reason", plain(f.why)}};
  if (const auto why = nested_in(f.why)) j["reason_text"] = to_json(*why);
  return j;
}

}  // namespace nw
