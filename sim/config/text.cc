#include "sim/config/text.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "sim/base/status.h"

namespace stepsim::sim::internal {
namespace {

// Long lines (a config.json without line breaks) are shown by the part around the position.
constexpr size_t kShownBefore = 60;
constexpr size_t kShownLine = 120;

unsigned char ByteAt(absl::string_view text, size_t at) { return static_cast<unsigned char>(text[at]); }
bool IsContinuation(absl::string_view text, size_t at) { return (ByteAt(text, at) & 0xC0) == 0x80; }

bool IsControl(unsigned char byte) { return (byte < 0x20 && byte != '\t' && byte != '\n' && byte != '\r') || byte == 0x7F; }

size_t CountCharacters(absl::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

}  // namespace

size_t Utf8Length(absl::string_view text, size_t at) {
  const unsigned char lead = ByteAt(text, at);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xC2 && lead <= 0xDF ? 2 : lead >= 0xE0 && lead <= 0xEF ? 3 : lead >= 0xF0 && lead <= 0xF4 ? 4 : 0;
  if (length == 0 || at + length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if (!IsContinuation(text, at + i)) return 0;
  }
  const unsigned char second = ByteAt(text, at + 1);
  const bool overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
  const bool surrogate = lead == 0xED && second >= 0xA0;
  const bool beyond_unicode = lead == 0xF4 && second >= 0x90;
  return overlong || surrogate || beyond_unicode ? 0 : length;
}

std::string Escaped(absl::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    const size_t length = Utf8Length(text, i);
    const unsigned char byte = ByteAt(text, i);
    if (byte == '\n') {
      out += "\\n";
    } else if (byte == '\t') {
      out += "\\t";
    } else if (length == 0 || IsControl(byte) || byte == '\r') {
      absl::StrAppendFormat(&out, "\\x%02x", static_cast<int>(byte));
    } else {
      absl::StrAppend(&out, text.substr(i, length));
    }
    i += std::max<size_t>(length, 1);
  }
  return out;
}

absl::string_view Part(absl::string_view text, size_t from, size_t bytes) {
  from = std::min(from, text.size());
  while (from > 0 && from < text.size() && IsContinuation(text, from)) --from;
  size_t end = std::min(text.size(), from + bytes);
  while (end > from && end < text.size() && IsContinuation(text, end)) --end;
  return text.substr(from, end - from);
}

LineTable::LineTable(absl::string_view text, std::string origin) : text_(text), origin_(std::move(origin)) {
  starts_.push_back(0);
  for (size_t at = text.find('\n'); at != absl::string_view::npos; at = text.find('\n', at + 1)) starts_.push_back(at + 1);
}

SourcePosition LineTable::At(int line, int byte_column) const {
  const size_t index = std::min(static_cast<size_t>(std::max(line, 0)), starts_.size() - 1);
  const size_t end = index + 1 < starts_.size() ? starts_[index + 1] - 1 : text_.size();
  absl::string_view whole = text_.substr(starts_[index], end - starts_[index]);
  if (!whole.empty() && whole.back() == '\r') whole.remove_suffix(1);
  const size_t column = std::min(static_cast<size_t>(std::max(byte_column, 0)), whole.size());
  const size_t from = whole.size() <= kShownLine || column <= kShownBefore ? 0 : column - kShownBefore;
  const absl::string_view part = Part(whole, from, kShownLine);
  // Part may begin earlier than asked, at the start of a character.
  const size_t first = static_cast<size_t>(part.data() - whole.data());
  SourcePosition position;
  position.origin = origin_;
  position.line = static_cast<int>(index) + 1;
  // Counting from the start would cost the square of a long line; there the column counts bytes.
  const size_t before = first == 0 ? 0 : first;
  position.line_text_column = static_cast<int>(before) + 1;
  position.column = static_cast<int>(before + CountCharacters(whole.substr(first, column - first))) + 1;
  position.line_text = ToString(part);
  return position;
}

SourcePosition LineTable::AtOffset(size_t offset) const {
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto index = static_cast<size_t>(after - starts_.begin()) - 1;
  return At(static_cast<int>(index), static_cast<int>(offset - starts_[index]));
}

size_t LineTable::Offset(int line, int byte_column) const {
  const size_t index = std::min(static_cast<size_t>(std::max(line, 0)), starts_.size() - 1);
  return std::min(starts_[index] + static_cast<size_t>(std::max(byte_column, 0)), text_.size());
}

bool IsOpenQuote(absl::string_view text, size_t offset) {
  while (offset < text.size() && (text[offset] == '&' || text[offset] == '!')) {
    offset = text.find_first_of(" \t\n", offset);
    offset = text.find_first_not_of(" \t\r\n", std::min(offset, text.size()));
  }
  if (offset >= text.size() || (text[offset] != '"' && text[offset] != '\'')) return false;
  const char quote = text[offset];
  for (size_t i = offset + 1; i < text.size(); ++i) {
    const bool escapes = quote == '"' ? text[i] == '\\' : text.substr(i, 2) == "''";
    if (escapes) {
      ++i;
    } else if (text[i] == quote) {
      return false;
    }
  }
  return true;
}

void CheckIsText(absl::string_view text, const LineTable& lines, Diagnostics* problems) {
  for (size_t i = 0; i < text.size();) {
    const size_t length = Utf8Length(text, i);
    const unsigned char byte = ByteAt(text, i);
    // A return alone is a line break to some readers and none to others.
    const bool lone_return = byte == '\r' && text.substr(i, 2) != "\r\n";
    if (length == 0 || lone_return || IsControl(byte)) {
      const char* what = byte == 0 ? "a NUL byte" : length == 0 ? "a byte that is not UTF-8" : "a control character";
      problems->Add(lines.AtOffset(i), absl::StrFormat("expected UTF-8 text, found %s (0x%02x): not a YAML or JSON file",
                                                       what, static_cast<int>(byte)));
      return;
    }
    i += length;
  }
}

}  // namespace stepsim::sim::internal
