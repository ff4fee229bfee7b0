package dev.mayfly.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/** Suggests a known word for a mistyped one. */
public final class Suggestion {
  private static final int LETTERS_PER_EDIT = 3;

  private Suggestion() {}

  /** Returns the word with the smallest edit distance; empty if no word is close. */
  public static Optional<String> of(String typed, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(word -> distance(typed, word)))
        .filter(word -> distance(typed, word) <= 1 + typed.length() / LETTERS_PER_EDIT);
  }

  /** Returns the Levenshtein distance of two words. */
  static int distance(String one, String other) {
    int[] row = new int[other.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= one.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int changed = diagonal + (one.charAt(i - 1) == other.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(changed, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[other.length()];
  }
}
