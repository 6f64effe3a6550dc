// Typed indices: a LinkId cannot index a table of ranks. -1 (the default) is "none".
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

namespace stepsim::sim {

template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  explicit constexpr Id(int32_t value) : value_(value) {}
  constexpr int32_t value() const { return value_; }
  constexpr bool valid() const { return value_ >= 0; }
  constexpr auto operator<=>(const Id&) const = default;
  template <typename H>
  friend H AbslHashValue(H h, const Id& id) {
    return H::combine(std::move(h), id.value_);
  }

 private:
  int32_t value_ = -1;
};

// A vector that only its own id indexes.
template <class I, class T>
class IdVector {
 public:
  IdVector() = default;
  explicit IdVector(size_t n, T value = T()) : items_(n, std::move(value)) {}
  T& operator[](I id) { return items_[static_cast<size_t>(id.value())]; }
  const T& operator[](I id) const { return items_[static_cast<size_t>(id.value())]; }
  I push_back(T item) {
    items_.push_back(std::move(item));
    return I(static_cast<int32_t>(items_.size()) - 1);
  }
  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  bool contains(I id) const { return id.valid() && static_cast<size_t>(id.value()) < items_.size(); }
  void reserve(size_t n) { items_.reserve(n); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  T& back() { return items_.back(); }

 private:
  std::vector<T> items_;
};

using RankId = Id<struct RankTag>;            // training process, 0 … world size - 1
using GpuId = Id<struct GpuTag>;              // GPU of the platform
using NicId = Id<struct NicTag>;              // network port of the platform
using NodeId = Id<struct NodeTag>;            // host (server), not "vertex of a graph"
using LinkId = Id<struct LinkTag>;            // directed edge of the platform
using VertexId = Id<struct VertexTag>;        // anything that links join: GPU, PCIe switch, socket, memory, NIC, switch
using StreamId = Id<struct StreamTag>;        // in-order queue of a rank
using EventSlot = Id<struct EventSlotTag>;    // CUDA-like event of a rank
using KernelId = Id<struct KernelTag>;        // row of Program::kernels
using CollectiveId = Id<struct CollectiveTag>;  // row of Program::collectives
using LabelId = Id<struct LabelTag>;          // row of Program::labels
using GroupId = Id<struct GroupTag>;          // role of a process group within a program ("world", "shard", "replicate")
using CommunicatorId = Id<struct CommunicatorTag>;  // one concrete process group of the job

}  // namespace stepsim::sim

template <class Tag>
struct std::hash<stepsim::sim::Id<Tag>> {
  size_t operator()(const stepsim::sim::Id<Tag>& id) const { return std::hash<int32_t>()(id.value()); }
};
