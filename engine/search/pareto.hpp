// SPDX-License-Identifier: Apache-2.0
// Points with two losses: who dominates whom. Lower is better in both.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace nw::search {

using Losses = std::array<double, 2>;

/// The front that each point lies on: 0 for those that none dominates, 1 for those that only these dominate, … Equal
/// points share a front. Jensen, "Reducing the run-time complexity of multiobjective EAs", 2003: n log n.
std::vector<std::size_t> fronts(std::span<const Losses>);
/// Crowding distances of points of one front: infinite at its ends. Deb et al., "NSGA-II", 2002.
std::vector<double> crowding(std::span<const Losses>);
/// The area between the points and `reference`, which is worse than all that count.
double hypervolume(std::span<const Losses>, const Losses& reference);
/// `count` of these points whose area is large: each is the one that adds the most to those before it.
std::vector<std::size_t> largest_area(std::span<const Losses>, std::size_t count);

}  // namespace nw::search
