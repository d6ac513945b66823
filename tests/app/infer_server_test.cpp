// SPDX-License-Identifier: Apache-2.0
// netwright-cli infer-server over real sockets: the protocol, and what clients do wrong.
#include <sys/resource.h>

#include <atomic>

#include "engine/core/png.hpp"
#include "engine/predict/predictor.hpp"
#include "tests/app/infer_server_fixture.hpp"

namespace nw {
namespace {

TEST_F(InferServer, AnswersEveryEndpointOfTheProtocol) {
  start();
  EXPECT_THAT(listens_at(port_), testing::ElementsAre("0100007F")) << "unless another address is asked for";
  EXPECT_EQ(json(get("/v2"))["name"], "netwright");
  EXPECT_EQ(get("/v2/health/live").status, 200);
  EXPECT_EQ(get("/v2/health/ready").status, 200);
  EXPECT_EQ(get("/v2/models/digits/ready").status, 200);
  const Json model = json(get("/v2/models/digits"));
  EXPECT_EQ(model["inputs"][0]["shape"], Json({-1, 1, 28, 28}));
  const std::string version = model["versions"][0];
  EXPECT_EQ(json(get("/v2/models/digits/versions/" + version)), model);
  const HttpResponse r = post("/v2/models/digits/versions/" + version + "/infer", body(0));
  EXPECT_EQ(json(r)["model_version"], version);
  EXPECT_EQ(json(post("/v2/repository/index", "{}"))[0]["name"], "digits");
  EXPECT_THAT(get("/metrics").body,
              HasSubstr("netwright_requests_total{route=\"infer\",model=\"digits\",status=\"200\"} 1"));
  stop();
}

TEST_F(InferServer, PredictsWhatThePredictorDoes) {
  start();
  auto predictor = Predictor::open(at("digits"), "best");
  ASSERT_TRUE(predictor) << predictor.error().str();
  const BinaryBody image = binary_body(1);
  const auto expected = (*predictor)->predict(image.pixels, 1);
  ASSERT_TRUE(expected);
  const HttpResponse r = post(infer_, image.text, image.lines);
  ASSERT_EQ(r.status, 200) << r.body;
  ASSERT_GE(r.body.size(), 40u);
  std::vector<float> probability(10);
  std::memcpy(probability.data(), r.body.data() + r.body.size() - 40, 40);
  EXPECT_EQ(probability, expected->front().probability);
  stop();
}

TEST_F(InferServer, RequestsComputedTogetherGetTheScoresTheyGetAlone) {
  start();
  std::vector<Json> alone;
  for (int v = 0; v < 8; ++v) alone.push_back(scores(post(infer_, body(30 * v))));
  std::atomic<int> wrong{0};
  std::vector<std::thread> clients;
  for (int v = 0; v < 8; ++v)
    clients.emplace_back([&, v] {
      HttpConnection c(port_);
      for (int i = 0; i < 50; ++i) {
        c.send(http_request("POST", infer_, body(30 * v)));
        if (scores(c.receive()) != alone[static_cast<std::size_t>(v)]) ++wrong;
      }
    });
  for (auto& c : clients) c.join();
  EXPECT_EQ(wrong, 0);
  stop();
}

TEST_F(InferServer, MistakesOfClientsHaveTheirStatusAndASentence) {
  start({"--max-body-mb", "0.1"});
  const auto expect = [&](const HttpResponse& r, int status, const std::string& words) {
    EXPECT_EQ(r.status, status) << words;
    EXPECT_THAT(json(r).value("error", "none"), HasSubstr(words));
  };
  expect(get("/nope"), 404, "nothing at this path");
  expect(get("/v2/models/other"), 404, "no such network");
  expect(get("/v2/models/digits/versions/999"), 404, "no such network or version");
  expect(post("/v2", ""), 405, "another method");
  expect(get(infer_), 405, "another method");
  expect(post(infer_, "{"), 400, "request:1:1");
  expect(post(infer_, "\xFF\xFE"), 400, "request");
  expect(post(infer_, body(0), "Content-Encoding: gzip\r\n"), 415, "compressed");
  expect(post(infer_, std::string(110'000, ' ')), 413, "larger");
  const std::string promise = "POST " + infer_ + " HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\n";
  expect(ask(port_, promise), 413, "larger");
  expect(ask(port_, "GET /v2 HTTP/1.1\r\nHost: attacker.example\r\n\r\n"), 403, "another computer");
  EXPECT_EQ(ask(port_, "GET /v2 HTTP/1.1\r\n\r\n").status, 400) << "HTTP/1.1 needs a Host";
  EXPECT_EQ(ask(port_, http_request("GET", "/v2", "", "X: " + std::string(100'000, 'x') + "\r\n")).status, 431);
  std::string bomb;
  for (int i = 0; i < 5000; ++i) bomb += "X-" + std::to_string(i) + ": y\r\n";
  EXPECT_EQ(ask(port_, http_request("GET", "/v2", "", bomb)).status, 431);
  const std::vector<std::pair<const char*, int>> beginnings = {
      {"\r\n\r\n\r\n", 0},  // waited for, as for the first line of any request
      {"GET\r\n\r\n", 0},
      {"\x16\x03\x01\x02", 0},
      {"POST /v2 HTTP/9.9\r\n\r\n", 505},
      {"POST /v2 HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n", 400},
      {"POST /v2 HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400}};
  for (const auto& [raw, status] : beginnings) {
    HttpConnection c(port_, 1);
    c.send(raw);
    EXPECT_EQ(c.receive().status, status) << raw;
  }
  EXPECT_EQ(post(infer_, body(0)).status, 200) << "the server goes on";
  stop();
}

TEST_F(InferServer, AChunkedBodyIsReadAndBounded) {
  start({"--max-body-mb", "0.1"});
  const auto chunk = [](const std::string& bytes) { return fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes); };
  const std::string head = "POST " + infer_ + " HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n";
  const std::string text = body(0);
  EXPECT_EQ(ask(port_, head + chunk(text.substr(0, 99)) + chunk(text.substr(99)) + "0\r\n\r\n").status, 200);
  EXPECT_EQ(ask(port_, head + chunk(std::string(150'000, ' ')) + "0\r\n\r\n").status, 413);
  HttpConnection endless(port_, 5);
  endless.send(head);
  bool sent = true;
  for (int i = 0; i < 1000 && sent; ++i) sent = endless.send(chunk(std::string(10'000, ' ')));
  EXPECT_FALSE(sent) << "an endless body ends the connection";
  EXPECT_EQ(post(infer_, text).status, 200);
  stop();
}

TEST_F(InferServer, AClientThatTricklesIsEndedWhileOthersAreAnswered) {
  start({"--request-timeout", "1"});
  std::vector<std::unique_ptr<HttpConnection>> slow;
  for (int i = 0; i < 20; ++i) {
    slow.push_back(std::make_unique<HttpConnection>(port_));
    slow.back()->send("POST " + infer_ + " HTTP/1.1\r\nHost: localhost\r\n");
  }
  bool alive = true;
  for (int i = 0; i < 100 && alive; ++i) {  // 10 s
    alive = false;
    for (auto& c : slow) alive = c->send("X") || alive;
    EXPECT_EQ(get("/v2/health/live").status, 200);
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  EXPECT_FALSE(alive);
  stop();
}

TEST_F(InferServer, AnswersAThousandConnections) {
  rlimit files{};
  ::getrlimit(RLIMIT_NOFILE, &files);
  files.rlim_cur = std::min<rlim_t>(files.rlim_max, 4096);
  ::setrlimit(RLIMIT_NOFILE, &files);
  start();
  std::vector<std::unique_ptr<HttpConnection>> all;
  for (int i = 0; i < 1000; ++i) {
    all.push_back(std::make_unique<HttpConnection>(port_));
    ASSERT_TRUE(all.back()->connected()) << i;
  }
  const std::string request = http_request("POST", infer_, body(7));
  for (auto& c : all) ASSERT_TRUE(c->send(request));
  int answered = 0, busy = 0;
  for (auto& c : all) {
    const int status = c->receive().status;
    answered += status == 200;
    busy += status == 503;
  }
  EXPECT_EQ(answered + busy, 1000);
  EXPECT_GE(answered, 900) << "the queue holds 1,024 images";
#ifndef NW_SANITIZED
  EXPECT_LT(most_memory_mib(), 200) << "MiB";
#endif
  stop();
}

/// A request of bytes is read much faster than its images are computed one by one.
TEST_F(InferServer, AFullQueueIsToldWithATime) {
  start({"--max-queue", "1", "--max-batch", "1"});
  const BinaryBody images = binary_body(1000);
  std::vector<std::unique_ptr<HttpConnection>> all;
  for (int i = 0; i < 10; ++i) {
    all.push_back(std::make_unique<HttpConnection>(port_));
    ASSERT_TRUE(all.back()->send(http_request("POST", infer_, images.text, images.lines)));
  }
  int busy = 0;
  for (auto& c : all) {
    const HttpResponse r = c->receive();
    EXPECT_TRUE(r.status == 200 || r.status == 503) << r.status << " " << r.body;
    if (r.status != 503) continue;
    ++busy;
    EXPECT_TRUE(r.has("Retry-After: 1"));
  }
  EXPECT_GT(busy, 0);
  stop();
}

TEST_F(InferServer, SigtermInTheMiddleLosesNoRequest) {
  start({"--max-batch", "1"});
  std::vector<std::unique_ptr<HttpConnection>> all;
  const std::string request = http_request("POST", infer_, body(7, 20));
  for (int i = 0; i < 50; ++i) {
    all.push_back(std::make_unique<HttpConnection>(port_));
    ASSERT_TRUE(all.back()->send(i == 0 ? request.substr(0, request.size() / 2) : request));
  }
  ASSERT_EQ(get("/v2/health/live").status, 200) << "what was sent before has been accepted";
  ::kill(server_->pid(), SIGTERM);
  ASSERT_TRUE(wait_for([&] { return server_->err().find("\"stopping\"") != std::string::npos; }));
  EXPECT_TRUE(wait_for([&] { return !HttpConnection(port_).connected(); })) << "no new connections";
  EXPECT_FALSE(server_->ended()) << "a request is still being received";
  all.front()->send(request.substr(request.size() / 2));
  for (auto& c : all) {
    const HttpResponse r = c->receive();
    EXPECT_EQ(r.status, 200);
    EXPECT_TRUE(c->ended());
  }
  const CommandOutput ended = server_->wait();
  EXPECT_EQ(ended.code, 0) << ended.err;
}

TEST_F(InferServer, ATokenIsAskedForAndNoTextOfClientsIsLogged) {
  std::ofstream(at("token")) << "0123456789abcdef\n";
  start({"--token-file", at("token"), "--log-requests"});
  EXPECT_EQ(get("/v2/health/ready").status, 200);
  EXPECT_EQ(get("/").status, 200);
  EXPECT_EQ(get("/v2").status, 401);
  EXPECT_TRUE(get("/v2").has("WWW-Authenticate: Bearer"));
  for (const char* path : {"/metrics", "/v2/models/digits"}) EXPECT_EQ(get(path).status, 401) << path;
  EXPECT_EQ(post(infer_, body(0)).status, 401);
  for (const char* wrong : {"Bearer 0123456789abcdeg", "Bearer 0123456789abcdef0", "0123456789abcdef", "Bearer "})
    EXPECT_EQ(post(infer_, body(0), std::string("Authorization: ") + wrong + "\r\n").status, 401) << wrong;
  EXPECT_EQ(post(infer_, body(0), "Authorization: Bearer 0123456789abcdef\r\n").status, 200);
  get("/clienttext%0Aclienttext");
  post(infer_, "{\"clienttext\":1}", "Authorization: Bearer 0123456789abcdef\r\nUser-Agent: clienttext\r\n");
  ::kill(server_->pid(), SIGTERM);
  const std::string log = server_->wait().err;
  EXPECT_THAT(log, testing::Not(HasSubstr("clienttext")));
  EXPECT_THAT(log, testing::Not(HasSubstr("0123456789abcdef")));
  EXPECT_THAT(log, HasSubstr("\"status\":401"));
}

TEST_F(InferServer, PicturesAreDecodedByAChildThatMayCrash) {
  if (!fs::exists(fs::path(test::programs_folder()) / "libnw_images.so")) GTEST_SKIP() << "built without photos";
  start();
  Image image;
  image.height = image.width = 28;
  image.channels = 1;
  image.hwc.assign(784, 200);
  const std::string png = png_of(image);
  const HttpResponse r = post(infer_, png, "Content-Type: image/png\r\n");
  ASSERT_EQ(r.status, 200) << r.body;
  auto predictor = Predictor::open(at("digits"), "best");
  const auto expected = (*predictor)->predict(image.hwc, 1);
  EXPECT_EQ(json(r)["outputs"][0]["data"].get<std::vector<float>>(), expected->front().probability);
  EXPECT_EQ(json(r)["predictions"][0]["index"], expected->front().predicted);
  EXPECT_EQ(json(r)["predictions"].size(), 5u);
  EXPECT_EQ(post(infer_, png.substr(0, png.size() / 2)).status, 400);
  EXPECT_EQ(post(infer_, "no picture", "Content-Type: image/png\r\n").status, 400);
  const auto child = [&] {
    int pid = 0;  // it was started by another thread
    for (const auto& task : fs::directory_iterator(fmt::format("/proc/{}/task", server_->pid())))
      if (std::ifstream(task.path() / "children") >> pid) break;
    return pid;
  };
  ASSERT_GT(child(), 0);
  ::kill(child(), SIGKILL);
  const int after = post(infer_, png).status;
  EXPECT_TRUE(after == 500 || after == 200) << after;
  EXPECT_EQ(post(infer_, png).status, 200) << "the next picture has a new child";

  ASSERT_GT(child(), 0);
  ::kill(child(), SIGSTOP);
  HttpConnection waiting(port_);
  ASSERT_TRUE(waiting.send(http_request("POST", infer_, png)));
  EXPECT_EQ(get("/v2/health/live").status, 200) << "a picture that takes long holds up nothing else";
  ::kill(child(), SIGKILL);
  const int meanwhile = waiting.receive().status;
  EXPECT_TRUE(meanwhile == 500 || meanwhile == 200) << meanwhile;
  EXPECT_EQ(post(infer_, png).status, 200);
  stop();
}

TEST_F(InferServer, ThePageAllowsNothingFromElsewhere) {
  start();
  const HttpResponse page = get("/");
  EXPECT_TRUE(page.has("Content-Security-Policy: default-src 'none'"));
  EXPECT_TRUE(page.has("text/html"));
  for (const char* path : {"/page.js", "/page.css"}) EXPECT_EQ(get(path).status, 200) << path;
  for (const char* foreign : {"http://", "https://", "//cdn", "onclick", "style=\"", "<script>"})
    EXPECT_THAT(page.body, testing::Not(HasSubstr(foreign))) << foreign;
  EXPECT_THAT(get("/page.js").body, testing::Not(HasSubstr("innerHTML")));
  stop();
}

}  // namespace
}  // namespace nw
