// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/explorer_thumbnails.hpp"

#include <algorithm>

#include "ui/session/helper_client.hpp"
#include "ui/session/session.hpp"

namespace nw::ui {
namespace {
constexpr int settle_ms = 25;  // nothing is requested while the wheel turns
}

ExplorerThumbnails::ExplorerThumbnails(Session& session, QObject* parent)
    : QObject(parent), session_(session), cache_(ThumbnailCache::of(session.helper())) {
  timer_.setSingleShot(true);
  timer_.setInterval(settle_ms);
  connect(&timer_, &QTimer::timeout, this, &ExplorerThumbnails::fetch);
}

void ExplorerThumbnails::setSource(bool testSet) {
  session_.helper().cancel(request_);
  request_ = asked_ = 0;
  set_ = samplesOfData(session_.doc().data(), testSet);
  failed_ = false;
  cache_.forget(set_);  // it may have changed on the disk
  view_.clear();
  fetching_.clear();
  timer_.stop();
}

void ExplorerThumbnails::show(std::vector<qint64> indices) {
  if (indices == view_) return;
  view_ = std::move(indices);
  cancelRequestsOutOfView();
  if (request_ == 0 && !failed_) timer_.start();
}

/// A request whose samples are all out of view would only delay the request of the visible ones.
void ExplorerThumbnails::cancelRequestsOutOfView() {
  if (request_ == 0) return;
  const bool wanted = std::any_of(fetching_.begin(), fetching_.end(),
                                  [this](qint64 i) { return std::find(view_.begin(), view_.end(), i) != view_.end(); });
  if (wanted) return;
  session_.helper().cancel(request_);
  request_ = 0;
}

void ExplorerThumbnails::fetch() {
  fetching_.clear();
  for (const qint64 i : view_) {
    if (picture(i)) continue;
    fetching_.push_back(i);
    if (static_cast<int>(fetching_.size()) == max_at_once) break;
  }
  if (fetching_.empty()) return;
  asked_ += static_cast<qint64>(fetching_.size());
  request_ = cache_.fetch(this, set_, fetching_, side, [this](const Status& status) {
    request_ = 0;
    failed_ = !status;
    if (failed_) return;
    Q_EMIT arrived();
    fetch();  // the rest of what is in view
  });
}

}  // namespace nw::ui
