// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/check_panel.hpp"

#include <QBoxLayout>
#include <QProgressBar>
#include <QPushButton>

#include "engine/design/project_file.hpp"
#include "ui/data/data_opener.hpp"
#include "ui/session/exclusion.hpp"
#include "ui/session/helper_client.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

/// The choice without the excluded samples; it differs only if other data is chosen.
std::string source_key(const DataChoice& choice) {
  DataChoice plain = choice;
  plain.excluded.clear();
  return canonical(to_json(plain));
}

}  // namespace

CheckPanel::CheckPanel(Session& session, QWidget* parent)
    : QWidget(parent),
      session_(session),
      start_(makeButton(tr("Check the data"), ButtonKind::neutral, QStringLiteral("search"), this)),
      restore_(makeButton(tr("Include all again"), ButtonKind::ghost, {}, this)),
      progress_(new QProgressBar(this)),
      summary_(new SeverityLabel(SeverityLabel::Tone::quiet, this)),
      excluded_(new SeverityLabel(SeverityLabel::Tone::quiet, this)),
      list_(new FindingList(
          session, [this](bool testSet) { return samplesOfData(session_.doc().data(), testSet); }, this)) {
  auto* rows = new QVBoxLayout(this);
  rows->setContentsMargins(0, 0, 0, 0);
  rows->setSpacing(space::s);
  start_->setObjectName(QStringLiteral("checkData"));
  auto* head = new QHBoxLayout;
  head->addWidget(start_);
  head->addStretch(1);
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  progress_->setFixedHeight(4);
  progress_->setAccessibleName(tr("Progress of the data check"));
  for (SeverityLabel* label : {summary_, excluded_}) label->setWordWrap(true);
  auto* back = new QHBoxLayout;
  back->addWidget(excluded_, 1);
  back->addWidget(restore_);
  rows->addLayout(head);
  rows->addWidget(progress_);
  rows->addWidget(summary_);
  rows->addWidget(list_);
  rows->addLayout(back);
  connect(start_, &QPushButton::clicked, this, [this] {
    if (busy())
      stop();
    else
      start();
  });
  connect(restore_, &QPushButton::clicked, this, [this] {
    QStringList names;
    for (const std::string& n : session_.doc().data().excluded) names << QString::fromStdString(n);
    includeSamples(session_, names);
  });
  connect(&session_, &Session::documentChanged, this, &CheckPanel::dataChanged);
  connect(&session_, &Session::documentReplaced, this, &CheckPanel::dataChanged);
  list_->hide();
  refresh();
}

QString CheckPanel::summary() const { return summary_->text(); }

void CheckPanel::start() {
  stop();
  checkedSource_ = source_key(session_.doc().data());
  request_ = session_.helper().ask(
      this, protocol::CheckRequest{{session_.doc().data()}}, [this](const Result<Message>& answer) { take(answer); },
      [this](double done) { progress_->setValue(static_cast<int>(1000 * done)); });
  summary_->say({});
  progress_->setValue(0);
  refresh();
}

void CheckPanel::stop() {
  if (request_ != 0) session_.helper().cancel(request_);
  request_ = 0;
  refresh();
}

void CheckPanel::take(const Result<Message>& answer) {
  request_ = 0;
  summary_->setSeverity(answer ? SeverityLabel::Tone::quiet : SeverityLabel::Tone::error);
  if (!answer) {
    summary_->say(translated(answer.error().what));
    list_->hide();
    return refresh();
  }
  std::vector<Finding> found = findings_from(answer->json, dataOpener(session_).info().classes);
  const qint64 images = answer->json.value("images", qint64{0});
  const QString checked = tr("%1 image(s) checked", nullptr, static_cast<int>(images)).arg(grouped(images));
  const auto count = static_cast<int>(found.size());
  summary_->say(found.empty() ? tr("%1, nothing found.").arg(checked)
                              : tr("%1, %n finding(s).", nullptr, count).arg(checked));
  list_->setVisible(!found.empty());
  list_->setFindings(std::move(found));
  refresh();
}

/// Findings of other data are removed.
void CheckPanel::dataChanged() {
  if (!checkedSource_.empty() && source_key(session_.doc().data()) != checkedSource_) {
    stop();
    checkedSource_.clear();
    list_->setFindings({});
    list_->hide();
    summary_->say({});
  }
  refresh();
}

void CheckPanel::refresh() {
  start_->setText(busy() ? tr("Stop") : tr("Check the data"));
  progress_->setVisible(busy());
  const qint64 excluded = excludedCount(session_);
  excluded_->say(excluded == 0 ? QString()
                               : tr("%1 image(s) are excluded from training, validation and test.", nullptr,
                                    static_cast<int>(excluded))
                                     .arg(grouped(excluded)));
  restore_->setVisible(excluded > 0);
}

}  // namespace nw::ui
