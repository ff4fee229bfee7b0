package dev.mayfly.bench;

import java.util.List;

/** Command line arguments: words, and named numbers such as {@code rounds=3}. */
record Arguments(List<String> words) {
  String first() {
    return words.isEmpty() ? "" : words.getFirst();
  }

  boolean has(String word) {
    return words.contains(word);
  }

  long number(String name, long otherwise) {
    String start = name + "=";
    return words.stream()
        .filter(word -> word.startsWith(start))
        .map(word -> Long.parseLong(word.substring(start.length())))
        .findFirst()
        .orElse(otherwise);
  }
}
