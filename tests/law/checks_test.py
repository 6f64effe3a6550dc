"""The checks of tools/ci on small trees, lawful and not."""
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools" / "ci"))
import check_includes  # noqa: E402
import check_tree  # noqa: E402


def found(check, files):
    """The problems that `check` finds in a tree of {path: text}."""
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for name, text in files.items():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_text(text, encoding="utf-8")
        return list(check.problems(root))


class IncludesTest(unittest.TestCase):
    def one(self, path, include):
        return found(check_includes, {path: f'#include "{include}"\n'})

    def test_downward_includes_are_lawful(self):
        for path, include in [
            ("sim/config/a.cc", "sim/base/status.h"),
            ("sim/run/a.cc", "sim/trace/record.h"),
            ("sim/config/a.cc", "yaml-cpp/parser.h"),
            ("topology/a.cc", "sim/platform/platform.h"),
            ("workloads/a.cc", "sim/program/program.h"),
            ("tools/app/a.cc", "workloads/tape/tape.h"),
            ("topology/a.cc", "boost/graph/adjacency_list.hpp"),
        ]:
            self.assertEqual(self.one(path, include), [], (path, include))

    def test_breaches_are_found(self):
        for path, include in [
            ("sim/base/a.h", "sim/config/node.h"),
            ("sim/engine/a.cc", "sim/config/node.h"),
            ("sim/trace/a.cc", "sim/run/executor.h"),
            ("sim/trace/a.cc", "sim/config/node.h"),
            ("sim/network/a.cc", "sim/compute/cost.h"),
            ("sim/run/a.cc", "topology/cluster.h"),
            ("topology/a.cc", "workloads/tape/tape.h"),
            ("workloads/a.cc", "topology/cluster.h"),
            ("topology/a.cc", "tools/app/scenario.h"),
            ("topology/a.cc", "yaml-cpp/yaml.h"),
            ("tools/app/a.cc", "boost/graph/adjacency_list.hpp"),
            ("sim/new_folder/a.cc", "sim/base/status.h"),
        ]:
            self.assertEqual(len(self.one(path, include)), 1, (path, include))

    def test_boost_graph_reaches_three_sources_at_most(self):
        header = {"topology/graph_bgl.h": "#include <boost/graph/adjacency_list.hpp>\n"}
        sources = {f"topology/{i}.cc": '#include "topology/graph_bgl.h"\n' for i in range(4)}
        self.assertEqual(len(found(check_includes, header | sources)), 1)
        sources.popitem()
        self.assertEqual(found(check_includes, header | sources), [])

    def test_boost_graph_does_not_leave_topology_through_a_header(self):
        tree = {
            "topology/graph_bgl.h": "#include <boost/graph/adjacency_list.hpp>\n",
            "topology/cluster.h": '#include "topology/graph_bgl.h"\n',
            "tools/app/a.cc": '#include "topology/cluster.h"\n',
        }
        self.assertEqual(len(found(check_includes, tree)), 1)


class TreeTest(unittest.TestCase):
    def test_lawful_tree(self):
        tree = {"sim/base/a.h": "", "README.md": "see https://example.org/home/page and ../shared\n", ".ci/run": "",
                "configs/gpus/a.yaml": "sms: 142\nsource: datasheet\n"}
        self.assertEqual(found(check_tree, tree), [])

    def test_other_top_level_entries_are_found(self):
        self.assertEqual(len(found(check_tree, {"src/a.cc": "", "notes.txt": ""})), 2)

    def test_absolute_paths_are_found(self):
        for top in ("work", "root", "home"):
            self.assertEqual(len(found(check_tree, {"docs/a.md": f"cd /{top}/me\n"})), 1, top)
        self.assertEqual(found(check_tree, {"docs/a.md": "tools/work/x, network/root and a/home\n"}), [])

    def test_numbers_need_a_source(self):
        def sourced(text):
            return found(check_tree, {"configs/links/a.yaml": text})

        self.assertEqual(len(sourced("name: a\nrate: 5 GB/s\n")), 1)
        self.assertEqual(len(sourced("rate: 5 GB/s\nsource:\n")), 1)
        self.assertEqual(sourced("# Source: datasheet\nrate: 5 GB/s\n"), [])
        self.assertEqual(sourced("name: a  # 5 of them\nkind: nvlink\n"), [])
        self.assertEqual(len(sourced("# source: datasheet\nrate: 5 GB/s\n\nlist: [1, 2]\n")), 1)
        self.assertEqual(sourced("# source: datasheet\nrate: 5 GB/s\n\nlist: [1, 2]  # fitted\n"), [])
        self.assertEqual(len(sourced("rate: 5 GB/s  # datasheet\nwidth: 4\nlinks:\n  - 3\n")), 2)
        self.assertEqual(sourced("basis: fitted on an H200\nrate: 5 GB/s\n"), [])
        self.assertEqual(found(check_tree, {"configs/clusters/a.yaml": "nodes: 4\n"}), [])


if __name__ == "__main__":
    unittest.main()
