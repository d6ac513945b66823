// SPDX-License-Identifier: Apache-2.0
#include "app/cli/report_pdf.hpp"

#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>
#include <thread>

#include "engine/core/files.hpp"

extern char** environ;

namespace nw::cli {
namespace {

constexpr std::chrono::seconds longest{120};  // for 500 epochs it takes about one
constexpr off_t most_pdf_bytes = off_t{256} << 20;

/// A file without a name, in memory: a pipe could fill up while the program still reads.
class MemoryFile {
 public:
  MemoryFile() : fd_(::memfd_create("report", MFD_CLOEXEC)) {}
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;
  ~MemoryFile() {
    if (fd_ >= 0) ::close(fd_);
  }
  int get() const { return fd_; }
  /// To be read by a child from its beginning.
  bool hold(const std::string& bytes) const {
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t n = ::write(fd_, bytes.data() + done, bytes.size() - done);
      if (n <= 0) return false;
      done += static_cast<std::size_t>(n);
    }
    return ::lseek(fd_, 0, SEEK_SET) == 0;
  }
  std::string written() const {
    struct stat info {};
    if (::fstat(fd_, &info) != 0 || info.st_size > most_pdf_bytes) return {};
    std::string bytes(static_cast<std::size_t>(info.st_size), '\0');
    for (std::size_t done = 0; done < bytes.size();) {
      const ssize_t n = ::pread(fd_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
      if (n <= 0) return {};
      done += static_cast<std::size_t>(n);
    }
    return bytes;
  }

 private:
  int fd_;
};

/// The exit code; -1: ended by a signal, or out of time.
int code_of(pid_t pid) {
  const auto end = std::chrono::steady_clock::now() + longest;
  int status = 0;
  for (pid_t done = 0; done != pid;) {
    done = ::waitpid(pid, &status, WNOHANG);
    if (done < 0 && errno != EINTR) return -1;
    if (std::chrono::steady_clock::now() > end) ::kill(pid, SIGKILL);
    if (done == 0) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

Result<pid_t> start_printer(const fs::path& program, const std::string& language, std::array<int, 3> files) {
  std::array<std::string, 3> words = {program.string(), "--report-pdf", language};
  std::array<char*, 4> argv = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (int i = 0; i < 3; ++i) ::posix_spawn_file_actions_adddup2(&actions, files[static_cast<std::size_t>(i)], i);
  pid_t pid = 0;
  const int error = ::posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return fail(Errc::other, NW_TR("{0} cannot be started: {1}"), words[0], std::strerror(error));
  return pid;
}

std::string last_line(std::string said) {
  while (!said.empty() && said.back() == '\n') said.pop_back();
  return said.substr(said.rfind('\n') + 1);
}

}  // namespace

Result<std::string> report_pdf(const std::string& page, const std::string& language) {
  const fs::path program = program_folder() / "netwright";
  std::error_code ignored;
  if (!fs::exists(program, ignored))
    return fail(Errc::other,
                NW_TR("A PDF is written by netwright, the window's program, which is not installed in {0}; write an "
                      ".html page, which every browser prints as a PDF"),
                program_folder().string());
  const MemoryFile in, out, said;
  if (!in.hold(page))
    return fail(Errc::other, NW_TR("{0} cannot be started: {1}"), program.string(), std::strerror(errno));
  NW_ASSIGN(const pid_t pid, start_printer(program, language, {in.get(), out.get(), said.get()}));
  const int code = code_of(pid);
  std::string pdf = out.written();
  if (code != 0 || !pdf.starts_with("%PDF-"))
    return fail(Errc::other, NW_TR("{0} made no PDF of the report (exit code {1}): {2}"), program.string(), code,
                last_line(said.written()));
  return pdf;
}

}  // namespace nw::cli
