// for i in 0 … n-1, on several threads when there are enough of them to pay. The body must not touch what another i does.
#pragma once

#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace stepsim::sim {

template <class Body>
void ParallelFor(size_t n, int threads, const Body& body) {
  constexpr size_t kChunk = 32;  // items a thread takes at a time: starting a thread costs some 20 us
  const size_t workers = std::min<size_t>(static_cast<size_t>(threads < 1 ? 1 : threads), n / (4 * kChunk));
  if (workers <= 1) {
    for (size_t i = 0; i < n; ++i) body(i);
    return;
  }
  std::atomic<size_t> next{0};
  const auto work = [&] {
    for (size_t begin = next.fetch_add(kChunk); begin < n; begin = next.fetch_add(kChunk)) {
      for (size_t i = begin; i < n && i < begin + kChunk; ++i) body(i);
    }
  };
  std::vector<std::thread> pool;
  for (size_t i = 1; i < workers; ++i) pool.emplace_back(work);
  work();
  for (std::thread& thread : pool) thread.join();
}

}  // namespace stepsim::sim
