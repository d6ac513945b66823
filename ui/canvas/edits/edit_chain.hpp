// SPDX-License-Identifier: GPL-3.0-or-later
// Several edits as one undo step, each composed on the document with the earlier edits applied.
#pragma once
#include "engine/design/graph_doc.hpp"

namespace nw::ui {

class EditChain {
 public:
  explicit EditChain(const GraphDoc& doc) : doc_(doc) {}
  const GraphDoc& doc() const { return doc_; }
  /// Appends the edit, or stores the reason for its rejection; later edits are then ignored too.
  EditChain& add(const Edit& edit) {
    if (!refusal_.empty()) return *this;
    if (const Result<Edit> inverse = doc_.apply(edit))
      all_.insert(all_.end(), edit.begin(), edit.end());
    else
      refusal_ = inverse.error().what;
    return *this;
  }
  void refuse(const Text& why) {
    if (refusal_.empty()) refusal_ = why;
  }
  const Edit& edit() const { return all_; }
  bool ok() const { return refusal_.empty(); }
  const Text& refusal() const { return refusal_; }

 private:
  GraphDoc doc_;
  Edit all_;
  Text refusal_;
};

}  // namespace nw::ui
