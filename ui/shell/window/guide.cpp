// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/window/guide.hpp"

#include <QCoreApplication>
#include <QEvent>
#include <QPushButton>
#include <algorithm>

#include "ui/canvas/scene/node_item.hpp"
#include "ui/design/design_page.hpp"
#include "ui/design/inspector.hpp"
#include "ui/predict/predict_page.hpp"
#include "ui/predict/try/drawing_pad.hpp"
#include "ui/predict/try/own_image_panel.hpp"
#include "ui/session/run_controller.hpp"
#include "ui/session/session.hpp"
#include "ui/shell/files/project_files.hpp"
#include "ui/shell/help/coach_mark.hpp"
#include "ui/shell/window/banner.hpp"
#include "ui/shell/window/main_window.hpp"
#include "ui/shell/window/top_bar.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int poll_interval_ms = 120;

QString say(const char* text) { return QCoreApplication::translate("Guide", text); }

/// The state that a step checks, and the session's version and number of edits when the step began. The version also
/// grows when the data have been opened.
struct Now {
  MainWindow& window;
  Session& session;
  quint64 version;
  int edits;
  bool isOn(const char* page) const { return window.currentPage() == QLatin1String(page); }
  DesignPage& design() const { return *static_cast<DesignPage*>(window.page(QStringLiteral("design"))); }
  PredictPage& predict() const { return *static_cast<PredictPage*>(window.page(QStringLiteral("predict"))); }
  QRect of(const QWidget* control) const {
    return control && control->isVisible() ? QRect(control->mapTo(&window, QPoint(0, 0)), control->size()) : QRect();
  }
  QRect of(const char* name) const { return of(window.findChild<QWidget*>(QLatin1String(name))); }
  RunController::State run() const { return session.run().state(); }
};

/// The first convolution; without one, the first layer.
NodeId layerOf(const Now& now) {
  const auto& nodes = now.design().canvas().scene().graph().nodes;
  for (const auto& [id, node] : nodes)
    if (node.type == "Conv2d") return id;
  return nodes.empty() ? 0 : nodes.begin()->first;
}

QRect cardOf(const Now& now) {
  const GraphView& view = now.design().canvas().view();
  const NodeItem* item = view.graph().elements().node(layerOf(now));
  if (!item) return {};
  const QRect inView = view.mapFromScene(item->outline()).boundingRect() & view.viewport()->rect();
  return inView.isEmpty() ? QRect() : QRect(view.viewport()->mapTo(&now.window, inView.topLeft()), inView.size());
}

QRect predictSegment(const Now& now) {
  const SegmentedControl& pages = now.window.topBar().pages();
  const QRect segment = pages.segmentRect(2).toRect();
  return pages.isVisible() ? QRect(pages.mapTo(&now.window, segment.topLeft()), segment.size()) : QRect();
}

struct Step {
  const char *page, *title, *sentence;
  QRect (*place)(const Now&);
  bool (*done)(const Now&);
};
const Step table[] = {
    {"welcome", QT_TRANSLATE_NOOP("Guide", "Open a network"),
     QT_TRANSLATE_NOOP("Guide",
                       "Click this template. LeNet-5 classifies handwritten digits; it is ready to train, which takes "
                       "a minute or two."),
     [](const Now& n) { return n.of("template-lenet5"); },
     [](const Now& n) { return n.isOn("design") && n.session.version() != n.version; }},
    {"design", QT_TRANSLATE_NOOP("Guide", "Choose a layer"),
     QT_TRANSLATE_NOOP(
         "Guide",
         "Every node is a layer; images enter at the top. Click this convolution, or go there with the arrow keys."),
     cardOf,
     [](const Now& n) {
       return n.design().canvas().scene().selection().current() != 0 &&
              n.design().canvas().scene().selection().current() == layerOf(n);
     }},
    {"design", QT_TRANSLATE_NOOP("Guide", "Change a setting"),
     QT_TRANSLATE_NOOP("Guide",
                       "Type another number of filters, such as 12, and press Enter. The shapes along the connections "
                       "follow; Ctrl+Z undoes it."),
     [](const Now& n) { return n.of(n.design().inspector().editorOf(QStringLiteral("out_channels"))); },
     [](const Now& n) { return n.session.undoStack().index() != n.edits; }},
    {"design", QT_TRANSLATE_NOOP("Guide", "Train it"),
     QT_TRANSLATE_NOOP("Guide", "Press Train. Training runs in a separate process, so the window stays responsive."),
     [](const Now& n) { return n.of("trainButton"); },
     [](const Now& n) { return n.run() != RunController::State::idle; }},
    {"train", QT_TRANSLATE_NOOP("Guide", "Watch it learn"),
     QT_TRANSLATE_NOOP("Guide",
                       "The loss falls and the accuracy rises. Press Stop at any time: the trained weights are kept. "
                       "Or wait until training has finished."),
     [](const Now& n) { return n.of("stopButton"); },
     [](const Now& n) { return n.run() == RunController::State::idle; }},
    {"train", QT_TRANSLATE_NOOP("Guide", "See its predictions"),
     QT_TRANSLATE_NOOP("Guide",
                       "Click Predict, or press Ctrl+3, to see the test images with the network's predictions."),
     predictSegment, [](const Now& n) { return n.isOn("predict"); }},
    {"predict", QT_TRANSLATE_NOOP("Guide", "Try it yourself"),
     QT_TRANSLATE_NOOP("Guide",
                       "Draw a digit on this pad and watch the class probabilities change. Without a mouse: choose a "
                       "cell of the confusion matrix with the arrow keys and Enter."),
     [](const Now& n) { return n.of(&n.predict().ownImagePanel().pad()); },
     [](const Now& n) {
       return n.isOn("predict") && (n.predict().ownImagePanel().pad().strokes() > 0 || n.predict().grid().cell());
     }},
};
constexpr int count = static_cast<int>(std::size(table));

}  // namespace

