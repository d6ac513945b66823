// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/protocol_version.hpp"

#include "engine/core/version.hpp"

namespace nw::protocol {

Json opening_message() { return Json{{"do", opening}, {"id", 0}, {"protocol", spoken_version}}; }

Json opening_answer() { return Json{{"protocol", spoken_version}, {"version", nw::version()}}; }

Status check_opening(const Json& message) {
  const auto number = message.find("protocol");
  if (number == message.end() || !number->is_number_integer())
    return fail(Errc::bad_input, NW_TR("The window names no version of the protocol"));
  if (*number == spoken_version) return {};
  return fail(Errc::bad_input,
              NW_TR("The window speaks version {0} of the protocol, and its helper process (netwright-cli {1}) version "
                    "{2}: save your work, close the window and start it again"),
              number->dump(), nw::version(), spoken_version);
}

}  // namespace nw::protocol
