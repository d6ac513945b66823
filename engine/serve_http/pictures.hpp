// SPDX-License-Identifier: Apache-2.0
// JPEG and PNG files of requests. They are untrusted, and decoders are large libraries: a child process decodes them,
// which a damaged file may crash or hang without the server noticing more than an error. The server itself never loads
// a decoder; this also keeps its memory small.
#pragma once
#include <sys/types.h>

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "engine/core/files.hpp"
#include "engine/serve_http/models.hpp"

namespace nw::serve_http {

struct PictureJob {
  ModelPointer model;
  std::string bytes;  // of the file
  /// Called once, from the decoder's thread, with pixels (H,W,C) of the network's size.
  std::function<void(Result<std::vector<std::uint8_t>>)> done;
};

/// The child and the thread that waits for it. The child is started with the first picture, and again after it crashed.
class PictureDecoder {
 public:
  struct Options {
    fs::path program;           // netwright-cli
    std::size_t waiting = 256;  // pictures in the queue
    double timeout_s = 10;      // after which a child is hung, and killed
  };
  explicit PictureDecoder(Options);
  ~PictureDecoder();  // decodes what is queued, then ends the child
  PictureDecoder(const PictureDecoder&) = delete;
  /// False: the queue is full, and the job was not taken.
  bool add(PictureJob&&);

 private:
  void work();
  void answer(const PictureJob&);
  Result<std::vector<std::uint8_t>> decode(const PictureJob&);
  Status start();
  void end();

  const Options options_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<PictureJob> queue_;  // guarded by mutex_
  bool ending_ = false;           // guarded by mutex_
  // of the thread
  pid_t child_ = -1;
  int socket_ = -1;
  std::thread thread_;  // last: it uses the others
};

/// The main loop of the child, `netwright-cli decode-pictures --fd N`; returns when the socket closes.
int decode_pictures(int socket);

}  // namespace nw::serve_http
