// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/explorer.hpp"

#include <QBoxLayout>
#include <QComboBox>
#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QPainter>
#include <QPushButton>
#include <QScrollArea>
#include <QUrl>
#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/design/project_file.hpp"
#include "ui/data/data_opener.hpp"
#include "ui/data/data_views.hpp"
#include "ui/session/exclusion.hpp"
#include "ui/session/helper_client.hpp"
#include "ui/session/session.hpp"
#include "ui/settings/severity_label.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/thumbnail.hpp"
#include "ui/widgets/widgets.hpp"

namespace nw::ui {
namespace {

constexpr int side_width = 300, large_side = 268;
const char* const split_names[] = {"train", "validation", "test"};

QString per_channel(const std::vector<double>& values) {
  QStringList texts;
  for (const double v : values) texts << QString::number(v, 'f', 3);
  return texts.join(QStringLiteral("  "));
}

/// Numbers of the helper's payload: int32 in native byte order.
std::vector<std::int32_t> int32s(const std::vector<std::uint8_t>& payload, std::size_t from, std::size_t count) {
  std::vector<std::int32_t> out(count);
  if (count > 0) std::memcpy(out.data(), payload.data() + from * 4, count * 4);
  return out;
}

}  // namespace

Explorer::Explorer(Session& session, QWidget* parent)
    : QDialog(parent), session_(session), probe_(dataOpener(session)), pictures_(session), rankings_(session, model_) {
  setObjectName(QStringLiteral("explorer"));
  setWindowTitle(tr("Images"));
  resize(1100, 720);
  grid_ = new ExplorerGrid(model_, pictures_, this);
  grid_->setExcluded([this](const QString& name) { return isExcluded(session_, name); });
  auto* column = new QVBoxLayout;
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(space::s);
  column->addWidget(makeHead());
  error_ = new SeverityLabel(SeverityLabel::Tone::error, this);
  column->addWidget(error_);
  column->addWidget(grid_, 1);
  auto* row = new QHBoxLayout(this);
  row->setContentsMargins(space::l, space::m, 0, 0);
  row->setSpacing(space::m);
  row->addLayout(column, 1);
  row->addWidget(makeSide());
  connect(split_, &SegmentedControl::currentChanged, this, &Explorer::load);
  connect(classes_, &QComboBox::currentIndexChanged, this, [this](int i) { model_.setClass(i - 1); });
  connect(orders_, &QComboBox::currentIndexChanged, this, [this](int i) {
    const auto order = static_cast<ExplorerModel::Order>(i);
    error_->say(probe_.error());
    model_.setOrder(order);
    rankings_.want(order);
  });
  connect(&rankings_, &ExplorerOrders::changed, this, &Explorer::showStatus);
  connect(&rankings_, &ExplorerOrders::failed, error_, [this](const QString& sentence) { error_->say(sentence); });
  connect(&model_, &ExplorerModel::changed, this, &Explorer::showStatus);
  connect(grid_, &ExplorerGrid::currentChanged, this, &Explorer::showCurrent);
  connect(grid_, &ExplorerGrid::opened, this, &Explorer::open);
  connect(grid_, &ExplorerGrid::excludeRequested, this, &Explorer::excludeOrInclude);
  connect(&pictures_, &ExplorerThumbnails::arrived, this, &Explorer::showCurrent);
  connect(&probe_, &DataOpener::changed, this, &Explorer::infoChanged);
  infoChanged();
  grid_->setFocus();
}

QWidget* Explorer::makeHead() {
  auto* head = new QWidget;
  split_ = new SegmentedControl;
  split_->setObjectName(QStringLiteral("explorerSplit"));
  for (const QString& text : {tr("Training"), tr("Validation"), tr("Test")}) split_->addSegment(text);
  classes_ = new QComboBox;
  classes_->setAccessibleName(tr("Class"));
  classes_->setMinimumWidth(150);
  orders_ = new QComboBox;
  orders_->setAccessibleName(tr("Order"));
  orders_->addItems({tr("File order"), tr("By class"), tr("Scattered"), tr("By file name"), tr("Darkest first"),
                     tr("Brightest first"), tr("Least contrast first"), tr("Most contrast first"),
                     tr("Largest loss first"), tr("Least confident first")});
  status_ = makeElidedLabel({}, 2, static_cast<int>(TextRole::secondary));
  auto* row = new QHBoxLayout(head);
  row->setContentsMargins(0, 0, 0, 0);
  row->setSpacing(space::s);
  row->addWidget(split_);
  row->addWidget(classes_);
  row->addWidget(orders_);
  row->addStretch(1);
  row->addWidget(status_);
  return head;
}

QWidget* Explorer::makeSide() {
  auto* content = new QWidget;
  large_ = new QLabel;
  large_->setFixedSize(large_side, large_side);
  large_->setAccessibleName(tr("The chosen image"));
  name_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary));
  name_->setWordWrap(true);
  name_->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
  exclude_ = makeButton(tr("Exclude"), ButtonKind::neutral, QStringLiteral("eye-off"));
  exclude_->setObjectName(QStringLiteral("explorerExclude"));
  show_ = makeButton(tr("Open the file"), ButtonKind::neutral, QStringLiteral("external"));
  show_->setObjectName(QStringLiteral("explorerOpen"));
  connect(exclude_, &QPushButton::clicked, this, &Explorer::excludeOrInclude);
  connect(show_, &QPushButton::clicked, this, [this] { openRow(grid_->current()); });
  auto* buttons = new QHBoxLayout;
  buttons->addWidget(exclude_);
  buttons->addWidget(show_);
  buttons->addStretch(1);
  balance_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary));
  balance_->setWordWrap(true);
  channels_ = makeLabel({}, 2, static_cast<int>(TextRole::secondary));
  counts_ = new ClassCounts;
  auto* classes = new FormSection(tr("Classes"), content);
  classes->addWide(balance_);
  classes->addWide(counts_);
  auto* channels = new FormSection(tr("Channels"), content);
  channels->addWide(channels_);
  auto* column = new QVBoxLayout(content);
  column->setContentsMargins(space::m, 0, space::l, space::m);
  column->setSpacing(space::s);
  column->addWidget(large_);
  column->addWidget(name_);
  column->addLayout(buttons);
  column->addWidget(classes);
  column->addWidget(channels);
  column->addStretch(1);
  auto* scroll = new QScrollArea;
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  scroll->setWidgetResizable(true);
  scroll->setFixedWidth(side_width + 12);
  scroll->setWidget(content);
  return scroll;
}

