// SPDX-License-Identifier: Apache-2.0
#include "app/cli/fine_tuning_text.hpp"

#include <unistd.h>

#include "app/cli/cli.hpp"

namespace nw::cli {

std::string size_text(std::int64_t after, std::int64_t before) {
  return fmt::format("{} of {} bytes ({:.3f}x)", with_thousands(after), with_thousands(before),
                     before > 0 ? static_cast<double>(after) / static_cast<double>(before) : 0);
}

bool show_fine_tuning(const compress::FineTuningProgress& p) {
  static const bool terminal = ::isatty(STDERR_FILENO) != 0;
  const bool last = p.epoch == p.epochs && p.batch == p.batches;
  if (terminal)
    std::fprintf(stderr, "\r\033[KFine-tuning: epoch %lld of %lld, batch %lld of %lld, loss %.4f%s",
                 static_cast<long long>(p.epoch), static_cast<long long>(p.epochs), static_cast<long long>(p.batch),
                 static_cast<long long>(p.batches), p.loss, last ? "\r\033[K" : "");
  return true;
}

void show_losses(double learning_rate, const std::vector<double>& losses) {
  if (losses.empty()) return;
  print(fmt::format("fine-tuned: {} epochs at {}, training loss {:.4f} in the first, {:.4f} in the last", losses.size(),
                    learning_rate, losses.front(), losses.back()));
}

Json fine_tuning_json(double learning_rate, const std::vector<double>& losses) {
  return {{"epochs", losses.size()}, {"learning_rate", learning_rate}, {"losses", losses}};
}

}  // namespace nw::cli
