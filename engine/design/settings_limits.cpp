// SPDX-License-Identifier: Apache-2.0
#include "engine/design/project_file.hpp"

namespace nw {

// The readers of files hold the limits: what they refuse is refused from a command line too.
Status check_limits(const TrainSettings& s, const DataChoice& d, std::string_view where) {
  NW_ASSIGN(const TrainSettings again, settings_from_json(to_json(s), where));
  NW_ASSIGN(const DataChoice data, data_from_json(to_json(d), where));
  (void)again, (void)data;
  return {};
}

}  // namespace nw
