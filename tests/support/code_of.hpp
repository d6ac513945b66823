// SPDX-License-Identifier: Apache-2.0
// Is code of a certain name running? Found by the symbols of the program, which the linker keeps, or by the name of a
// library: nothing here allocates by operator new.
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

/// Of JSON's destructor. It allocates, so an exception there ends the process; keep_memory_reserve() is what serves it.
inline constexpr const char* json_destructor_symbol = "10json_value7destroy";

/// Of libstdc++'s reading of folders, which allocates in functions that may not throw.
inline constexpr const char* folder_iterator_symbol = "18directory_iterator";

/// Where code lies whose mangled name holds a text, in all parts of the program, and that of a library.
class CodeOf {
 public:
  explicit CodeOf(const char* symbol, const char* library = nullptr) : symbol_(symbol), library_(library) {
    ::dl_iterate_phdr(
        [](dl_phdr_info* info, std::size_t, void* self) {
          static_cast<CodeOf*>(self)->read(*info);
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
  bool holds(std::uintptr_t at) const {
    return std::any_of(ranges_.begin(), ranges_.begin() + static_cast<std::ptrdiff_t>(count_),
                       [at](const Range& r) { return at > r.begin && at <= r.end; });
  }

 private:
  struct Range {
    std::uintptr_t begin, end;
  };
  void read(const dl_phdr_info& info) {
    if (library_ && std::strstr(info.dlpi_name, library_))
      for (int i = 0; i < info.dlpi_phnum; ++i) {
        const ElfW(Phdr)& segment = info.dlpi_phdr[i];
        const std::uintptr_t begin = info.dlpi_addr + segment.p_vaddr;
        if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) && count_ < ranges_.size())
          ranges_[count_++] = {begin, begin + segment.p_memsz};
      }
    read(info.dlpi_name[0] ? info.dlpi_name : "/proc/self/exe", info.dlpi_addr);
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
      if (table.sh_type != SHT_SYMTAB && table.sh_type != SHT_DYNSYM) continue;
      const char* const names = file + sections[table.sh_link].sh_offset;
      const auto* const symbols = reinterpret_cast<const ElfW(Sym)*>(file + table.sh_offset);
      for (std::size_t s = 0; s < table.sh_size / sizeof *symbols; ++s) add(symbols[s], names, base);
    }
  }
  void add(const ElfW(Sym) & symbol, const char* names, std::uintptr_t base) {
    const bool its = symbol.st_size > 0 && std::strstr(names + symbol.st_name, symbol_);
    if (its && count_ < ranges_.size())
      ranges_[count_++] = {base + symbol.st_value, base + symbol.st_value + symbol.st_size};
  }
  const char *const symbol_, *const library_;
  std::array<Range, 4096> ranges_{};
  std::size_t count_ = 0;
};

}  // namespace nw::test
