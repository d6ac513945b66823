// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/submit_screens.hpp"

#include <QLineEdit>
#include <QSettings>
#include <QSpinBox>
#include <QTabBar>

#include "engine/submit/submission.hpp"
#include "tests/support/run_writer.hpp"
#include "ui/runs/runs_page.hpp"
#include "ui/submit/job_list.hpp"
#include "ui/submit/jobs_panel.hpp"
#include "ui/submit/step_list.hpp"
#include "ui/submit/submit_dialog.hpp"
#include "ui/submit/submit_form.hpp"

namespace nw::ui {
namespace {

/// The dialog as it is opened for LeNet-5, with these texts in its fields.
SubmitDialog& dialogFor(Stage& s, const char* target, const QMap<QString, QString>& fields) {
  s.open("lenet5");
  qputenv("NETWRIGHT_JOBS", "/nonexistent");
  QSettings().remove(QStringLiteral("submit"));
  auto* made = new SubmitDialog(s.work.session, QStringLiteral("/home/me/data/mnist"));
  s.extra.reset(made);
  made->form().choose(*submit::find_target(target));
  for (const auto& [name, text] : fields.asKeyValueRange()) {
    QWidget* editor = made->form().editor(name);
    if (auto* edit = qobject_cast<QLineEdit*>(editor)) edit->setText(text);
    if (auto* spin = qobject_cast<QSpinBox*>(editor)) spin->setValue(text.toInt());
  }
  made->show();
  return *made;
}

/// Lives until the program ends.
struct WrittenJobs {
  test::TemporaryFolder place;
  WrittenJobs() {
    using submit::JobState;
    add("lenet5-1", "ssh", "me@gpu1.example.org", {JobState::running}, 4);
    add("resnet18-1", "slurm", "login.example.org", {JobState::waiting}, 0);
    add("resnet18-2", "kubernetes", "", {JobState::ended, 0}, 10);
    add("vgg13-1", "slurm", "", {JobState::ended, 8}, 7);
    add("vgg13-2", "here", "", {JobState::ended, 3}, 0);
  }
  void add(const char* name, const char* target, const char* host, const submit::JobStatus& status, int epochs) {
    submit::Job job{.name = name, .target = target, .host = host, .folder = "/data/netwright/a", .id = "1"};
    if (job.target == "kubernetes") job.resources = {.data_volume = "sets", .image = "a/b:1"};
    const fs::path record = place.path() / name;
    (void)make_folder(record, 0700);
    (void)save_file(record / "job.json", canonical(to_json(job)));
    submit::remember(record, status);
    if (epochs == 0) return;
    test::RunWriter writer(record, test::definition_of("lenet5", 1000));
    test::write_training(writer, {.epochs = 10, .epochs_done = epochs, .best = 0.9 + epochs * 0.008});
    std::error_code ignored;
    fs::rename(writer.folder(), record / "run", ignored);
  }
};

}  // namespace

QWidget* submitHere(Stage& s) {
  return &dialogFor(s, "here",
                    {{QStringLiteral("ranks"), QStringLiteral("2")}, {QStringLiteral("cpus"), QStringLiteral("1")}});
}

/// While the data are copied.
QWidget* submitSsh(Stage& s) {
  SubmitDialog& made = dialogFor(
      s, "ssh",
      {{QStringLiteral("host"), QStringLiteral("me@gpu1.example.org")}, {QStringLiteral("gpus"), QStringLiteral("2")}});
  using submit::Step;
  const submit::StepReport reports[] = {
      {.step = Step::commands, .done = true},
      {.step = Step::program, .done = true},
      {.step = Step::data,
       .done = true,
       .sentence = text(NW_TR("data: {0} of {1} files are missing on {2}, {3} MiB"), 4, 4, "me@gpu1.example.org", 52)},
      {.step = Step::copy, .done_bytes = 21'000'000, .all_bytes = 54'950'048, .seconds_left = 12}};
  for (const submit::StepReport& report : reports) made.steps().take(to_json(report));
  return &made;
}

QWidget* submitSlurm(Stage& s) {
  return &dialogFor(s, "slurm",
                    {{QStringLiteral("partition"), QStringLiteral("gpu")},
                     {QStringLiteral("time-limit"), QStringLiteral("120")},
                     {QStringLiteral("gpus"), QStringLiteral("1")},
                     {QStringLiteral("memory"), QStringLiteral("16000")}});
}

QWidget* submitKubernetes(Stage& s) {
  return &dialogFor(s, "kubernetes",
                    {{QStringLiteral("image"), QStringLiteral("registry.example.org/netwright:0.1.0")},
                     {QStringLiteral("data-volume"), QStringLiteral("sets")},
                     {QStringLiteral("ranks"), QStringLiteral("4")},
                     {QStringLiteral("gpus"), QStringLiteral("1")},
                     {QStringLiteral("node-selector"), QStringLiteral("disk=ssd")},
                     {QStringLiteral("data"), QStringLiteral("/data/mnist")}});
}

QWidget* submitWrong(Stage& s) {
  return &dialogFor(s, "slurm", {{QStringLiteral("partition"), QStringLiteral("gpu long")}});
}

QWidget* jobsListed(Stage& s) {
  static const WrittenJobs jobs;
  s.open("lenet5");
  qputenv("NETWRIGHT_JOBS", jobs.place.path().c_str());
  QWidget* shown = s.show(QStringLiteral("runs"));
  static_cast<RunsPage*>(s.window->page(QStringLiteral("runs")))->tabs().setCurrentIndex(3);
  return shown;
}

bool jobsShown(Stage& s) {
  return analysed(s) && static_cast<RunsPage*>(s.window->page(QStringLiteral("runs")))->jobs().list().rowCount() == 5;
}

}  // namespace nw::ui
