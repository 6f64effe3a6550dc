#include "sim/config/tree_builder.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "sim/base/status.h"
#include "sim/config/node_data.h"

namespace stepsim::sim::internal {
namespace {

// What a config file may hold, aliases expanded: nine levels of nine aliases each ("billion laughs") stop here.
constexpr int64_t kMaxNodes = 200000;
// A path holds the keys above it; unbounded keys would make paths cost the square of the text.
constexpr size_t kMaxKey = 256;

}  // namespace

void TreeBuilder::Stop(const SourcePosition& where, std::string message) {
  problems_->Add(where, std::move(message));
  throw ParsingStopped();
}

void TreeBuilder::CheckTag(const SourcePosition& where, const std::string& tag) {
  if (tag.empty() || tag == "?" || tag == "!") return;
  problems_->Add(where, absl::StrCat("the tag ", Shown(tag), " is not supported: write the value alone"));
}

void TreeBuilder::OnDocumentStart(const YAML::Mark& mark) {
  if (root_ != nullptr) {
    Stop(lines_.At(mark.line, mark.column), "expected one document, found a second one (--- or text after the end)");
  }
}

void TreeBuilder::OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) {
  auto draft = std::make_shared<Draft>();
  draft->position = lines_.At(mark.line, mark.column);
  // The mark of `key:` without a value is that of the next token, lines further down.
  const bool after_key = !frames_.empty() && frames_.back().key != nullptr;
  if (after_key && frames_.back().key->position.line != draft->position.line) draft->position = frames_.back().key->position;
  Place(std::move(draft), anchor);
}

void TreeBuilder::OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                           const std::string& value) {
  auto draft = std::make_shared<Draft>();
  draft->kind = ConfigNode::Kind::kScalar;
  draft->position = lines_.At(mark.line, mark.column);
  draft->text = value;
  draft->quoted = tag == "!";
  if (draft->quoted) last_quoted_ = mark;
  CheckTag(draft->position, tag);
  Place(std::move(draft), anchor);
}

void TreeBuilder::OnAlias(const YAML::Mark& mark, YAML::anchor_t anchor) {
  const SourcePosition where = lines_.At(mark.line, mark.column);
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) Stop(where, "unknown anchor");
  if (found->second == nullptr) Stop(where, "the anchor's value contains itself: anchors must not form a loop");
  const DraftPtr& draft = found->second;
  nodes_ += draft->size;
  if (nodes_ > kMaxNodes) Stop(where, absl::StrCat("aliases expand to more than ", kMaxNodes, " values"));
  if (static_cast<int>(frames_.size()) + draft->height > kMaxDepth) {
    Stop(where, absl::StrCat("nested deeper than ", kMaxDepth, " levels through this alias"));
  }
  Place(draft, 0);
}

void TreeBuilder::OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                                  YAML::EmitterStyle::value) {
  Open(ConfigNode::Kind::kSequence, mark, tag, anchor);
}

void TreeBuilder::OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                             YAML::EmitterStyle::value) {
  Open(ConfigNode::Kind::kMapping, mark, tag, anchor);
}

void TreeBuilder::Open(ConfigNode::Kind kind, const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
  Frame frame;
  frame.draft = std::make_shared<Draft>();
  frame.draft->kind = kind;
  frame.draft->position = lines_.At(mark.line, mark.column);
  frame.anchor = anchor;
  CheckTag(frame.draft->position, tag);
  if (static_cast<int>(frames_.size()) >= kMaxDepth) {
    Stop(frame.draft->position, absl::StrCat("nested deeper than ", kMaxDepth, " levels"));
  }
  if (anchor != 0) anchors_[anchor] = nullptr;
  frames_.push_back(std::move(frame));
}

void TreeBuilder::Close() {
  Frame frame = std::move(frames_.back());
  frames_.pop_back();
  Place(std::move(frame.draft), frame.anchor);
}

void TreeBuilder::Place(DraftPtr draft, YAML::anchor_t anchor) {
  if (++nodes_ > kMaxNodes) Stop(draft->position, absl::StrCat("more than ", kMaxNodes, " values in one file"));
  if (anchor != 0) anchors_[anchor] = draft;
  if (frames_.empty()) {
    root_ = std::move(draft);
    return;
  }
  Frame& frame = frames_.back();
  const bool in_mapping = frame.draft->kind == ConfigNode::Kind::kMapping;
  if (in_mapping && frame.key == nullptr && !frame.drop) return PlaceKey(&frame, std::move(draft));
  if (frame.drop) {
    frame.drop = false;
    return;
  }
  frame.draft->size += draft->size + (in_mapping ? 1 : 0);
  frame.draft->height = std::max(frame.draft->height, draft->height + 1);
  if (in_mapping) frame.draft->keys.push_back(std::move(frame.key));
  frame.key = nullptr;
  frame.draft->values.push_back(std::move(draft));
}

void TreeBuilder::PlaceKey(Frame* frame, DraftPtr key) {
  frame->drop = true;
  if (key->kind != ConfigNode::Kind::kScalar) {
    problems_->Add(key->position, "expected a key (text), found an empty one, a list or a mapping");
  } else if (key->text == "<<" && !key->quoted) {
    problems_->Add(key->position, "the merge key << is not supported: use `base: name`, or an alias as a value");
  } else if (key->text.size() > kMaxKey) {
    problems_->Add(key->position, absl::StrCat("the key ", Shown(key->text), " is longer than ", kMaxKey, " bytes"));
  } else if (const auto [first, is_new] = frame->lines_of_keys.emplace(key->text, key->position.line); !is_new) {
    problems_->Add(key->position, absl::StrCat("duplicate key ", Shown(key->text), ": first given on line ", first->second));
  } else {
    frame->drop = false;
    frame->key = std::move(key);
  }
}

ConfigNode TreeBuilder::Finish() {
  // yaml-cpp lets the end of the file close a quote; only the last one can be open.
  if (IsOpenQuote(lines_.text(), lines_.Offset(last_quoted_.line, last_quoted_.column))) {
    problems_->Add(lines_.At(last_quoted_.line, last_quoted_.column), "this quote is never closed");
  }
  return root_ == nullptr ? ConfigNode() : Build(*root_, "");
}

ConfigNode TreeBuilder::Build(const Draft& draft, std::string path) {
  ConfigNode::Data data;
  data.kind = draft.kind;
  data.text = draft.text;
  data.quoted = draft.quoted;
  data.position = draft.position;
  for (size_t i = 0; i < draft.values.size(); ++i) {
    if (draft.kind == ConfigNode::Kind::kSequence) {
      data.items.push_back(Build(*draft.values[i], ItemPath(path, i)));
    } else {
      const std::string child = ChildPath(path, draft.keys[i]->text);
      data.entries.push_back({Build(*draft.keys[i], child), Build(*draft.values[i], child)});
    }
  }
  data.path = std::move(path);
  return ConfigNode(std::make_shared<const ConfigNode::Data>(std::move(data)));
}

}  // namespace stepsim::sim::internal
