// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/settings/refusal_note.hpp"

#include <QPushButton>
#include <QVBoxLayout>

#include "ui/settings/number_spin.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

RefusalNote::RefusalNote(QWidget* parent)
    : QWidget(parent),
      reason_(new SeverityLabel(SeverityLabel::Tone::error, this)),
      use_(makeButton({}, ButtonKind::tonal, {}, this)) {
  setObjectName(QStringLiteral("refusalNote"));
  reason_->setObjectName(QStringLiteral("refusalReason"));
  use_->setObjectName(QStringLiteral("useNearest"));
  use_->setAutoDefault(false);
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(2);
  column->addWidget(reason_);
  column->addWidget(use_, 0, Qt::AlignLeft);
  connect(use_, &QPushButton::clicked, this, [this] { Q_EMIT nearestWanted(nearest_); });
  hide();
}

void RefusalNote::say(const QString& sentence, const QString& nearest) {
  nearest_ = nearest;
  reason_->say(sentence);
  use_->setText(tr("Use %1").arg(use_->fontMetrics().elidedText(nearest, Qt::ElideMiddle, 160)));
  use_->setToolTip(use_->text().endsWith(nearest) ? QString() : nearest);
  use_->setVisible(!nearest.isEmpty());
  setVisible(!sentence.isEmpty());
}

void RefusalNote::follow(NumberSpin& spin) {
  connect(&spin, &NumberSpin::refused, this, &RefusalNote::say);
  connect(&spin, &NumberSpin::accepted, this, &RefusalNote::clear);
  connect(this, &RefusalNote::nearestWanted, &spin, [&spin] {
    spin.useNearest();
    spin.setFocus();  // the button is hidden now
  });
}

QString RefusalNote::sentence() const { return isHidden() ? QString() : reason_->sentence(); }

}  // namespace nw::ui
