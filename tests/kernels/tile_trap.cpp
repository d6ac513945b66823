// SPDX-License-Identifier: Apache-2.0
#include "tests/kernels/tile_trap.hpp"

#include <atomic>
#include <csignal>
#include <cstring>

#include "kernels/cpu/tiles/emulated_unit.hpp"

#if defined(__x86_64__)
#include <ucontext.h>
#endif

namespace nw::test {
namespace {

std::atomic<std::int64_t> done{0};

#if defined(__x86_64__)
struct sigaction before;

// Registers in the order in which instructions number them.
constexpr int registers[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                               REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};

/// A VEX instruction with three bytes of prefix (Intel's manual, volume 2, 2.3.5): C4, then R X B and the opcode map,
/// then W, vvvv, L, pp.
struct Instruction {
  const std::uint8_t* at;
  greg_t* regs;
  int length = 5, base = 0, index = 0;
  std::int64_t displacement = 0;
  bool scaled = false;

  Instruction(const std::uint8_t* code, greg_t* r) : at(code), regs(r) {
    if (!in_register()) read_address();
  }
  bool known() const { return at[0] == 0xC4 && (at[1] & 0x1F) == 2 && (at[2] & 0x84) == 0 && (at[1] & 0x80) != 0; }
  int prefix() const { return at[2] & 3; }  // 0 none, 1 66, 2 F3, 3 F2
  int opcode() const { return at[3]; }
  int vvvv() const { return ~(at[2] >> 3) & 15; }
  int mod() const { return at[4] >> 6; }
  int reg() const { return at[4] >> 3 & 7; }
  int rm() const { return at[4] & 7; }
  bool in_register() const { return mod() == 3; }
  char* address() const { return reinterpret_cast<char*>(regs[registers[base]] + displacement); }
  std::int64_t stride() const { return scaled ? regs[registers[index]] << (at[5] >> 6) : 0; }

 private:
  void read_address() {
    const int b = at[1] & 0x20 ? 0 : 8, x = at[1] & 0x40 ? 0 : 8;
    base = rm() | b;
    if (rm() == 4) {
      base = (at[5] & 7) | b;
      index = (at[5] >> 3 & 7) | x;
      scaled = index != 4;
      ++length;
    }
    const std::uint8_t* const tail = at + length;
    if (mod() == 1) {
      displacement = *tail < 0x80 ? *tail : std::int64_t{*tail} - 0x100;  // a signed byte
      length += 1;
    } else if (mod() == 2) {
      std::int32_t far = 0;
      std::memcpy(&far, tail, sizeof far);
      displacement = far;
      length += 4;
    } else if (rm() == 5) {  // relative to the next instruction
      std::int32_t far = 0;
      std::memcpy(&far, tail, sizeof far);
      length += 4;
      displacement = reinterpret_cast<std::int64_t>(at) + length + far - regs[registers[base]];
    }
  }
};

/// False: not an AMX instruction.
bool run(const Instruction& i) {
  thread_local cpu::TileFile tiles;
  if (!i.known()) return false;
  const int what = i.opcode() << 4 | i.prefix();
  if (what == 0x490 && !i.in_register()) {  // LDTILECFG
    cpu::TilePalette palette;
    std::memcpy(&palette, i.address(), sizeof palette);
    tiles.configure(palette);
  } else if (what == 0x490 && i.at[4] == 0xC0)
    tiles.release();  // TILERELEASE
  else if (what == 0x493 && i.in_register() && i.rm() == 0)
    tiles.zero(i.reg());  // TILEZERO
  else if (what == 0x4B3 && i.rm() == 4)
    tiles.load(i.reg(), i.address(), i.stride());  // TILELOADD
  else if (what == 0x4B2 && i.rm() == 4)
    tiles.store(i.reg(), i.address(), i.stride());  // TILESTORED
  else if (what == 0x5C2 && i.in_register())
    tiles.multiply(i.reg(), i.rm(), i.vvvv());  // TDPBF16PS
  else if (what == 0x5E1 && i.in_register())
    tiles.multiply_bytes(i.reg(), i.rm(), i.vvvv());  // TDPBUSD
  else
    return false;
  return true;
}

void trapped(int, siginfo_t*, void* context) {
  auto* const regs = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  const Instruction i(reinterpret_cast<const std::uint8_t*>(regs[REG_RIP]), regs);
  if (!run(i)) {
    sigaction(SIGILL, &before, nullptr);  // the instruction is repeated and raises SIGILL normally
    return;
  }
  regs[REG_RIP] += i.length;
  done.fetch_add(1, std::memory_order_relaxed);
}
#endif

}  // namespace

std::int64_t TileTrap::count() { return done; }

#if defined(__x86_64__)
TileTrap::TileTrap() {
  struct sigaction action {};
  action.sa_sigaction = trapped;
  action.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGILL, &action, &before);
}
TileTrap::~TileTrap() { sigaction(SIGILL, &before, nullptr); }
bool TileTrap::possible() {
  __builtin_cpu_init();
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}
#else
TileTrap::TileTrap() = default;
TileTrap::~TileTrap() = default;
bool TileTrap::possible() { return false; }
#endif

}  // namespace nw::test
