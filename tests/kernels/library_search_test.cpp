// SPDX-License-Identifier: Apache-2.0
// NVIDIA's libraries are found where pip and the toolkit put them, and what others may write is not loaded.
#include "kernels/library_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>

namespace nw::test {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

class LibrarySearch : public testing::Test {
 protected:
  LibrarySearch() {
    std::string name = (fs::temp_directory_path() / "netwright-libraries-XXXXXX").string();
    root = ::mkdtemp(name.data());
  }
  ~LibrarySearch() override { fs::remove_all(root); }
  std::string make(const std::string& folder) const {
    fs::create_directories(root / folder);
    return (root / folder).string();
  }
  void put(const std::string& file, const std::string& bytes = "") const {
    std::ofstream(root / file, std::ios::binary) << bytes;
  }
  /// A library that can be loaded, under another name.
  std::string copy_of_math_library(const std::string& file) const {
    const OpenedLibrary own = open_library({"libm.so.6"}, {});
    fs::copy_file(own.file, root / file);
    return (root / file).string();
  }
  fs::path root;
};

TEST_F(LibrarySearch, ThePackagesOfEveryPythonOnThePathAreSearched) {
  const std::string cudnn = make("env/lib/python3.12/site-packages/nvidia/cudnn/lib"),
                    nccl = make("env/lib/python3.12/site-packages/nvidia/nccl/lib"),
                    system = make("usr/lib/python3/dist-packages/nvidia/cu13/lib");
  make("usr/lib/python3/dist-packages/nvidia/empty");
  for (const char* folder : {"env/bin", "links", "usr/bin", "bin"}) make(folder);
  put("env/bin/python3");
  put("usr/bin/python");
  fs::create_symlink(root / "env/bin/python3", root / "links/python3");
  const auto after = [&](const std::string& path) { return library_folders({.path = path}).after; };
  const std::string r = root.string();
  EXPECT_THAT(after(r + "/env/bin"), testing::IsSupersetOf({cudnn, nccl}));
  EXPECT_THAT(after(r + "/links"), testing::IsSupersetOf({cudnn, nccl})) << "the Python that a link leads to";
  EXPECT_THAT(after(r + "/bin:" + r + "/usr/bin"), Contains(system));
  EXPECT_THAT(after(r + "/bin"), Not(Contains(cudnn))) << "no Python is there";
  EXPECT_THAT(library_folders({.virtual_env = r + "/env"}).after, Contains(cudnn));
  EXPECT_THAT(library_folders({.home = r}).after, Not(Contains(cudnn)));
  const fs::path started_in = fs::current_path();
  fs::current_path(root);
  EXPECT_THAT(after("env/bin:.:"), Not(Contains(HasSubstr("cudnn")))) << "relative to wherever the program is started";
  fs::current_path(started_in);
}

TEST_F(LibrarySearch, FoldersThatTheUserNamesComeFirst) {
  const std::string plain = make("plain"), lib = make("toolkit/lib64"), toolkit = make("toolkit"),
                    packages = make("site/nvidia/cudnn/lib"), site = make("site");
  const LibraryFolders found =
      library_folders({.netwright_cuda_path = plain + ":" + toolkit + "::" + site + ":relative:/nowhere"});
  EXPECT_THAT(found.first, ElementsAre(plain, toolkit, lib, site, packages));
  EXPECT_THAT(library_folders({.cuda_path = toolkit}).after, Contains(lib));
  const std::string mine = copy_of_math_library("plain/libm.so.6");
  EXPECT_EQ(open_library({"libm.so.6"}, found).file, mine) << "before the loader's own";
  EXPECT_NE(open_library({"libm.so.6"}, {{}, {plain}}).file, mine) << "after it";
}

TEST_F(LibrarySearch, TheFirstFileThatCanBeLoadedIsUsed) {
  const std::string a = make("a"), b = make("b");
  put("a/libthing.so.2", "no library");
  OpenedLibrary found = open_library({"libthing.so.2"}, {{}, {a, b}});
  EXPECT_EQ(found.handle, nullptr);
  EXPECT_EQ(found.file, a + "/libthing.so.2");
  EXPECT_THAT(found.why.str(), HasSubstr("libthing.so.2"));
  const std::string good = copy_of_math_library("b/libthing.so.2");
  found = open_library({"libthing.so.3", "libthing.so.2"}, {{}, {a, b}});
  EXPECT_NE(found.handle, nullptr);
  EXPECT_EQ(found.file, good);
  EXPECT_EQ(found.why.str(), "");
  EXPECT_EQ(open_library({"libnothing.so.1"}, {{}, {a, b}}).file, "");
}

TEST_F(LibrarySearch, AFileThatOthersMayWriteIsNotLoaded) {
  const std::string a = make("a"), file = copy_of_math_library("a/libthing.so.2");
  fs::permissions(file, fs::perms::others_write, fs::perm_options::add);
  const OpenedLibrary found = open_library({"libthing.so.2"}, {{a}, {}});
  EXPECT_EQ(found.handle, nullptr);
  EXPECT_THAT(found.why.str(), HasSubstr("others may write it"));
}

TEST(LibraryVersion, IsReadFromTheLibraryAndWrittenAsItsMakersDo) {
  EXPECT_EQ(library_version_text(91400), "9.14.0");
  EXPECT_EQ(library_version_text(22809), "2.28.9");
  EXPECT_EQ(library_version_text(130101), "13.1.1");
  EXPECT_EQ(library_version(nullptr, "cudnnGetVersion", false), 0);
  EXPECT_EQ(library_version(open_library({"libm.so.6"}, {}).handle, "cudnnGetVersion", false), 0);
}

}  // namespace
}  // namespace nw::test
