#include "sim/program/check.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stepsim::sim {
namespace {

using ::testing::HasSubstr;

// Two ranks of one role that all-reduce once.
Job GoodJob() {
  Program program;
  program.name = "p";
  program.streams.push_back({"compute", false});
  program.groups.push_back("world");
  program.labels.push_back("step");
  Collective collective;
  collective.group = GroupId(0);
  collective.bytes = Bytes(64);
  collective.label = LabelId(0);
  program.collectives.push_back(collective);
  program.num_event_slots = 1;
  program.ops = {{OpKind::kRangeBegin, Phase::kForward, 0, 0, 0}, {OpKind::kRecord, Phase::kForward, 0, 0, 0},
                 {OpKind::kCollective, Phase::kForward, 0, 0, 5}, {OpKind::kWait, Phase::kForward, 0, 0, 0},
                 {OpKind::kRangeEnd, Phase::kForward, 0, 0, 0}};
  program.memory.events = {{1, 512, MemoryPart::kActivations}, {3, -512, MemoryPart::kActivations}};
  program.memory.peak = Bytes(512);
  Job job;
  job.programs = {program};
  job.role = {0, 0};
  job.gpu = {GpuId(0), GpuId(1)};
  job.communicators.push_back({"world", {RankId(0), RankId(1)}});
  job.communicator_of = {{CommunicatorId(0)}, {CommunicatorId(0)}};
  return job;
}

std::string Fault(const Job& job) {
  const absl::Status status = CheckJob(job);
  return std::string(status.message().data(), status.message().size());
}

TEST(CheckJob, AcceptsASoundJob) { EXPECT_EQ(Fault(GoodJob()), ""); }

TEST(CheckJob, FindsFaultsOfOps) {
  Job job = GoodJob();
  job.programs[0].ops[2].stream = 3;
  EXPECT_THAT(Fault(job), HasSubstr("op 2: no such stream"));
  job = GoodJob();
  job.programs[0].ops[2].index = 1;
  EXPECT_THAT(Fault(job), HasSubstr("op 2: index outside its table"));
  job = GoodJob();
  std::swap(job.programs[0].ops[1], job.programs[0].ops[3]);
  EXPECT_THAT(Fault(job), HasSubstr("waits for an event that nobody recorded"));
  job = GoodJob();
  job.programs[0].ops.pop_back();
  EXPECT_THAT(Fault(job), HasSubstr("a range does not end"));
}

TEST(CheckJob, FindsFaultsOfMemory) {
  Job job = GoodJob();
  job.programs[0].memory.events[1].delta = -1024;
  EXPECT_THAT(Fault(job), HasSubstr("frees more activations than there are"));
  job = GoodJob();
  job.programs[0].memory.events.pop_back();
  EXPECT_THAT(Fault(job), HasSubstr("memory does not end as it began"));
  job = GoodJob();
  job.programs[0].memory.peak = Bytes(1024);
  EXPECT_THAT(Fault(job), HasSubstr("peak"));
}

TEST(CheckJob, FindsMembersThatDisagree) {
  Job job = GoodJob();
  job.programs.push_back(job.programs[0]);
  job.programs[1].collectives[CollectiveId(0)].bytes = Bytes(128);
  job.role[1] = 1;
  EXPECT_THAT(Fault(job), HasSubstr("rank 1 and rank 0 of world issue different collectives"));
}

TEST(CheckJob, FindsFaultsOfPlacement) {
  Job job = GoodJob();
  job.gpu[1] = GpuId(0);
  EXPECT_THAT(Fault(job), HasSubstr("two ranks share a GPU"));
  job = GoodJob();
  job.communicators[CommunicatorId(0)].ranks.pop_back();
  EXPECT_THAT(Fault(job), HasSubstr("rank 1 is not in world"));
}

}  // namespace
}  // namespace stepsim::sim
