// SPDX-License-Identifier: Apache-2.0
// Checks whether this process may use AMX: the processor must have it, the system must save the tiles on context
// switches, and it must grant this process permission (Linux: Documentation/arch/x86/xstate.rst).
#include "kernels/cpu/tiles/tile_check.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace nw::cpu {
namespace {

constexpr unsigned amx_bf16_bit = 1u << 22, amx_tile_bit = 1u << 24, osxsave_bit = 1u << 27;
constexpr unsigned tile_states = 3u << 17;              // XTILECFG and XTILEDATA in XCR0
constexpr long ask_for_state = 0x1023, tile_data = 18;  // ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA

bool processor_has_amx() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (d & amx_bf16_bit) && (d & amx_tile_bit);
}

bool system_saves_tiles() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & osxsave_bit)) return false;
  unsigned low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (low & tile_states) == tile_states;
}

std::string find_missing() {
  if (!processor_has_amx()) return "this processor has none";
  if (!system_saves_tiles()) return "the system does not save its tiles";
  if (syscall(SYS_arch_prctl, ask_for_state, tile_data) != 0)
    return "the system does not let this process use its tiles";
  return "";
}

}  // namespace

std::string amx_missing() {
  static const std::string missing = find_missing();
  return missing;
}

}  // namespace nw::cpu
#endif
