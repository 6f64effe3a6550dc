// A rank as the world keeps it: the state up to which everything is certain, and how far it has run ahead of that.
#pragma once

#include "sim/device/rank_executor.h"
#include "sim/engine/event.h"

namespace stepsim::sim {

class TraceBuffer;

struct RankSlot {
  const RankExecutor* executor = nullptr;
  int32_t role = 0;           // row of the world's roles
  RankState certain;          // at the last moment something from outside happened
  RankState ahead;            // run ahead from it to the arrival below
  RankExecutor::Tables tables;
  RankArrival arrival;
  EventHandle event;          // of that arrival
  bool dirty = true;          // must run ahead again before the clock moves on
  int32_t next_footprint = 0;  // class of what is resident from this instant on
  // What happened from outside at this instant, by stream.
  uint8_t ended = 0;          // collectives that ended
  uint8_t began_transfer = 0;  // collectives that began to move bytes
  std::array<int32_t, kMaxStreams> communicator_on;  // of the resident collective; -1: none
  TraceBuffer* trace = nullptr;
};

}  // namespace stepsim::sim
