// SPDX-License-Identifier: Apache-2.0
// Types and required members: the custom resource definition mpijobs.kubeflow.org (v2beta1) and the API reference of
// batch/v1 and core/v1. Rules beyond them: pkg/apis/kubeflow/validation/validation.go and the controller of
// kubeflow/mpi-operator v0.8.2, which docs/submit.md compares.
#include "engine/submit/kubernetes_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <set>

#include "kernels/printable.hpp"

namespace nw::submit {
namespace {

enum class Kind : std::uint8_t {
  object,
  list,
  text,
  filled_text,
  integer,  // of 32 bits
  long_integer,
  boolean,
  quantity,
  texts_by_name,
  integers_or_quantities
};

struct Rule {
  std::string_view path;  // "spec.template.spec.containers[].name"; * is any key
  Kind kind = Kind::object;
  bool required = false;                 // where its parent is
  std::vector<std::string> values = {};  // of a text; empty: any
  std::int64_t lowest = 0;               // of an integer
};

// Below a template, of any kind of job.
const std::vector<Rule>& pod_rules() {
  static const std::vector<Rule> rules = {{"metadata"},
                                          {"metadata.labels", Kind::texts_by_name},
                                          {"spec", Kind::object, true},
                                          {"spec.containers", Kind::list, true},
                                          {"spec.containers[]", Kind::object},
                                          {"spec.containers[].name", Kind::text, true},
                                          {"spec.containers[].image", Kind::text, true},
                                          {"spec.containers[].command", Kind::list},
                                          {"spec.containers[].command[]", Kind::text},
                                          {"spec.containers[].resources"},
                                          {"spec.containers[].resources.limits", Kind::integers_or_quantities},
                                          {"spec.containers[].resources.requests", Kind::integers_or_quantities},
                                          {"spec.containers[].volumeMounts", Kind::list},
                                          {"spec.containers[].volumeMounts[]"},
                                          {"spec.containers[].volumeMounts[].name", Kind::text, true},
                                          {"spec.containers[].volumeMounts[].mountPath", Kind::text, true},
                                          {"spec.containers[].volumeMounts[].readOnly", Kind::boolean},
                                          {"spec.nodeSelector", Kind::texts_by_name},
                                          {"spec.restartPolicy", Kind::text, false, {"Never", "OnFailure"}},
                                          {"spec.terminationGracePeriodSeconds", Kind::long_integer},
                                          {"spec.volumes", Kind::list},
                                          {"spec.volumes[]"},
                                          {"spec.volumes[].name", Kind::text, true},
                                          {"spec.volumes[].configMap"},
                                          {"spec.volumes[].configMap.name", Kind::text, true},
                                          {"spec.volumes[].emptyDir"},
                                          {"spec.volumes[].emptyDir.medium", Kind::text, false, {"", "Memory"}},
                                          {"spec.volumes[].emptyDir.sizeLimit", Kind::quantity},
                                          {"spec.volumes[].persistentVolumeClaim"},
                                          {"spec.volumes[].persistentVolumeClaim.claimName", Kind::text, true},
                                          {"spec.volumes[].persistentVolumeClaim.readOnly", Kind::boolean}};
  return rules;
}

const std::vector<Rule>& head_rules() {
  static const std::vector<Rule> rules = {{"", Kind::object, true},
                                          {"apiVersion", Kind::text, true},
                                          {"kind", Kind::text, true},
                                          {"metadata", Kind::object, true},
                                          {"metadata.name", Kind::text, true},
                                          {"metadata.namespace", Kind::text},
                                          {"metadata.labels", Kind::texts_by_name},
                                          {"spec", Kind::object, true}};
  return rules;
}

const std::vector<Rule>& mpi_rules() {
  static const std::vector<Rule> rules = {
      {"spec.slotsPerWorker", Kind::integer, true},
      {"spec.runLauncherAsWorker", Kind::boolean},
      {"spec.sshAuthMountPath", Kind::filled_text, true},
      {"spec.launcherCreationPolicy", Kind::text, true, {"AtStartup", "WaitForWorkersReady"}},
      {"spec.mpiImplementation", Kind::text, true, {"OpenMPI", "Intel", "MPICH"}},
      {"spec.runPolicy", Kind::object, true},
      {"spec.runPolicy.cleanPodPolicy", Kind::text, true, {"None", "Running", "All"}},
      {"spec.runPolicy.ttlSecondsAfterFinished", Kind::integer},
      {"spec.runPolicy.activeDeadlineSeconds", Kind::long_integer, true, {}, 1},
      {"spec.runPolicy.backoffLimit", Kind::integer},
      {"spec.runPolicy.managedBy", Kind::text, false, {"kubeflow.org/mpi-operator", "kueue.x-k8s.io/multikueue"}},
      {"spec.runPolicy.suspend", Kind::boolean},
      {"spec.mpiReplicaSpecs", Kind::object, true},
      {"spec.mpiReplicaSpecs.Launcher", Kind::object, true},
      {"spec.mpiReplicaSpecs.Worker", Kind::object, true},
      {"spec.mpiReplicaSpecs.*.replicas", Kind::integer, true, {}, 1},
      {"spec.mpiReplicaSpecs.*.restartPolicy", Kind::text, true, {"Never", "OnFailure"}},
      {"spec.mpiReplicaSpecs.*.template", Kind::object, true}};
  return rules;
}

const std::vector<Rule>& batch_rules() {
  static const std::vector<Rule> rules = {
      {"spec.activeDeadlineSeconds", Kind::long_integer, true, {}, 1},
      {"spec.backoffLimit", Kind::integer},
      {"spec.completions", Kind::integer, false, {}, 1},
      {"spec.parallelism", Kind::integer},
      {"spec.suspend", Kind::boolean},
      {"spec.ttlSecondsAfterFinished", Kind::integer},
      {"spec.template", Kind::object, true},
      {"spec.template.spec.restartPolicy", Kind::text, true, {"Never", "OnFailure"}}};
  return rules;
}

/// "a.*.b" for "a.Launcher.b": the one place where a key is a name of the operator.
std::string normal(std::string path) {
  for (const char* role : {"spec.mpiReplicaSpecs.Launcher.", "spec.mpiReplicaSpecs.Worker."})
    if (path.starts_with(role)) path.replace(0, std::string_view(role).size(), "spec.mpiReplicaSpecs.*.");
  return path;
}

Error refused(const std::string& path, const Text& why) {
  return fail(Errc::bad_input, NW_TR("{0}: {1}"), path.empty() ? "manifest" : printable(path), why.str());
}

/// "1500m", "2Gi": digits, and one of the units.
bool is_quantity(const Json& value) {
  if (value.is_number_integer()) return value.get<std::int64_t>() >= 0;
  if (!value.is_string()) return false;
  const std::string s = value.get<std::string>();
  const std::size_t digits = std::min(s.find_first_not_of("0123456789"), s.size());
  static const std::set<std::string> units = {"", "m", "k", "M", "G", "T", "Ki", "Mi", "Gi", "Ti"};
  return digits > 0 && units.contains(s.substr(digits));
}

bool all_members(const Json& value, bool (*is)(const Json&)) {
  return value.is_object() && std::all_of(value.begin(), value.end(), [&](const Json& one) { return is(one); });
}
bool is_text(const Json& value) { return value.is_string(); }

bool is_integer(Kind kind) { return kind == Kind::integer || kind == Kind::long_integer; }

bool fits(const Json& value, Kind kind) {
  switch (kind) {
    case Kind::object:
      return value.is_object();
    case Kind::list:
      return value.is_array();
    case Kind::text:
      return value.is_string();
    case Kind::filled_text:
      return value.is_string() && !value.get<std::string>().empty();
    case Kind::integer:
      return value.is_number_integer() && value.get<std::int64_t>() <= std::numeric_limits<std::int32_t>::max();
    case Kind::long_integer:
      return value.is_number_integer();
    case Kind::boolean:
      return value.is_boolean();
    case Kind::quantity:
      return is_quantity(value);
    case Kind::texts_by_name:
      return all_members(value, is_text);
    case Kind::integers_or_quantities:
      return all_members(value, is_quantity);
  }
  return false;
}

/// The rules of a kind of job, with those of its pods below each template.
class Schema {
 public:
  Schema(const std::vector<Rule>& own, const std::string& pods) {
    for (const auto* rules : {&head_rules(), &own})
      for (const Rule& r : *rules) paths_.emplace_back(r.path, &r);
    for (const Rule& r : pod_rules()) paths_.emplace_back(pods + "." + std::string(r.path), &r);
  }

