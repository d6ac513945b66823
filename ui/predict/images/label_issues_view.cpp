// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/predict/images/label_issues_view.hpp"

#include <QBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <algorithm>

#include "ui/predict/images/image_view.hpp"
#include "ui/predict/source/class_bars.hpp"
#include "ui/predict/source/output_rows.hpp"
#include "ui/session/exclusion.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {
constexpr int max_label_issues = 300, most_classes = 10;
constexpr int least_side = 220, largest_side = 460, beside_list = 420;  // beside_list: the least width of the list
constexpr int below_image = 370;                                        // height of the texts and class bars
}  // namespace

LabelIssuesView::LabelIssuesView(Session& session, PredictSource& source, QWidget* parent)
    : QWidget(parent),
      session_(session),
      source_(source),
      note_(new SeverityLabel(SeverityLabel::Tone::quiet, this)),
      progress_(new QProgressBar(this)),
      list_(new FindingList(
          session, [this](bool) { return samplesOfRun(source_.weights(), QStringLiteral("train")); }, this)) {
  auto* column = new QWidget(this);
  auto* rows = new QVBoxLayout(column);
  rows->setContentsMargins(space::l, space::m, space::l, space::m);
  rows->setSpacing(space::s);
  rows->addWidget(makeLabel(tr("Label issues"), 1, static_cast<int>(TextRole::title)));
  QLabel* what = makeLabel(tr("Training images that these weights misclassify, the largest loss first. Early weights "
                              "find more issues than weights that have memorized every image."),
                           2, static_cast<int>(TextRole::secondary));
  what->setWordWrap(true);
  rows->addWidget(what);
  progress_->setRange(0, 1000);
  progress_->setTextVisible(false);
  progress_->setFixedHeight(4);
  progress_->setAccessibleName(tr("Progress of the search for label issues"));
  note_->setWordWrap(true);
  rows->addWidget(progress_);
  rows->addWidget(note_);
  rows->addWidget(list_, 1);
  auto* all = new QHBoxLayout(this);
  all->setContentsMargins(0, 0, 0, 0);
  all->addWidget(column, 1);
  all->addWidget(side_ = makeSide());
  connect(list_, &FindingList::currentChanged, this, &LabelIssuesView::showCurrent);
  connect(&session_, &Session::documentChanged, this, &LabelIssuesView::refreshAllowed);
  connect(&session_, &Session::documentReplaced, this, &LabelIssuesView::refreshAllowed);
  progress_->hide();
}

QWidget* LabelIssuesView::makeSide() {
  auto* side = new QWidget(this);
  large_ = new ImageView(tr("The chosen image"), side);
  title_ = makeLabel({}, 1, static_cast<int>(TextRole::node));
  detail_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary));
  for (QLabel* words : {title_, detail_}) words->setWordWrap(true);
  detail_->setTextInteractionFlags(Qt::TextSelectableByMouse);
  bars_ = new ClassBars(ClassBars::Form::plain, side);
  auto* rows = new QVBoxLayout(side);
  rows->setContentsMargins(0, space::m, space::l, space::m);
  rows->setSpacing(space::s);
  rows->addWidget(large_);
  rows->addWidget(title_);
  rows->addWidget(detail_);
  rows->addSpacing(space::m);
  rows->addWidget(makeLabel(tr("Predictions of these weights"), 1, static_cast<int>(TextRole::title)));
  rows->addWidget(bars_);
  rows->addStretch(1);
  side->hide();
  return side;
}

bool LabelIssuesView::settled() const { return request_ == 0 && list_->settled() && !looking_; }

void LabelIssuesView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  const int side = std::clamp(std::min(width() * 3 / 8, height() - below_image), least_side, largest_side);
  side_->setFixedWidth(side);
  side_->setVisible(list_->current() != nullptr && width() - side >= beside_list);
}

/// Requests image and classes at once. While the keys move through images, only the newest response is shown.
void LabelIssuesView::showCurrent() {
  const Finding* f = list_->current();
  side_->setVisible(f != nullptr && width() - side_->width() >= beside_list);
  const quint64 look = ++look_;
  looking_ = f != nullptr && !f->samples.empty();
  if (!looking_) return;
  title_->setText(f->title);
  detail_->setText(f->detail);
  bars_->setRows({});
  source_.look(this, QStringLiteral("train"), f->samples.front().index, {},
               [this, look](const Result<PredictSource::Look>& answer) {
                 if (look != look_) return;
                 looking_ = false;
                 large_->setImage(answer ? answer->image : QImage());
                 if (answer) bars_->setRows(outputRows(source_.network(), answer->probability, most_classes));
               });
}

void LabelIssuesView::showEvent(QShowEvent*) {
  if (stale_) ask();
}

void LabelIssuesView::refresh() {
  if (request_ != 0) source_.helper().cancel(request_);
  request_ = 0;
  stale_ = true;
  list_->setFindings({});
  note_->say({});
  progress_->hide();
  if (isVisible()) ask();
}

void LabelIssuesView::ask() {
  if (!source_.network().known()) return;
  stale_ = false;
  progress_->setValue(0);
  progress_->show();
  request_ = source_.helper().ask(
      this, protocol::SuspectsRequest{source_.weights(), "train", max_label_issues},
      [this](const Result<Message>& answer) { take(answer); },
      [this](double done) { progress_->setValue(static_cast<int>(1000 * done)); });
  refreshAllowed();
}

void LabelIssuesView::take(const Result<Message>& answer) {
  request_ = 0;
  progress_->hide();
  note_->setSeverity(answer ? SeverityLabel::Tone::quiet : SeverityLabel::Tone::error);
  if (!answer) return note_->say(translated(answer.error().what));
  std::vector<Finding> found =
      label_issues_from(answer->json, source_.view() ? source_.view()->names : source_.network().names);
  if (found.empty()) {
    note_->say(tr("No training image is misclassified."));
  } else if (source_.view() && source_.view()->atChance()) {
    note_->setSeverity(SeverityLabel::Tone::warn);
    note_->say(
        tr("These weights predict no better than always answering the most common class. What they misclassify "
           "says nothing about labels: train further first."));
  }
  list_->setFindings(std::move(found));
}

void LabelIssuesView::refreshAllowed() {
  const bool allowed = readsSameData(session_, source_.network().data);
  list_->setAllowed(allowed, allowed ? QString() : tr("The open project uses a different data set from this run"));
}

}  // namespace nw::ui
