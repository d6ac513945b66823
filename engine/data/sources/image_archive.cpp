// SPDX-License-Identifier: Apache-2.0
// An image folder inside an archive. The archive is read two or three times from front to back: for the names, for the
// first readable image if no size was chosen, and for all images, which other threads decode while the next ones are
// unpacked.
#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>
#include <unordered_map>

#include "engine/data/dataset.hpp"
#include "engine/data/sources/archive_index.hpp"
#include "engine/data/sources/image_list.hpp"
#include "engine/parallel/first_exception.hpp"
#include "engine/parallel/team.hpp"

namespace nw {
namespace {

/// The index of each image in a list, by its entry number in the archive.
class Places {
 public:
  explicit Places(const std::vector<ImageEntry>& items) : items_(items) {
    for (std::size_t i = 0; i < items.size(); ++i) by_entry_[items[i].entry] = i;
  }
  std::size_t size() const { return items_.size(); }
  std::optional<std::size_t> of(std::uint64_t ordinal) const {
    const auto found = by_entry_.find(ordinal);
    return found == by_entry_.end() ? std::nullopt : std::optional(found->second);
  }
  /// Empty also if the archive has changed in the meantime.
  std::optional<std::size_t> of(const ArchiveEntry& e) const {
    const auto at = e.is_folder ? std::nullopt : of(e.ordinal);
    return at && items_[*at].name.ends_with(": " + e.name) ? at : std::nullopt;
  }

 private:
  const std::vector<ImageEntry>& items_;
  std::unordered_map<std::uint64_t, std::size_t> by_entry_;
};

/// Tries images until the first readable one of the list is known.
class FirstReadable final : public ArchiveVisitor {
 public:
  FirstReadable(const Places& places, const std::function<bool(std::size_t, const Result<std::string>&)>& readable)
      : places_(places), readable_(readable), best_(places.size()) {}
  bool wants(const ArchiveEntry& e) override {
    const auto at = places_.of(e);
    return at && *at < best_;
  }
  void take(const ArchiveEntry& e, std::string bytes) override {
    const std::size_t i = *places_.of(e);
    if (readable_(i, std::move(bytes))) best_ = i;
  }
  void left_out(std::uint64_t ordinal, const Text& why) override {
    if (const auto at = places_.of(ordinal)) (void)readable_(*at, Error{Errc::bad_input, why});
  }
  bool enough() const override { return best_ == 0; }

 private:
  const Places& places_;
  const std::function<bool(std::size_t, const Result<std::string>&)>& readable_;
  std::size_t best_;
};

/// The queue of unpacked images for the threads that decode them. When it reaches its memory limit, unpacking waits.
class EntryDispatcher final : public ArchiveVisitor {
 public:
  /// `thrown`: keeps what `take` throws in other threads.
  EntryDispatcher(const Places& places, const std::function<void(std::size_t, Result<std::string>)>& take,
                  FirstException& thrown)
      : places_(places), take_(take), thrown_(thrown) {
    workers_ = start_some_threads(default_threads(0), [this] { work(); });
  }
  ~EntryDispatcher() override {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    more_.notify_all();
  }
  EntryDispatcher(const EntryDispatcher&) = delete;
  EntryDispatcher& operator=(const EntryDispatcher&) = delete;

  bool wants(const ArchiveEntry& e) override { return places_.of(e).has_value(); }
  void take(const ArchiveEntry& e, std::string bytes) override {
    if (workers_.empty()) return take_(*places_.of(e), std::move(bytes));
    std::unique_lock lock(mutex_);
    less_.wait(lock, [&] { return waiting_bytes_ == 0 || waiting_bytes_ + bytes.size() <= most_waiting_bytes; });
    waiting_bytes_ += bytes.size() + 1;
    waiting_.emplace_back(*places_.of(e), std::move(bytes));
    more_.notify_one();
  }
  void left_out(std::uint64_t ordinal, const Text& why) override {
    if (const auto at = places_.of(ordinal)) take_(*at, Error{Errc::bad_input, why});
  }

 private:
  static constexpr std::size_t most_waiting_bytes = std::size_t{64} << 20;

