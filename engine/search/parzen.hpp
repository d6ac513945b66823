// SPDX-License-Identifier: Apache-2.0
// A density over some parameters of a space, from points observed there: a mixture of one kernel per point and a wide
// one, each a product over the parameters of a truncated normal distribution, of its mass in the cell of a step, or of
// weights of a choice. Constants are those of Optuna 5.0's TPE where no other reason is given; Watanabe,
// "Tree-structured Parzen estimator: understanding its algorithm components", 2023, describes them.
#pragma once
#include <span>
#include <vector>

#include "engine/search/random.hpp"
#include "engine/search/space.hpp"

namespace nw::search {

class Parzen {
 public:
  /// `axes`: parameters, all of which exist at every observed point. `weights`: of the points, above 0.
  Parzen(const Space&, std::span<const std::size_t> axes, std::span<const Point* const> observed,
         std::span<const double> weights);
  /// Puts a drawn value for each axis into the point.
  void draw(Draw&, Point& into) const;
  /// The logarithms of the density at these points.
  std::vector<double> log_density(std::span<const Point>) const;

 private:
  struct Axis {
    std::size_t parameter = 0;
    const Parameter* of = nullptr;
    double low = 0, high = 0;              // of the drawn quantity: the logarithm where `of->log`
    std::vector<double> centre, width;     // of each kernel; a choice: `centre` is the observed value
    std::vector<float> place, steepness;   // (centre - low) / range, range / width; a choice: `place` is the value
    double match = 0, miss = 0, flat = 0;  // logarithms of the weights of a choice; flat: of the wide kernel
    std::vector<std::uint32_t> kind;       // stepped: kernels of equal centre and width have the same number
    std::vector<std::pair<double, double>> kinds;
    std::vector<double> mass;  // stepped: of each kind, the logarithm of its mass between the ends
  };
  static Axis axis_of(const Parameter&, std::size_t index, std::span<const Point* const> observed);
  static void set_widths(Axis&);
  static void set_kinds(Axis&);
  static void add_log_density(const Axis&, double value, std::vector<float>& sums);
  static void add_stepped(const Axis&, double value, std::vector<float>& sums);

  std::vector<Axis> axes_;
  std::vector<double> cumulated_;  // weights of the kernels, summed
  std::vector<float> constant_;    // of each kernel: the logarithm of all that does not depend on the point
};

}  // namespace nw::search
