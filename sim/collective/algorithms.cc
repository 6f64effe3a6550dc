#include "sim/collective/algorithms.h"

namespace stepsim::sim {

const Registry<const CollectiveAlgorithm* (*)()>& CollectiveAlgorithms() {
  static const auto* registry = new Registry<const CollectiveAlgorithm* (*)()>(
      "collective algorithm",
      {
          {"ring", "NCCL's ring: all-reduce, all-gather, reduce-scatter, broadcast, reduce, barrier", &Ring},
          {"p2p", "direct transfers between pairs: all-to-all, send/recv", &PointToPoint},
      });
  return *registry;
}

}  // namespace stepsim::sim
