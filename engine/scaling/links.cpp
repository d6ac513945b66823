// SPDX-License-Identifier: Apache-2.0
#include "engine/scaling/links.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace nw::scaling {
namespace {

constexpr double gigabyte_s = 1e9, us = 1e-6;
// NCCL's model of itself (src/graph/tuning.cc, 2.19 to 2.27): latencies of a ring's step with whole messages over
// NVLink, PCIe and a network, and what a sum takes beside them.
constexpr double nvlink_s = 3.4 * us, pcie_s = 5.7 * us, network_s = 14 * us, collective_s = 8.4 * us;
// Isaev et al., "Calculon", SC 2023, of an A100: what sums reach on NVLink, and on a network. PCIe: as NVLink.
constexpr double inside_share = 0.65, network_share = 0.9;
// TCP between two computers, one way; an assumption.
constexpr double ethernet_s = 30 * us;

constexpr LinkFigures link_table[] = {
    // half of the bandwidth of both directions that the GPUs' data sheets give
    {"nvlink5", nvlink_s, 900 * gigabyte_s, inside_share, collective_s},
    {"nvlink4", nvlink_s, 450 * gigabyte_s, inside_share, collective_s},
    {"nvlink3", nvlink_s, 300 * gigabyte_s, inside_share, collective_s},
    {"nvlink2", nvlink_s, 150 * gigabyte_s, inside_share, collective_s},
    // PCI-SIG, base specifications 5.0 and 4.0: 32 and 16 GT/s, 16 lanes, 128b/130b
    {"pcie5", pcie_s, 63.0 * gigabyte_s, inside_share, collective_s},
    {"pcie4", pcie_s, 31.5 * gigabyte_s, inside_share, collective_s},
    // InfiniBand Trade Association, NDR and HDR with four lanes: 400 and 200 Gbit/s, one adapter a device
    {"infiniband", network_s, 50 * gigabyte_s, network_share, collective_s},
    {"infiniband-hdr", network_s, 25 * gigabyte_s, network_share, collective_s},
    // IEEE 802.3: 100, 25, 10 and 1 Gbit/s, one adapter a device
    {"ethernet100", ethernet_s, 12.5 * gigabyte_s, network_share, collective_s},
    {"ethernet25", ethernet_s, 3.125 * gigabyte_s, network_share, collective_s},
    {"ethernet10", ethernet_s, 1.25 * gigabyte_s, network_share, collective_s},
    {"ethernet1", ethernet_s, 0.125 * gigabyte_s, network_share, collective_s},
};
constexpr std::string_view own_nvlink = "nvlink", memory = "memory";

std::string names_of_links() {
  std::string names = std::string(own_nvlink) + ", " + std::string(memory);
  for (const LinkFigures& l : link_table) names += ", " + std::string(l.name);
  return names;
}

/// Threads of one process: a wait for the others, and copies that each thread makes itself.
LinkFigures shared_memory(const DeviceFigures& d) { return {memory, 1 * us, d.memory_bytes_per_s / 2, 1, 5 * us}; }

}  // namespace

std::span<const LinkFigures> published_links() { return link_table; }

Result<LinkFigures> find_link(std::string_view name, const DeviceFigures& device) {
  if (name.empty()) name = device.shares_memory ? memory : device.link.empty() ? "pcie4" : device.link;
  if (name == memory) {
    if (device.shares_memory) return shared_memory(device);
    return fail(Errc::usage, NW_TR("{0} devices do not share a memory; choose another link"), device.name);
  }
  if (name.substr(0, own_nvlink.size()) == own_nvlink) {
    if (device.link.empty()) return fail(Errc::usage, NW_TR("{0} has no NVLink; choose another link"), device.name);
    if (name == own_nvlink) name = device.link;
  }
  for (const LinkFigures& l : link_table)
    if (l.name == name) return l;
  return fail(Errc::usage, NW_TR("\"{0}\" names no link. Links: {1}"), name, names_of_links());
}

double message_s(const LinkFigures& l, double bytes) { return l.latency_s + bytes / l.reached(); }

double ring_all_reduce_s(const LinkFigures& l, double devices, double bytes) {
  return devices <= 1 ? 0 : l.collective_s + 2 * (devices - 1) * message_s(l, bytes / devices);
}

double all_reduce_s(const LinkFigures& l, double devices, double bytes) {
  if (devices <= 1) return 0;
  const double tree = l.collective_s + 2 * std::ceil(std::log2(devices)) * message_s(l, bytes);
  return std::min(tree, ring_all_reduce_s(l, devices, bytes));
}

double scatter_or_gather_s(const LinkFigures& l, double devices, double bytes) {
  return devices <= 1 ? 0 : l.collective_s + (devices - 1) * message_s(l, bytes / devices);
}

}  // namespace nw::scaling
