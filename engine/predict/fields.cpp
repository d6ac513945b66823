// SPDX-License-Identifier: Apache-2.0
#include "engine/predict/fields.hpp"

#include <algorithm>
#include <set>

#include "engine/design/project_file.hpp"

namespace nw::protocol {
namespace {

class Writer : public Fields {
 public:
  explicit Writer(Json& out) : out_(out) {}
  void text(const FieldName& f, std::string& v) override { out_[f.name] = v; }
  void choice(const FieldName& f, std::string& v, const std::vector<std::string>&) override { out_[f.name] = v; }
  void integer(const FieldName& f, std::int64_t& v, std::int64_t, std::int64_t) override { out_[f.name] = v; }
  void texts(const FieldName& f, std::vector<std::string>& v, std::size_t) override { out_[f.name] = v; }
  void integers(const FieldName& f, std::vector<std::int64_t>& v, std::size_t) override { out_[f.name] = v; }
  void samples(const FieldName& f, std::vector<StoredSample>& v, std::size_t) override {
    Json& list = out_[f.name] = Json::array();
    for (const StoredSample& s : v) list.push_back({{"index", s.index}, {"test_set", s.test_set}});
  }
  void data(const FieldName& f, DataChoice& v) override { out_[f.name] = to_json(v); }
  void settings(const FieldName& f, TrainSettings& v) override { out_[f.name] = to_json(v); }
  void project(const FieldName& f, Json& v) override { out_[f.name] = v; }

 private:
  Json& out_;
};

std::string joined(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& w : words) all += (all.empty() ? "" : ", ") + w;
  return all;
}

/// Stores the first error; later members are left unchanged.
class Reader : public Fields {
 public:
  explicit Reader(const Json& in) : in_(in) {}

  void text(const FieldName& f, std::string& v) override {
    const Json* found = find(f);
    if (!found) return;
    if (!found->is_string()) return refuse(fail(Errc::bad_input, NW_TR("\"{0}\" of the request is not text"), f.name));
    v = found->get<std::string>();
  }
  void choice(const FieldName& f, std::string& v, const std::vector<std::string>& words) override {
    text(f, v);
    if (first_ || std::find(words.begin(), words.end(), v) != words.end()) return;
    refuse(
        fail(Errc::bad_input, NW_TR("\"{0}\" of the request is \"{1}\"; possible are {2}"), f.name, v, joined(words)));
  }
  void integer(const FieldName& f, std::int64_t& v, std::int64_t lo, std::int64_t hi) override {
    const Json* found = find(f);
    if (!found) return;
    // unsigned numbers above the range of int64 would become negative
    const bool fits = found->is_number_integer() && !(found->is_number_unsigned() && found->get<std::int64_t>() < 0);
    const std::int64_t value = fits ? found->get<std::int64_t>() : 0;
    if (!fits || value < lo || value > hi)
      return refuse(
          fail(Errc::bad_input, NW_TR("\"{0}\" of the request is not an integer from {1} to {2}"), f.name, lo, hi));
    v = value;
  }
  void texts(const FieldName& f, std::vector<std::string>& v, std::size_t most) override {
    list(f, most, [&](const Json& each) {
      if (each.is_string()) v.push_back(each.get<std::string>());
      return each.is_string();
    });
  }
  void integers(const FieldName& f, std::vector<std::int64_t>& v, std::size_t most) override {
    list(f, most, [&](const Json& each) {
      if (each.is_number_integer()) v.push_back(each.get<std::int64_t>());
      return each.is_number_integer();
    });
  }
  void samples(const FieldName& f, std::vector<StoredSample>& v, std::size_t most) override {
    list(f, most, [&](const Json& each) {
      JsonReader reader(each, "request");
      const bool test_set = reader.boolean_or("test_set", false);
      const std::int64_t index = reader.integer("index", 0, std::int64_t{1} << 40);
      if (!reader.status()) return false;
      v.push_back({index, test_set});
      return true;
    });
  }
  void data(const FieldName& f, DataChoice& v) override {
    if (const Json* found = find(f)) take(data_from_json(*found, "request"), v);
  }
  void settings(const FieldName& f, TrainSettings& v) override {
    if (const Json* found = find(f)) take(settings_from_json(*found, "request"), v);
  }
  void project(const FieldName& f, Json& v) override {
    const Json* found = find(f);
    if (!found) return;
    if (!found->is_object())
      return refuse(fail(Errc::bad_input, NW_TR("\"{0}\" of the request is not a project"), f.name));
    v = *found;
  }

