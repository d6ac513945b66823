// SPDX-License-Identifier: Apache-2.0
// Kubernetes, by kubectl here: a Job for one rank, an MPIJob (kubeflow.org/v2beta1) for several. Data sets and runs lie
// on one volume claim, which is mounted at /data. The project comes as a ConfigMap of the job's name.
#include <fmt/format.h>

#include <algorithm>

#include "engine/core/json_part.hpp"
#include "engine/submit/job_script.hpp"
#include "engine/submit/kubernetes_rules.hpp"
#include "engine/submit/place.hpp"
#include "engine/submit/quoting.hpp"
#include "engine/submit/target.hpp"

namespace nw::submit {
namespace {

constexpr std::int64_t most_tries = 3, grace_s = 180, kept_s = 7 * 24 * 3600;

bool has_ranks(const Job& job) { return job.resources.ranks > 1; }

/// The training's own limit comes five minutes earlier: it ends with a checkpoint, what does not end is ended.
std::int64_t deadline_s(const Job& job) {
  const std::int64_t limit = job.resources.time_limit_minutes;
  return (limit > 0 ? limit : default_limit_minutes) * 60 + 300;
}

std::string script_in_container(const Job& job) {
  return "mkdir -p " + shell_word(job.folder) + "\n" + in_folder(job) +
         "cp /project/project.netwright project.netwright\n" + job_script(job, Signals::container);
}

Json resources_of(const Resources& r) {
  Json limits = Json::object();
  if (r.cpus > 0) limits["cpu"] = r.cpus;
  if (r.memory_mib > 0) limits["memory"] = fmt::format("{}Mi", r.memory_mib);
  if (r.gpus > 0) limits["nvidia.com/gpu"] = r.gpus;
  return {{"limits", limits}, {"requests", limits}};
}

void add_volume(Json& pod, const Json& volume, const std::string& at, bool read_only = false) {
  Json mount{{"name", volume.at("name")}, {"mountPath", at}};
  if (read_only) mount["readOnly"] = true;
  list_in(pod, "volumes").push_back(volume);
  list_in(pod["containers"][0], "volumeMounts").push_back(mount);
}

enum class PodUse : std::uint8_t { computes, launches, waits };

Json pod_of(const Job& job, const std::vector<std::string>& command, PodUse use) {
  const Resources& r = job.resources;
  const bool computes = use == PodUse::computes;
  Json container{{"name", "netwright"}, {"image", r.image}, {"command", command}};
  if (computes) container["resources"] = resources_of(r);
  Json pod{{"containers", Json::array({container})}, {"terminationGracePeriodSeconds", grace_s}};
  if (!r.node_selector.empty()) pod["nodeSelector"] = r.node_selector;
  add_volume(pod, {{"name", "data"}, {"persistentVolumeClaim", {{"claimName", r.data_volume}}}}, "/data");
  if (use != PodUse::waits)
    add_volume(pod, {{"name", "project"}, {"configMap", {{"name", job.name}}}}, "/project", true);
  if (computes && r.shared_memory_mib > 0)
    add_volume(pod,
               {{"name", "shm"},
                {"emptyDir", {{"medium", "Memory"}, {"sizeLimit", fmt::format("{}Mi", r.shared_memory_mib)}}}},
               "/dev/shm");
  return {{"spec", pod}};
}

Json head_of(const Job& job, const char* api, const char* kind) {
  Json meta{{"name", job.name}, {"labels", {{"app.kubernetes.io/name", "netwright"}}}};
  if (!job.resources.name_space.empty()) meta["namespace"] = job.resources.name_space;
  return {{"apiVersion", api}, {"kind", kind}, {"metadata", meta}};
}

Json single_job(const Job& job) {
  Json manifest = head_of(job, "batch/v1", "Job");
  Json pod = pod_of(job, {"/bin/sh", "-c", script_in_container(job)}, PodUse::computes);
  pod["spec"]["restartPolicy"] = "Never";
  manifest["spec"] = {{"activeDeadlineSeconds", deadline_s(job)},
                      {"backoffLimit", most_tries},
                      {"ttlSecondsAfterFinished", kept_s},
                      {"template", pod}};
  return manifest;
}

/// The launcher waits for the workers' sshd: started beside them it fails before they listen (mpi-operator#386).
Json mpi_job(const Job& job) {
  Json manifest = head_of(job, "kubeflow.org/v2beta1", "MPIJob");
  const Json launcher{{"replicas", 1},
                      {"restartPolicy", "Never"},
                      {"template", pod_of(job, {"/bin/sh", "-c", script_in_container(job)}, PodUse::launches)}};
  const Json worker{{"replicas", job.resources.ranks},
                    {"restartPolicy", "Never"},
                    {"template", pod_of(job, {"/usr/sbin/sshd", "-De"}, PodUse::computes)}};
  manifest["spec"] = {{"slotsPerWorker", 1},
                      {"sshAuthMountPath", "/root/.ssh"},
                      {"launcherCreationPolicy", "WaitForWorkersReady"},
                      {"mpiImplementation", "OpenMPI"},
                      {"runPolicy",
                       {{"cleanPodPolicy", "Running"},
                        {"activeDeadlineSeconds", deadline_s(job)},
                        {"backoffLimit", most_tries},
                        {"ttlSecondsAfterFinished", kept_s}}},
                      {"mpiReplicaSpecs", {{"Launcher", launcher}, {"Worker", worker}}}};
  return manifest;
}

// The workers of an MPIJob are reached by ssh with keys that the operator makes for this job alone.
constexpr const char* recipe =
    R"(# Build it where netwright-cli_*.deb and netwright-mpi_*.deb lie (installer/package.sh deb):
#   podman build --tag IMAGE --file Containerfile .
# GPUs: --build-arg BASE=an image with CUDA, cuBLAS and cuDNN, and netwright-cuda_*.deb beside them.
ARG BASE=debian:12-slim
FROM ${BASE}
# netwright-cli, -mpi and -cuda without -doc and -dbgsym, in one pattern: a builder may refuse one that fits nothing.
COPY netwright-[cm]*[ia]_*.deb /tmp/
RUN apt-get update && apt-get install -y --no-install-recommends /tmp/netwright-*.deb netwright-mpi \
  openssh-client openssh-server && rm -rf /var/lib/apt/lists/* /tmp/netwright-*.deb
RUN mkdir -p /run/sshd && printf 'StrictModes no\n' >/etc/ssh/sshd_config.d/netwright.conf
RUN printf 'Host *\n  StrictHostKeyChecking no\n  UserKnownHostsFile /dev/null\n' \
  >/etc/ssh/ssh_config.d/netwright.conf
ENV OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
)";

Result<std::vector<WrittenFile>> files_for_kubernetes(const Job& job) {
  const Json manifest = has_ranks(job) ? mpi_job(job) : single_job(job);
  NW_TRY(check_manifest(manifest));
  return std::vector<WrittenFile>{{"job.yaml", yaml(manifest)}, {"Containerfile", recipe}};
}

/// kubectl with a time limit for each request, in the job's namespace.
std::string kubectl(const Job& job) {
  const std::string& in = job.resources.name_space;
  return "kubectl --request-timeout=30s " + (in.empty() ? "" : "--namespace=" + in + " ");
}
std::string resource_of(const Job& job) { return (has_ranks(job) ? "mpijob/" : "job/") + job.name; }

/// A pod of a claim that does not exist would wait for it.
std::string needs_volume(const Job& job) {
  return kubectl(job) + "get persistentvolumeclaim " + shell_word(job.resources.data_volume) +
         " >/dev/null || exit 1\n";
}

std::string submit_to_kubernetes(const Job& job) {
  const std::string k = kubectl(job);
  return needs_volume(job) + k + "create configmap " + job.name +
         " --from-file=project.netwright --dry-run=client --output=yaml | " + k + "apply --filename=- >&2 || exit 1\n" +
         k + "apply --filename=job.yaml >&2 && echo " + resource_of(job) + "\n";
}

/// Conditions that hold, and of a Job the number of its pods that run.
std::string state_in_kubernetes(const Job& job) {
  return "s=$(" + kubectl(job) + "get " + resource_of(job) +
         " --ignore-not-found --output=jsonpath='there {range .status.conditions[?(@.status==\"True\")]}{.type} {end}"
         "active={.status.active}') || { echo unknown; exit 0; }\n" +
         R"(case " $s " in
  *' Failed '*) echo 'ended 1' ;;
  *' Complete '*|*' Succeeded '*) echo 'ended 0' ;;
  *' Running '*|*active=[1-9]*) echo running ;;
  *there*) echo waiting ;;
  *) echo lost ;;
esac
)";
}

std::string cancel_in_kubernetes(const Job& job) {
  return kubectl(job) + "delete --wait=false --ignore-not-found " + resource_of(job) + " >&2\n";
}

/// A job that has ended cannot be started again: it is made anew, and finds its run on the volume.
std::string requeue_in_kubernetes(const Job& job) {
  return kubectl(job) + "delete --timeout=120s --ignore-not-found " + resource_of(job) + " >&2\n" +
         submit_to_kubernetes(job);
}

/// Why a pod is not ready, in the words of the cluster.
constexpr const char* not_ready_reason =
    "'{.status.containerStatuses[*].state.waiting.reason} {.status.conditions[?(@.status==\"False\")].message}'";

/// A pod of the job's image that waits beside the volume, for an hour at most: before the job it is asked for the
/// program and the data; after it, nothing is executed in a pod that has ended.
std::string open_volume_in_kubernetes(const Job& job) {
  Json manifest = head_of(job, "v1", "Pod");
  manifest["metadata"]["name"] = volume_pod(job);
  Json spec = pod_of(job, {"sleep", "3600"}, PodUse::waits).at("spec");
  spec["restartPolicy"] = "Never";
  spec["activeDeadlineSeconds"] = 3600;
  spec["terminationGracePeriodSeconds"] = 1;
  manifest["spec"] = spec;
  const std::string k = kubectl(job), pod = "pod/" + volume_pod(job);
  return needs_volume(job) + "case $(" + k + "get " + pod +
         " --ignore-not-found --output=jsonpath='{.status.phase}') in\n  Succeeded|Failed) " + k +
         "delete --timeout=60s --ignore-not-found " + pod + " >&2 ;;\nesac\nprintf '%s' " + shell_word(yaml(manifest)) +
         " | " + k + "apply --filename=- >&2 || exit 1\n" + k + "wait --for=condition=Ready --timeout=300s " + pod +
         " >&2 && exit 0\necho \"" + pod + " does not run: $(" + k + "get " + pod +
         " --ignore-not-found --output=jsonpath=" + not_ready_reason + ")\" >&2\nexit 1\n";
}

std::string close_volume_in_kubernetes(const Job& job) {
  return kubectl(job) + "delete --wait=false --ignore-not-found pod/" + volume_pod(job) + " >&2\n";
}

/// Rank 0 of an MPIJob runs on its first worker, not in the launcher.
std::string control_in_kubernetes(const Job& job, const std::vector<std::string>& words) {
  return kubectl(job) + "exec " + (has_ranks(job) ? "pod/" + job.name + "-worker-0" : "job/" + job.name) +
         " -- /bin/sh -c " + shell_word(control_script(job, words)) + "\n";
}

Status check_for_kubernetes(const Job& job) {
  if (job.resources.image.empty()) return fail(Errc::usage, NW_TR("{0} needs --{1}"), "kubernetes", "image");
  if (job.resources.data_volume.empty())
    return fail(Errc::usage, NW_TR("{0} needs --{1}"), "kubernetes", "data-volume");
  for (const auto& [field, path] : {std::pair{"folder", &job.folder}, std::pair{"data", &job.data}})
    if (!path->empty() && !path->starts_with("/data/"))
      return fail(Errc::usage, NW_TR("{0} must be below /data/, where the volume is mounted: {1}"), field, *path);
  return {};
}

}  // namespace
}  // namespace nw::submit

namespace nw {

extern const submit::Target kubernetes_target{
    .name = "kubernetes",
    .summary = text(NW_TR("A Kubernetes cluster, by kubectl: a Job, or an MPIJob for several ranks")),
    .host = submit::HostUse::none,
    .fields = {"gpus", "cpus", "memory", "shared-memory", "ranks", "time-limit", "node-selector", "data-volume",
               "image", "namespace"},
    .needs = {"kubectl"},
    .files = submit::files_for_kubernetes,
    .submit = submit::submit_to_kubernetes,
    .state = submit::state_in_kubernetes,
    .cancel = submit::cancel_in_kubernetes,
    .requeue = submit::requeue_in_kubernetes,
    .control = submit::control_in_kubernetes,
    .check = submit::check_for_kubernetes,
    .in_container = true,
    .open_volume = submit::open_volume_in_kubernetes,
    .close_volume = submit::close_volume_in_kubernetes};

}  // namespace nw
