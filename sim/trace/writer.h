// Turns records into one file format. Any number of writers may listen to one run.
#pragma once

#include <memory>
#include <ostream>
#include <string>

#include "absl/status/statusor.h"
#include "sim/base/registry.h"
#include "sim/trace/record.h"

namespace stepsim::sim {

class TraceWriter {
 public:
  virtual ~TraceWriter() = default;
  virtual void Slice(const SliceRecord& slice) = 0;
  virtual void Counter(const CounterRecord& counter) = 0;
  // Flushes; records after this are an error.
  virtual absl::Status Finish() = 0;
};

// Writes to `out`, which must outlive the writer; the header is written at once.
using TraceWriterFactory = std::unique_ptr<TraceWriter> (*)(const TraceHeader& header, std::ostream& out);

// Formats by file suffix (".pftrace").
const Registry<TraceWriterFactory>& TraceWriters();

}  // namespace stepsim::sim
