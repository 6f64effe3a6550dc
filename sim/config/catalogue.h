// Finds what a value of a scenario means: a name of the catalogue (configs/<kind>/<name>.yaml), a path, or the mapping
// that stands there inline.
#pragma once

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "sim/config/node.h"

namespace stepsim::sim {

class Catalogue {
 public:
  // root: the configs folder. Kinds are its folders: "gpus", "nics", "links", "nodes", "clusters", "models", "calibration", …
  explicit Catalogue(std::string root) : root_(std::move(root)) {}

  const std::string& root() const { return root_; }

  // Sorted names of a kind.
  std::vector<std::string> Names(const std::string& kind) const;

  // By name only. NotFound with a near match.
  absl::StatusOr<ConfigNode> Load(const std::string& kind, const std::string& name) const;

  struct Resolved {
    ConfigNode node;   // parsed content (mapping), unless `is_foreign`
    std::string name;  // catalogue name, or the file's stem, or empty for inline
    std::string path;  // file it came from; empty for inline
    bool is_foreign = false;  // a file that is not ours by its suffix (.xml, .txt): not parsed, see `path`
  };

  // A scalar with a slash or an ending .yaml .yml .json .xml .txt is a path, relative to the file that names it (or to the
  // working directory for --set); another scalar is a catalogue name; a mapping is itself. Problems go to `problems` at the
  // node's position (I/O ones by AddIo), and the result is then empty (node missing).
  //
  // A mapping with a key `base` (inline or in a file of the catalogue) is what `base` means with the other keys laid over
  // it (Merged); bases may have bases, a loop is an error. `base: null` is none. Name and path are then those of the base.
  Resolved Resolve(const std::string& kind, const ConfigNode& node, Diagnostics* problems) const;

 private:
  using Chain = std::vector<std::string>;  // the files that are being resolved, outermost first
  Resolved ResolveAny(const std::string& kind, const ConfigNode& node, Chain* chain, Diagnostics* problems) const;
  Resolved ResolveMapping(const std::string& kind, const ConfigNode& node, Chain* chain, Diagnostics* problems) const;
  Resolved ResolveFile(const std::string& kind, const ConfigNode& node, const std::string& path, Chain* chain,
                       Diagnostics* problems) const;
  std::string PathOf(const std::string& kind, const std::string& name) const;

  std::string root_;
};

// The configs folder: $STEPSIM_CONFIGS, else configs beside or above the executable (build/stepsim → configs,
// bin/stepsim → share/stepsim/configs), else ./configs. NotFound if there is none.
absl::StatusOr<std::string> FindConfigRoot();

}  // namespace stepsim::sim
