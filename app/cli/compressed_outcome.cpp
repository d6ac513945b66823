// SPDX-License-Identifier: Apache-2.0
#include "app/cli/compressed_outcome.hpp"

#include <unistd.h>

#include "app/cli/cli.hpp"
#include "engine/predict/evaluation_metrics.hpp"

namespace nw::cli {
namespace {

Result<Evaluation> evaluation_of(const fs::path& run, const std::string& checkpoint) {
  NW_ASSIGN(const auto predictor, Predictor::open(run, checkpoint));
  return predictor->evaluate("test");
}

void show_flips(const Outcome& c) {
  constexpr std::size_t most = 10;
  const ChangedPredictions& d = *c.changes;
  const auto [low, high] = share_interval(d.accuracy_after, d.samples);
  print(fmt::format("test accuracy: {} before, {} after (95 % interval {} to {}), {} images",
                    percent(d.accuracy_before), percent(d.accuracy_after), percent(low), percent(high),
                    with_thousands(d.samples)));
  print(
      fmt::format("change: {:+.2f} points (95 % interval {:+.2f} to {:+.2f}); McNemar's test p = {:.3g}: {} right only "
                  "before, {} right only after",
                  100 * d.change, 100 * d.change_low, 100 * d.change_high, d.p, d.only_before, d.only_after));
  if (d.flips.empty()) return;
  print(fmt::format("{} images get another class; those that were most certain before:", d.flips.size()));
  std::vector<std::vector<std::string>> rows{{"image", "label", "before", "after", "confidence before", "after"}};
  for (std::size_t i = 0; i < std::min(most, d.flips.size()); ++i) {
    const Flip& f = d.flips[i];
    rows.push_back({std::to_string(f.sample), std::to_string(f.label), std::to_string(f.before),
                    std::to_string(f.after), percent(static_cast<double>(f.confidence_before)),
                    percent(static_cast<double>(f.confidence_after))});
  }
  print_lines(table(rows));
}

Json json_of(const ChangedPredictions& d) {
  Json flips = Json::array();
  for (const Flip& f : d.flips)
    flips.push_back({{"sample", f.sample},
                     {"label", f.label},
                     {"before", f.before},
                     {"after", f.after},
                     {"confidence_before", f.confidence_before},
                     {"confidence_after", f.confidence_after}});
  return {{"samples", d.samples},
          {"both_right", d.both},
          {"only_before", d.only_before},
          {"only_after", d.only_after},
          {"neither", d.neither},
          {"change", d.change},
          {"change_interval", {d.change_low, d.change_high}},
          {"mcnemar_p", d.p},
          {"flips", flips}};
}

}  // namespace

Result<Outcome> compare_runs(const fs::path& before, const std::string& checkpoint, const fs::path& after) {
  NW_ASSIGN(const Evaluation was, evaluation_of(before, checkpoint));
  NW_ASSIGN(const Evaluation is, evaluation_of(after, "best"));
  Outcome o{.kind = was.kind, .before = was.accuracy, .after = is.accuracy};
  if (was.kind == TargetKind::classes) { NW_ASSIGN(o.changes, changed_predictions(was, is)); }
  return o;
}

void show_outcome(const Outcome& o) {
  if (o.changes) return show_flips(o);
  print(fmt::format("test {}: {} before, {} after", measure_name(o.kind), measure_text(o.kind, o.before),
                    measure_text(o.kind, o.after)));
}

void add_outcome(Json& to, const Outcome& o) {
  to["metric"] = name_of(metric_of(o.kind));
  to["accuracy"] = {{"before", o.before}, {"after", o.after}};
  if (o.changes) to["changes"] = json_of(*o.changes);
}

std::string size_text(std::int64_t after, std::int64_t before) {
  return fmt::format("{} of {} bytes ({:.3f}x)", with_thousands(after), with_thousands(before),
                     before > 0 ? static_cast<double>(after) / static_cast<double>(before) : 0);
}

bool show_fine_tuning(const compress::FineTuningProgress& p) {
  static const bool terminal = ::isatty(STDERR_FILENO) != 0;
  const bool last = p.epoch == p.epochs && p.batch == p.batches;
  if (terminal)
    std::fprintf(stderr, "\r\033[KFine-tuning: epoch %lld of %lld, batch %lld of %lld, loss %.4f%s",
                 static_cast<long long>(p.epoch), static_cast<long long>(p.epochs), static_cast<long long>(p.batch),
                 static_cast<long long>(p.batches), p.loss, last ? "\r\033[K" : "");
  return true;
}

void show_losses(double learning_rate, const std::vector<double>& losses) {
  if (losses.empty()) return;
  print(fmt::format("fine-tuned: {} epochs at {}, training loss {:.4f} in the first, {:.4f} in the last", losses.size(),
                    learning_rate, losses.front(), losses.back()));
}

Json fine_tuning_json(double learning_rate, const std::vector<double>& losses) {
  return {{"epochs", losses.size()}, {"learning_rate", learning_rate}, {"losses", losses}};
}

}  // namespace nw::cli
