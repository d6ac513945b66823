// SPDX-License-Identifier: Apache-2.0
// What connects devices: published figures, and how long messages and sums over all devices take on them.
#pragma once
#include <span>
#include <string_view>

#include "engine/scaling/devices.hpp"

namespace nw::scaling {

/// Of one device to the next, in one direction.
struct LinkFigures {
  std::string_view name;  // as on the command line: "nvlink4"
  double latency_s = 0;   // of one message between two devices
  double bytes_per_s = 0;
  double share = 1;         // of the bandwidth that sums over all devices reach
  double collective_s = 0;  // what each sum over all devices takes beside its messages
  double reached() const { return bytes_per_s * share; }
};

std::span<const LinkFigures> published_links();
/// "nvlink" is the device's own generation; "memory" is this computer's, which its virtual devices share. Empty: the
/// usual one of the device. Errc::usage: no such link, or the device cannot have it.
Result<LinkFigures> find_link(std::string_view name, const DeviceFigures&);

/// A message of one device to another.
double message_s(const LinkFigures&, double bytes);
/// Sums `bytes` that each of `devices` has, in a ring: 2 (N - 1) messages of an Nth (Patarasuk & Yuan, "Bandwidth
/// optimal all-reduce algorithms", 2009). 0 for one device.
double ring_all_reduce_s(const LinkFigures&, double devices, double bytes);
/// The faster of the ring and a tree, which is better for a few bytes.
double all_reduce_s(const LinkFigures&, double devices, double bytes);
/// Half of the ring: each device gets an Nth of the sums, or sends the others its Nth.
double scatter_or_gather_s(const LinkFigures&, double devices, double bytes);

}  // namespace nw::scaling