  Status check(const Json& value, const std::string& path) const {
    const Rule* rule = find(normal(path));
    if (!rule) return refused(path, text(NW_TR("this key is unknown")));
    if (!fits(value, rule->kind)) return refused(path, text(NW_TR("this value has the wrong type")));
    if (!rule->values.empty() &&
        std::find(rule->values.begin(), rule->values.end(), value.get<std::string>()) == rule->values.end())
      return refused(path, text(NW_TR("{0} is none of the values"), printable(value.get<std::string>())));
    if (is_integer(rule->kind) && value.get<std::int64_t>() < rule->lowest)
      return refused(path, text(NW_TR("must be at least {0}"), rule->lowest));
    return rule->kind == Kind::object || rule->kind == Kind::list ? check_members(value, path) : Status{};
  }

 private:
  const Rule* find(const std::string& path) const {
    const Rule* found = nullptr;  // the last: a kind's own rule of a pod's member is stricter
    for (const auto& [one, rule] : paths_)
      if (one == path && (!found || rule->required)) found = rule;
    return found;
  }

  Status check_members(const Json& value, const std::string& path) const {
    if (value.is_array()) {
      for (const Json& one : value) NW_TRY(check(one, path + "[]"));
      return {};
    }
    for (const auto& [key, member] : value.items()) NW_TRY(check(member, path.empty() ? key : path + "." + key));
    return check_required(value, path);
  }

