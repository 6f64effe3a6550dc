// Reads a table with a header line; quoted fields may hold commas.
#pragma once

#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace stepsim::sim {

using CsvRow = std::map<std::string, std::string>;

inline std::vector<std::string> SplitCsvLine(const std::string& line) {
  std::vector<std::string> fields(1);
  bool quoted = false;
  for (char c : line) {
    if (c == '"')
      quoted = !quoted;
    else if (c == ',' && !quoted)
      fields.emplace_back();
    else if (c != '\r')
      fields.back() += c;
  }
  return fields;
}

// Empty when the file is absent.
inline std::vector<CsvRow> ReadCsv(const std::string& path) {
  std::vector<CsvRow> rows;
  std::ifstream in(path);
  std::string line;
  if (!std::getline(in, line)) return rows;
  const std::vector<std::string> header = SplitCsvLine(line);
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = SplitCsvLine(line);
    CsvRow row;
    for (size_t i = 0; i < header.size() && i < fields.size(); ++i) row[header[i]] = fields[i];
    rows.push_back(row);
  }
  return rows;
}

}  // namespace stepsim::sim
