// SPDX-License-Identifier: Apache-2.0
// Splits that are not purely random: samples of a group stay together, or a table assigns the samples.
// Private to engine/data.
#pragma once
#include "engine/data/dataset.hpp"
#include "engine/data/split/split.hpp"

namespace nw {

/// The group of a sample, determined by its origin. "folder": the folder of its file ("cat/ann" of "cat/ann/12.jpg");
/// "name": the file name up to the first "_" or "-" ("ann" of "cat/ann_12.jpg").
std::string group_of(const std::string& origin, const std::string& by);

/// Removes about `fraction` of the samples from `from` in whole groups, drawn by `seed`, and returns them. Stratified
/// if requested; the class of a group is that of most of its samples. Both parts are in ascending order. No group is in
/// both.
std::vector<std::int64_t> take_groups(std::vector<std::int64_t>& from, const Dataset&, const std::string& by,
                                      double fraction, bool stratified, std::uint64_t seed, std::uint32_t what);

/// A table with a column of paths (path, file, filename, image) and one called split, part or set: train, validation
/// (val, valid), test, or none. A path is an origin or its end ("ann/12.jpg"). Errc::bad_input: the table
/// does not name a sample, or names it twice.
Result<Splits> split_by_table(std::string_view table, const std::string& name, const Dataset& train, bool may_test);

}  // namespace nw
