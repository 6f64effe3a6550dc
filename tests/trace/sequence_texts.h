// The interned texts of one packet sequence, as a reader of the trace keeps them.
#pragma once

#include <array>
#include <map>
#include <set>
#include <string>

#include "tests/trace/perfetto_test.pb.h"

namespace stepsim::sim {

class SequenceTexts {
 public:
  enum Kind { kCategory, kName, kArgName, kText, kNumKinds };

  bool begun() const { return begun_; }
  void Begin();  // forgets everything
  // Appends what is wrong to `problems`.
  void Add(const perfetto_test::InternedData& data, std::vector<std::string>& problems);
  // Empty, and a problem, if the number is unknown.
  std::string Find(Kind kind, uint64_t iid, std::vector<std::string>& problems) const;

 private:
  void Add(Kind kind, const perfetto_test::Interned& entry, std::vector<std::string>& problems);

  bool begun_ = false;
  std::array<std::map<uint64_t, std::string>, kNumKinds> by_iid_;
  std::array<std::set<std::string>, kNumKinds> texts_;
};

}  // namespace stepsim::sim
