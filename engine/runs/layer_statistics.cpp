// SPDX-License-Identifier: Apache-2.0
#include "engine/runs/layer_statistics.hpp"

#include <algorithm>
#include <cmath>

#include "engine/runs/contained.hpp"
#include "engine/runs/run_folder.hpp"

namespace nw {
namespace {

constexpr std::int64_t most_counted = std::int64_t{1} << 53;
constexpr std::size_t layers_limit = 4096;
constexpr std::uint64_t last_bytes = std::uint64_t{4} << 20;

void add_up(Figures& f, std::span<const float> numbers, double& sum, double& squares) {
  for (const float number : numbers) {
    const double v = number;
    if (!std::isfinite(v)) {
      ++f.not_finite;
      continue;
    }
    f.least = f.count == 0 ? v : std::min(f.least, v);
    f.most = f.count == 0 ? v : std::max(f.most, v);
    ++f.count;
    f.zeros += v == 0;
    sum += v;
    f.mean_abs += std::abs(v);
    squares += v * v;
  }
}

void fill_bins(Figures& f, std::span<const float> numbers) {
  const double width = f.most - f.least, per = width > 0 ? static_cast<double>(histogram_bins) / width : 0;
  for (const float number : numbers) {
    if (!std::isfinite(number)) continue;
    const auto bin = static_cast<std::size_t>((static_cast<double>(number) - f.least) * per);
    ++f.bins[std::min(bin, histogram_bins - 1)];
  }
}

/// Six significant digits suffice for display and make lines a third as long.
double six_digits(double v) {
  if (v == 0 || !std::isfinite(v)) return v;
  const double unit = std::pow(10, 5 - std::floor(std::log10(std::abs(v))));
  return std::isfinite(unit) && unit > 0 ? std::round(v * unit) / unit : v;
}

Json json_of(const Figures& f) {
  Json j = {{"count", f.count},
            {"mean", six_digits(f.mean)},
            {"deviation", six_digits(f.deviation)},
            {"mean_abs", six_digits(f.mean_abs)},
            {"norm", six_digits(f.norm)},
            {"least", six_digits(f.least)},
            {"most", six_digits(f.most)},
            {"zeros", f.zeros},
            {"bins", f.bins}};
  if (f.not_finite > 0) j["not_finite"] = f.not_finite;
  return j;
}

std::int64_t statistic_count(JsonReader& r, std::string_view key) { return r.integer(key, 0, most_counted); }

std::vector<std::int64_t> bins_of(JsonReader& r) {
  std::vector<std::int64_t> bins;
  const Json* j = r.child("bins", Json::value_t::array);
  if (!j || (!j->empty() && j->size() != histogram_bins)) {
    r.problem(text(NW_TR("a histogram has {0} bins"), histogram_bins));
    return bins;
  }
  for (const Json& n : *j) {
    if (!n.is_number_integer() || n.get<std::int64_t>() < 0 || n.get<std::int64_t>() > most_counted) {
      r.problem(text(NW_TR("a histogram counts from 0 up")));
      return {};
    }
    bins.push_back(n.get<std::int64_t>());
  }
  return bins;
}

Figures figures_from(JsonReader& layer, std::string_view key) {
  Figures f;
  const Json* j = layer.child(key, Json::value_t::object);
  if (!j) return f;
  JsonReader r(*j, layer.where());
  f.count = statistic_count(r, "count");
  f.zeros = statistic_count(r, "zeros");
  f.not_finite = r.integer_or("not_finite", 0, 0, most_counted);
  f.mean = r.real("mean");
  f.deviation = r.real("deviation");
  f.mean_abs = r.real("mean_abs");
  f.norm = r.real("norm");
  f.least = r.real("least");
  f.most = r.real("most");
  f.bins = bins_of(r);
  if (f.least > f.most) r.problem(text(NW_TR("the minimum is greater than the maximum")));
  if (!r.status()) layer.problem(r.status().error().what);
  return f;
}

Json json_of(const LayerState& l) {
  Json j = {{"layer", l.layer}};
  if (l.weights.count > 0) j["weights"] = json_of(l.weights);
  if (l.gradients.count + l.gradients.not_finite > 0) j["gradients"] = json_of(l.gradients);
  if (l.outputs.count + l.outputs.not_finite > 0) j["outputs"] = json_of(l.outputs);
  if (l.update_ratio >= 0) j["update_ratio"] = six_digits(l.update_ratio);
  if (l.units > 0) {
    j["units"] = l.units;
    j["dead"] = l.dead;
  }
  return j;
}

LayerState layer_from(JsonReader& r) {
  LayerState l;
  l.layer = r.string("layer");
  l.weights = figures_from(r, "weights");
  l.gradients = figures_from(r, "gradients");
  l.outputs = figures_from(r, "outputs");
  l.update_ratio = r.real_or("update_ratio", -1);
  l.units = r.integer_or("units", 0, 0, most_counted);
  l.dead = r.integer_or("dead", 0, 0, std::max<std::int64_t>(0, l.units));
  return l;
}

}  // namespace

double Figures::max_abs() const { return std::max(std::abs(least), std::abs(most)); }

Figures figures_of(std::span<const std::span<const float>> numbers) {
  Figures f;
  double sum = 0, squares = 0;
  for (const auto& some : numbers) add_up(f, some, sum, squares);
  if (f.count == 0) return f;
  const auto n = static_cast<double>(f.count);
  f.mean = sum / n;
  f.mean_abs /= n;
  f.norm = std::sqrt(squares);
  f.deviation = std::sqrt(std::max(0.0, squares / n - f.mean * f.mean));
  f.bins.assign(histogram_bins, 0);
  for (const auto& some : numbers) fill_bins(f, some);
  return f;
}

Json to_json(const LayerStatistics& s) {
  Json layers = Json::array();
  for (const LayerState& l : s.layers) layers.push_back(json_of(l));
  return {{"step", s.step}, {"epoch", six_digits(s.epoch)}, {"images", s.images}, {"layers", layers}};
}

LayerStatistics layer_statistics_from(JsonReader& r) {
  LayerStatistics s;
  s.step = statistic_count(r, "step");
  s.epoch = r.real("epoch");
  s.images = r.integer_or("images", 0, 0, most_counted);
  const Json* layers = r.child("layers", Json::value_t::array);
  if (!layers) r.problem(text(NW_TR("{0} is missing"), "layers"));
  for (std::size_t i = 0; layers && i < std::min(layers->size(), layers_limit); ++i) {
    if (!(*layers)[i].is_object()) {
      r.problem(text(NW_TR("a layer is not an object")));
      break;
    }
    JsonReader layer((*layers)[i], r.where());
    s.layers.push_back(layer_from(layer));
    if (!layer.status()) r.problem(layer.status().error().what);
  }
  return s;
}

StatisticsHistory read_statistics(const std::filesystem::path& run) {
  StatisticsHistory history;
  EventTail tail(run, statistics_file);
  std::vector<Event> events;
  for (bool more = true; more; events.clear()) {
    const auto polled = tail.poll(events);
    if (!polled) {
      history.problem = polled.error().what;
      break;
    }
    more = *polled;
    for (Event& e : events)
      if (auto* s = std::get_if<LayerStatistics>(&e.what)) history.records.push_back(std::move(*s));
  }
  if (tail.damaged_lines() > 0)
    history.problem = text(NW_TR("{0}: {1} lines are damaged and were left out"), (run / statistics_file).string(),
                           tail.damaged_lines());
  return history;
}

std::optional<LayerStatistics> last_statistics(const std::filesystem::path& run) {
  const auto bytes = tail_inside(run, statistics_file, last_bytes);
  if (!bytes) return {};
  for (std::size_t end = bytes->rfind('\n'); end != std::string::npos && end > 0;) {
    const std::size_t before = bytes->rfind('\n', end - 1), begin = before == std::string::npos ? 0 : before + 1;
    if (auto event = parse_event(std::string_view(*bytes).substr(begin, end - begin)))
      if (auto* s = std::get_if<LayerStatistics>(&event->what)) return std::move(*s);
    end = before;
  }
  return {};
}

}  // namespace nw
