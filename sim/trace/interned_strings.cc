#include "sim/trace/interned_strings.h"

#include "sim/base/status.h"
#include "sim/trace/perfetto_fields.h"

namespace stepsim::sim {

uint64_t InternedStrings::Number(absl::string_view text, ByteBuffer& interned_data) {
  if (auto found = numbers_.find(text); found != numbers_.end()) return found->second;
  const uint64_t number = numbers_.size() + 1;
  numbers_.emplace(ToString(text), number);
  PbfWriter data(interned_data);
  PbfWriter entry(data, field_);
  entry.add_uint64(perfetto::InternedEntry::kIid, number);
  entry.add_bytes(perfetto::InternedEntry::kText, text.data(), text.size());
  return number;
}

}  // namespace stepsim::sim
