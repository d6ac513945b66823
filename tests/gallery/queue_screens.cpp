// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/gallery/queue_screens.hpp"

#include <QTabBar>

#include "engine/queue/journal.hpp"
#include "tests/support/run_writer.hpp"
#include "ui/queue/queue_list.hpp"
#include "ui/queue/queue_panel.hpp"
#include "ui/runs/runs_page.hpp"

namespace nw::ui {
namespace {

/// Lives until the program ends.
struct WrittenQueue {
  test::TemporaryFolder place;
  fs::path full = place.path() / "queue", empty = place.path() / "none";
  WrittenQueue() {
    auto writer = queue::QueueWriter::open(full);
    if (!writer) return;
    const auto add = [&](const char* name, const char* device, std::int64_t priority) {
      queue::Item item{.number = writer->queue().next_number(), .command = "train", .arguments = {"x"}, .folder = "/"};
      item.name = name;
      item.device = *queue::device_rule(device);
      item.priority = priority;
      (void)writer->write(queue::Added{item});
    };
    add("mlp", "cpu", 0);
    add("lenet5", "cuda:1", 0);
    add("resnet18-cifar", "any:2", 5);
    add("vgg13-cifar", "any", 0);
    add("lenet5 宽", "cuda:0,cuda:1", 0);
    add("photos", "cpu", 0);
    (void)writer->write(queue::Began{1, run("mlp", 6, 6), {"cpu"}, 1});
    (void)writer->write(queue::Ended{1, queue::Ending::finished, "", 2});
    (void)writer->write(queue::Began{6, "", {"cpu"}, 3});
    (void)writer->write(queue::Ended{6, queue::Ending::failed, "the folder /data/photos is not there", 4});
    (void)writer->write(queue::Began{2, run("lenet5", 4, 10), {"cuda:1"}, 5});
    (void)writer->write(queue::Paused{5});
  }
  std::string run(const char* name, int done, int all) {
    RunDefinition definition = test::definition_of(name, 1000);
    TrainSettings settings = definition.doc.settings();
    settings.epochs = all;
    (void)definition.doc.apply({PutSettings{settings}});
    test::RunWriter writer(place.path() / "runs", definition);
    test::write_training(writer, {.epochs = all, .epochs_done = done, .best = 0.97});
    return writer.folder().string();
  }
};
WrittenQueue& writtenQueue() {
  static WrittenQueue all;
  return all;
}

RunsPage& runsPage(Stage& s) { return *static_cast<RunsPage*>(s.window->page(QStringLiteral("runs"))); }

QWidget* queueOf(Stage& s, const fs::path& folder) {
  s.open("lenet5");
  qputenv("NETWRIGHT_QUEUE", folder.c_str());
  QWidget* shown = s.show(QStringLiteral("runs"));
  runsPage(s).tabs().setCurrentIndex(2);
  return shown;
}

}  // namespace

QWidget* queueFilled(Stage& s) { return queueOf(s, writtenQueue().full); }
QWidget* queueEmpty(Stage& s) { return queueOf(s, writtenQueue().empty); }
bool queueListed(Stage& s) { return analysed(s) && runsPage(s).queue().list().rowCount() == 6; }

}  // namespace nw::ui
