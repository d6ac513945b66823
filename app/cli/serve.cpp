// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/serve.hpp"

#include <fcntl.h>

#include <memory>

#include "app/cli/cli.hpp"

namespace nw::cli {

void add_serve(CLI::App& app, Chosen& chosen) {
  auto* command = app.add_subcommand("serve", "Serve requests from the desktop window on an inherited socket");
  auto fd = std::make_shared<int>(-1);
  command->add_option("--fd", *fd, "File descriptor of the socket")->required();
  command->callback([=, &chosen] {
    chosen = [fd] {
      if (::fcntl(*fd, F_GETFD) < 0) return report(fail(Errc::usage, NW_TR("descriptor {0} is not open"), *fd));
      return serve(*fd);
    };
  });
}

}  // namespace nw::cli
