#include "sim/program/check.h"

#include <set>

#include "absl/strings/str_cat.h"
#include "sim/base/status.h"

namespace stepsim::sim {
namespace {

absl::Status Fault(const Program& program, size_t op, absl::string_view what) {
  return absl::InternalError(absl::StrCat("program ", program.name, ", op ", op, ": ", what));
}

absl::Status CheckIndices(const Program& program) {
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    if (op.stream < 0 || static_cast<size_t>(op.stream) >= program.streams.size()) return Fault(program, i, "no such stream");
    if (op.host_ns < 0) return Fault(program, i, "negative host time");
    bool valid = true;
    switch (op.kind) {
      case OpKind::kKernel: valid = program.kernels.contains(KernelId(op.index)); break;
      case OpKind::kCollective: valid = program.collectives.contains(CollectiveId(op.index)); break;
      case OpKind::kRecord:
      case OpKind::kWait: valid = op.index >= 0 && op.index < program.num_event_slots; break;
      case OpKind::kRangeBegin:
      case OpKind::kRangeEnd: valid = program.labels.contains(LabelId(op.index)); break;
      case OpKind::kHostWork:
      case OpKind::kHostSync: break;
    }
    if (!valid) return Fault(program, i, "index outside its table");
  }
  for (const Collective& collective : program.collectives) {
    if (!program.groups.contains(collective.group)) return Fault(program, 0, "a collective of no group");
    if (!program.labels.contains(collective.label)) return Fault(program, 0, "a collective without label");
  }
  return absl::OkStatus();
}

absl::Status CheckEvents(const Program& program) {
  std::vector<bool> recorded(static_cast<size_t>(program.num_event_slots), false);
  std::vector<int32_t> ranges;
  for (size_t i = 0; i < program.ops.size(); ++i) {
    const Op& op = program.ops[i];
    if (op.kind == OpKind::kRecord) {
      if (recorded[static_cast<size_t>(op.index)]) return Fault(program, i, "event slot recorded twice");
      recorded[static_cast<size_t>(op.index)] = true;
    } else if (op.kind == OpKind::kWait) {
      if (!recorded[static_cast<size_t>(op.index)]) return Fault(program, i, "waits for an event that nobody recorded");
    } else if (op.kind == OpKind::kRangeBegin) {
      ranges.push_back(op.index);
    } else if (op.kind == OpKind::kRangeEnd) {
      if (ranges.empty() || ranges.back() != op.index) return Fault(program, i, "range ends that did not begin last");
      ranges.pop_back();
    }
  }
  if (!ranges.empty()) return Fault(program, program.ops.size(), "a range does not end");
  return absl::OkStatus();
}

absl::Status CheckMemory(const Program& program) {
  const MemoryProfile& memory = program.memory;
  std::array<int64_t, kNumMemoryParts> parts{};
  int64_t live = 0;
  for (size_t i = 0; i < parts.size(); ++i) {
    parts[i] = memory.persistent[i].count();
    live += parts[i];
  }
  const std::array<int64_t, kNumMemoryParts> start = parts;
  int64_t peak = live;
  int32_t last = 0;
  for (const MemoryEvent& event : memory.events) {
    const auto at = static_cast<size_t>(event.op);
    if (event.op < last || at >= program.ops.size()) return Fault(program, at, "memory event out of order");
    last = event.op;
    int64_t& part = parts[static_cast<size_t>(event.part)];
    part += event.delta;
    live += event.delta;
    if (part < 0) return Fault(program, at, absl::StrCat("frees more ", Name(event.part), " than there are"));
    peak = std::max(peak, live);
  }
  if (parts != start) return Fault(program, program.ops.size(), "memory does not end as it began");
  if (peak != memory.peak.count()) return Fault(program, program.ops.size(), "peak is not the largest sum of events");
  return absl::OkStatus();
}

absl::Status CheckTables(const Job& job) {
  const size_t ranks = job.role.size();
  if (job.gpu.size() != ranks || job.communicator_of.size() != ranks) {
    return absl::InternalError("tables by rank differ in length");
  }
  const std::set<GpuId> gpus(job.gpu.begin(), job.gpu.end());
  if (gpus.size() != ranks) return absl::InternalError("two ranks share a GPU");
  for (size_t rank = 0; rank < ranks; ++rank) {
    if (job.role[rank] < 0 || static_cast<size_t>(job.role[rank]) >= job.programs.size()) {
      return absl::InternalError(absl::StrCat("rank ", rank, " has no program"));
    }
    const Program& program = job.programs[static_cast<size_t>(job.role[rank])];
    if (job.communicator_of[rank].size() != program.groups.size()) {
      return absl::InternalError(absl::StrCat("rank ", rank, " has a group without communicator"));
    }
  }
  return absl::OkStatus();
}

// Collectives that a role issues on a group, in host order; equal ones have equal text.
std::vector<std::string> Issued(const Program& program, size_t group) {
  std::vector<std::string> issued;
  for (const Op& op : program.ops) {
    if (op.kind != OpKind::kCollective) continue;
    const Collective& c = program.collectives[CollectiveId(op.index)];
    if (c.group.value() != static_cast<int32_t>(group)) continue;
    issued.push_back(absl::StrCat(Name(c.kind), " of ", c.bytes.count(), " bytes ", Name(c.dtype)));
  }
  return issued;
}

absl::Status CompareMembers(const Job& job, CommunicatorId id) {
  const Communicator& communicator = job.communicators[id];
  std::set<std::pair<int32_t, size_t>> seen;  // (role, group) compared already
  std::vector<std::string> first;
  for (const RankId member : communicator.ranks) {
    const auto rank = static_cast<size_t>(member.value());
    if (rank >= job.role.size()) return absl::InternalError(absl::StrCat(communicator.name, " has a rank beyond the job"));
    size_t group = 0;
    const auto& groups = job.communicator_of[rank];
    while (group < groups.size() && groups[group] != id) ++group;
    if (group == groups.size()) {
      return absl::InternalError(absl::StrCat("rank ", rank, " is in ", communicator.name, " but has no group for it"));
    }
    if (!seen.insert({job.role[rank], group}).second) continue;
    std::vector<std::string> issued = Issued(job.programs[static_cast<size_t>(job.role[rank])], group);
    if (seen.size() == 1) {
      first = std::move(issued);
    } else if (issued != first) {
      return absl::InternalError(absl::StrCat("rank ", rank, " and rank ", communicator.ranks[0].value(), " of ",
                                              communicator.name, " issue different collectives"));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckMembership(const Job& job) {
  std::vector<std::set<RankId>> members;
  for (const Communicator& communicator : job.communicators) {
    members.emplace_back(communicator.ranks.begin(), communicator.ranks.end());
    if (members.back().size() != communicator.ranks.size()) {
      return absl::InternalError(absl::StrCat(communicator.name, " has a rank twice"));
    }
  }
  for (size_t rank = 0; rank < job.role.size(); ++rank) {
    for (const CommunicatorId id : job.communicator_of[rank]) {
      if (!job.communicators.contains(id)) return absl::InternalError(absl::StrCat("rank ", rank, ": no communicator"));
      if (members[static_cast<size_t>(id.value())].count(RankId(static_cast<int32_t>(rank))) == 0) {
        return absl::InternalError(absl::StrCat("rank ", rank, " is not in ", job.communicators[id].name));
      }
    }
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckProgram(const Program& program) {
  SIM_RETURN_IF_ERROR(CheckIndices(program));
  SIM_RETURN_IF_ERROR(CheckEvents(program));
  return CheckMemory(program);
}

absl::Status CheckJob(const Job& job) {
  for (const Program& program : job.programs) SIM_RETURN_IF_ERROR(CheckProgram(program));
  SIM_RETURN_IF_ERROR(CheckTables(job));
  SIM_RETURN_IF_ERROR(CheckMembership(job));
  for (size_t i = 0; i < job.communicators.size(); ++i) {
    SIM_RETURN_IF_ERROR(CompareMembers(job, CommunicatorId(static_cast<int32_t>(i))));
  }
  return absl::OkStatus();
}

}  // namespace stepsim::sim
