// SPDX-License-Identifier: Apache-2.0
#include "engine/train/queued_lines.hpp"

namespace nw {

Status QueuedLines::add(std::string line) {
  waiting_bytes_ += line.size();
  waiting_.push_back(std::move(line));
  return write();
}

Status QueuedLines::write() {
  if (waiting_.empty()) return {};
  if (!file_) { NW_ASSIGN(file_, LineFile::open(path_)); }
  for (; !waiting_.empty(); waiting_.pop_front()) {
    NW_TRY(file_->append(waiting_.front()));
    waiting_bytes_ -= waiting_.front().size();
  }
  return {};
}

}  // namespace nw
