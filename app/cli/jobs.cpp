// SPDX-License-Identifier: Apache-2.0
// netwright-cli jobs: what was submitted, followed, controlled, fetched.
#include <csignal>
#include <memory>

#include "app/cli/console.hpp"
#include "engine/submit/submission.hpp"

namespace nw::cli {
namespace {

using submit::Job;

struct JobOptions {
  std::string job;
  std::vector<std::string> words;
  double patience_s = 3600;
  bool json = false;  // of commands with one answer
  TrainOutput output;
};

/// A command of one job; the functions below.
using JobAction = int (*)(const JobOptions&, const Job&, const fs::path& record);

volatile std::sig_atomic_t following_interrupted = 0;
extern "C" void stop_following(int) { following_interrupted = 1; }

/// Prints what is new in the folder that is followed.
class FollowedEvents {
 public:
  FollowedEvents(const fs::path& run, const TrainOutput& output) : tail_(run), console_(output) {}
  void show() {
    for (bool more = true; more;) {
      std::vector<Event> events;
      const auto polled = tail_.poll(events);
      more = polled && *polled;
      for (const Event& e : events) console_.post(e);
    }
  }

 private:
  EventTail tail_;
  Console console_;
};

int follow(const JobOptions& o, const Job& job, const fs::path& record) {
  const fs::path run = record / "run";
  if (const Status made = is_in_record(job, record) ? Status{} : make_folder(run, 0700); !made)
    return report(made.error());
  FollowedEvents events(run, o.output);
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, stop_following);
  const auto status = submit::follow_job(job, record, run, o.patience_s, [&](const submit::JobStatus&) {
    events.show();
    return following_interrupted == 0;
  });
  events.show();
  if (!status) return report(status.error());
  if (status->state != submit::JobState::lost) return status->code;
  note("the job is gone without having ended; netwright-cli jobs requeue goes on from its last checkpoint");
  return 1;
}

int status(const JobOptions& o, const Job& job, const fs::path& record) {
  const auto is = submit::state_of_job(job, record);
  if (!is) return report(is.error());
  Json j{{"type", "status"}, {"job", job.name}, {"id", job.id}, {"state", name_of(is->state)}};
  if (is->state == submit::JobState::ended) j["exit_code"] = is->code;
  if (o.output.json) print(j.dump());
  if (o.output.json) return 0;
  print(is->state == submit::JobState::ended ? fmt::format("ended with code {}", is->code)
                                             : std::string(name_of(is->state)));
  return 0;
}

/// The last line of a command with one answer; without --json the answer alone.
int done(const JobOptions& o, const Job& job, const Status& status, const std::string& answer = {}) {
  if (!status) return report(status.error());
  if (o.json)
    print(Json{{"type", "done"}, {"job", job.name}, {"answer", answer}}.dump());
  else if (!answer.empty())
    print(answer);
  return 0;
}

int cancel(const JobOptions& o, const Job& job, const fs::path& record) {
  return done(o, job, submit::cancel_job(job, record));
}

int requeue(const JobOptions& o, const Job& job, const fs::path& record) {
  const auto again = submit::requeue_job(job, record);
  return done(o, job, again ? Status{} : again.error());
}

int fetch(const JobOptions& o, const Job& job, const fs::path& record) {
  const bool here = is_in_record(job, record);
  const Status fetched = here ? Status{} : submit::fetch_run(job, record, record / "run", 8);
  return done(o, job, fetched, (record / "run").string());
}

int control(const JobOptions& o, const Job& job, const fs::path& record) {
  const auto answer = submit::control_job(job, record, o.words);
  return answer ? done(o, job, {}, *answer) : report(answer.error());
}

int forget(const JobOptions& o, const Job& job, const fs::path& record) {
  return done(o, job, submit::forget_job(record));
}

Json listed(const Job& job) {
  const fs::path record = submit::jobs_folder() / job.name;
  const submit::JobStatus last = submit::remembered(record);
  Json j{{"type", "job"}, {"job", job.name},      {"target", job.target},         {"host", job.host},
         {"id", job.id},  {"folder", job.folder}, {"state", name_of(last.state)}, {"run", (record / "run").string()}};
  if (last.state == submit::JobState::ended) j["exit_code"] = last.code;
  return j;
}

int list(bool json) {
  std::vector<std::vector<std::string>> rows = {{"job", "target", "host", "id", "last known"}};
  for (const Job& job : submit::list_jobs(submit::jobs_folder())) {
    if (json) print(listed(job).dump());
    const submit::JobState last = submit::remembered(submit::jobs_folder() / job.name).state;
    rows.push_back({job.name, job.target, job.host, job.id, std::string(name_of(last))});
  }
  if (!json) print_lines(table(rows));
  return 0;
}

CLI::App* add_action(CLI::App& jobs, Chosen& chosen, const char* name, const char* what,
                     const std::shared_ptr<JobOptions>& o, JobAction action) {
  auto* command = jobs.add_subcommand(name, what);
  command->add_option("JOB", o->job, "Its name, or its folder of this computer")->required();
  command->callback([=, &chosen] {
    chosen = [=] {
      const fs::path record = submit::record_of(o->job);
      const auto job = submit::load_job(record);
      return job ? action(*o, *job, record) : report(job.error());
    };
  });
  return command;
}

}  // namespace

void add_jobs(CLI::App& app, Chosen& chosen) {
  auto* jobs = app.add_subcommand("jobs", "Follow, control and fetch trainings that were submitted");
  jobs->require_subcommand(1);
  const auto o = std::make_shared<JobOptions>();
  auto* lister = jobs->add_subcommand("list", "List the jobs that were submitted from here");
  lister->add_flag("--json", o->output.json, "Print JSON lines");
  lister->callback([=, &chosen] { chosen = [o] { return list(o->output.json); }; });
  add_action(*jobs, chosen, "status", "Ask whether a job waits, runs or has ended", o, status)
      ->add_flag("--json", o->output.json, "Print one JSON object");
  auto* follower = add_action(*jobs, chosen, "follow", "Print a job's progress until it ends", o, follow);
  follower->add_flag("--json", o->output.json, "Print events as JSON lines");
  follower->add_option("--patience", o->patience_s, "Seconds without a connection after which it gives up")
      ->check(CLI::NonNegativeNumber);
  const auto answering = [&](const char* name, const char* what, JobAction action) {
    CLI::App* command = add_action(*jobs, chosen, name, what, o, action);
    command->add_flag("--json", o->json, "Print one JSON object");
    return command;
  };
  answering("control", "Pause, continue, stop or adjust a job's training", control)
      ->add_option("COMMAND", o->words, "pause | continue | stop | stop-now | checkpoint | status | set NAME VALUE")
      ->required();
  answering("cancel", "End a job; one that trains saves a checkpoint", cancel);
  answering("requeue", "Start a job again; it goes on from its last checkpoint", requeue);
  answering("fetch", "Copy a job's run folder with its checkpoints to this computer", fetch);
  answering("forget", "Remove what is here of a job that has ended; its folder there stays", forget);
}

}  // namespace nw::cli
