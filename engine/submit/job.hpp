// SPDX-License-Identifier: Apache-2.0
// A training that is to run elsewhere: what is trained, and what it is given there.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/json.hpp"

namespace nw::submit {

/// What a training is given. 0 and empty: as the system there has it.
struct Resources {
  std::int64_t gpus = 0, cpus = 0, memory_mib = 0, shared_memory_mib = 0, time_limit_minutes = 0, ranks = 1;
  std::map<std::string, std::string> node_selector;  // labels of nodes
  std::string data_volume, partition, image, name_space;
};

struct Job {
  std::string name;                        // as the systems name it; see system_name()
  std::string target;                      // name of a Target
  std::string host;                        // "user@login.example.org"; empty: this computer
  std::string folder;                      // of the job where it runs; relative to the home folder there, or absolute
  std::string data;                        // the data set there; empty: synthetic, or as the project says
  std::string program = "netwright-cli";   // there
  std::string ssh_config;                  // file for ssh -F; empty: the user's own
  std::string mounted;                     // where the folder of the job is to be seen here; empty: nowhere
  std::vector<std::string> train_options;  // of netwright-cli train, as typed
  Resources resources;
  std::string id;  // that the system gave it; empty: not submitted
};
Json to_json(const Job&);
/// A job.json, which is untrusted input; checked as by check().
Result<Job> job_from_json(const Json&, std::string_view where);

/// A field of Resources as an option of the command line, and as a key of job.json.
struct Field {
  std::string_view name;   // "shared-memory"
  std::string_view title;  // of a form; NW_TR
  std::string_view help;
  std::int64_t Resources::*number = nullptr;
  std::string Resources::*word = nullptr;
  std::int64_t lowest = 0, highest = 0;
  bool is_label = false;  // node_selector
};
const std::vector<Field>& all_fields();
/// Whether the field has another value than at the start.
bool is_given(const Field&, const Resources&);

inline constexpr std::size_t longest_name = 40;  // leaves room for "-worker-999" within 63
/// A name for every system: a DNS-1035 label (RFC 1035, section 2.3.1) of at most longest_name letters, digits and
/// hyphens that begins with a letter. "2026-11-26 LeNet_5" becomes "nw-2026-11-26-lenet-5".
std::string system_name(std::string_view wanted);
bool is_system_name(std::string_view);

/// Errc::usage, with the field and what it may be: a text that the target's files or commands cannot hold. What passes
/// has no line break and no other control character.
Status check(const Job&);
/// The field that an error of check() is about, as it is named on the command line or in job.json; empty: none.
std::string field_of(const Error&);

}  // namespace nw::submit