  Status status() const {
    if (first_) return *first_;
    for (const auto& [key, value] : in_.items())
      if (!known_.contains(key))
        return fail(Errc::bad_input, NW_TR("The request has a field \"{0}\", which this operation does not have"), key);
    return {};
  }

 private:
  const Json* find(const FieldName& f) {
    known_.insert(f.name);
    if (first_) return nullptr;
    const auto found = in_.find(f.name);
    if (found != in_.end()) return &*found;
    if (f.need == Need::required) refuse(fail(Errc::bad_input, NW_TR("The request has no \"{0}\""), f.name));
    return nullptr;
  }
  void refuse(Error error) {
    if (!first_) first_ = std::move(error);
  }
  template <class T>
  void take(Result<T> made, T& v) {
    if (!made) return refuse(made.error());
    v = *std::move(made);
  }
  template <class Take>
  void list(const FieldName& f, std::size_t most, Take one) {
    const Json* found = find(f);
    if (!found) return;
    if (!found->is_array() || found->size() > most || !std::all_of(found->begin(), found->end(), one))
      refuse(fail(Errc::bad_input, NW_TR("\"{0}\" of the request is not a list of at most {1} valid entries"), f.name,
                  most));
  }

  const Json& in_;
  std::set<std::string> known_{"id", "do"};
  std::optional<Error> first_;
};

class Lister : public Fields {
 public:
  std::vector<FieldRow> rows;
  void text(const FieldName& f, std::string& v) override { add(f, "text", '"' + v + '"'); }
  void choice(const FieldName& f, std::string& v, const std::vector<std::string>& words) override {
    add(f, "one of " + joined(words), '"' + v + '"');
  }
  void integer(const FieldName& f, std::int64_t& v, std::int64_t lo, std::int64_t hi) override {
    add(f, "integer, " + std::to_string(lo) + " to " + std::to_string(hi), std::to_string(v));
  }
  void texts(const FieldName& f, std::vector<std::string>&, std::size_t most) override { list(f, "texts", most); }
  void integers(const FieldName& f, std::vector<std::int64_t>&, std::size_t most) override {
    list(f, "integers", most);
  }
  void samples(const FieldName& f, std::vector<StoredSample>&, std::size_t most) override {
    list(f, "objects with \"index\" and \"test_set\"", most);
  }
  void data(const FieldName& f, DataChoice&) override { add(f, "data, as in a project file", "none"); }
  void settings(const FieldName& f, TrainSettings&) override { add(f, "settings, as in a project file", "none"); }
  void project(const FieldName& f, Json&) override { add(f, "a project file's content", "none"); }

 private:
  void add(const FieldName& f, std::string type, std::string fallback) {
    rows.push_back({f.name, std::move(type), f.need == Need::optional ? std::move(fallback) : "", f.what});
  }
  void list(const FieldName& f, const std::string& of, std::size_t most) {
    add(f, "list of at most " + std::to_string(most) + " " + of, "empty");
  }
};

}  // namespace

Json write_fields(const char* operation, const Visit& visit) {
  Json out{{"do", operation}};
  Writer writer(out);
  visit(writer);
  return out;
}

Status read_fields(const Json& message, const Visit& visit) {
  if (!message.is_object()) return fail(Errc::bad_input, NW_TR("A request is a JSON object"));
  Reader reader(message);
  visit(reader);
  return reader.status();
}

Json cancel_message(std::int64_t id) { return Json{{"do", "cancel"}, {"id", id}}; }

std::vector<FieldRow> list_fields(const Visit& visit) {
  Lister lister;
  visit(lister);
  return std::move(lister.rows);
}

}  // namespace nw::protocol
