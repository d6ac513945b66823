// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/augment_preview.hpp"

#include <QPainter>

#include "engine/design/project_file.hpp"
#include "ui/session/helper_client.hpp"
#include "ui/session/helper_images.hpp"
#include "ui/session/session.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/thumbnail.hpp"

namespace nw::ui {
namespace {
constexpr int across = 6, lines = 2, thumbnail = 64, delay_ms = 200;
}

AugmentPreview::AugmentPreview(Session& session, QWidget* parent) : QWidget(parent), session_(session) {
  setAccessibleName(tr("Augmented training images"));
  timer_.setSingleShot(true);
  timer_.setInterval(delay_ms);
  connect(&timer_, &QTimer::timeout, this, &AugmentPreview::ask);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

QSize AugmentPreview::sizeHint() const { return {260, lines * 44}; }

void AugmentPreview::refreshSoon() {
  if (isVisible()) timer_.start();
}

void AugmentPreview::ask() {
  session_.helper().cancel(asked_);
  const GraphDoc& doc = session_.doc();
  const protocol::AugmentedRequest request{
      .source = {doc.data()}, .settings = doc.settings(), .count = across * lines, .size = thumbnail};
  asked_ = session_.helper().ask(this, request, [this](const Result<Message>& answer) {
    images_.clear();
    error_ = answer ? QString() : translated(answer.error().what);
    if (answer)
      if (Result<std::vector<QImage>> images =
              images_from(answer->payload, answer->payload.size() / (thumbnail * thumbnail * 4), thumbnail, thumbnail))
        images_ = *std::move(images);
    update();
  });
}

void AugmentPreview::paintEvent(QPaintEvent*) {
  QPainter p(this);
  const qreal side = std::min((width() - (across - 1) * 6.0) / across, 40.0);
  if (!error_.isEmpty()) {
    p.setFont(ui::font(TextRole::secondary));
    p.setPen(theme().text2);
    p.drawText(rect(), Qt::AlignLeft | Qt::AlignTop | Qt::TextWordWrap, error_);
    return;
  }
  for (int i = 0; i < across * lines; ++i) {
    const QRectF where((i % across) * (side + 6), (i / across) * (side + 4), side, side);
    paintThumbnail(p, i < static_cast<int>(images_.size()) ? images_[static_cast<std::size_t>(i)] : QImage(), where, 3);
  }
}

}  // namespace nw::ui
