// The slices of one track that have begun and not yet ended, innermost last. Checks the promise of record.h:
// slices come in order of their begin and nest.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/base/units.h"

namespace stepsim::sim {

class OpenSlices {
 public:
  bool empty() const { return ends_.empty(); }
  Time InnermostEnd() const { return ends_.back(); }
  void Pop() { ends_.pop_back(); }
  // track: its name, for the message when the promise is broken.
  void Push(Time begin, Time end, const char* track);

 private:
  Time last_begin_;
  std::vector<Time> ends_;
};

}  // namespace stepsim::sim
