// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/index/run_field.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace nw {
namespace {

FieldValue known(double value) { return std::isfinite(value) ? FieldValue(value) : FieldValue(); }
FieldValue positive(double value) { return value >= 0 ? known(value) : FieldValue(); }  // -1: unknown
FieldValue count(std::int64_t value) { return static_cast<double>(value); }

/// The best of a quantity over the completed epochs; `of` gives it for one.
template <class Of>
FieldValue over_epochs(const RunRecord& r, bool highest, Of of) {
  double best = std::numeric_limits<double>::quiet_NaN();
  for (const EpochFigures& e : r.summary.history) best = highest ? std::fmax(best, of(e)) : std::fmin(best, of(e));
  return known(best);
}
template <class Of>
FieldValue of_last_epoch(const RunRecord& r, Of of) {
  return r.summary.history.empty() ? FieldValue() : known(of(r.summary.history.back()));
}

std::string tags_text(const RunRecord& r) {
  std::string text;
  for (const std::string& tag : r.notes.tags) text += (text.empty() ? "" : ", ") + tag;
  return text;
}

using R = RunRecord;
using E = EpochFigures;
using Unit = RunField::Unit;
using Best = RunField::Best;

constexpr RunField fields[] = {
    {"run", "name that the user gave, or the folder's", [](const R& r) -> FieldValue { return r.title(); }},
    {"folder", "folder of the run", [](const R& r) -> FieldValue { return r.summary.folder.string(); }},
    {"project", "name of the project", [](const R& r) -> FieldValue { return r.summary.name; }},
    {"status", "running, finished, stopped, failed or interrupted",
     [](const R& r) -> FieldValue { return std::string(name_of(r.summary.status)); }},
    {"device", "device or devices", [](const R& r) -> FieldValue { return r.summary.device; }},
    {"tags", "tags", [](const R& r) -> FieldValue { return tags_text(r); }},
    {"notes", "notes", [](const R& r) -> FieldValue { return r.notes.notes; }},
    {"parent", "run whose weights it began with", [](const R& r) -> FieldValue { return r.parent; }},
    {"problem", "why its files cannot be read", [](const R& r) -> FieldValue { return r.problem.str(); }},
    {"created", "when it was created",
     [](const R& r) { return r.summary.created > 0 ? known(r.summary.created) : FieldValue(); }, Unit::date},
    {"time", "time trained", [](const R& r) { return positive(r.summary.wall_s); }, Unit::seconds, Best::lowest},
    {"epochs", "epochs to train", [](const R& r) { return count(r.summary.epochs); }, Unit::count},
    {"epochs_done", "completed epochs", [](const R& r) { return count(r.summary.epochs_done); }, Unit::count},
    {"steps", "completed steps", [](const R& r) { return count(r.summary.steps); }, Unit::count},
    {"images", "images trained on", [](const R& r) { return count(r.summary.images); }, Unit::count},
    {"parameters", "parameters", [](const R& r) { return count(r.summary.parameters); }, Unit::count, Best::lowest},
    {"best_accuracy", "accuracy (R²) of the best epoch, on the validation set if there is one",
     [](const R& r) { return known(r.summary.best_accuracy); }, Unit::fraction, Best::highest},
    {"validation_accuracy", "accuracy (R²) on the validation set after the last epoch",
     [](const R& r) { return of_last_epoch(r, [](const E& e) { return e.validation_accuracy; }); }, Unit::fraction,
     Best::highest},
    {"train_accuracy", "accuracy (R²) in training, last epoch",
     [](const R& r) { return of_last_epoch(r, [](const E& e) { return e.train_accuracy; }); }, Unit::fraction,
     Best::highest},
    {"test_accuracy", "accuracy (R²) on the test set", [](const R& r) { return known(r.summary.test_accuracy); },
     Unit::fraction, Best::highest},
    {"best_validation_loss", "lowest loss on the validation set",
     [](const R& r) { return over_epochs(r, false, [](const E& e) { return e.validation_loss; }); }, Unit::none,
     Best::lowest},
    {"validation_loss", "loss on the validation set after the last epoch",
     [](const R& r) { return of_last_epoch(r, [](const E& e) { return e.validation_loss; }); }, Unit::none,
     Best::lowest},
    {"train_loss", "training loss of the last epoch", [](const R& r) { return positive(r.summary.last_loss); },
     Unit::none, Best::lowest},
    {"gpu_energy", "energy that the GPUs used", [](const R& r) { return positive(r.summary.gpu_energy_j); },
     Unit::joules, Best::lowest},
    {"cpu_energy", "energy that the processor used", [](const R& r) { return positive(r.summary.cpu_energy_j); },
     Unit::joules, Best::lowest},
    {"data_hash", "hash of the data", [](const R& r) -> FieldValue { return hex(r.data_hash); }},
    {"network_hash", "hash of the network", [](const R& r) -> FieldValue { return hex(r.network_hash); }},
};

FieldValue setting_value(const std::string& text) {
  if (text == "true") return 1.0;
  if (text == "false") return 0.0;
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? known(number) : FieldValue(text);
}

}  // namespace

std::span<const RunField> run_fields() { return fields; }

const RunField* find_run_field(std::string_view name) {
  const auto found =
      std::find_if(std::begin(fields), std::end(fields), [&](const RunField& f) { return f.name == name; });
  return found == std::end(fields) ? nullptr : found;
}

FieldValue field_value(const RunRecord& record, std::string_view name) {
  if (const RunField* field = find_run_field(name)) return field->value(record);
  const auto at = std::lower_bound(record.settings.begin(), record.settings.end(), name,
                                   [](const RecordedSetting& s, std::string_view wanted) { return s.name < wanted; });
  return at == record.settings.end() || at->name != name ? FieldValue() : setting_value(at->value);
}

bool is_before(const FieldValue& a, const FieldValue& b) {
  const auto rank = [](const FieldValue& v) { return v.index() == 0 ? 2 : v.index() == 1 ? 0 : 1; };
  if (rank(a) != rank(b)) return rank(a) < rank(b);
  return rank(a) != 2 && a < b;
}

}  // namespace nw
