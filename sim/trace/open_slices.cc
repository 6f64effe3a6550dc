#include "sim/trace/open_slices.h"

#include "sim/base/check.h"

namespace stepsim::sim {

void OpenSlices::Push(Time begin, Time end, const char* track) {
  SIM_CHECK(begin >= last_begin_) << "track " << track << ": a slice begins at " << begin.picoseconds()
                                  << " ps, before the one recorded earlier (" << last_begin_.picoseconds()
                                  << " ps)";
  SIM_CHECK(end >= begin) << "track " << track << ": a slice begins at " << begin.picoseconds()
                          << " ps and ends at " << end.picoseconds() << " ps";
  SIM_CHECK(empty() || end <= InnermostEnd())
      << "track " << track << ": the slice " << begin.picoseconds() << " … " << end.picoseconds()
      << " ps reaches beyond the one around it, which ends at " << InnermostEnd().picoseconds() << " ps";
  last_begin_ = begin;
  ends_.push_back(end);
}

}  // namespace stepsim::sim