  void work() {
    for (std::unique_lock lock(mutex_);;) {
      more_.wait(lock, [&] { return done_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      auto [i, bytes] = std::move(waiting_.front());
      waiting_.pop_front();
      waiting_bytes_ -= bytes.size() + 1;
      lock.unlock();
      less_.notify_one();
      thrown_.keep([&, at = i, &image = bytes] { take_(at, std::move(image)); });
      lock.lock();
    }
  }

  const Places& places_;
  const std::function<void(std::size_t, Result<std::string>)>& take_;
  FirstException& thrown_;
  std::mutex mutex_;
  std::condition_variable more_, less_;
  std::deque<std::pair<std::size_t, std::string>> waiting_;
  std::size_t waiting_bytes_ = 0;
  bool done_ = false;
  std::vector<std::jthread> workers_;  // last member: joined before the others are destroyed
};

class ArchiveBytes final : public EncodedImages {
 public:
  ArchiveBytes(const ArchiveReader& reader, const fs::path& archive, const std::vector<ImageEntry>& items)
      : reader_(reader), archive_(archive), places_(items) {}
  Status find_first(const std::function<bool(std::size_t, const Result<std::string>&)>& readable) const override {
    FirstReadable first(places_, readable);
    return reader_.walk(archive_, {}, first);
  }
  Status each(const std::function<void(std::size_t, Result<std::string>)>& take) const override {
    FirstException thrown;
    Status walked;
    {
      EntryDispatcher handing(places_, take, thrown);
      walked = reader_.walk(archive_, {}, handing);
    }
    thrown.rethrow();
    return walked;
  }

 private:
  const ArchiveReader& reader_;
  const fs::path& archive_;
  Places places_;
};

/// The root of a set in an archive, and its name in messages.
struct Root {
  const FolderTree* tree = nullptr;
  std::string below;
};

Root child(const Root& at, const std::string& name) {
  const auto found = at.tree->folders.find(name);
  return found == at.tree->folders.end() ? Root{} : Root{&found->second, at.below + name + "/"};
}

/// Skips folders that contain only one folder of folders: photos.zip often contains photos/ with the classes.
Root inner_root(Root at) {
  while (at.tree->folders.size() == 1 && at.tree->images.empty() && at.tree->folders.begin()->second.images.empty() &&
         !at.tree->folders.begin()->second.folders.empty() && at.tree->folders.begin()->first != "train")
    at = child(at, at.tree->folders.begin()->first);
  return at;
}

Root first_child(const Root& at, const std::vector<const char*>& names) {
  for (const char* name : names)
    if (const Root found = child(at, name); found.tree) return found;
  return {};
}

std::string place_of(const fs::path& archive, const Root& root) {
  return archive.string() + (root.below.empty() ? "" : ": " + root.below.substr(0, root.below.size() - 1));
}

std::vector<ImageEntry> listed(const fs::path& archive, const Root& root, OpenedData& data) {
  const std::string where = place_of(archive, root);
  for (const std::string& name : class_names(*root.tree))
    if (!std::binary_search(data.classes.begin(), data.classes.end(), name))
      data.warnings.push_back(
          text(NW_TR("{0} is no class of the training images; its images are left out"), where + "/" + name));
  const auto name_of = [&](const std::string& below) { return archive.string() + ": " + root.below + below; };
  return list_images(*root.tree, data.classes, where, name_of, data.warnings);
}

Result<std::shared_ptr<MemoryDataset>> read_set(const ArchiveReader& reader, const fs::path& archive, const Root& root,
                                                const std::vector<ImageEntry>& images, ImageSize& size,
                                                OpenedData& data) {
  return read_images(images, ArchiveBytes(reader, archive, images), place_of(archive, root), data.classes, size, data);
}

}  // namespace

Result<OpenedData> open_image_archive(const fs::path& archive, const fs::path& test_archive, ImageSize size) {
  NW_ASSIGN(const ArchiveReader* reader, archive_reader());
  OpenedData data;
  ArchiveIndex index(archive.string(), data), test_index(test_archive.string(), data);
  NW_TRY(reader->walk(archive, {}, index));
  NW_TRY(index.status());
  if (!test_archive.empty()) NW_TRY(reader->walk(test_archive, {}, test_index));
  NW_TRY(test_index.status());
  const Root top = inner_root({&index.root(), ""}), train = child(top, "train"), train_root = train.tree ? train : top;
  Root test_root = train.tree ? first_child(top, {"test", "val", "valid"}) : Root{};
  if (!test_archive.empty()) test_root = inner_root({&test_index.root(), ""});
  data.classes = class_names(*train_root.tree);
  if (data.classes.empty())
    return fail(Errc::bad_input,
                NW_TR("{0}: has no class folders; put the images of each class into a folder named after it"),
                archive.string());
  std::vector<ImageEntry> images = listed(archive, train_root, data);
  const Root held = train.tree ? first_child(top, {"val", "valid"}) : Root{};
  if (held.tree && held.tree != test_root.tree)
    images = with_validation(std::move(images), listed(archive, held, data));
  NW_ASSIGN(const auto train_set, read_set(*reader, archive, train_root, images, size, data));
  data.train = train_set;
  data.validation_from = train_set->validation_from_;
  if (test_root.tree) {
    const fs::path& of_test = test_archive.empty() ? archive : test_archive;
    NW_ASSIGN(data.test, read_set(*reader, of_test, test_root, listed(of_test, test_root, data), size, data));
  }
  count_the_rest(data);
  data.description = archive.filename().string();
  data.place = archive.string();
  return data;
}

}  // namespace nw