void Explorer::setSplit(int split) { split_->setCurrent(split); }
QString Explorer::statusText() const { return status_->text(); }

void Explorer::infoChanged() {
  if (probe_.state() == DataOpener::State::opening) return;
  const DataInfo& info = probe_.info();
  error_->say(probe_.error());
  counts_->setInfo(info);
  channels_->setText(
      info.mean.empty()
          ? QString()
          : tr("Mean %1\nStandard deviation %2").arg(per_channel(info.mean), per_channel(info.deviation)));
  const QSignalBlocker quiet(classes_);
  classes_->clear();
  classes_->addItem(tr("All classes"));
  classes_->addItems(info.classes);
  classes_->setCurrentIndex(model_.chosenClass() + 1 < classes_->count() ? model_.chosenClass() + 1 : 0);
  DataChoice choice = session_.doc().data();
  choice.excluded.clear();
  if (model_.total() > 0 && choice == loadedFor_) return;
  loadedFor_ = choice;
  load();
}

void Explorer::load() {
  session_.helper().cancel(request_);
  request_ = 0;
  model_.setSamples({}, {}, probe_.info().classes);
  pictures_.setSource(false);
  rankings_.setSource(session_.doc().data(), split_names[split_->current()]);
  if (probe_.state() != DataOpener::State::open) return showStatus();
  const protocol::LabelsRequest request{{session_.doc().data()}, split_names[split_->current()]};
  request_ = session_.helper().ask(this, request, [this](const Result<Message>& answer) {
    request_ = 0;
    error_->say(answer ? QString() : translated(answer.error().what));
    if (answer) take(*answer);
  });
  showStatus();
}

void Explorer::take(const Message& answer) {
  const auto count = answer.json.value("count", std::size_t{0});
  if (answer.payload.size() != count * 8)
    return error_->say(tr("The helper process sent a response that cannot be read. Try again."));
  pictures_.setSource(answer.json.value("test_set", false));
  model_.setSamples(int32s(answer.payload, 0, count), int32s(answer.payload, count, count), probe_.info().classes);
  rankings_.want(model_.order());
  const double imbalance = model_.imbalance();
  balance_->setText(
      imbalance == 0 ? QString()
      : imbalance < 1.5
          ? tr("Balanced: the largest class has %1 times as many images as the smallest.").arg(imbalance, 0, 'f', 2)
          : tr("The largest class has %1 times as many images as the smallest.").arg(imbalance, 0, 'f', 1));
}

