// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "engine/scaling/prediction.hpp"

namespace nw::scaling {
namespace {

std::vector<std::int64_t> numbers_to(std::int64_t devices) {
  std::vector<std::int64_t> all;
  for (std::int64_t n = 1; n < devices; n *= 2) all.push_back(n);
  all.push_back(devices);
  return all;
}

Text from_on(Bound bound, std::int64_t devices) {
  switch (bound) {
    case Bound::products:
      return text(NW_TR("limited by computing from {0} devices on"), devices);
    case Bound::memory:
      return text(NW_TR("limited by the devices' memory bandwidth from {0} devices on"), devices);
    case Bound::starts:
      return text(NW_TR("limited by the starts of kernels from {0} devices on: a device has too few samples"), devices);
    case Bound::link:
      return text(NW_TR("limited by the link from {0} devices on"), devices);
    case Bound::waiting:
      return text(NW_TR("limited by stages that wait for each other from {0} devices on"), devices);
  }
  return {};
}

Text everywhere(Bound bound) {
  switch (bound) {
    case Bound::products:
      return text(NW_TR("limited by computing, not by the link"));
    case Bound::memory:
      return text(NW_TR("limited by the devices' memory bandwidth, not by the link"));
    case Bound::starts:
      return text(NW_TR("limited by the starts of kernels: a larger batch costs little"));
    case Bound::link:
    case Bound::waiting:
      break;  // not of one device
  }
  return {};
}

}  // namespace

double Curve::efficiency(const Prediction& p) const {
  const double one = points.empty() ? 0 : points.front().samples_per_s();
  return one > 0 ? p.samples_per_s() / (one * static_cast<double>(p.devices)) : 0;
}

double Curve::epoch_s(const Prediction& p) const {
  return p.samples_per_s() > 0 ? static_cast<double>(samples_of_epoch) / p.samples_per_s() : 0;
}

double Curve::epoch_energy_j(const Prediction& p) const {
  return p.batch > 0 ? p.energy_j * static_cast<double>(samples_of_epoch) / static_cast<double>(p.batch) : 0;
}

Result<Curve> predict_curve(const GraphDoc& doc, const DataFacts& facts, const Setup& setup, std::int64_t devices) {
  Curve curve{.samples_of_epoch = facts.train};
  for (const std::int64_t n : numbers_to(devices)) {
    auto point = predict(doc, facts, setup, n);
    if (!point && (n == 1 || n == devices)) return point.error();
    if (point) curve.points.push_back(*point);
  }
  return curve;
}

Text limit_of(const Curve& curve) {
  if (curve.points.empty()) return {};
  const Bound bound = curve.points.back().bound();
  auto first = curve.points.size() - 1;
  while (first > 0 && curve.points[first - 1].bound() == bound) --first;
  return first == 0 ? everywhere(bound) : from_on(bound, curve.points[first].devices);
}

}  // namespace nw::scaling
