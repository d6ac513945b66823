// SPDX-License-Identifier: Apache-2.0
#include "app/cli/study_trials.hpp"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <cstring>
#include <limits>
#include <system_error>
#include <utility>

#include "engine/design/project_file.hpp"
#include "engine/runs/contained.hpp"
#include "engine/runs/epochs.hpp"
#include "engine/search/apply.hpp"

namespace nw::cli {
namespace {

constexpr const char* log_file = "log.txt";

/// Between fork and exec: only what may be called there. The child gets SIGTERM when this process ends, and no signal
/// of the terminal, because the study stops it.
[[noreturn]] void become(char* const* words, int log, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (::getppid() != parent) ::_exit(128 + SIGTERM);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(signal, SIG_DFL);
  ::dup2(::open("/dev/null", O_RDONLY), 0);
  ::dup2(log, 1);
  ::dup2(log, 2);
  ::execv(words[0], words);
  ::_exit(127);
}

}  // namespace

Result<LiveTrial> LiveTrial::begin(const TrialPlan& plan, const search::Trial& trial, const GraphDoc& project) {
  LiveTrial live(plan.folder / trial.run);
  if (is_running(live.run_)) return live;
  const auto summary = summarize_run(live.run_);
  if (summary && (summary->status == RunStatus::finished || live.has_reached(trial.to_epoch, plan.epochs))) return live;
  const fs::path file = plan.folder / (trial.run + ".netwright");
  const bool resumes = summary && summary->can_train_further;
  std::error_code ignored;
  if (!resumes) {  // no checkpoint: nothing is lost
    fs::remove_all(live.run_, ignored);
    NW_TRY(make_folder(live.run_, 0700));
    NW_TRY(ProjectFile::save(project, file));
  }
  std::vector<std::string> words = {fs::read_symlink("/proc/self/exe", ignored).string()};
  for (const std::string& word :
       resumes ? std::vector<std::string>{"resume", live.run_.string()}
               : std::vector<std::string>{"train", file.string(), "--run-dir", live.run_.string()})
    words.push_back(word);
  if (!resumes && !plan.data.empty()) words.insert(words.end(), {"--data", plan.data});
  if (!resumes && plan.threads > 0) words.insert(words.end(), {"--threads", std::to_string(plan.threads)});
  if (trial.to_epoch < plan.epochs) words.insert(words.end(), {"--stop-after", std::to_string(trial.to_epoch)});
  words.push_back("--quiet");
  NW_TRY(live.start(words));
  return live;
}

Status LiveTrial::start(const std::vector<std::string>& arguments) {
  std::vector<char*> words;
  for (const std::string& word : arguments) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  NW_ASSIGN(const int log, append_inside(run_, log_file));
  const pid_t self = ::getpid();
  pid_ = ::fork();
  if (pid_ == 0) become(words.data(), log, self);
  ::close(log);
  if (pid_ < 0) return fail(Errc::other, NW_TR("{0} cannot be started: {1}"), arguments.front(), std::strerror(errno));
  return {};
}

LiveTrial::LiveTrial(LiveTrial&& other) noexcept
    : run_(std::move(other.run_)),
      tail_(std::move(other.tail_)),
      epochs_(std::move(other.epochs_)),
      pid_(std::exchange(other.pid_, -1)),
      stopped_(other.stopped_),
      status_(other.status_) {}
LiveTrial& LiveTrial::operator=(LiveTrial&& other) noexcept {
  std::swap(run_, other.run_);
  std::swap(tail_, other.tail_);
  std::swap(epochs_, other.epochs_);
  std::swap(pid_, other.pid_);
  std::swap(stopped_, other.stopped_);
  std::swap(status_, other.status_);
  return *this;
}
LiveTrial::~LiveTrial() {
  if (pid_ <= 0) return;
  stop();
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) continue;
}

const std::vector<EpochEnd>& LiveTrial::epochs() {
  std::vector<Event> events;
  for (auto more = tail_.poll(events); more && *more;) more = tail_.poll(events);
  for (const Event& event : events) {
    if (const auto* epoch = std::get_if<EpochEnd>(&event.what)) epochs_.push_back(*epoch);
    if (const auto* resumed = std::get_if<Resumed>(&event.what))
      std::erase_if(epochs_, [&](const EpochEnd& e) { return e.step > resumed->from_step; });
  }
  return epochs_;
}

bool LiveTrial::has_reached(std::int64_t rung, std::int64_t all_epochs) {
  if (rung >= all_epochs || is_running(run_)) return false;
  const auto checkpoint = latest_checkpoint(run_);
  const std::vector<EpochEnd>& done = epochs();
  return checkpoint && std::any_of(done.begin(), done.end(),
                                   [&](const EpochEnd& e) { return e.epoch >= rung && e.step <= checkpoint->step; });
}

bool LiveTrial::ended() {
  if (pid_ <= 0) return !is_running(run_);
  const pid_t done = ::waitpid(pid_, &status_, WNOHANG);
  if (done == 0 || (done < 0 && errno == EINTR)) return false;
  pid_ = -1;
  return true;
}

void LiveTrial::stop() {
  if (pid_ > 0 && !std::exchange(stopped_, true)) ::kill(pid_, SIGTERM);
}

search::Figures figures_of(const std::vector<EpochEnd>& epochs, const RunSummary& run, const Analysis& network) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  search::Figures f{.accuracy = none, .loss = none};
  f.parameters = static_cast<double>(network.parameters);
  f.multiply_adds = static_cast<double>(network.multiply_adds);
  for (const EpochEnd& e : epochs) {
    const double accuracy = compared_accuracy(e), loss = e.has_validation ? e.validation_loss : e.train_loss;
    if (std::isfinite(accuracy) && !(f.accuracy >= accuracy)) f.accuracy = accuracy;
    if (std::isfinite(loss) && !(f.loss <= loss)) f.loss = loss;
    f.seconds += e.seconds;
  }
  const bool measured = run.cpu_energy_j >= 0 || run.gpu_energy_j >= 0;
  f.energy_j = measured ? std::max(0.0, run.cpu_energy_j) + std::max(0.0, run.gpu_energy_j) : none;
  return f;
}

std::string last_words(const fs::path& run) {
  const auto tail = tail_inside(run, log_file, 4096);
  std::string text = tail ? *tail : "";
  while (!text.empty() && text.back() == '\n') text.pop_back();
  const auto line = text.rfind('\n');
  return line == text.npos ? text : text.substr(line + 1);
}

Result<GraphDoc> project_of(const TrialPlan& plan, const search::Space& space, const search::Trial& trial) {
  NW_ASSIGN(GraphDoc project, search::apply_point(plan.base, space, trial.point));
  const Analysis network = network_of(plan, project);
  for (const Problem& p : network.problems)
    if (p.severity == Severity::error)
      return fail(Errc::bad_input, NW_TR("{0} {1}"), p.node_name.empty() ? "the network" : p.node_name, p.what.str());
  return project;
}

Analysis network_of(const TrialPlan& plan, const GraphDoc& project) {
  Target target;
  target.data = plan.facts;
  return analyse(project, target);
}

}  // namespace nw::cli
