// SPDX-License-Identifier: Apache-2.0
// The manifests for Kubernetes: every field, and what is refused.
#include <fnmatch.h>
#include <gtest/gtest.h>

#include "engine/submit/kubernetes_rules.hpp"
#include "engine/submit/process.hpp"
#include "tests/engine/submit/jobs.hpp"
#include "tests/support/paths.hpp"

namespace nw::submit {
namespace {

using test::a_job;

/// The manifest of a job, read back by PyYAML; null: there is none.
Json manifest_of(const Job& job) {
  const auto files = find_target("kubernetes")->files(job);
  EXPECT_TRUE(files) << files.error().str();
  if (!files) return {};
  const auto said =
      run_process({"python3", "-c", "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin.buffer)))"},
                  files->front().text, {});
  return said && said->code == 0 ? Json::parse(said->out) : Json();
}

Job job_of_ranks(std::int64_t ranks) {
  Job job = a_job("kubernetes");
  job.resources.ranks = ranks;
  return job;
}

class Manifest : public testing::Test {
 protected:
  void SetUp() override {
    single_ = manifest_of(job_of_ranks(1));
    if (single_.is_null()) GTEST_SKIP() << "python3 has no yaml";
    mpi_ = manifest_of(job_of_ranks(3));
  }
  static Json at(const Json& json, const std::string& pointer) {
    return json.value(Json::json_pointer(pointer), Json());
  }
  Json single_, mpi_;
};

TEST_F(Manifest, EveryFieldOfAJobIsInIt) {
  EXPECT_EQ(at(single_, "/apiVersion"), "batch/v1");
  EXPECT_EQ(at(single_, "/metadata/name"), "lenet5");
  EXPECT_EQ(at(single_, "/metadata/namespace"), "team");
  EXPECT_EQ(at(single_, "/spec/activeDeadlineSeconds"), 60 * 60 + 300);
  const Json pod = at(single_, "/spec/template/spec");
  EXPECT_EQ(pod.at("nodeSelector"), (Json{{"disk", "ssd"}, {"kubernetes.io/arch", "amd64"}}));
  EXPECT_EQ(pod.at("restartPolicy"), "Never");
  EXPECT_EQ(at(pod, "/containers/0/image"), "registry.example.org:5000/netwright:0.1.0");
  const Json limits{{"cpu", 4}, {"memory", "8192Mi"}, {"nvidia.com/gpu", 1}};
  EXPECT_EQ(at(pod, "/containers/0/resources"), (Json{{"limits", limits}, {"requests", limits}}));
  EXPECT_EQ(at(pod, "/volumes/0/persistentVolumeClaim/claimName"), "sets");
  EXPECT_EQ(at(pod, "/volumes/2/emptyDir"), (Json{{"medium", "Memory"}, {"sizeLimit", "1024Mi"}}));
  EXPECT_EQ(at(pod, "/containers/0/volumeMounts/2/mountPath"), "/dev/shm");
  const std::string script = at(pod, "/containers/0/command/2").get<std::string>();
  for (const char* part :
       {"cd /data/netwright/lenet5 ", "--data /data/mnist", "--device cuda:0", "--threads 4", " 60m "})
    EXPECT_NE(script.find(part), std::string::npos) << part << script;
}

TEST_F(Manifest, SeveralRanksAreAnMpiJobWithEveryWaitBounded) {
  EXPECT_EQ(at(mpi_, "/apiVersion"), "kubeflow.org/v2beta1");
  EXPECT_EQ(at(mpi_, "/kind"), "MPIJob");
  EXPECT_EQ(at(mpi_, "/spec/launcherCreationPolicy"), "WaitForWorkersReady");
  EXPECT_EQ(at(mpi_, "/spec/slotsPerWorker"), 1);
  EXPECT_EQ(at(mpi_, "/spec/runPolicy/activeDeadlineSeconds"), 3900);
  EXPECT_EQ(at(mpi_, "/spec/mpiReplicaSpecs/Worker/replicas"), 3);
  EXPECT_EQ(at(mpi_, "/spec/mpiReplicaSpecs/Launcher/replicas"), 1);
  const Json launcher = at(mpi_, "/spec/mpiReplicaSpecs/Launcher/template/spec/containers/0"),
             worker = at(mpi_, "/spec/mpiReplicaSpecs/Worker/template/spec/containers/0");
  EXPECT_NE(launcher.at("command").at(2).get<std::string>().find("mpirun -n 3 "), std::string::npos);
  EXPECT_FALSE(launcher.contains("resources")) << "the launcher computes nothing";
  EXPECT_EQ(at(worker, "/resources/limits/nvidia.com~1gpu"), 1);
  Job without = job_of_ranks(2);
  without.resources.time_limit_minutes = 0;
  EXPECT_GT(at(manifest_of(without), "/spec/runPolicy/activeDeadlineSeconds"), 0);
}

/// What the operator's definition makes of each is held in tests/submit/mpijob_test.py.
TEST_F(Manifest, BadOnesAreRefusedByName) {
  const auto text = read_file(nw::test::source_folder() + "/tests/submit/bad_mpijobs.json", std::uint64_t{1} << 20);
  ASSERT_TRUE(text);
  const Json bad = Json::parse(*text);
  ASSERT_TRUE(check_manifest(mpi_)) << check_manifest(mpi_).error().str();
  EXPECT_GE(bad.size(), 12U);
  for (const Json& one : bad) {
    Json variant = mpi_;
    const Json::json_pointer place(one.at("at").get<std::string>());
    if (one.contains("value"))
      variant[place] = one.at("value");
    else
      variant[place.parent_pointer()].erase(place.back());
    const Status checked = check_manifest(variant);
    ASSERT_FALSE(checked) << one;
    EXPECT_NE(checked.error().str().find(one.at("named").get<std::string>()), std::string::npos)
        << one << ": " << checked.error().str();
  }
}

TEST_F(Manifest, WhatTheOperatorTakesIsNotRefused) {
  Json variant = mpi_;
  variant["spec"]["runPolicy"]["managedBy"] = "kueue.x-k8s.io/multikueue";
  variant["spec"]["runPolicy"]["activeDeadlineSeconds"] = std::int64_t{1} << 31;
  variant["spec"]["slotsPerWorker"] = 0;
  for (const char* name : {"OpenMPI", "Intel", "MPICH"}) {
    variant["spec"]["mpiImplementation"] = name;
    EXPECT_TRUE(check_manifest(variant)) << check_manifest(variant).error().str();
  }
}

TEST_F(Manifest, AJobIsHeldToTheSameRules) {
  ASSERT_TRUE(check_manifest(single_));
  for (const char* pointer : {"/spec/template/spec/restartPolicy", "/spec/activeDeadlineSeconds", "/spec/template"}) {
    Json variant = single_;
    const Json::json_pointer place(pointer);
    variant[place.parent_pointer()].erase(place.back());
    EXPECT_FALSE(check_manifest(variant)) << pointer;
  }
  for (const Json& nothing : {Json(), Json::array(), Json("Job"), Json{{"kind", "Job"}}})
    EXPECT_FALSE(check_manifest(nothing));
}

TEST(ImageRecipe, TakesThePackagesOfATrainingAndNoOthers) {
  const auto files = find_target("kubernetes")->files(job_of_ranks(2));
  ASSERT_TRUE(files);
  const std::string& recipe = files->back().text;
  const std::size_t copy = recipe.find("\nCOPY ") + 6;
  const std::string pattern = recipe.substr(copy, recipe.find(' ', copy) - copy);
  const auto is_taken = [&](const std::string& package) {
    return ::fnmatch(pattern.c_str(), ("netwright" + package + "_0.1.0-0upstream1+deb12_amd64.deb").c_str(), 0) == 0;
  };
  for (const char* taken : {"-cli", "-mpi", "-cuda"}) EXPECT_TRUE(is_taken(taken)) << taken;
  for (const char* left : {"", "-doc", "-cli-dbgsym", "-mpi-dbgsym", "-cuda-dbgsym"})
    EXPECT_FALSE(is_taken(left)) << left;
  EXPECT_NE(recipe.find(" netwright-mpi "), std::string::npos) << "an image without it trains no ranks: none is built";
}

}  // namespace
}  // namespace nw::submit
