// SPDX-License-Identifier: Apache-2.0
#include <memory>
#include <system_error>

#include "app/cli/cli.hpp"
#include "engine/design/project_file.hpp"
#include "engine/submit/submission.hpp"

namespace nw::cli {
namespace {

using submit::Job;

struct SubmitOptions {
  std::string file, to, data, written, name;
  std::vector<std::string> labels;
  Job job;
  bool dry_run = false, check_only = false, json = false;
};

Status put_labels(Job& job, const std::vector<std::string>& labels) {
  for (const std::string& label : labels) {
    const std::size_t sign = label.find('=');
    if (sign == std::string::npos) return fail(Errc::usage, NW_TR("{0} is not LABEL=VALUE"), label);
    job.resources.node_selector[label.substr(0, sign)] = label.substr(sign + 1);
  }
  return {};
}

Result<submit::Submission> submission_for(const SubmitOptions& o) {
  submit::Submission s{.job = o.job};
  const std::size_t colon = o.to.find(':');
  s.job.target = o.to.substr(0, colon);
  if (colon != std::string::npos) s.job.host = o.to.substr(colon + 1);
  NW_ASSIGN(const GraphDoc doc, load_project(o.file));
  s.job.name = o.name.empty() ? submit::free_name(project_name(o.file)) : o.name;
  NW_TRY(put_labels(s.job, o.labels));
  std::error_code ignored;
  if (!s.job.mounted.empty()) s.job.mounted = fs::absolute(s.job.mounted, ignored).lexically_normal().string();
  if (!o.data.empty()) {
    NW_TRY(check_data_option(doc, o.data));
    s.data = fs::canonical(o.data, ignored);
  }
  complete(s.job, s.data);
  NW_TRY(submit::check(s.job));
  s.project = fs::absolute(o.file, ignored);
  return s;
}

/// --write-only and --dry-run: the files, and what would be run to submit them.
int show(const submit::Submission& s, const SubmitOptions& o) {
  const auto files = submit::written_files(s.job);
  if (!files) return report(files.error());
  for (const submit::WrittenFile& f : *files) {
    if (o.dry_run) print_lines("# " + f.name + "\n" + f.text + "\n");
    if (o.written.empty()) continue;
    if (const Status made = make_folder(o.written); !made) return report(made.error());
    if (const Status saved = save_file(fs::path(o.written) / f.name, f.text); !saved) return report(saved.error());
  }
  if (o.dry_run) print_lines("# submitted by\n" + submit::find_target(s.job.target)->submit(s.job));
  return 0;
}

/// A template has no file of its own: the job gets one.
Status write_template(submit::Submission& s, const SubmitOptions& o) {
  std::error_code ignored;
  if (fs::is_regular_file(s.project, ignored)) return {};
  NW_ASSIGN(const GraphDoc doc, load_project(o.file));
  s.project = submit::jobs_folder() / s.job.name / "project.netwright";
  NW_TRY(make_folder(s.project.parent_path(), 0700));
  return ProjectFile::save(doc, s.project);
}

Json submitted(const Job& job) {
  return {{"type", "submitted"},
          {"job", job.name},
          {"id", job.id},
          {"folder", job.folder},
          {"run", (submit::jobs_folder() / job.name / "run").string()}};
}

int submit_project(const SubmitOptions& o) {
  auto s = submission_for(o);
  if (!s) return report(s.error());
  if (o.dry_run || !o.written.empty()) return show(*s, o);
  if (const Status written = write_template(*s, o); !written) return report(written.error());
  const submit::Report told = [&](const submit::StepReport& r) {
    if (o.json) print(to_json(r).dump());
    if (!o.json && !r.sentence.empty()) note(r.sentence.str());
  };
  if (o.check_only) {
    const Status checked = submit::check_only(*s, told);
    if (checked && o.json) print(Json{{"type", "checked"}, {"job", s->job.name}}.dump());
    return checked ? 0 : report(checked.error());
  }
  const auto job = submit::submit(*s, told);
  if (!job) return report(job.error());
  if (o.json)
    print(submitted(*job).dump());
  else
    print(job->name);
  note(fmt::format("netwright-cli jobs follow {} shows its progress", job->name));
  return 0;
}

void add_fields(CLI::App& command, SubmitOptions& o) {
  for (const submit::Field& f : submit::all_fields()) {
    const std::string option = "--" + std::string(f.name), help(f.help);
    if (f.number) command.add_option(option, o.job.resources.*f.number, help)->check(CLI::Range(f.lowest, f.highest));
    if (f.word) command.add_option(option, o.job.resources.*f.word, help);
    if (f.is_label) command.add_option(option, o.labels, help)->allow_extra_args(false);
  }
}

}  // namespace

void add_submit(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("submit", "Train a project elsewhere: by ssh, Slurm or Kubernetes");
  auto o = std::make_shared<SubmitOptions>();
  command->add_option("FILE", o->file, "Project file, or a template's name")->required();
  command->add_option("OPTIONS", o->job.train_options, "Behind --: options of netwright-cli train, such as --epochs 3");
  command->add_option("--to", o->to, "here; ssh:HOST; slurm (sbatch here) or slurm:HOST; kubernetes")->required();
  command->add_option("--data", o->data, "Data set of this computer; what is missing there is copied");
  command->add_option("--data-there", o->job.data, "Data set where the training runs");
  command->add_option("--name", o->name, "Name of the job; default: the project's with a number");
  command->add_option("--folder", o->job.folder, "Folder of the job there; default: netwright/NAME in the home folder");
  command->add_option("--program", o->job.program, "netwright-cli there");
  command->add_option("--ssh-config", o->job.ssh_config, "Configuration file of ssh");
  command->add_option("--mounted", o->job.mounted, "Where the job's folder there is mounted here");
  add_fields(*command, *o);
  command->add_flag("--dry-run", o->dry_run, "Print the script or manifest; connect to nothing");
  command->add_option("--write-only", o->written, "Write the script or manifest into this folder; connect to nothing");
  command->add_flag("--check-only", o->check_only, "Check the place and the data there; copy and start nothing");
  command->add_flag("--json", o->json, "Print each step and the job as JSON lines");
  command->footer(
      "Examples:\n"
      "  netwright-cli submit lenet5.netwright --to ssh:me@host --data ~/data/mnist -- --epochs 3\n"
      "  netwright-cli submit lenet5.netwright --to slurm --data ~/data/mnist --time-limit 60 --partition gpu --gpus "
      "1\n"
      "  netwright-cli submit lenet5.netwright --to kubernetes --image IMAGE --data-volume sets\n"
      "      --data-there /data/mnist --dry-run");
  command->callback([=, &chosen] { chosen = [o] { return submit_project(*o); }; });
}

}  // namespace nw::cli
