// Field numbers of the few Perfetto messages that we write (protos/perfetto/trace/**, read at commit
// ec5d16b). The numbers are part of Perfetto's stable format.
#pragma once

#include <cstdint>

namespace stepsim::sim::perfetto {

struct Trace {
  enum : uint32_t { kPacket = 1 };
};

struct TracePacket {
  enum : uint32_t {
    kTimestamp = 8,  // nanoseconds
    kSequenceId = 10,
    kTrackEvent = 11,
    kInternedData = 12,
    kSequenceFlags = 13,
    kTrackDescriptor = 60,
    kTraceUuid = 89,
  };
};
struct SequenceFlags {
  enum : uint32_t { kIncrementalStateCleared = 1, kNeedsIncrementalState = 2 };
};

struct TraceUuid {
  enum : uint32_t { kMsb = 1, kLsb = 2 };
};

struct TrackDescriptor {
  enum : uint32_t {
    kUuid = 1,
    kName = 2,
    kProcess = 3,
    kThread = 4,
    kParentUuid = 5,
    kCounter = 8,
    kChildOrdering = 11,
    kSiblingOrderRank = 12,
    kProcessOrdering = 19,
    kThreadOrdering = 20,
  };
};
constexpr int32_t kChildOrderingExplicit = 3;
constexpr int32_t kProcessOrderingExplicit = 1;
constexpr int32_t kThreadOrderingExplicit = 1;

struct ProcessDescriptor {
  enum : uint32_t { kPid = 1, kProcessName = 6 };
};

struct ThreadDescriptor {
  enum : uint32_t { kPid = 1, kTid = 2, kThreadName = 5 };
};

struct CounterDescriptor {
  enum : uint32_t { kUnit = 3, kUnitName = 6 };
};
constexpr int32_t kUnitCount = 2;
constexpr int32_t kUnitBytes = 3;

struct TrackEvent {
  enum : uint32_t {
    kCategoryIids = 3,
    kDebugAnnotations = 4,
    kType = 9,
    kNameIid = 10,
    kTrackUuid = 11,
    kCounterValue = 30,
    kDoubleCounterValue = 44,
    kFlowIds = 47,
    kTerminatingFlowIds = 48,
  };
};
enum class EventType : int32_t { kSliceBegin = 1, kSliceEnd = 2, kInstant = 3, kCounter = 4 };

struct InternedData {
  enum : uint32_t {
    kEventCategories = 1,
    kEventNames = 2,
    kDebugAnnotationNames = 3,
    kDebugAnnotationStringValues = 29,
  };
};
// EventCategory, EventName, DebugAnnotationName and InternedString all look like this.
struct InternedEntry {
  enum : uint32_t { kIid = 1, kText = 2 };
};

struct DebugAnnotation {
  enum : uint32_t { kNameIid = 1, kInt = 4, kDouble = 5, kStringValueIid = 17 };
};

}  // namespace stepsim::sim::perfetto
