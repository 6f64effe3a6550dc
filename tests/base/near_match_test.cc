#include "sim/base/near_match.h"

#include "gtest/gtest.h"

namespace stepsim::sim {
namespace {

TEST(NearMatchTest, DistanceCountsTheFourEdits) {
  EXPECT_EQ(EditDistance("ring", "ring"), 0);
  EXPECT_EQ(EditDistance("ring", "rings"), 1);
  EXPECT_EQ(EditDistance("ring", "rin"), 1);
  EXPECT_EQ(EditDistance("ring", "rang"), 1);
  EXPECT_EQ(EditDistance("ring", "rnig"), 1);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3);  // Levenshtein's textbook pair
  EXPECT_EQ(EditDistance("", "abc"), 3);
}

TEST(NearMatchTest, DistanceIgnoresCase) { EXPECT_EQ(EditDistance("H100-SXM", "h100-sxm"), 0); }

TEST(NearMatchTest, OptimalStringAlignmentDoesNotEditASwappedPair) {
  // "ca" to "abc": 3 in optimal string alignment, 2 with unrestricted transpositions.
  EXPECT_EQ(EditDistance("ca", "abc"), 3);
}

TEST(NearMatchTest, FindsTheMisspeltName) {
  EXPECT_EQ(NearestMatch("mirco_batch", {"micro_batch", "sequence_length"}), "micro_batch");
  EXPECT_EQ(NearestMatch("fat-tre", {"leaf-spine", "fat-tree"}), "fat-tree");
}

TEST(NearMatchTest, NothingIsNearToNonsense) {
  EXPECT_EQ(NearestMatch("zzzzzz", {"ring", "tree"}), std::nullopt);
  EXPECT_EQ(NearestMatch("x", {}), std::nullopt);
}

TEST(NearMatchTest, MessageNamesKindMatchAndAllThatIsKnown) {
  EXPECT_EQ(UnknownNameMessage("fabric", "fat-tre", {"fat-tree", "torus"}),
            "unknown fabric \"fat-tre\"; did you mean \"fat-tree\"? known: fat-tree, torus");
}

TEST(NearMatchTest, MegabyteOfGarbageIsCut) {
  const std::string garbage(size_t{1} << 20, 'x');
  EXPECT_LT(UnknownNameMessage("gpu", garbage, {"h100"}).size(), 300u);
}

}  // namespace
}  // namespace stepsim::sim
