// SPDX-License-Identifier: Apache-2.0
#include "engine/scaling/exchange.hpp"

#include <algorithm>

namespace nw::scaling {

Exchange exchange_of(std::span<const ReadyGradient> gradients, double computed_s, const LinkFigures& link,
                     double devices, int halves, bool overlaps) {
  Exchange e;
  double link_free_s = 0, bytes = 0;
  for (std::size_t i = 0; i < gradients.size(); ++i) {
    bytes += gradients[i].bytes;
    if (bytes < bucket_bytes && i + 1 < gradients.size()) continue;
    const double takes = halves == 2 ? all_reduce_s(link, devices, bytes) : scatter_or_gather_s(link, devices, bytes);
    link_free_s = std::max(link_free_s, overlaps ? gradients[i].ready_s : computed_s) + takes;
    e.total_s += takes;
    bytes = 0;
  }
  e.exposed_s = std::max(0.0, link_free_s - computed_s);
  return e;
}

}  // namespace nw::scaling
