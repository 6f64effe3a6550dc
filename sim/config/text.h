// UTF-8 text as files hold it and as messages show it. Internal to sim/config.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "absl/strings/string_view.h"
#include "sim/config/diagnostics.h"

namespace stepsim::sim::internal {

// Length in bytes of the UTF-8 character at `at`; 0 if the bytes there are none (RFC 3629: no overlong forms, surrogates).
size_t Utf8Length(absl::string_view text, size_t at);

// Control characters as \n, \x1b …; bytes that are not UTF-8 as \xff.
std::string Escaped(absl::string_view text);

// At most `bytes` of the text from `from` on, without cutting a character in two.
absl::string_view Part(absl::string_view text, size_t from, size_t bytes);

// The lines of a document, to make positions of it.
class LineTable {
 public:
  LineTable(absl::string_view text, std::string origin);
  // From a 0-based line and byte column. Columns of the result count characters.
  SourcePosition At(int line, int byte_column) const;
  SourcePosition AtOffset(size_t offset) const;
  size_t Offset(int line, int byte_column) const;
  absl::string_view text() const { return text_; }

 private:
  absl::string_view text_;
  std::string origin_;
  std::vector<size_t> starts_;
};

// Reports bytes that are not text: NUL and other control characters, invalid UTF-8; at the first place where one stands.
void CheckIsText(absl::string_view text, const LineTable& lines, Diagnostics* problems);

// Whether the quoted YAML scalar at `offset` (which its anchor or tag may precede) is never closed.
bool IsOpenQuote(absl::string_view text, size_t offset);

}  // namespace stepsim::sim::internal
