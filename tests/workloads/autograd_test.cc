// The tape's autograd, autocast, checkpointing and reference counting, against what PyTorch does.
#include "gtest/gtest.h"
#include "sim/program/check.h"
#include "tests/workloads/fixtures.h"
#include "workloads/tape/ops.h"

namespace stepsim::workloads {
namespace {

constexpr int64_t kRows = 1024;
constexpr int64_t kWidth = 256;

// A tape with two square weights whose gradients are counted and dropped.
class TapeTest : public ::testing::Test {
 protected:
  TapeTest() : TapeTest(Precision{}) {}
  explicit TapeTest(const Precision& precision) : program("test", HostCost{}), tape(&program, precision) {
    for (Parameter* parameter : {&w, &v}) {
      parameter->rows = parameter->columns = kWidth;
      parameter->value.defined = true;
    }
    tape.set_gradient_sink([this](Parameter& parameter, Tensor gradient) {
      EXPECT_EQ(gradient.elements, parameter.elements());
      ++gradients[&parameter];
    });
  }

  Tensor Input() {
    Tensor x = tape.Allocate(kRows * kWidth, sim::DType::kFp32);
    x.requires_grad = true;
    return x;
  }
  Tensor Apply(const Tensor& x, Parameter& weight) { return Linear(tape, x, weight, nullptr, kRows, kWidth, kWidth); }
  sim::Program Finish() {
    program.HostWork(1);  // so that memory events have an op behind them
    return program.Take();
  }

  ProgramBuilder program;
  Tape tape;
  Parameter w, v;
  std::map<Parameter*, int> gradients;
};

TEST_F(TapeTest, TensorOfSeveralConsumersGetsOneAdditionLessThanConsumers) {
  {
    const Tensor x = Apply(Input(), w);
    Tensor sum = Mul(tape, x, x);  // two uses
    sum = Add(tape, sum, x);       // a third
    tape.Backward(std::move(sum));
  }
  EXPECT_EQ(CountKernels(Finish(), "acc_add"), 2);
}

TEST_F(TapeTest, TiedWeightGetsOneSummedGradient) {
  tape.Backward(Apply(Apply(Input(), w), w));
  EXPECT_EQ(gradients[&w], 1);
  EXPECT_EQ(CountKernels(Finish(), "acc_add"), 1);
}

TEST_F(TapeTest, InputWithoutGradientGetsNoDataGradientGemm) {
  Tensor x = Input();
  x.requires_grad = false;
  tape.Backward(Apply(x, w));
  x = Tensor();
  EXPECT_EQ(CountGemms(Finish(), sim::Phase::kForward), 2);  // product and weight gradient
}

TEST_F(TapeTest, EverythingIsFreedAfterBackward) {
  const int64_t before = program.memory().live();
  {
    Tensor y = Apply(Apply(Input(), w), v);
    tape.Backward(std::move(y));
  }
  EXPECT_EQ(program.memory().live(), before);
  EXPECT_TRUE(sim::CheckProgram(Finish()).ok());
}

TEST_F(TapeTest, BlocksAreRoundedTo512Bytes) {
  const int64_t before = program.memory().live();
  const Tensor x = tape.Allocate(3, sim::DType::kBf16);
  EXPECT_EQ(program.memory().live() - before, 512);
}

TEST_F(TapeTest, CheckpointKeepsItsInputOnlyAndRunsAgainWithoutItsLastProduct) {
  const int64_t tensor = kRows * kWidth * 4;
  Tensor x = Input();
  program.set_phase(sim::Phase::kForward);
  Tensor y = tape.RunCheckpointed([this](Tensor t) { return Apply(Apply(Apply(t, w), v), w); }, x);
  x = Tensor();
  EXPECT_EQ(program.memory().live(), 2 * tensor);  // input and output
  program.set_phase(sim::Phase::kBackward);
  tape.Backward(std::move(y));
  EXPECT_EQ(program.memory().live(), 0);
  const sim::Program result = Finish();
  EXPECT_EQ(CountGemms(result, sim::Phase::kForward), 3);
  EXPECT_EQ(CountGemms(result, sim::Phase::kRecompute), 2);  // the third's input is the last saved tensor
  EXPECT_EQ(CountGemms(result, sim::Phase::kBackward), 6);
  EXPECT_EQ(gradients[&v], 1);
}

TEST_F(TapeTest, CheckpointRunsToItsEndWhenItsLastOperatorSavesItsOutput) {
  Tensor y = tape.RunCheckpointed([this](Tensor t) { return Tanh(tape, t); }, Apply(Input(), w));
  program.set_phase(sim::Phase::kBackward);
  tape.Backward(std::move(y));
  EXPECT_EQ(CountKernels(Finish(), "tanh", sim::Phase::kRecompute), 1);
}

class AutocastTest : public TapeTest {
 protected:
  AutocastTest() : TapeTest(Precision{.autocast = true}) {}
};

TEST_F(AutocastTest, WeightIsCastOncePerRegionAndActivationsAtEveryUse) {
  tape.BeginAutocast();
  const Tensor x = Input();
  Tensor sum = Add(tape, Apply(x, w), Apply(x, w));
  EXPECT_EQ(CountKernels(program.program(), "copy_fb"), 1 + 2);
  tape.EndAutocast();
  tape.BeginAutocast();
  sum = Add(tape, sum, Apply(x, w));
  EXPECT_EQ(CountKernels(program.program(), "copy_fb"), 3 + 2);
}

TEST_F(AutocastTest, GradientOfTheSharedCopyIsCastBackOnce) {
  tape.BeginAutocast();
  Tensor x = Input();
  x.requires_grad = false;
  Tensor sum = Add(tape, Apply(x, w), Apply(x, w));
  tape.EndAutocast();
  tape.Backward(std::move(sum));
  EXPECT_EQ(gradients[&w], 1);
  EXPECT_EQ(CountKernels(program.program(), "copy_bf"), 1);
}

TEST_F(AutocastTest, RecomputationCastsWeightsAgain) {
  tape.BeginAutocast();
  Tensor y = tape.RunCheckpointed([this](Tensor t) { return Apply(Apply(t, w), v); }, Input());
  tape.EndAutocast();
  program.set_phase(sim::Phase::kBackward);
  tape.Backward(std::move(y));
  // w and the input of its product, then v, whose input is 16 bit already.
  EXPECT_EQ(CountKernels(program.program(), "copy_fb", sim::Phase::kRecompute), 3);
}

}  // namespace
}  // namespace stepsim::workloads
