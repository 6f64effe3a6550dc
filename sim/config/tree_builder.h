// Builds ConfigNodes from the events of yaml-cpp's parser: positions, duplicate keys, aliases and depth are under our
// control there, and nothing is converted (yaml-cpp's Node keeps duplicate keys silently). Internal to sim/config.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "sim/config/node.h"
#include "sim/config/text.h"
#include "yaml-cpp/eventhandler.h"
#include "yaml-cpp/mark.h"

namespace stepsim::sim::internal {

// Thrown through yaml-cpp to stop it where going on would cost too much; the problem has been reported by then.
struct ParsingStopped {};

class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(const LineTable& lines, Diagnostics* problems) : lines_(lines), problems_(problems) {}

  // The document's root, with paths; missing for an empty document and after a problem.
  ConfigNode Finish();

  void OnDocumentStart(const YAML::Mark& mark) override;
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) override;
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override;
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value style) override;
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value style) override;
  void OnMapEnd() override { Close(); }

 private:
  // A node under construction; an alias makes several parents share one.
  struct Draft {
    ConfigNode::Kind kind = ConfigNode::Kind::kNull;
    std::string text;
    bool quoted = false;
    SourcePosition position;
    std::vector<std::shared_ptr<const Draft>> keys;    // of a mapping
    std::vector<std::shared_ptr<const Draft>> values;  // of a mapping or sequence
    int64_t size = 1;                                  // nodes of the subtree, aliases expanded
    int height = 1;
  };
  using DraftPtr = std::shared_ptr<const Draft>;
  struct Frame {
    std::shared_ptr<Draft> draft;
    YAML::anchor_t anchor = 0;
    DraftPtr key;  // read and waiting for its value
    bool drop = false;  // the value of a key that was refused
    absl::flat_hash_map<std::string, int> lines_of_keys;
  };

  void Open(ConfigNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor);
  void Close();
  void Place(DraftPtr draft, YAML::anchor_t anchor);
  void PlaceKey(Frame* frame, DraftPtr key);
  void CheckTag(const SourcePosition& where, const std::string& tag);
  [[noreturn]] void Stop(const SourcePosition& where, std::string message);
  static ConfigNode Build(const Draft& draft, std::string path);

  const LineTable& lines_;
  Diagnostics* problems_;
  std::vector<Frame> frames_;
  DraftPtr root_;
  std::map<YAML::anchor_t, DraftPtr> anchors_;  // null while the anchored node is still open
  int64_t nodes_ = 0;
  YAML::Mark last_quoted_;
};

}  // namespace stepsim::sim::internal
