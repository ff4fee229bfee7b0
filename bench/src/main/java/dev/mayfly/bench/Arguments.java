package dev.mayfly.bench;

import java.util.List;
import java.util.Optional;

/** Command line arguments: words, and named values such as {@code rounds=3}. */
record Arguments(List<String> words) {
  String first() {
    return words.isEmpty() ? "" : words.getFirst();
  }

  boolean has(String word) {
    return words.contains(word);
  }

  long number(String name, long standard) {
    return text(name).map(Long::parseLong).orElse(standard);
  }

  /** Value of an argument such as {@code build=mayfly.jar}. */
  Optional<String> text(String name) {
    String start = name + "=";
    return words.stream()
        .filter(word -> word.startsWith(start))
        .map(word -> word.substring(start.length()))
        .findFirst();
  }
}
