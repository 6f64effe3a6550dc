// A growing buffer that keeps its memory when it is emptied, made known to protozero. std::string does the
// same work but checks its capacity and writes a terminator at every byte, which shows at millions of slices
// a second.
#pragma once

#include <cstddef>
#include <cstring>
#include <vector>

#include "protozero/basic_pbf_writer.hpp"
#include "protozero/buffer_tmpl.hpp"

namespace stepsim::sim {

class ByteBuffer {
 public:
  const char* data() const { return bytes_.data(); }
  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  void Clear() { size_ = 0; }
  void Truncate(size_t size) { size_ = size; }
  char* At(size_t position) { return bytes_.data() + position; }

  void PushBack(char c) {
    if (size_ == bytes_.size()) Grow(1);
    bytes_[size_++] = c;
  }
  // Makes room for `count` more bytes, whose contents are undefined.
  char* Extend(size_t count) {
    if (bytes_.size() - size_ < count) Grow(count);
    size_ += count;
    return bytes_.data() + size_ - count;
  }
  void Append(const char* from, size_t count) {
    if (count > 0) std::memcpy(Extend(count), from, count);
  }
  // Removes the bytes [from, to).
  void Erase(size_t from, size_t to) {
    std::memmove(At(from), At(to), size_ - to);
    size_ -= to - from;
  }

 private:
  void Grow(size_t count);

  std::vector<char> bytes_;  // its size is the capacity
  size_t size_ = 0;
};

}  // namespace stepsim::sim

namespace protozero {

template <>
struct buffer_customization<stepsim::sim::ByteBuffer> {
  using Buffer = stepsim::sim::ByteBuffer;
  static std::size_t size(const Buffer* b) noexcept { return b->size(); }
  static void append(Buffer* b, const char* data, std::size_t count) { b->Append(data, count); }
  static void append_zeros(Buffer* b, std::size_t count) { std::memset(b->Extend(count), 0, count); }
  static void resize(Buffer* b, std::size_t size) { b->Truncate(size); }
  static void reserve_additional(Buffer*, std::size_t) {}  // it grows by doubling anyway
  static void erase_range(Buffer* b, std::size_t from, std::size_t to) { b->Erase(from, to); }
  static char* at_pos(Buffer* b, std::size_t position) { return b->At(position); }
  static void push_back(Buffer* b, char c) { b->PushBack(c); }
};

}  // namespace protozero

namespace stepsim::sim {
using PbfWriter = protozero::basic_pbf_writer<ByteBuffer>;
}  // namespace stepsim::sim
