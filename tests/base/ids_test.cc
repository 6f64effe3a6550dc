#include "sim/base/ids.h"

#include <type_traits>
#include <unordered_set>

#include "absl/container/flat_hash_map.h"
#include "gtest/gtest.h"

namespace stepsim::sim {
namespace {

template <class Vector, class Index>
concept IndexableBy = requires(Vector v, Index i) { v[i]; };

TEST(IdsTest, TableIsIndexedByItsOwnIdAlone) {
  static_assert(IndexableBy<IdVector<RankId, int>, RankId>);
  static_assert(!IndexableBy<IdVector<RankId, int>, LinkId>);
  static_assert(!IndexableBy<IdVector<RankId, int>, int>);
  static_assert(!std::is_convertible_v<int32_t, RankId> && !std::is_convertible_v<RankId, LinkId>);
}

TEST(IdsTest, DefaultIsNone) {
  EXPECT_FALSE(RankId().valid());
  EXPECT_TRUE(RankId(0).valid());
  EXPECT_LT(RankId(1), RankId(2));
}

TEST(IdsTest, PushBackReturnsTheIdOfTheNewItem) {
  IdVector<LinkId, std::string> links;
  EXPECT_EQ(links.push_back("a"), LinkId(0));
  EXPECT_EQ(links.push_back("b"), LinkId(1));
  EXPECT_EQ(links[LinkId(1)], "b");
  EXPECT_TRUE(links.contains(LinkId(1)));
  EXPECT_FALSE(links.contains(LinkId(2)));
  EXPECT_FALSE(links.contains(LinkId()));
}

TEST(IdsTest, HashesInBothKindsOfTable) {
  absl::flat_hash_map<RankId, int> map = {{RankId(3), 7}};
  EXPECT_EQ(map.at(RankId(3)), 7);
  std::unordered_set<RankId> set = {RankId(3)};
  EXPECT_EQ(set.count(RankId(3)), 1u);
}

}  // namespace
}  // namespace stepsim::sim
