// SPDX-License-Identifier: GPL-3.0-or-later
// Two threads: the writer starts the helper process and sends requests; one reader per process passes responses to the
// GUI thread.
#include "ui/session/helper_client.hpp"

#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <QCoreApplication>
#include <QHash>
#include <QPointer>
#include <algorithm>
#include <condition_variable>
#include <csignal>
#include <deque>
#include <mutex>
#include <thread>

#include "engine/core/files.hpp"
#include "engine/predict/protocol_version.hpp"
#include "ui/session/guarded.hpp"
#include "ui/session/run_process.hpp"
#include "ui/session/session.hpp"

extern char** environ;

namespace nw::ui {
namespace {

/// Starts `netwright-cli serve --fd N` on one end of a socket pair. Every other descriptor is closed in the child.
Result<HelperClient::Link> launch_helper() {
  const std::string program = (program_folder() / "netwright-cli").string();
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    return fail(Errc::other, NW_TR("The helper process could not be started: {0}"), strerror(errno));
  constexpr int helper_end = 3;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], helper_end);
  std::string arguments[] = {program, "serve", "--fd", std::to_string(helper_end)};
  char* argv[] = {arguments[0].data(), arguments[1].data(), arguments[2].data(), arguments[3].data(), nullptr};
  pid_t pid = 0;
  const int error = posix_spawn(&pid, program.c_str(), &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error == 0) return HelperClient::Link{ends[0], pid};
  close(ends[0]);
  return fail(Errc::other, NW_TR("{0} could not be started: {1}"), program, strerror(error));
}

HelperClient::Launcher& default_launcher() {
  static HelperClient::Launcher launcher = launch_helper;
  return launcher;
}

/// The helper process's message with its template, so that the window can translate it.
Error error_from(const Json& answer) {
  const auto code = answer.find("code"), source = answer.find("source"), args = answer.find("args");
  Error error{code != answer.end() && code->is_number_integer() ? static_cast<Errc>(code->get<int>()) : Errc::other,
              {}};
  if (source != answer.end() && source->is_string() && args != answer.end() && args->is_array()) {
    error.what.source = source->get<std::string>();
    for (const Json& arg : *args) error.what.args.push_back(arg.is_string() ? arg.get<std::string>() : arg.dump());
    return error;
  }
  const Json& sentence = answer["error"];
  error.what = text("{0}", sentence.is_string() ? sentence.get<std::string>() : sentence.dump());
  return error;
}

/// Waits for a process that has ended or is about to end; returns how it ended.
QString end_of(qint64 process) {
  int status = 0;
  if (process <= 0 || waitpid(static_cast<pid_t>(process), &status, 0) <= 0) return {};
  if (WIFSIGNALED(status)) return signalText(WTERMSIG(status));
  return QCoreApplication::translate("HelperClient", "exit code %1").arg(WEXITSTATUS(status));
}

void disconnect_peer(const HelperClient::Link& link) {
  close(link.socket);
  if (link.process > 0) kill(static_cast<pid_t>(link.process), SIGKILL);
  end_of(link.process);
}

QString exit_message(const QString& how) {
  const QString what =
      QCoreApplication::translate("HelperClient", "The helper process, which decodes images and predicts, has stopped");
  const QString then = QCoreApplication::translate("HelperClient", "It restarts with the next request.");
  return how.isEmpty() ? what + QStringLiteral(". ") + then : QStringLiteral("%1: %2. %3").arg(what, how, then);
}

}  // namespace

struct HelperClient::State {
  struct Pending {
    QPointer<QObject> context;
    SharedAnswer answer;
    Progress progress;
  };
  Launcher launcher;
  QHash<qint64, Pending> open;  // GUI thread
  qint64 next_id = 1;           // GUI thread

  std::mutex mutex;  // protects the members below
  std::condition_variable wake;
  std::deque<Message> outgoing;
  Link link;
  bool alive = false, quitting = false;
  std::thread reader, writer;  // reader: accessed by the writer, and by the owner after the writer ended

  void write(HelperClient* client);
  void read(HelperClient* client, Link with);
  void receive(HelperClient* client, int socket);
  bool connect(HelperClient* client);
  void send(HelperClient* client, const Message& message);
};

/// Writer thread. False: the helper process could not be started; open requests get the error.
bool HelperClient::State::connect(HelperClient* client) {
  {
    std::scoped_lock lock(mutex);
    if (alive) return true;
  }
  if (reader.joinable()) reader.join();
  Result<Link> made = launcher();
  if (!made) {
    QMetaObject::invokeMethod(
        client, [client, why = translated(made.error().what)] { client->lost(why); }, Qt::QueuedConnection);
    return false;
  }
  std::scoped_lock lock(mutex);
  if (quitting) {
    disconnect_peer(*made);
    return false;
  }
  // Refused: so is every request, with the same sentence. A helper process that has gone is noticed by the reader.
  (void)send_message(made->socket, Message{protocol::opening_message(), {}});
  link = *made;
  alive = true;
  reader = std::thread(guarded([this, client, with = link] { read(client, with); }));
  return true;
}

void HelperClient::State::send(HelperClient* client, const Message& message) {
  if (!connect(client)) return;
  int socket = -1;
  {
    std::scoped_lock lock(mutex);
    socket = link.socket;
  }
  const Status sent = send_message(socket, message);
  if (sent) return;
  if (sent.error().code == Errc::disconnected) {
    shutdown(socket, SHUT_RDWR);  // wakes the reader, which reports the end
    return;
  }
  auto refused = std::make_shared<Result<Message>>(sent.error());  // nothing was sent; the helper process still runs
  QMetaObject::invokeMethod(
      client, [client, id = message.json["id"].get<qint64>(), refused] { client->deliver(id, refused); },
      Qt::QueuedConnection);
}

