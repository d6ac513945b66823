// SPDX-License-Identifier: Apache-2.0
// The child that decodes the pictures of requests.
#include "engine/data/sources/decoder.hpp"
#include "engine/predict/serve.hpp"
#include "engine/serve_http/pictures.hpp"

namespace nw::serve_http {
namespace {

Result<Message> decoded(const Message& ask) {
  NW_ASSIGN(const ImageDecoder* decoder, image_decoder());
  JsonReader r(ask.json, "picture");
  const std::int64_t channels = r.integer("channels", 1, 3), height = r.integer("height", 1, 1 << 14),
                     width = r.integer("width", 1, 1 << 14);
  const Resampling how = resampling_named(r.string("resize")).value_or(Resampling::antialiased);
  NW_TRY(r.status());
  NW_ASSIGN(DecodedImage image, decoder->decode(ask.payload, "the picture", channels, height, width, how));
  return Message{Json::object(), std::move(image.hwc)};
}

}  // namespace

int decode_pictures(int socket) {
  for (;;) {
    auto ask = receive_message(socket);
    if (!ask && ask.error().code == Errc::disconnected) return 0;
    auto answer = ask ? decoded(*ask) : Result<Message>(ask.error());
    if (!answer) answer = Message{Json{{"error", answer.error().str()}}, {}};
    if (!send_message(socket, *answer)) return 0;
  }
}

}  // namespace nw::serve_http