  Status check_required(const Json& value, const std::string& path) const {
    const std::string prefix = path.empty() ? "" : path + ".", wanted = path.empty() ? "" : normal(prefix);
    for (const auto& [one, rule] : paths_) {
      if (!rule->required || one.empty() || !one.starts_with(wanted)) continue;
      const std::string key = one.substr(wanted.size());
      if (key.find_first_of(".[") == std::string::npos && !value.contains(key))
        return refused(prefix + key, text(NW_TR("is required")));
    }
    return {};
  }

  std::vector<std::pair<std::string, const Rule*>> paths_;
};

/// RFC 1035, section 2.3.1, in small letters.
bool is_dns_label(std::string_view name) {
  const auto letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto inner = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-'; };
  return !name.empty() && name.size() <= 63 && letter(name.front()) && name.back() != '-' &&
         std::all_of(name.begin(), name.end(), inner);
}

Status check_containers(const Json& template_, const std::string& path) {
  const Json& spec = template_.at("spec");
  if (spec.at("containers").empty()) return refused(path + ".spec.containers", text(NW_TR("needs a container")));
  std::set<std::string> volumes;
  for (const Json& v : spec.value("volumes", Json::array())) {
    if (v.size() != 2) return refused(path + ".spec.volumes", text(NW_TR("a volume has a name and one source")));
    volumes.insert(v.at("name").get<std::string>());
  }
  for (const Json& container : spec.at("containers"))
    for (const Json& mount : container.value("volumeMounts", Json::array()))
      if (!volumes.contains(mount.at("name").get<std::string>()))
        return refused(path + ".spec.containers", text(NW_TR("mounts a volume that is not there")));
  return {};
}

/// The last worker's host name must be a label, which the schema does not say: a name that begins with a digit is
/// accepted by the cluster and refused by the operator.
Status check_operator_rules(const Json& job) {
  const Json& replicas = job.at("spec").at("mpiReplicaSpecs");
  const std::int64_t workers = replicas.at("Worker").at("replicas").get<std::int64_t>();
  const std::string host = fmt::format("{}-worker-{}", job.at("metadata").at("name").get<std::string>(), workers - 1);
  if (!is_dns_label(host))
    return refused("metadata.name", text(NW_TR("{0} is no name of a host: a letter first, then small letters, digits "
                                               "and -, at most 63 in all"),
                                         printable(host)));
  if (replicas.at("Launcher").at("replicas") != 1)
    return refused("spec.mpiReplicaSpecs.Launcher.replicas", text(NW_TR("must be {0}"), 1));
  for (const char* role : {"Launcher", "Worker"}) {
    const std::string path = fmt::format("spec.mpiReplicaSpecs.{}.template", role);
    NW_TRY(check_containers(replicas.at(role).at("template"), path));
    if (replicas.at(role).at("template").at("spec").contains("restartPolicy"))
      return refused(path + ".spec.restartPolicy", text(NW_TR("the operator replaces it by that of the replicas")));
  }
  return {};
}

}  // namespace

Status check_manifest(const Json& job) {
  static const Schema batch(batch_rules(), "spec.template"), mpi(mpi_rules(), "spec.mpiReplicaSpecs.*.template");
  const std::string kind =
      job.is_object() && job.contains("kind") && job.at("kind").is_string() ? job.at("kind").get<std::string>() : "";
  if (kind != "Job" && kind != "MPIJob") return refused("kind", text(NW_TR("must be {0}"), "Job, MPIJob"));
  NW_TRY((kind == "Job" ? batch : mpi).check(job, ""));
  if (job.at("apiVersion") != (kind == "Job" ? "batch/v1" : "kubeflow.org/v2beta1"))
    return refused("apiVersion", text(NW_TR("must be {0}"), kind == "Job" ? "batch/v1" : "kubeflow.org/v2beta1"));
  if (kind == "MPIJob") return check_operator_rules(job);
  const std::string name = job.at("metadata").at("name").get<std::string>();
  if (!is_dns_label(name)) return refused("metadata.name", text(NW_TR("is no name of a host")));
  return check_containers(job.at("spec").at("template"), "spec.template");
}

}  // namespace nw::submit
