// SPDX-License-Identifier: GPL-3.0-or-later
// The program, which is its main window with session, canvas, pages and recovery, is killed at any moment while it is
// edited. The next start offers the work on its first page; once it is accepted, the network lacks at most 20 edits, or
// those of 10 seconds. The window that is killed belongs to another process of this test program.
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QProcess>
#include <random>

#include "engine/core/files.hpp"
#include "engine/design/project_file.hpp"
#include "tests/support/variable.hpp"
#include "tests/ui/journey/journey.hpp"
#include "ui/shell/welcome/welcome_side.hpp"
#include "ui/shell/window/banner.hpp"

namespace nw::ui {
namespace {

constexpr const char* editsVariable = "NW_KILLED_PROGRAM_EDITS";      // the log of the edits
constexpr const char* projectVariable = "NW_KILLED_PROGRAM_PROJECT";  // a file; empty: a new project
constexpr const char* stateVariable = "NW_KILLED_PROGRAM_STATE";      // in the place of XDG_STATE_HOME
constexpr std::size_t mostLost = 20;
constexpr qint64 mostLostMs = 10000;

QByteArray stateOf(const GraphDoc& doc) { return QByteArray::number(xxh3(ProjectFile::text(doc))); }

/// One random edit by a key of the canvas, or of the settings.
void editOnce(Session& session, Canvas& canvas, std::mt19937& random) {
  GraphScene& scene = canvas.scene();
  std::vector<NodeId> ids;
  for (const auto& [id, item] : scene.elements().nodes()) ids.push_back(id);
  if (!ids.empty()) scene.selection().setCurrent(ids[random() % ids.size()]);
  const auto press = [&](Qt::Key key, Qt::KeyboardModifiers with = {}) { QTest::keyClick(&canvas.view(), key, with); };
  TrainSettings settings = session.doc().settings();
  switch (random() % 8) {
    case 0:
      return press(Qt::Key_M);
    case 1:
      return ids.size() > 30 ? press(Qt::Key_Delete) : press(Qt::Key_H);
    case 2:
      return session.undoStack().undo();
    case 3:
      settings.epochs = 1 + random() % 1000;
      break;
    case 4:
      return ids.size() < 60 ? press(Qt::Key_D, Qt::ControlModifier) : press(Qt::Key_Delete);
    default:
      return press(Qt::Key_Right, Qt::ControlModifier);
  }
  session.push({PutSettings{settings}}, QStringLiteral("Epochs"));
}

/// The child process: the window as the program opens it, in the program's own event loop, edited without pause. Each
/// edit is announced by a line "begin" and followed by the state it led to, so that the last one may be in between.
TEST(ProgramToBeKilled, DISABLED_IsEdited) {
  QFile log(qEnvironmentVariable(editsVariable));
  ASSERT_TRUE(log.open(QIODevice::WriteOnly | QIODevice::Unbuffered));
  qputenv("XDG_STATE_HOME", qgetenv(stateVariable));
  const QString project = qEnvironmentVariable(projectVariable);
  WindowHost host({project, project.isEmpty() ? QStringLiteral("lenet5") : QString()});
  Session& session = host.workplace().session;
  auto& canvas = static_cast<DesignPage*>(host.window().page(QStringLiteral("design")))->canvas();
  QElapsedTimer clock;
  clock.start();
  QObject::connect(&session, &Session::documentChanged,
                   [&] { log.write(stateOf(session.doc()) + ' ' + QByteArray::number(clock.elapsed()) + '\n'); });
  std::mt19937 random(static_cast<unsigned>(QCoreApplication::applicationPid()));
  QTimer hands;
  QObject::connect(&hands, &QTimer::timeout, [&] {
    log.write("begin\n");
    editOnce(session, canvas, random);
  });
  hands.start(5);
  QApplication::exec();
}

/// What the child has logged until it was killed.
struct EditLog {
  struct State {
    QByteArray hash;
    qint64 ms = 0;
  };
  std::vector<State> states;
  bool within = false;  // it was killed within an edit, whose state may have been saved

  explicit EditLog(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return;
    const QByteArray all = file.readAll();
    for (const QByteArray& line : all.left(all.lastIndexOf('\n')).split('\n')) {
      const auto space = line.indexOf(' ');
      within = space < 0;
      if (!within) states.push_back({line.left(space), line.mid(space + 1).toLongLong()});
    }
  }
  /// The edits after this state; nullopt: there was no such state.
  std::optional<std::vector<State>> after(const QByteArray& hash) const {
    const auto found = std::find_if(states.rbegin(), states.rend(), [&](const State& s) { return s.hash == hash; });
    if (found != states.rend()) return std::vector<State>{found.base(), states.end()};
    return within ? std::optional<std::vector<State>>{std::in_place} : std::nullopt;
  }
};

class KilledProgram : public Journey {
 protected:
  QString edits() const { return folder.filePath(QStringLiteral("edits")); }
  QString project() const { return folder.filePath(QStringLiteral("mine.netwright")); }

