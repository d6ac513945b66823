// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/shell/page.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

class PredictPage : public Page {
 public:
  explicit PredictPage(Session&) {
    auto* layout = new QVBoxLayout(this);
    auto* empty = new EmptyState(this);
    empty->show(QStringLiteral("image"), tr("No predictions yet"), tr("Train a network first; its predictions are shown here."), tr("Go to Train"));
    connect(empty, &EmptyState::actionTriggered, this, [this] { Q_EMIT goTo(QStringLiteral("train")); });
    layout->addWidget(empty);
  }
};

}  // namespace

Page* makePredictPage(Session& session) { return new PredictPage(session); }

}  // namespace nw::ui
