package dev.mayfly.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Text table: first column aligned left, numbers aligned right. */
final class Table {
  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  Table(String... titles) {
    row(titles);
  }

  void row(String... cells) {
    rows.add(Arrays.asList(cells));
  }

  void print(PrintWriter out) {
    int columns = rows.getFirst().size();
    int[] widths = new int[columns];
    for (List<String> row : rows) {
      for (int i = 0; i < columns; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < columns; i++) {
        line.append(i == 0 ? "" : GAP).append(padded(row.get(i), widths[i], numeric(i)));
      }
      out.println(line.toString().stripTrailing());
    }
    out.flush();
  }

  /** Whether all cells of a column, except its title, begin with a digit. */
  private boolean numeric(int column) {
    return rows.stream()
        .skip(1)
        .map(row -> row.get(column))
        .allMatch(cell -> !cell.isEmpty() && Character.isDigit(cell.charAt(0)));
  }

  private static String padded(String cell, int width, boolean right) {
    String space = " ".repeat(width - cell.length());
    return right ? space + cell : cell + space;
  }
}
