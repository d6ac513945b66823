// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/train/tracked_sample_panel.hpp"

#include <QBoxLayout>
#include <QCoreApplication>
#include <QLabel>
#include <QPainter>

#include "ui/session/run_feed.hpp"
#include "ui/theme/style.hpp"
#include "ui/theme/theme.hpp"
#include "ui/train/tracked_sample_grid.hpp"
#include "ui/train/tracked_sample_timeline.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {

namespace {

struct TrackedSamplePanelTexts {
  Q_DECLARE_TR_FUNCTIONS(TrackedSamplePanel)
};

QStringList namesOf(const RunFeed& feed) {
  QStringList names;
  if (feed.definition())
    for (const std::string& name : feed.definition()->classes) names << QString::fromStdString(name);
  return names;
}

QLabel* words(int level, TextRole role) {
  QLabel* label = makeLabel({}, level, static_cast<int>(role));
  label->setWordWrap(true);
  return label;
}

}  // namespace

QString courseOf(const TrackedSampleHistory& h, std::size_t probe) {
  const LearningMilestones turns = turns_of(h, probe);
  const auto step = [&](std::size_t record) { return grouped(h.steps[record]); };
  if (turns.learnt.empty()) return TrackedSamplePanelTexts::tr("Not predicted correctly so far");
  if (turns.forgotten.empty()) return TrackedSamplePanelTexts::tr("Learned at step %1").arg(step(turns.learnt.front()));
  const auto times = static_cast<int>(turns.forgotten.size());
  const QString last = step(turns.forgotten.back());
  return times == 1 ? TrackedSamplePanelTexts::tr("First learned at step %1, forgotten at step %2")
                          .arg(step(turns.learnt.front()), last)
                    : TrackedSamplePanelTexts::tr("First learned at step %1, forgotten %2 times, last at step %3")
                          .arg(step(turns.learnt.front()), QString::number(times), last);
}

TrackedSamplePanel::TrackedSamplePanel(const RunFeed& feed, QWidget* parent)
    : QWidget(parent),
      feed_(feed),
      probes_(feed),
      grid_(new TrackedSampleGrid),
      band_(new TrackedSampleTimeline),
      headline_(makeLabel(tr("Tracked samples"), 1, static_cast<int>(TextRole::node))),
      figure_(makeLabel({}, 1, static_cast<int>(TextRole::button))),
      reading_(words(1, TextRole::body)),
      course_(words(2, TextRole::secondary)),
      note_(words(2, TextRole::secondary)) {
  auto* column = new QVBoxLayout(this);
  column->setContentsMargins(14, 11, 14, space::m);
  column->setSpacing(space::s);
  auto* head = new QHBoxLayout;
  head->addWidget(headline_);
  head->addStretch(1);
  head->addWidget(figure_);
  column->addLayout(head);
  column->addWidget(note_);
  column->addWidget(grid_, 1);
  column->addWidget(band_);
  column->addWidget(reading_);
  column->addWidget(course_);
  column->addStretch(0);
  connect(&probes_, &TrackedSampleFeed::changed, this, &TrackedSamplePanel::refresh);
  connect(&feed_, &RunFeed::definitionArrived, this, &TrackedSamplePanel::refresh);
  connect(band_, &QAbstractSlider::valueChanged, this, [this](int record) {
    grid_->setRecord(record);
    refreshWords();
  });
  connect(grid_, &TrackedSampleGrid::chosen, this, [this](int probe) {
    band_->setProbe(probe);
    refreshWords();
  });
  refresh();
}

QString TrackedSamplePanel::headline() const { return figure_->text(); }
QString TrackedSamplePanel::detail() const { return reading_->text() + u'\n' + course_->text(); }

void TrackedSamplePanel::refresh() {
  const auto& history = probes_.history();
  const bool any = history && !history->steps.empty();
  grid_->setHistory(history, namesOf(feed_));
  band_->setHistory(history);
  band_->setProbe(grid_->current());
  grid_->setRecord(band_->value());
  for (QWidget* w : std::initializer_list<QWidget*>{band_, reading_, course_, figure_}) w->setVisible(any);
  grid_->setVisible(history != nullptr);
  note_->setText(probes_.sentence());
  note_->setVisible(!note_->text().isEmpty());
  refreshWords();
}

void TrackedSamplePanel::refreshWords() {
  const auto& h = probes_.history();
  const auto record = static_cast<std::size_t>(band_->value()), probe = static_cast<std::size_t>(grid_->current());
  if (!h || record >= h->steps.size() || probe >= h->probes.size()) return;
  const QStringList names = namesOf(feed_);
  const auto name = [&](std::int64_t c) { return names.value(static_cast<int>(c), QString::number(c)); };
  const QString step = grouped(h->steps[record]);
  const std::size_t right = correct_at(*h, record);
  figure_->setText(
      tr("%1 of %2 correct at step %3").arg(QString::number(right), QString::number(h->probes.size()), step));
  band_->setAccessibleDescription(figure_->text());
  const TrackedPrediction& a = h->at(record, probe);
  const QString read =
      tr("%1, predicted as %2: %3")
          .arg(name(h->probes[probe].label), name(a.predicted), percentText(static_cast<double>(a.confidence), 0));
  reading_->setText(h->right(record, probe)
                        ? read
                        : tr("%1, the true class: %2").arg(read, percentText(static_cast<double>(a.truth), 0)));
  course_->setText(courseOf(*h, probe));
}

void TrackedSamplePanel::paintEvent(QPaintEvent*) {
  QPainter p(this);
  style::box(p, rect(), radius::card, theme().chartCard, theme().border1);
}

}  // namespace nw::ui