void Explorer::showStatus() {
  if (request_ != 0) return status_->setText(tr("Reading the classes"));
  if (rankings_.busy()) return status_->setText(rankings_.statusText());
  status_->setText(model_.count() == model_.total()
                       ? tr("%1 image(s)", nullptr, static_cast<int>(model_.total())).arg(grouped(model_.total()))
                       : tr("%1 of %2 image(s)", nullptr, static_cast<int>(model_.total()))
                             .arg(grouped(model_.count()), grouped(model_.total())));
}

QStringList Explorer::chosenNames() const {
  QStringList names;
  for (const int row : grid_->chosen())
    if (const NamedPicture* p = pictures_.picture(model_.index(row)); p && !p->name.isEmpty()) names << p->name;
  return names;
}

void Explorer::showCurrent() {
  const int row = grid_->current();
  const NamedPicture* picture = row >= 0 ? pictures_.picture(model_.index(row)) : nullptr;
  const QStringList names = chosenNames();
  const bool out = !names.isEmpty() && std::all_of(names.begin(), names.end(),
                                                   [this](const QString& n) { return isExcluded(session_, n); });
  exclude_->setEnabled(!names.isEmpty());
  exclude_->setText(out                ? tr("Include again")
                    : names.size() > 1 ? tr("Exclude %1").arg(grouped(names.size()))
                                       : tr("Exclude"));
  show_->setEnabled(picture && !fileOf(*picture).isEmpty());
  name_->setText(row < 0   ? tr("Choose an image to see it large.")
                 : picture ? QStringLiteral("%1\n%2").arg(model_.className(row), picture->name)
                           : model_.className(row));
  if (row < 0 || model_.index(row) != largeIndex_) {
    showLarge(picture ? picture->image : QImage());
    largeIndex_ = -1;
  }
  const qint64 index = row >= 0 ? model_.index(row) : -1;
  if (!picture || index == largeIndex_) return;
  largeIndex_ = index;
  session_.helper().cancel(picture_);  // the response has the size on the screen, so it is not scaled here
  const int pixels = static_cast<int>(std::ceil(large_side * devicePixelRatioF()));
  ThumbnailCache& cache = ThumbnailCache::of(session_.helper());
  const auto show = [this, &cache, row, index, pixels] {
    const NamedPicture* large = cache.find(cache.key(pictures_.set(), index, pixels));
    if (large && grid_->current() == row) showLarge(large->image);
    return large != nullptr;
  };
  picture_ = 0;
  if (show()) return;
  picture_ = cache.fetch(this, pictures_.set(), {index}, pixels, [this, show](const Status&) {
    picture_ = 0;
    show();
  });
}

void Explorer::showLarge(const QImage& image) {
  QPixmap canvas(large_->size() * devicePixelRatioF());
  canvas.setDevicePixelRatio(devicePixelRatioF());
  canvas.fill(Qt::transparent);
  QPainter p(&canvas);
  p.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
  paintThumbnail(p, image, QRectF(QPointF(), QSizeF(large_->size())), radius::node);
  p.end();
  large_->setPixmap(canvas);
}

/// The file of a sample, below the data's folder or its train and test folders; empty: the sample is not a file.
QString Explorer::fileOf(const NamedPicture& picture) const {
  const QString origin = picture.name.section(QStringLiteral(": "), 1), place = probe_.info().place;
  const DataChoice& choice = session_.doc().data();
  for (const QString& below : {place, place + QStringLiteral("/train"), place + QStringLiteral("/test"),
                               place + QStringLiteral("/val"), QString::fromStdString(choice.test_path)})
    if (const QFileInfo file(QDir(below), origin); !below.isEmpty() && file.isFile()) return file.filePath();
  return {};
}

void Explorer::openRow(int row) {
  const NamedPicture* picture = row >= 0 && row < model_.count() ? pictures_.picture(model_.index(row)) : nullptr;
  if (const QString file = picture ? fileOf(*picture) : QString(); !file.isEmpty())
    QDesktopServices::openUrl(QUrl::fromLocalFile(file));
}

void Explorer::excludeOrInclude() {
  const QStringList names = chosenNames();
  const bool out = !names.isEmpty() && std::all_of(names.begin(), names.end(),
                                                   [this](const QString& n) { return isExcluded(session_, n); });
  if (out)
    includeSamples(session_, names);
  else
    excludeSamples(session_, names);
  grid_->viewport()->update();
  showCurrent();
}

void exploreData(Session& session, QWidget* parent) {
  auto* there = parent->findChild<Explorer*>(QStringLiteral("explorer"));
  auto* shown = there ? there : new Explorer(session, parent);
  shown->setAttribute(Qt::WA_DeleteOnClose);
  shown->show();
  shown->raise();
}

}  // namespace nw::ui
