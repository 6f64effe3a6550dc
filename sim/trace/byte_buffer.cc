#include "sim/trace/byte_buffer.h"

#include <algorithm>

namespace stepsim::sim {

void ByteBuffer::Grow(size_t count) {
  constexpr size_t kSmallest = 256;
  bytes_.resize(std::max({kSmallest, 2 * bytes_.size(), size_ + count}));
}

}  // namespace stepsim::sim
