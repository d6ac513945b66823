// SPDX-License-Identifier: Apache-2.0
// Linked into every test program: all its temporary folders lie in one of its own, named after it, which it removes
// when it ends. So nothing stays of children that end without destructors: those that a test kills, a death test's.
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>

namespace {

namespace fs = std::filesystem;
constexpr const char* inherited = "NETWRIGHT_TEST_FOLDER";  // set for a test program's children

std::string program_name() {
  std::string_view name = program_invocation_short_name;
  if (name.ends_with("_test")) name.remove_suffix(5);  // sockets lie there, whose paths are limited to 107 bytes
  return std::string(name);
}

class OwnFolder {
 public:
  OwnFolder() {
    std::error_code error;
    const fs::path place = fs::temp_directory_path(error);
    std::string name = (place / (program_name() + "-XXXXXX")).string();
    if (error || ::getenv(inherited) || !::mkdtemp(name.data())) return;
    ::chmod(name.c_str(), 0711);  // processes of other users, as which a test runs, find what lies there
    path_ = name;
    ::setenv("TMPDIR", name.c_str(), 1);
    ::setenv(inherited, name.c_str(), 1);
  }
  ~OwnFolder() {
    std::error_code ignored;
    if (::getpid() == owner_ && !path_.empty()) fs::remove_all(path_, ignored);
  }

 private:
  const pid_t owner_ = ::getpid();  // a fork that ends by exit() removes nothing
  fs::path path_;
} own_folder;

}  // namespace
