#include "sim/base/status.h"

#include <memory>

#include "gtest/gtest.h"

namespace stepsim::sim {
namespace {

absl::StatusOr<std::unique_ptr<int>> Half(int n) {
  if (n % 2 != 0) return absl::InvalidArgumentError("odd");
  return std::make_unique<int>(n / 2);
}

absl::StatusOr<int> Quarter(int n) {
  SIM_ASSIGN_OR_RETURN(const std::unique_ptr<int> half, Half(n));
  SIM_ASSIGN_OR_RETURN(const std::unique_ptr<int> quarter, Half(*half));
  return *quarter;
}

absl::Status CheckHalf(int n, int* reached) {
  SIM_RETURN_IF_ERROR(Half(n).status());
  ++*reached;
  return absl::OkStatus();
}

TEST(StatusTest, AssignOrReturnMovesTheValueOrReturnsTheError) {
  EXPECT_EQ(*Quarter(12), 3);
  EXPECT_EQ(Quarter(6).status().message(), "odd");
  EXPECT_EQ(Quarter(3).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(StatusTest, ReturnIfErrorStopsAtTheError) {
  int reached = 0;
  EXPECT_FALSE(CheckHalf(1, &reached).ok());
  EXPECT_EQ(reached, 0);
  EXPECT_TRUE(CheckHalf(2, &reached).ok());
  EXPECT_EQ(reached, 1);
}

TEST(StatusTest, AnnotateKeepsTheCode) {
  const absl::Status status = Annotate(absl::NotFoundError("no such gpu"), "node 3");
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_EQ(status.message(), "node 3: no such gpu");
  EXPECT_TRUE(Annotate(absl::OkStatus(), "node 3").ok());
}

}  // namespace
}  // namespace stepsim::sim
