// SPDX-License-Identifier: Apache-2.0
#include "engine/search/study_control.hpp"

#include <cerrno>
#include <cstring>

#include "engine/runs/lock_holder.hpp"

namespace nw::search {

Status control_study(const fs::path& folder, bool pause) {
  const pid_t holder = lock_holder(folder / "lock");
  if (holder <= 0) return fail(Errc::no_response, NW_TR("no process works on the study in {0}"), folder.string());
  if (::kill(holder, pause ? pause_signal : continue_signal) != 0)
    return fail(Errc::no_response, NW_TR("the process of the study in {0} cannot be asked: {1}"), folder.string(),
                std::strerror(errno));
  return {};
}

}  // namespace nw::search
