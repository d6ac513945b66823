// SPDX-License-Identifier: Apache-2.0
// The test page: drop a picture, see its classes. It loads nothing from elsewhere.
#pragma once
#include <string_view>

namespace nw::serve_http {

std::string_view page_html();
std::string_view page_script();
std::string_view page_style();
/// The page's Content-Security-Policy: files and requests of this server only, no inline code.
inline constexpr std::string_view page_policy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src blob:; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";

}  // namespace nw::serve_http
