#include "sim/base/registry.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace stepsim::sim {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

int Ring() { return 1; }
int Tree() { return 2; }

Registry<int (*)()> Algorithms() {
  return Registry<int (*)()>("algorithm", {{"ring", "neighbour to neighbour", Ring}, {"tree", "double binary tree", Tree}});
}

TEST(RegistryTest, FindsByName) {
  const auto found = Algorithms().Find("tree");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ((*found)(), 2);
}

TEST(RegistryTest, KeepsTheOrderOfTheTable) { EXPECT_THAT(Algorithms().Names(), ElementsAre("ring", "tree")); }

TEST(RegistryTest, UnknownNameIsNotFoundWithANearMatch) {
  const auto found = Algorithms().Find("rign");
  EXPECT_EQ(found.status().code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(found.status().message()), HasSubstr("unknown algorithm \"rign\"; did you mean \"ring\"?"));
}

TEST(RegistryTest, NamesAreMatchedWithTheirCase) { EXPECT_FALSE(Algorithms().Find("Ring").ok()); }

}  // namespace
}  // namespace stepsim::sim
