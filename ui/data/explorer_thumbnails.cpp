// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/data/explorer_thumbnails.hpp"

#include <algorithm>

#include "engine/design/project_file.hpp"
#include "ui/session/helper_client.hpp"
#include "ui/session/session.hpp"
#include "ui/widgets/thumbnail.hpp"

namespace nw::ui {
namespace {
constexpr int settle_ms = 25;  // a wheel that still turns asks for nothing
}

ExplorerThumbnails::ExplorerThumbnails(Session& session, QObject* parent) : QObject(parent), session_(session) {
  timer_.setSingleShot(true);
  timer_.setInterval(settle_ms);
  connect(&timer_, &QTimer::timeout, this, &ExplorerThumbnails::fetch);
}

void ExplorerThumbnails::setSource(bool testSet) {
  session_.helper().cancel(request_);
  request_ = asked_ = 0;
  testSet_ = testSet;
  failed_ = false;
  cache_.clear();
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

/// A request of which nothing is in view any more only keeps the helper from what is.
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
  protocol::ImagesRequest request{.source = {session_.doc().data()}, .size = side};
  for (const qint64 i : view_) {
    if (cache_.contains(i)) continue;
    fetching_.push_back(i);
    request.samples.push_back({i, testSet_});
    if (static_cast<int>(fetching_.size()) == max_at_once) break;
  }
  if (fetching_.empty()) return;
  asked_ += static_cast<qint64>(fetching_.size());
  request_ = session_.helper().ask(this, request, [this](const Result<Message>& answer) {
    request_ = 0;
    failed_ = !answer;
    if (!answer) return;
    const Result<std::vector<QImage>> images = images_from(answer->payload, fetching_.size(), side, side);
    const auto names = answer->json.find("names");
    failed_ = !images;
    for (std::size_t i = 0; images && i < fetching_.size(); ++i) {
      const bool named =
          names != answer->json.end() && names->is_array() && i < names->size() && (*names)[i].is_string();
      cache_.insert(fetching_[i],
                    {(*images)[i], named ? QString::fromStdString((*names)[i].get<std::string>()) : QString()});
    }
    Q_EMIT arrived();
    if (!failed_) fetch();  // the rest of what is in view
  });
}

}  // namespace nw::ui
