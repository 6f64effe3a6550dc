#include "absl/strings/str_cat.h"
#include "workloads/model/family.h"

namespace stepsim::workloads {

void TestPositions(ForwardPass& pass) {
  for (int i = 0; i < 10; ++i) pass.tape.Launch(KernelClass::kPositionTest, 0, 0);
  pass.tape.program().ReadBack();
}

Tensor CausalLanguageModelLoss(ForwardPass& pass, const Tensor& x, Parameter& head) {
  Tape& tape = pass.tape;
  const Tape::PartScope scope(tape, sim::MemoryPart::kLogitsAndLoss);
  const Tensor logits = pass.Linear(x, head, nullptr, pass.model.vocab, pass.model.hidden);
  Tensor log_probabilities;
  {
    const Tensor wide = Cast(tape, logits, sim::DType::kFp32);
    // Labels are padded and shifted; with one sequence the last of the three kernels is a copy.
    for (int i = 0; i < 2; ++i) tape.Launch(KernelClass::kLabels, 0, 0);
    if (pass.sequences > 1) {
      tape.Launch(KernelClass::kLabels, 0, 0);
    } else {
      tape.Launch(KernelClass::kCopyDeviceToDevice, pass.tokens() * 8, pass.tokens() * 8);
    }
    log_probabilities = LogSoftmax(tape, wide);
  }
  return NegativeLogLikelihood(tape, log_probabilities);
}

void CheckPlainHeads(const ModelSpec& model, const sim::ConfigNode& node, const ModelKeys& keys,
                     sim::Diagnostics* problems) {
  if (model.kv_heads != model.heads) {
    problems->Add(node[keys.kv_heads].position(),
                  absl::StrCat("family ", model.family, " has as many key heads as query heads (", model.heads, ")"));
  }
  if (model.query_width() != model.hidden) {
    problems->Add(node[keys.head_dim].position(),
                  absl::StrCat("family ", model.family, " needs heads × head_dim = hidden (", model.hidden, ")"));
  }
}

}  // namespace stepsim::workloads
