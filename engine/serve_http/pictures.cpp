// SPDX-License-Identifier: Apache-2.0
#include "engine/serve_http/pictures.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "engine/core/memory_reserve.hpp"
#include "engine/predict/serve.hpp"

namespace nw::serve_http {
namespace {

Error not_decoded() {
  return fail(Errc::other, "the picture could not be decoded: the decoder crashed or took too long");
}

/// Between fork and exec: only what may be called there. The socket becomes descriptor 3.
[[noreturn]] void become(char* const* words, int socket, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);
  sigset_t none;
  sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  const int null = ::open("/dev/null", O_RDWR);
  for (int fd = 0; fd < 3; ++fd) ::dup2(null, fd);
  ::dup2(socket, 3);
  ::close_range(4, ~0U, 0);
  ::execv(words[0], words);
  ::_exit(127);
}

}  // namespace

PictureDecoder::PictureDecoder(Options o) : options_(std::move(o)), thread_([this] { work(); }) {}

PictureDecoder::~PictureDecoder() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_all();
  thread_.join();
  end();
}

bool PictureDecoder::add(PictureJob&& job) {
  {
    const std::lock_guard lock(mutex_);
    if (queue_.size() >= options_.waiting) return false;
    queue_.push_back(std::move(job));
  }
  changed_.notify_one();
  return true;
}

void PictureDecoder::work() {
  for (;;) {
    PictureJob job;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [this] { return ending_ || !queue_.empty(); });
      if (queue_.empty()) return;
      job = std::move(queue_.front());
      queue_.pop_front();
    }
    answer(job);
  }
}

/// Nothing leaves the thread: what finds no memory is told so, and its decoder begins anew.
void PictureDecoder::answer(const PictureJob& job) {
  try {
    return job.done(decode(job));
  } catch (const std::bad_alloc&) {}
  end();
  keep_memory_reserve();
  job.done(fail(Errc::out_of_memory, "there is not enough memory for this request"));
}

Status PictureDecoder::start() {
  if (child_ > 0) return {};
  int pair[2];
  if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0) return not_decoded();
  std::string program = options_.program.string();
  std::string words[] = {program, "decode-pictures", "--fd", "3"};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  const pid_t self = ::getpid();
  child_ = ::fork();
  if (child_ == 0) become(argv, pair[1], self);
  ::close(pair[1]);
  socket_ = pair[0];
  if (child_ > 0) return {};
  end();
  return not_decoded();
}

void PictureDecoder::end() {
  if (socket_ >= 0) ::close(std::exchange(socket_, -1));
  if (child_ <= 0) return;
  ::kill(child_, SIGKILL);
  while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) continue;
  child_ = -1;
}

Result<std::vector<std::uint8_t>> PictureDecoder::decode(const PictureJob& job) {
  NW_TRY(start());
  const RunDefinition& d = job.model->definition();
  Message ask{Json{{"channels", d.channels}, {"height", d.height}, {"width", d.width}, {"resize", d.doc.data().resize}},
              {job.bytes.begin(), job.bytes.end()}};
  pollfd waiting{socket_, POLLIN, 0};
  if (!send_message(socket_, ask) || ::poll(&waiting, 1, static_cast<int>(options_.timeout_s * 1000)) <= 0) {
    end();
    return not_decoded();
  }
  auto answer = receive_message(socket_);
  if (!answer) {
    end();
    return not_decoded();
  }
  if (const auto why = answer->json.find("error"); why != answer->json.end() && why->is_string())
    return fail(Errc::bad_input, "{0}", why->get<std::string>());
  if (std::ssize(answer->payload) != job.model->form.elements()) return not_decoded();
  return std::move(answer->payload);
}

}  // namespace nw::serve_http
