// SPDX-License-Identifier: Apache-2.0
// How the stages of a pipeline send each other values. Stages share nothing else while they run.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace nw {

/// Any stage's thread may call any function. One message for each number of a transfer and each part.
class StageLink {
 public:
  virtual ~StageLink() = default;
  /// Returns once `bytes` may be used again. False: abort() was called, or the other stage is lost.
  virtual bool send(std::size_t transfer, std::int64_t part, std::span<const std::byte> bytes) = 0;
  /// Waits for the message, whose size must be that of `bytes`.
  virtual bool receive(std::size_t transfer, std::int64_t part, std::span<std::byte> bytes) = 0;
  /// Ends every waiting call, and all later ones until reset().
  virtual void abort() = 0;
  /// Forgets all messages. No stage may be running.
  virtual void reset() = 0;
};

/// Between threads of this process.
std::unique_ptr<StageLink> make_local_link();

}  // namespace nw