  /// Starts the program, on a file or on a new project, and kills it `after` milliseconds after its first edit.
  void killWhileEdited(bool ofFile, int after) {
    QFile::remove(edits());
    ASSERT_TRUE(ProjectFile::save(find_template("lenet5")->make(), project().toStdString()));
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QLatin1String(editsVariable), edits());
    edited = ofFile ? project() : QString();
    environment.insert(QLatin1String(projectVariable), edited);
    environment.insert(QLatin1String(stateVariable), state);
    QProcess program;
    program.setProcessEnvironment(environment);
    program.start(QCoreApplication::applicationFilePath(),
                  {QStringLiteral("--gtest_filter=ProgramToBeKilled.DISABLED_IsEdited"),
                   QStringLiteral("--gtest_also_run_disabled_tests")});
    ASSERT_TRUE(program.waitForStarted());
    const auto ended = [&] { return program.state() == QProcess::NotRunning; };
    test::wait_for([&] { return !EditLog(edits()).states.empty() || ended(); });
    QTest::qWait(after);  // a fixed delay is intended: the test varies the moment of the kill
    ASSERT_FALSE(ended()) << "it ended by itself: " << program.readAllStandardOutput().toStdString();
    program.kill();
    program.waitForFinished();
  }
  QList<RecoveredRow*> offered() {
    QList<RecoveredRow*> visible;
    for (RecoveredRow* row : window().page(QStringLiteral("welcome"))->findChildren<RecoveredRow*>())
      if (row->isVisible()) visible.append(row);
    return visible;
  }
  /// The next start, on the file or without one: the work of the one killed program is on the window's first page, to
  /// which a notification leads, and is accepted there. What it lacks is counted in `within`.
  void expectOffered(const StartOptions& options, const EditLog& log, int& within) {
    const test::Variable place("XDG_STATE_HOME", state.toStdString());
    const QDir copies(state + QStringLiteral("/netwright/recovery"));
    const bool saved = !copies.entryList({QStringLiteral("*.json")}).isEmpty();
    openWindow(options);
    const bool other = !options.path.isEmpty() && !options.safe;
    if (other && saved) hand.click(button(QStringLiteral("Show"), &window().banner()));
    EXPECT_EQ(window().currentPage(), saved || !other ? QStringLiteral("welcome") : QStringLiteral("design"));
    const QList<RecoveredRow*> rows = offered();
    ASSERT_EQ(rows.size(), saved ? 1 : 0);
    const auto lost = saved ? accepted(rows.front(), log) : log.states;
    if (lost.size() > mostLost)
      EXPECT_LE(lost.back().ms - lost.front().ms, mostLostMs) << lost.size() << " edits are lost";
    within += lost.size() <= mostLost;
    std::printf("killed after %zu edits, of which %zu are lost\n", log.states.size(), lost.size());
    session().undoStack().setClean();  // closed without a question
    closeWindow();
    EXPECT_TRUE(copies.entryList({QStringLiteral("*.json")}).isEmpty()) << "offered once more after it was accepted";
  }
  /// Recovers the work; the edits that it lacks.
  std::vector<EditLog::State> accepted(RecoveredRow* row, const EditLog& log) {
    hand.click(button(QStringLiteral("Recover"), row));
    EXPECT_EQ(window().currentPage(), QStringLiteral("design"));
    EXPECT_TRUE(session().isModified());
    EXPECT_EQ(session().path(), edited) << "the file that was edited";
    const auto lost = log.after(stateOf(session().doc()));
    EXPECT_TRUE(lost) << "what is offered was never drawn";
    return lost.value_or(log.states);
  }
  QString state = folder.filePath(QStringLiteral("state")), edited;
};

TEST_F(KilledProgram, OffersItsWorkAtTheNextStart) {
  const bool longer = qEnvironmentVariableIsSet("NETWRIGHT_LONG");
  std::mt19937 random(7);
  const int kills = longer ? 200 : 10;
  int within = 0;
  for (int i = 0; i < kills && !HasFailure(); ++i) {
    const int after = static_cast<int>(random() % 2000);
    SCOPED_TRACE(testing::Message() << "kill " << i << ", after " << after << " ms");
    ASSERT_NO_FATAL_FAILURE(killWhileEdited(i % 2 == 1, after));
    const EditLog log(edits());
    ASSERT_FALSE(log.states.empty());
    // the file that was edited, another start without one, or a start in safe mode
    const StartOptions next{.path = i % 4 == 1 ? project() : QString(), .templateName = {}, .safe = i % 4 == 2};
    expectOffered(next, log, within);
  }
  // A program of two seconds loses none of 10 s: only the number of edits shows that it saves often.
  EXPECT_GT(2 * within, kills) << "programs that lost at most " << mostLost << " edits";
}

}  // namespace
}  // namespace nw::ui
