#include "sim/trace/perfetto_writer.h"
#include "sim/trace/writer.h"

namespace stepsim::sim {

const Registry<TraceWriterFactory>& TraceWriters() {
  static const Registry<TraceWriterFactory> registry(
      "trace format",
      {
          {".pftrace", "Perfetto protobuf, all traced ranks in one file; open in ui.perfetto.dev",
           &PerfettoWriter::Create},
      });
  return registry;
}

}  // namespace stepsim::sim