int Guide::steps() { return count; }

Guide::Guide(MainWindow& window, Session& session) : QObject(&window), window_(window), session_(session) {
  timer_.setInterval(poll_interval_ms);
  connect(&timer_, &QTimer::timeout, this, &Guide::look);
  window.installEventFilter(this);
}

Guide::~Guide() = default;

void Guide::start() {
  stop();
  mark_ = new CoachMark(&window_);
  connect(&mark_->onward(), &QPushButton::clicked, this, &Guide::onward);
  connect(&mark_->end(), &QPushButton::clicked, this, &Guide::stop);
  step_ = 0;
  version_ = session_.version();
  edits_ = session_.undoStack().index();
  window_.showPage(QStringLiteral("welcome"));
  timer_.start();
  mark_->show();
  window_.banner().installEventFilter(this);
  makeRoomFor(window_.banner());
  show();
}

void Guide::stop() {
  timer_.stop();
  if (!mark_) return;
  mark_->hide();
  mark_->deleteLater();  // deferred: the call may come from one of the mark's buttons
  mark_ = nullptr;
}

/// Begins the next step, or ends the guide after the last one.
void Guide::show() {
  version_ = session_.version();
  edits_ = session_.undoStack().index();
  if (step_ < count) return look();
  timer_.stop();
  mark_->tell(count + 1, count, say(QT_TRANSLATE_NOOP("Guide", "You have trained a network")),
              say(QT_TRANSLATE_NOOP("Guide",
                                    "Next: change the network and compare both runs on the Runs page, open another "
                                    "template, or draw your own network. F1 opens the user guide.")),
              say(QT_TRANSLATE_NOOP("Guide", "Done")));
  mark_->end().hide();
  mark_->pointAt({});
}

void Guide::look() {
  if (!mark_ || step_ >= count) return;
  const Step& step = table[step_];
  const Now now{window_, session_, version_, edits_};
  if (step.done(now)) {
    ++step_;
    return show();
  }
  const bool there = now.isOn(step.page);
  const QRect place = there || step.place == predictSegment ? step.place(now) : QRect();
  const QString onward = place.isEmpty() && !there ? say(QT_TRANSLATE_NOOP("Guide", "Go there"))
                                                   : say(QT_TRANSLATE_NOOP("Guide", "Skip this step"));
  if (mark_->title() != say(step.title) || mark_->onward().text() != onward)
    mark_->tell(step_ + 1, count, say(step.title), say(step.sentence), onward);
  if (mark_->place() != place || !mark_->isVisible()) mark_->pointAt(place);
}

void Guide::onward() {
  if (step_ >= count) return stop();
  const Now now{window_, session_, version_, edits_};
  if (!now.isOn(table[step_].page) && table[step_].place(now).isEmpty()) {
    window_.showPage(QLatin1String(table[step_].page));
    return look();
  }
  // the following steps need a network
  if (step_ == 0 && session_.doc().graph().nodes.empty()) window_.files().newFromTemplate(QStringLiteral("lenet5"));
  if (step_ == 1) now.design().canvas().scene().selection().setCurrent(layerOf(now));
  if (step_ == 0) window_.showPage(QStringLiteral("design"));
  ++step_;
  show();
}

/// At once: a notification that appears must not cover the guide's buttons.
void Guide::makeRoomFor(const QWidget& banner) {
  if (mark_) mark_->keepFree(banner.isVisible() ? banner.geometry() : QRect());
}

bool Guide::eventFilter(QObject* object, QEvent* event) {
  if (!mark_) return false;
  const auto is = [&](std::initializer_list<QEvent::Type> types) {
    return std::find(types.begin(), types.end(), event->type()) != types.end();
  };
  if (object != &window_) {  // the notification; it is also told to hide while the window is being destroyed
    if (is({QEvent::Show, QEvent::Hide, QEvent::Move, QEvent::Resize})) makeRoomFor(*static_cast<QWidget*>(object));
  } else if (is({QEvent::Resize})) {
    mark_->pointAt(mark_->place());
    look();
  }
  return false;
}

}  // namespace nw::ui
