// SPDX-License-Identifier: Apache-2.0
#include "engine/submit/job.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "engine/submit/process.hpp"
#include "engine/submit/quoting.hpp"
#include "tests/engine/submit/jobs.hpp"

namespace nw::submit {
namespace {

using test::a_job;

TEST(SystemName, IsALabelWhateverIsWanted) {
  EXPECT_EQ(system_name("2026-11-26 LeNet_5"), "nw-2026-11-26-lenet-5");
  EXPECT_EQ(system_name("lenet5"), "lenet5");
  EXPECT_EQ(system_name(""), "nw");
  EXPECT_EQ(system_name("--"), "nw");
  EXPECT_TRUE(rc::check([](const std::string& wanted) { RC_ASSERT(is_system_name(system_name(wanted))); }));
  EXPECT_LE(system_name(std::string(500, 'a')).size(), longest_name);
  for (const char* bad : {"", "1a", "-a", "a-", "A", "a_b", "a.b", "a\n"}) EXPECT_FALSE(is_system_name(bad)) << bad;
}

TEST(Targets, AreThere) {
  EXPECT_EQ(target_names(), "kubernetes, slurm, ssh, here");
  for (const Target* target : all_targets()) {
    for (const std::string_view field : target->fields)
      EXPECT_TRUE(
          std::any_of(all_fields().begin(), all_fields().end(), [&](const Field& f) { return f.name == field; }))
          << target->name << " " << field;
    EXPECT_TRUE(check(a_job(target->name))) << check(a_job(target->name)).error().str();
  }
}

TEST(Job, IsReadBackFromItsFile) {
  for (const Target* target : all_targets()) {
    Job job = a_job(target->name);
    job.id = "17";
    job.train_options = {"--set", "schedule=one cycle", "--epochs", "3"};
    const auto read = job_from_json(*parse_json(canonical(to_json(job)), "job.json"), "job.json");
    ASSERT_TRUE(read) << read.error().str();
    EXPECT_EQ(to_json(*read), to_json(job));
  }
}

TEST(Job, ADamagedFileIsRefused) {
  const Json good = to_json(a_job("slurm"));
  for (const auto& [key, value] :
       std::vector<std::pair<std::string, Json>>{{"name", "1a"},
                                                 {"target", "lsf"},
                                                 {"host", "-oProxyCommand=x"},
                                                 {"host", "a b"},
                                                 {"folder", ""},
                                                 {"folder", "-rf"},
                                                 {"folder", "a\nb"},
                                                 {"program", "\x1b[2J"},
                                                 {"id", "1;reboot"},
                                                 {"id", "-1"},
                                                 {"train_options", {1}},
                                                 {"train_options", {"--run-dir=/"}},
                                                 {"schema", 2},
                                                 {"resources", {{"ranks", 0}}},
                                                 {"resources", {{"partition", "a\n#SBATCH"}}},
                                                 {"resources", {{"image", "x"}}},
                                                 {"ssh_config", "-x"}}) {
    Json bad = good;
    bad[key] = value;
    const auto read = job_from_json(bad, "job.json");
    ASSERT_FALSE(read) << key << value;
    EXPECT_EQ(read.error().code, Errc::bad_input) << key << value;
  }
}

TEST(Job, WhatATargetDoesNotTakeIsRefused) {
  Job job = a_job("ssh");
  job.resources.partition = "long";
  EXPECT_EQ(check(job).error().str(), "ssh does not take --partition");
  job = a_job("ssh");
  job.host.clear();
  EXPECT_FALSE(check(job));
  job = a_job("here");
  job.host = "a";
  EXPECT_FALSE(check(job));
  job = a_job("kubernetes");
  job.resources.image.clear();
  EXPECT_EQ(check(job).error().str(), "kubernetes needs --image");
  job = a_job("kubernetes");
  job.folder = "/home/me";
  EXPECT_FALSE(check(job));
}

TEST(Slurm, TheFieldsAreDirectives) {
  Job job = a_job("slurm");
  job.resources = {.gpus = 2, .cpus = 8, .memory_mib = 4096, .time_limit_minutes = 90, .partition = "gpu,long"};
  const auto files = find_target("slurm")->files(job);
  ASSERT_TRUE(files);
  const std::string& script = files->front().text;
  for (const char* line :
       {"#SBATCH --job-name=lenet5\n", "#SBATCH --time=90\n", "#SBATCH --signal=B:USR1@120\n",
        "#SBATCH --gpus-per-task=2\n", "#SBATCH --cpus-per-task=8\n", "#SBATCH --mem=4096M\n",
        "#SBATCH --partition=gpu,long\n", "#SBATCH --ntasks=1\n", "#SBATCH --requeue\n", "--device cuda:0,cuda:1"})
    EXPECT_NE(script.find(line), std::string::npos) << line << script;
  job.resources.ranks = 4;
  job.resources.time_limit_minutes = 1;
  const std::string ranks = find_target("slurm")->files(job)->front().text;
  for (const char* part : {"mpirun -n 4 --bind-to none", "#SBATCH --ntasks=4\n", "--mem-per-cpu=512M\n", "B:USR1@15\n",
                           "--device cuda --"})
    EXPECT_NE(ranks.find(part), std::string::npos) << part << ranks;
}

TEST(Job, EachOfSeveralRanksHasOneGpu) {
  Job job = a_job("slurm");
  job.resources.gpus = 2;
  EXPECT_TRUE(check(job));
  job.resources.ranks = 2;
  EXPECT_EQ(check(job).error().str(), "gpus cannot be \"2\": each of several ranks has one GPU");
  EXPECT_EQ(field_of(check(job).error()), "gpus");
  job.resources.gpus = 1;
  EXPECT_TRUE(check(job));
}

TEST(JobScript, RanksTrainAPipelineAsTheOptionsSay) {
  for (const char* target : {"ssh", "slurm", "kubernetes"}) {
    Job job = a_job(target);
    job.resources.ranks = 4;
    job.train_options = {"--parallel", "model", "--stages", "2", "--micro-batches", "4", "--pipeline", "gpipe"};
    const auto files = find_target(target)->files(job);
    ASSERT_TRUE(files) << files.error().str();
    std::string all;
    for (const auto& f : *files) all += f.text;
    EXPECT_NE(all.find("mpirun -n 4 "), std::string::npos) << target << all;
    EXPECT_NE(all.find("--parallel model --stages 2 --micro-batches 4 --pipeline gpipe"), std::string::npos) << all;
  }
}

/// No option or path of a job ends its word: a shell that runs the script with a program that prints its arguments
/// gets exactly those.
TEST(JobScript, HandsEveryOptionToTheProgramAsItIs) {
  const Folder place;
  ASSERT_TRUE(save_file(place.path / "show", "#!/bin/sh\nfor word; do printf '%s\\n' \"$word\"; done\n", 0700));
  EXPECT_TRUE(rc::check([&] {
    Job job = a_job("ssh");
    job.folder = place.path.string();
    job.program = (place.path / "show").string();
    job.resources = {};
    const std::string special = " '\"\\$`!*?[]{}()<>|&;#~%^=:,-ab";
    job.train_options =
        *rc::gen::container<std::vector<std::string>>(rc::gen::container<std::string>(rc::gen::elementOf(special)));
    job.data = "d" + *rc::gen::container<std::string>(rc::gen::elementOf(special));
    RC_PRE(bool(check(job)));
    fs::remove(place.path / "log.txt");
    const auto files = find_target("ssh")->files(job);
    const auto said = run_process({"sh", "-c", "cd " + shell_word(job.folder) + " && sh -s"}, files->front().text, {});
    RC_ASSERT(said && said->code == 0);
    std::string expected = "train\nproject.netwright\n--run-dir\nrun\n--quiet\n--data\n" + job.data + "\n";
    for (const std::string& word : job.train_options) expected += word + "\n";
    RC_ASSERT(*read_file(place.path / "log.txt", 1 << 20) == expected);
  }));
}

TEST(JobScript, ForwardsOneSignalAndReportsTheCode) {
  const Folder place;
  ASSERT_TRUE(save_file(place.path / "train",
                        "#!/bin/sh\nn=0\ntrap 'n=$((n+1)); echo $n >count' TERM\necho >begun\n"
                        "for i in 1 2 3 4 5 6 7 8; do sleep 0.2; done\nexit 7\n",
                        0700));
  Job job = a_job("ssh");
  job.resources = {};
  job.folder = place.path.string();
  job.program = (place.path / "train").string();
  const Target& target = *find_target("ssh");
  ASSERT_TRUE(save_file(place.path / "job.sh", target.files(job)->front().text));
  const auto ask = [&](const std::string& script) { return run_process({"sh", "-c", script}, "", {})->out; };
  EXPECT_EQ(ask(target.state(job)), "waiting\n");
  EXPECT_NE(ask(target.submit(job)), "");
  while (!fs::exists(place.path / "begun")) ::usleep(10000);
  EXPECT_EQ(ask(target.state(job)), "running\n");
  (void)ask("kill -TERM $(cut -d ' ' -f 1 " + shell_word((place.path / "pid").string()) + ")");
  (void)ask(target.cancel(job));
  EXPECT_EQ(ask(target.state(job)), "ended 7\n");
  EXPECT_EQ(*read_file(place.path / "count", 100), "1\n")
      << "a second SIGTERM would end a training without its checkpoint";
  fs::remove(place.path / "exit");
  for (int i = 0; i < 200 && ask(target.state(job)) == "running\n"; ++i) ::usleep(10000);
  EXPECT_EQ(ask(target.state(job)), "lost\n");
}

}  // namespace
}  // namespace nw::submit
