// SPDX-License-Identifier: Apache-2.0
#include "engine/backend/fatal_error_handler.hpp"

#include <unistd.h>

#include <algorithm>
#include <future>
#include <mutex>
#include <thread>
#include <vector>

namespace nw {
namespace {

struct FatalErrorHandlers {
  std::mutex mutex;
  std::vector<const FatalErrorHandler*> all;
};
// Never destroyed: a device may hang at process exit.
FatalErrorHandlers& speakers() {
  static FatalErrorHandlers& s = *new FatalErrorHandlers;
  return s;
}

}  // namespace

FatalErrorHandler::FatalErrorHandler(std::function<void(const Error&)> say) : say_(std::move(say)) {
  const std::scoped_lock lock(speakers().mutex);
  speakers().all.push_back(this);
}
FatalErrorHandler::~FatalErrorHandler() {
  const std::scoped_lock lock(speakers().mutex);
  auto& all = speakers().all;
  all.erase(std::find(all.begin(), all.end(), this));
}

void call_fatal_error_handlers(const Error& e) {
  const std::scoped_lock lock(speakers().mutex);
  const auto& all = speakers().all;
  for (auto it = all.rbegin(); it != all.rend(); ++it) (*it)->say_(e);
}

void exit_hung_process(const Error& e) {
  auto reported = std::make_shared<std::promise<void>>();
  auto over = reported->get_future();
  std::thread([reported, e] {
    call_fatal_error_handlers(e);
    reported->set_value();
  }).detach();
  over.wait_for(std::chrono::milliseconds(500));
  ::_exit(exit_code(e.code));
}

}  // namespace nw
