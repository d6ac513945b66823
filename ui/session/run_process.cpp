// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/run_process.hpp"

#include <fcntl.h>
extern "C" {  // the glibc 2.36 header has no extern "C" of its own
#include <sys/pidfd.h>
}
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QFile>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include "engine/runs/contained.hpp"
#include "engine/runs/descriptor.hpp"
#include "kernels/printable.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {

namespace {

constexpr int training_nice = 5;

/// Between fork and exec in a threaded process: system calls only. `report` sends errno to the parent if exec fails.
[[noreturn]] void becomeProgram(const char* program, char* const* argv, int out, int report) {
  setsid();
  setpriority(PRIO_PROCESS, 0, training_nice);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int in = open("/dev/null", O_RDONLY);
  if (in >= 0) {
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    execv(program, argv);
  }
  const int why = errno;
  [[maybe_unused]] const auto written = write(report, &why, sizeof why);
  _exit(127);
}

struct SignalWords {
  int signal;
  const char* words;
};
constexpr SignalWords signal_words[] = {
    {SIGKILL, QT_TRANSLATE_NOOP("RunProcess", "killed by a user, or by the system because memory ran out")},
    {SIGTERM, QT_TRANSLATE_NOOP("RunProcess", "terminated on request")},
    {SIGINT, QT_TRANSLATE_NOOP("RunProcess", "interrupted from the keyboard")},
    {SIGSEGV, QT_TRANSLATE_NOOP("RunProcess", "segmentation fault")},
    {SIGBUS, QT_TRANSLATE_NOOP("RunProcess", "bus error: a mapped file was truncated, or memory failed")},
    {SIGABRT, QT_TRANSLATE_NOOP("RunProcess", "aborted after an internal error")},
    {SIGFPE, QT_TRANSLATE_NOOP("RunProcess", "arithmetic error")},
    {SIGILL, QT_TRANSLATE_NOOP("RunProcess", "an instruction this processor does not have")},
    {SIGHUP, QT_TRANSLATE_NOOP("RunProcess", "its terminal was closed")},
    {SIGXCPU, QT_TRANSLATE_NOOP("RunProcess", "its limit of processor time was reached")},
};

}  // namespace

QString signalText(int signal) {
  const char* name = sigabbrev_np(signal);
  const QString shown = name ? QStringLiteral("SIG") + QLatin1String(name) : QString::number(signal);
  for (const SignalWords& row : signal_words)
    if (row.signal == signal)
      return QStringLiteral("%1 (%2)").arg(shown, QCoreApplication::translate("RunProcess", row.words));
  return shown;
}

RunProcess::RunProcess(QObject* parent) : QObject(parent) {}

RunProcess::~RunProcess() {
  notifier_.reset();
  if (pidfd_ >= 0) close(pidfd_);
}

bool RunProcess::start(const QString& program, const QStringList& arguments, const QString& log) {
  const fs::path logPath = QFile::encodeName(log).toStdString();
  const auto opened = append_inside(logPath.parent_path(), logPath.filename().string());
  if (!opened) {
    error_ = translated(opened.error().what);
    return false;
  }
  const Descriptor out(*opened);
  const QByteArray path = QFile::encodeName(program);
  std::vector<QByteArray> words{path};
  for (const QString& argument : arguments) words.push_back(QFile::encodeName(argument));
  std::vector<char*> argv;
  for (QByteArray& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);

  int report[2];
  if (pipe2(report, O_CLOEXEC) != 0) {
    error_ = QString::fromLocal8Bit(std::strerror(errno));
    return false;
  }
  const pid_t pid = fork();
  if (pid == 0) becomeProgram(path.constData(), argv.data(), out.fd, report[1]);
  int why = pid < 0 ? errno : 0;
  close(report[1]);
  if (pid > 0 && read(report[0], &why, sizeof why) > 0) waitpid(pid, nullptr, 0);
  close(report[0]);
  if (why != 0) {
    error_ = QString::fromLocal8Bit(std::strerror(why));
    return false;
  }
  pid_ = pid;
  child_ = true;
  if (open()) return true;
  ::kill(pid, SIGKILL);  // a process that cannot be watched must not run
  waitpid(pid, nullptr, 0);
  return false;
}

bool RunProcess::attach(qint64 pid) {
  pid_ = pid;
  return pid > 0 && open();
}

bool RunProcess::open() {
  pidfd_ = pidfd_open(static_cast<pid_t>(pid_), 0);
  if (pidfd_ < 0) {
    error_ = QString::fromLocal8Bit(std::strerror(errno));
    return false;
  }
  notifier_ = std::make_unique<QSocketNotifier>(pidfd_, QSocketNotifier::Read);
  connect(notifier_.get(), &QSocketNotifier::activated, this, &RunProcess::collect);
  return true;
}

void RunProcess::collect() {
  notifier_->setEnabled(false);
  ProcessExit how;
  siginfo_t info{};
  if (child_ && waitid(P_PIDFD, static_cast<id_t>(pidfd_), &info, WEXITED | WNOHANG) == 0 && info.si_pid != 0) {
    how.known = true;
    if (info.si_code == CLD_EXITED)
      how.exitCode = info.si_status;
    else
      how.signal = info.si_status;
  }
  end_ = how;
  Q_EMIT exited();
}

void RunProcess::kill() {
  if (isRunning()) pidfd_send_signal(pidfd_, SIGKILL, nullptr, 0);
}

void RunProcess::terminate() {
  if (isRunning()) pidfd_send_signal(pidfd_, SIGTERM, nullptr, 0);
}

QString lastLine(const QString& file) {
  constexpr std::uint64_t enough = 4096;
  const fs::path path = QFile::encodeName(file).toStdString();
  const auto tail = tail_inside(path.parent_path(), path.filename().string(), enough);
  if (!tail) return {};
  const QStringList lines = QString::fromStdString(printable_lines(*tail)).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  for (auto it = lines.rbegin(); it != lines.rend(); ++it)
    if (const QString line = it->trimmed(); !line.isEmpty()) return line.left(300);
  return {};
}

}  // namespace nw::ui
