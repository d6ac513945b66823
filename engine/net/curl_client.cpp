// SPDX-License-Identifier: Apache-2.0
// HTTP by libcurl. Proxies come from the environment (http_proxy, no_proxy), certificates from the system.
#include <curl/curl.h>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "engine/data/fetch/http_header.hpp"

namespace nw {
namespace {

constexpr long most_redirects = 5, connect_s = 20, patience_s = 30;

/// The state of one transfer: collects the header and passes it to the sink before the first byte of the body.
struct Transfer {
  CURL* curl;
  HttpSink& sink;
  HttpHeader head;
  bool reported = false, ended = false;

  bool tell() {
    if (reported) return !ended;
    reported = true;
    long status = 0;
    curl_off_t length = -1;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    curl_easy_getinfo(curl, CURLINFO_CONTENT_LENGTH_DOWNLOAD_T, &length);
    head.status = static_cast<int>(status);
    head.length = length;
    if (head.status != 206) head.from = 0, head.whole = length;
    ended = !sink.head(head);
    return !ended;
  }
};

std::size_t on_header(char* data, std::size_t size, std::size_t count, void* user) {
  read_header_line({data, size * count}, static_cast<Transfer*>(user)->head);
  return size * count;
}

std::size_t on_body(char* data, std::size_t size, std::size_t count, void* user) {
  auto& t = *static_cast<Transfer*>(user);
  const std::span<const char> bytes(data, size * count);
  if (t.tell() && !t.sink.body(std::as_bytes(bytes))) t.ended = true;
  return t.ended ? CURL_WRITEFUNC_ERROR : bytes.size();
}

int on_progress(void* user, curl_off_t, curl_off_t, curl_off_t, curl_off_t) {
  auto& t = *static_cast<Transfer*>(user);
  if (!t.sink.go_on()) t.ended = true;
  return t.ended ? 1 : 0;
}

HttpEnd end_of(CURLcode code) {
  switch (code) {
    case CURLE_OK:
      return HttpEnd::whole;
    case CURLE_TOO_MANY_REDIRECTS:
      return HttpEnd::too_many_redirects;
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_COULDNT_CONNECT:
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
      return HttpEnd::no_connection;
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
    case CURLE_GOT_NOTHING:
    case CURLE_OPERATION_TIMEDOUT:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
      return HttpEnd::cut;
    default:
      return HttpEnd::not_http;
  }
}

class CurlClient final : public HttpClient {
 public:
  HttpResult get(const std::string& url, std::int64_t from, const std::string& tag, HttpSink& sink) const override {
    std::vector<std::string> header;
    if (from > 0 && !tag.empty()) header.push_back("If-Range: " + tag);
    return perform(url, header, sink, [&](CURL* curl) {
      curl_easy_setopt(curl, CURLOPT_FOLLOWLOCATION, 1L);
      // libcurl copies the text; the sink handles a server that ignores Range
      if (from > 0) curl_easy_setopt(curl, CURLOPT_RANGE, (std::to_string(from) + "-").c_str());
    });
  }

  HttpResult post(const std::string& url, const std::vector<std::string>& header, const std::string& body,
                  HttpSink& sink) const override {
    return perform(url, header, sink, [&](CURL* curl) {
      curl_easy_setopt(curl, CURLOPT_POST, 1L);
      curl_easy_setopt(curl, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
      curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body.data());
    });
  }

 private:
  template <class SetUp>
  static HttpResult perform(const std::string& url, const std::vector<std::string>& header, HttpSink& sink,
                            const SetUp& more) {
    static std::once_flag once;
    std::call_once(once, [] { curl_global_init(CURL_GLOBAL_DEFAULT); });
    const std::unique_ptr<CURL, void (*)(CURL*)> curl(curl_easy_init(), curl_easy_cleanup);
    if (!curl) return {HttpEnd::not_http, "libcurl could not be started"};
    Transfer transfer{curl.get(), sink, {}};
    curl_slist* lines = nullptr;
    for (const std::string& line : header) lines = curl_slist_append(lines, line.c_str());
    const std::unique_ptr<curl_slist, void (*)(curl_slist*)> headers(lines, curl_slist_free_all);
    char words[CURL_ERROR_SIZE] = "";
    set_up(curl.get(), url, headers.get(), words, transfer);
    more(curl.get());
    const CURLcode code = curl_easy_perform(curl.get());
    if (code == CURLE_OK) transfer.tell();  // the body is empty
    if (transfer.ended) return {HttpEnd::ended_by_sink, {}};
    return {end_of(code), *words ? words : curl_easy_strerror(code)};
  }

  static void set_up(CURL* curl, const std::string& url, curl_slist* headers, char* words, Transfer& transfer) {
    const bool secure = url.starts_with("https:");
    curl_easy_setopt(curl, CURLOPT_URL, url.c_str());
    curl_easy_setopt(curl, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(curl, CURLOPT_REDIR_PROTOCOLS_STR, secure ? "https" : "http,https");
    curl_easy_setopt(curl, CURLOPT_MAXREDIRS, most_redirects);
    curl_easy_setopt(curl, CURLOPT_CONNECTTIMEOUT, connect_s);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_LIMIT, 1L);
    curl_easy_setopt(curl, CURLOPT_LOW_SPEED_TIME, patience_s);
    curl_easy_setopt(curl, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(curl, CURLOPT_USERAGENT, "netwright");
    curl_easy_setopt(curl, CURLOPT_ERRORBUFFER, words);
    if (headers) curl_easy_setopt(curl, CURLOPT_HTTPHEADER, headers);
    curl_easy_setopt(curl, CURLOPT_HEADERFUNCTION, on_header);
    curl_easy_setopt(curl, CURLOPT_HEADERDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, on_body);
    curl_easy_setopt(curl, CURLOPT_WRITEDATA, &transfer);
    curl_easy_setopt(curl, CURLOPT_NOPROGRESS, 0L);
    curl_easy_setopt(curl, CURLOPT_XFERINFOFUNCTION, on_progress);
    curl_easy_setopt(curl, CURLOPT_XFERINFODATA, &transfer);
  }
};

}  // namespace
}  // namespace nw

extern "C" __attribute__((visibility("default"))) const nw::HttpClient* netwright_http_client(int version) {
  static const nw::CurlClient client;
  return version == nw::http_module_version ? &client : nullptr;
}