void HelperClient::State::write(HelperClient* client) {
  for (;;) {
    Message message;
    {
      std::unique_lock lock(mutex);
      wake.wait(lock, [&] { return quitting || !outgoing.empty(); });
      if (quitting) return;
      message = std::move(outgoing.front());
      outgoing.pop_front();
    }
    guarded([&] { send(client, message); })();
  }
}

/// Reader thread, until the helper process ends.
void HelperClient::State::receive(HelperClient* client, int socket) {
  for (;;) {
    Result<Message> got = receive_message(socket);
    if (!got) return;
    const Json& json = got->json;
    const qint64 id =
        json.is_object() && json.contains("id") && json["id"].is_number_integer() ? json["id"].get<qint64>() : 0;
    if (json.is_object() && json.contains("progress") && json["progress"].is_number()) {
      QMetaObject::invokeMethod(
          client, [client, id, p = json["progress"].get<double>()] { client->advance(id, p); }, Qt::QueuedConnection);
      continue;
    }
    auto answer = std::make_shared<Result<Message>>(std::move(got));
    QMetaObject::invokeMethod(
        client, [client, id, answer] { client->deliver(id, answer); }, Qt::QueuedConnection);
  }
}

/// Reader thread: runs until the helper process ends.
void HelperClient::State::read(HelperClient* client, Link with) {
  guarded([&] { receive(client, with.socket); })();
  bool quiet = false;
  {
    std::scoped_lock lock(mutex);
    alive = false;
    quiet = quitting;
    close(with.socket);
    link = {};
  }
  // a helper process that closed its socket cannot respond any more
  if (with.process > 0) kill(static_cast<pid_t>(with.process), SIGKILL);
  const QString how = end_of(with.process);
  if (!quiet)
    QMetaObject::invokeMethod(
        client, [client, how] { client->lost(exit_message(how)); }, Qt::QueuedConnection);
}

HelperClient::HelperClient(QObject* parent) : HelperClient(default_launcher(), parent) {}

void HelperClient::setDefaultLauncher(Launcher launcher) {
  default_launcher() = launcher ? std::move(launcher) : launch_helper;
}

HelperClient::HelperClient(Launcher launcher, QObject* parent) : QObject(parent), state_(std::make_shared<State>()) {
  state_->launcher = std::move(launcher);
  state_->writer = std::thread(guarded([this] { state_->write(this); }));
}

HelperClient::~HelperClient() {
  {
    std::scoped_lock lock(state_->mutex);
    state_->quitting = true;
    if (state_->alive) shutdown(state_->link.socket, SHUT_RDWR);
  }
  state_->wake.notify_all();
  state_->writer.join();
  if (state_->reader.joinable()) state_->reader.join();
}

qint64 HelperClient::askJson(QObject* context, Json request, Answer answer, Progress progress,
                             std::vector<std::uint8_t> payload) {
  SharedAnswer shared;
  if (answer) shared = [answer = std::move(answer)](const std::shared_ptr<const Result<Message>>& m) { answer(*m); };
  return send(context, std::move(request), std::move(shared), std::move(progress), std::move(payload));
}

qint64 HelperClient::send(QObject* context, Json request, SharedAnswer answer, Progress progress,
                          std::vector<std::uint8_t> payload) {
  const qint64 id = state_->next_id++;
  request["id"] = id;
  state_->open.insert(id, {context, std::move(answer), std::move(progress)});
  {
    std::scoped_lock lock(state_->mutex);
    state_->outgoing.push_back(Message{std::move(request), std::move(payload)});
  }
  state_->wake.notify_one();
  return id;
}

void HelperClient::cancel(qint64 id) {
  if (state_->open.remove(id) == 0) return;
  {
    std::scoped_lock lock(state_->mutex);
    const auto waits = std::find_if(state_->outgoing.begin(), state_->outgoing.end(),
                                    [&](const Message& m) { return m.json["id"] == id; });
    if (waits != state_->outgoing.end()) {
      state_->outgoing.erase(waits);
      return;
    }
    if (!state_->alive) return;
    state_->outgoing.push_front(Message{protocol::cancel_message(id), {}});
  }
  state_->wake.notify_one();
}

qint64 HelperClient::processId() const {
  std::scoped_lock lock(state_->mutex);
  return state_->link.process;
}

void HelperClient::deliver(qint64 id, const std::shared_ptr<Result<Message>>& answer) {
  const auto found = state_->open.find(id);
  if (found == state_->open.end()) return;
  const State::Pending pending = found.value();
  state_->open.erase(found);
  if (!pending.context || !pending.answer) return;
  if (!*answer || !(*answer)->json.contains("error")) return pending.answer(answer);
  pending.answer(std::make_shared<const Result<Message>>(error_from((*answer)->json)));
}

void HelperClient::advance(qint64 id, double progress) {
  const auto found = state_->open.constFind(id);
  if (found != state_->open.cend() && found->context && found->progress) found->progress(progress);
}

/// The helper process ended or did not start: every open request gets the error.
void HelperClient::lost(const QString& sentence) {
  {
    std::scoped_lock lock(state_->mutex);
    if (!state_->alive) state_->outgoing.clear();
  }
  const QHash<qint64, State::Pending> open = std::exchange(state_->open, {});
  const auto answer = std::make_shared<const Result<Message>>(fail(Errc::other, "{0}", sentence.toStdString()));
  for (const State::Pending& pending : open)
    if (pending.context && pending.answer) pending.answer(answer);
  Q_EMIT endedUnexpectedly(sentence);
}

}  // namespace nw::ui
