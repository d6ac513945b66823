// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/session/run_process.hpp"

#include <fcntl.h>
extern "C" {  // the glibc 2.36 header has no extern "C" of its own
#include <sys/pidfd.h>
}
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include <QCoreApplication>
#include <QFile>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <vector>

namespace nw::ui {

namespace {

constexpr int training_nice = 5;

/// Between fork and exec in a threaded process: system calls only. `report` sends errno to the parent if exec fails.
[[noreturn]] void becomeProgram(const char* program, char* const* argv, const char* log, int report) {
  setsid();
  setpriority(PRIO_PROCESS, 0, training_nice);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  const int in = open("/dev/null", O_RDONLY), out = open(log, O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (in >= 0 && out >= 0) {
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
  const QByteArray path = QFile::encodeName(program), logPath = QFile::encodeName(log);
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
  if (pid == 0) becomeProgram(path.constData(), argv.data(), logPath.constData(), report[1]);
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

qint64 lockHolder(const fs::path& file) {
  struct stat s {};
  if (stat(file.c_str(), &s) != 0) return 0;
  QFile locks(QStringLiteral("/proc/locks"));
  if (!locks.open(QIODevice::ReadOnly)) return 0;
  char wanted[64];
  std::snprintf(wanted, sizeof wanted, "%02x:%02x:%llu", major(s.st_dev), minor(s.st_dev),
                static_cast<unsigned long long>(s.st_ino));
  const QList<QByteArray> lines = locks.readAll().split('\n');
  for (const QByteArray& line : lines) {  // "7: FLOCK  ADVISORY  WRITE 4711 fe:01:1234 0 EOF"
    const QList<QByteArray> words = line.simplified().split(' ');
    if (words.size() >= 6 && words[1] == "FLOCK" && words[5] == wanted) return words[4].toLongLong();
  }
  return 0;
}

QString lastLine(const QString& file) {
  constexpr qint64 enough = 4096;
  QFile f(file);
  if (!f.open(QIODevice::ReadOnly)) return {};
  f.seek(std::max<qint64>(0, f.size() - enough));
  const QStringList lines = QString::fromUtf8(f.read(enough)).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  for (auto it = lines.rbegin(); it != lines.rend(); ++it)
    if (const QString line = it->trimmed(); !line.isEmpty()) return line.left(300);
  return {};
}

}  // namespace nw::ui
