// What the tests of sim/config share.
#pragma once

#include <string>

#include "absl/status/status.h"
#include "gtest/gtest.h"
#include "sim/config/node.h"

namespace stepsim::sim {

inline std::string Message(const absl::Status& status) { return std::string(status.message()); }

// A document that must be valid.
inline ConfigNode Document(const std::string& text) {
  const absl::StatusOr<ConfigNode> node = ParseConfig(text, "test.yaml");
  EXPECT_TRUE(node.ok()) << node.status();
  return node.ok() ? *node : ConfigNode();
}

// The message for a document that must be refused as invalid (exit code 1).
inline std::string Refusal(const std::string& text) {
  const absl::StatusOr<ConfigNode> node = ParseConfig(text, "test.yaml");
  EXPECT_EQ(node.status().code(), absl::StatusCode::kInvalidArgument) << text.substr(0, 100);
  return Message(node.status());
}

}  // namespace stepsim::sim
