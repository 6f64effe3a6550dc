// Texts that are written once and referred to by number afterwards. Numbers start at 1 and are given in order
// of first use, so they do not depend on hashing.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/string_view.h"
#include "sim/trace/byte_buffer.h"

namespace stepsim::sim {

class InternedStrings {
 public:
  // field: of InternedData, to which the entries belong.
  explicit InternedStrings(uint32_t field) : field_(field) {}

  // The number of a text; a new one adds its entry to `interned_data`.
  uint64_t Number(absl::string_view text, ByteBuffer& interned_data);

  // The same for texts in static storage, remembered by address.
  uint64_t NumberOfStatic(const char* text, ByteBuffer& interned_data) {
    Remembered& slot = remembered_[(reinterpret_cast<uintptr_t>(text) >> 2) % remembered_.size()];
    if (slot.text != text) slot = {text, Number(text, interned_data)};
    return slot.number;
  }

 private:
  struct Remembered {
    const char* text = nullptr;
    uint64_t number = 0;
  };

  uint32_t field_;
  absl::flat_hash_map<std::string, uint64_t> numbers_;
  std::array<Remembered, 64> remembered_;
};

}  // namespace stepsim::sim
