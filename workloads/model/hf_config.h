// Reader of Hugging Face config.json, of transformers 4 and 5 (v5 moved rotary keys into rope_parameters and renamed
// torch_dtype to dtype; neither changes a step's shape). Keys that do not change the cost are ignored.
#pragma once

#include "workloads/model/model_spec.h"

namespace stepsim::workloads {

// Has `model_type` or `architectures`.
bool IsHuggingFaceConfig(const sim::ConfigNode& node);

// Reports a model_type that is not modelled (naming those that are), missing keys, and variants that change the step
// (biases, other activations) as not modelled.
void ReadHuggingFaceConfig(const sim::ConfigNode& node, ModelSpec* model, sim::Diagnostics* problems);

}  // namespace stepsim::workloads
