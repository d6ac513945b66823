// SPDX-License-Identifier: Apache-2.0
// Is the destructor of a JSON value running? The library's destructor allocates, so an exception there ends the process;
// keep_memory_reserve() is what serves it. Found by the symbols of the program, which the linker keeps: nothing here
// allocates by operator new.
#pragma once
#include <elf.h>
#include <execinfo.h>
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <iterator>

namespace nw::test {

/// Where the code of the destructor lies, in all parts of the program.
class JsonDestructor {
 public:
  JsonDestructor() {
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* self) {
          static_cast<JsonDestructor*>(self)->read(info->dlpi_name[0] ? info->dlpi_name : "/proc/self/exe",
                                                   info->dlpi_addr);
          return 0;
        },
        this);
    void* first[1];
    (void)::backtrace(first, 1);  // loads what it needs
  }
  bool runs() const {
    void* stack[64];
    const int depth = ::backtrace(stack, std::size(stack));
    return std::any_of(stack, stack + depth, [this](void* at) { return holds(reinterpret_cast<std::uintptr_t>(at)); });
  }
  std::size_t found() const { return count_; }

 private:
  struct Range {
    std::uintptr_t begin, end;
  };
  bool holds(std::uintptr_t at) const {
    return std::any_of(ranges_.begin(), ranges_.begin() + static_cast<std::ptrdiff_t>(count_),
                       [at](const Range& r) { return at > r.begin && at <= r.end; });
  }
  void read(const char* file, std::uintptr_t base) {
    const int fd = ::open(file, O_RDONLY | O_CLOEXEC);
    struct stat about {};
    if (fd < 0) return;
    if (::fstat(fd, &about) == 0 && about.st_size > 0) {
      const auto size = static_cast<std::size_t>(about.st_size);
      void* const mapped = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0);
      if (mapped != MAP_FAILED) {
        read_symbols(static_cast<const char*>(mapped), base);
        ::munmap(mapped, size);
      }
    }
    ::close(fd);
  }
  void read_symbols(const char* file, std::uintptr_t base) {
    const auto* const header = reinterpret_cast<const ElfW(Ehdr)*>(file);
    const auto* const sections = reinterpret_cast<const ElfW(Shdr)*>(file + header->e_shoff);
    if (std::memcmp(file, ELFMAG, SELFMAG) != 0) return;
    for (int i = 0; i < header->e_shnum; ++i) {
      const auto& table = sections[i];
      if (table.sh_type != SHT_SYMTAB) continue;
      const char* const names = file + sections[table.sh_link].sh_offset;
      const auto* const symbols = reinterpret_cast<const ElfW(Sym)*>(file + table.sh_offset);
      for (std::size_t s = 0; s < table.sh_size / sizeof *symbols; ++s) add(symbols[s], names, base);
    }
  }
  void add(const ElfW(Sym) & symbol, const char* names, std::uintptr_t base) {
    const bool its = symbol.st_size > 0 && std::strstr(names + symbol.st_name, "10json_value7destroy");
    if (its && count_ < ranges_.size())
      ranges_[count_++] = {base + symbol.st_value, base + symbol.st_value + symbol.st_size};
  }
  std::array<Range, 256> ranges_{};
  std::size_t count_ = 0;
};

}  // namespace nw::test
