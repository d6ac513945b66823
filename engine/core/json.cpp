// SPDX-License-Identifier: Apache-2.0
#include "engine/core/json.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace nw {
namespace {

/// Iterates over the text and passes the position to the handler.
struct Counted {
  using iterator_category = std::forward_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;
  const char* at = nullptr;
  const char** reached = nullptr;
  reference operator*() const { return *at; }
  Counted& operator++() {
    *reached = ++at;
    return *this;
  }
  Counted operator++(int) {
    Counted old = *this;
    ++*this;
    return old;
  }
  bool operator==(const Counted& other) const { return at == other.at; }
};

/// "lenet5.netwright:3:14"
std::string place(std::string_view where, std::string_view text, std::size_t at) {
  const std::string_view before = text.substr(0, std::min(at, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t start = before.rfind('\n');
  const std::size_t column = before.size() - (start == before.npos ? 0 : start + 1);
  return fmt::format("{}:{}:{}", where, line, std::max<std::size_t>(column, 1));
}

/// Estimates of the memory that values take: the allocations of nlohmann::json with the heap's overhead; a growing list
/// holds up to twice its values.
constexpr std::size_t value_bytes = 32, container_bytes = 64, text_bytes = 48, member_bytes = 112;

/// Builds the document and rejects what the library accepts: duplicate keys, deep nesting, huge strings, and more
/// memory than allowed.
class StrictBuilder final : public nlohmann::json_sax<Json> {
 public:
  explicit StrictBuilder(const JsonLimits& limits) : limits_(limits) {}
  bool null() override { return put(nullptr); }
  bool boolean(bool v) override { return put(v); }
  bool number_integer(std::int64_t v) override { return put(v); }
  bool number_unsigned(std::uint64_t v) override { return put(v); }
  bool number_float(double v, const std::string&) override { return put(v); }
  bool string(std::string& v) override {
    return short_enough(v) && (skips() || charge(text_bytes + v.size())) && put(std::move(v));
  }
  bool binary(Json::binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    if (!short_enough(name)) return false;
    if (skipped_depth_ > 0) return true;
    const auto& skipped = limits_.skipped_keys;
    skips_next_ = std::find(skipped.begin(), skipped.end(), name) != skipped.end();
    if (skips_next_) return true;
    if (stack_.back()->contains(name)) return refuse(text(NW_TR("the key \"{0}\" occurs twice"), name));
    if (!charge(member_bytes + name.size())) return false;
    key_ = std::move(name);
    return true;
  }
  bool parse_error(std::size_t, const std::string& token, const Json::exception&) override {
    return refuse(text(NW_TR("this is not valid JSON, near \"{0}\""),
                       token.substr(token.size() - std::min<std::size_t>(token.size(), 40))));
  }
  Json take() { return std::move(root_); }
  const Text& why() const { return why_; }

 private:
  bool refuse(Text why) {
    why_ = std::move(why);
    return false;
  }
  bool short_enough(const std::string& s) {
    return s.size() <= limits_.string_bytes ||
           refuse(text(NW_TR("a text is longer than {0} bytes"), limits_.string_bytes));
  }
  Json* place_value(Json value) {
    if (stack_.empty()) return &(root_ = std::move(value));
    Json& top = *stack_.back();
    if (top.is_object()) return &(top[key_] = std::move(value));
    top.push_back(std::move(value));
    return &top.back();
  }
  /// Counts memory before it is taken.
  bool charge(std::size_t bytes) {
    memory_ += bytes;
    return memory_ <= limits_.memory_bytes ||
           refuse(text(NW_TR("more than {0} MiB of memory are needed to read it"), limits_.memory_bytes >> 20));
  }
  bool skips() const { return skips_next_ || skipped_depth_ > 0; }
  bool put(Json value) {
    if (std::exchange(skips_next_, false) || skipped_depth_ > 0) return true;
    if (!charge(value_bytes)) return false;
    place_value(std::move(value));
    return true;
  }
  bool open(Json container) {
    if (static_cast<int>(stack_.size()) + skipped_depth_ >= limits_.depth)
      return refuse(text(NW_TR("nested deeper than {0} levels"), limits_.depth));
    if (std::exchange(skips_next_, false) || skipped_depth_ > 0) {
      ++skipped_depth_;
      return true;
    }
    if (!charge(value_bytes + container_bytes)) return false;
    stack_.push_back(place_value(std::move(container)));
    return true;
  }
  bool close() {
    if (skipped_depth_ > 0)
      --skipped_depth_;
    else
      stack_.pop_back();
    return true;
  }

  const JsonLimits limits_;
  Json root_;
  std::vector<Json*> stack_;
  std::string key_;
  std::size_t memory_ = 0;
  bool skips_next_ = false;  // the value of a skipped key comes next
  int skipped_depth_ = 0;    // containers open within such a value
  Text why_;
};

}  // namespace

Result<Json> parse_json(std::string_view source, std::string_view where, const JsonLimits& limits) {
  if (source.size() > limits.bytes)
    return fail(Errc::bad_input, NW_TR("{0} holds {1} bytes; at most {2} are read"), where, source.size(),
                limits.bytes);
  const char* reached = source.data();
  const char* const end = source.data() + source.size();
  StrictBuilder builder(limits);
  try {
    if (Json::sax_parse(Counted{source.data(), &reached}, Counted{end, &reached}, &builder, Json::input_format_t::json,
                        true))
      return builder.take();
  } catch (const std::bad_alloc&) { throw; } catch (const std::exception& e) {
    return fail(Errc::bad_input, NW_TR("{0}: {1}"), where, e.what());
  }
  const std::string at = place(where, source, static_cast<std::size_t>(reached - source.data()));
  return fail(Errc::bad_input, NW_TR("{0}: {1}"), at, builder.why().str());
}

std::string canonical(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

JsonReader::JsonReader(const Json& json, std::string where) : json_(json), where_(std::move(where)) {
  if (!json_.is_object()) first_ = fail(Errc::bad_input, NW_TR("{0} must be an object"), where_);
}

bool JsonReader::has(std::string_view key) const { return json_.is_object() && json_.contains(key); }

void JsonReader::problem(const Text& what) {
  if (!first_) first_ = fail(Errc::bad_input, NW_TR("{0} {1}"), where_, what.str());
}

Status JsonReader::status() const {
  if (first_) return *first_;
  return {};
}

const Json* JsonReader::find(std::string_view key, bool required) {
  if (first_) return nullptr;
  const auto it = json_.find(key);
  if (it != json_.end()) return &*it;
  if (required) first_ = fail(Errc::bad_input, NW_TR("{0}.{1} is missing"), where_, key);
  return nullptr;
}

void JsonReader::wrong(std::string_view key, const Text& what) {
  first_ = fail(Errc::bad_input, NW_TR("{0}.{1} {2}"), where_, key, what.str());
}

std::int64_t JsonReader::number(std::string_view key, bool required, std::int64_t otherwise, std::int64_t lo,
                                std::int64_t hi) {
  const Json* value = find(key, required);
  if (!value) return otherwise;
  const bool fits =
      value->is_number_integer() && !(value->is_number_unsigned() && value->get<std::uint64_t>() > INT64_MAX);
  if (fits && value->get<std::int64_t>() >= lo && value->get<std::int64_t>() <= hi) return value->get<std::int64_t>();
  wrong(key, text(NW_TR("must be a whole number from {0} to {1}"), lo, hi));
  return otherwise;
}

std::int64_t JsonReader::integer(std::string_view key, std::int64_t lo, std::int64_t hi) {
  return number(key, true, lo, lo, hi);
}
std::int64_t JsonReader::integer_or(std::string_view key, std::int64_t otherwise, std::int64_t lo, std::int64_t hi) {
  return number(key, false, otherwise, lo, hi);
}

double JsonReader::real(std::string_view key) {
  const Json* value = find(key, true);
  if (!value) return 0;
  if (value->is_number() && std::isfinite(value->get<double>())) return value->get<double>();
  wrong(key, text(NW_TR("must be a number")));
  return 0;
}
double JsonReader::real_or(std::string_view key, double otherwise) { return has(key) ? real(key) : otherwise; }

bool JsonReader::boolean_or(std::string_view key, bool otherwise) {
  const Json* value = find(key, false);
  if (!value) return otherwise;
  if (value->is_boolean()) return value->get<bool>();
  wrong(key, text(NW_TR("must be true or false")));
  return otherwise;
}

std::string JsonReader::string(std::string_view key) {
  const Json* value = find(key, true);
  if (!value) return {};
  if (value->is_string()) return value->get<std::string>();
  wrong(key, text(NW_TR("must be a string")));
  return {};
}
std::string JsonReader::string_or(std::string_view key, std::string otherwise) {
  return has(key) ? string(key) : std::move(otherwise);
}

const Json* JsonReader::child(std::string_view key, Json::value_t type) {
  const Json* value = find(key, false);
  if (!value || value->type() == type) return value;
  wrong(key, type == Json::value_t::array ? text(NW_TR("must be a list"))
                                          : text(NW_TR("must be of type {0}"), Json(type).type_name()));
  return nullptr;
}

}  // namespace nw
