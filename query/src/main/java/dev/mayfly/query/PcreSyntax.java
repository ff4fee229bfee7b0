package dev.mayfly.query;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * A pattern in PCRE's syntax, written in Java's where the two differ.
 *
 * <p>Differences taken care of: a bracket or {@code &&} inside a class is plain in PCRE, as is
 * white space there in extended mode; POSIX classes; a first {@code ]} in a class; a brace that
 * starts no repetition; {@code (?P<name>} and {@code (?P=name)}; verbs in front. What remains
 * different, such as recursion and {@code \K}, Java refuses.
 */
final class PcreSyntax {
  private static final Map<String, String> POSIX =
      Map.ofEntries(
          Map.entry("alpha", "\\p{Alpha}"),
          Map.entry("digit", "\\p{Digit}"),
          Map.entry("alnum", "\\p{Alnum}"),
          Map.entry("upper", "\\p{Upper}"),
          Map.entry("lower", "\\p{Lower}"),
          Map.entry("punct", "\\p{Punct}"),
          Map.entry("graph", "\\p{Graph}"),
          Map.entry("print", "\\p{Print}"),
          Map.entry("blank", "\\p{Blank}"),
          Map.entry("cntrl", "\\p{Cntrl}"),
          Map.entry("xdigit", "\\p{XDigit}"),
          Map.entry("space", "\\s"),
          Map.entry("word", "\\w"));

  private final String source;
  private final StringBuilder target = new StringBuilder();
  private int flags;
  private int at;

  PcreSyntax(String source, int flags) {
    this.source = source;
    this.flags = flags;
  }

  String translated() {
    verbs();
    while (at < source.length()) {
      char c = source.charAt(at);
      switch (c) {
        case '\\' -> escape();
        case '[' -> characterClass();
        case '{' -> brace();
        case '(' -> group();
        default -> copy(1);
      }
    }
    return target.toString();
  }

  /** The flags, to be asked for after the translation. */
  int flags() {
    return flags;
  }

  private void verbs() {
    for (String verb : new String[] {"(*UTF8)", "(*UTF)", "(*UCP)"}) {
      if (source.startsWith(verb, at)) {
        at += verb.length();
        flags |= verb.equals("(*UCP)") ? Pattern.UNICODE_CHARACTER_CLASS : 0;
        verbs();
        return;
      }
    }
  }

  /** Copies an escape; all of a quotation, which Java knows, too. */
  private void escape() {
    if (source.startsWith("\\Q", at)) {
      int end = source.indexOf("\\E", at);
      copy(end < 0 ? source.length() - at : end + 2 - at);
    } else {
      copy(Math.min(2, source.length() - at));
    }
  }

  private void brace() {
    int end = at + 1;
    while (end < source.length() && (isDigit(source.charAt(end)) || source.charAt(end) == ',')) {
      end++;
    }
    boolean repetition =
        end < source.length()
            && source.charAt(end) == '}'
            && end > at + 1
            && isDigit(source.charAt(at + 1));
    // After an escape such as \p or \x the brace was not reached: escape() copies two characters.
    boolean argument = at >= 2 && source.charAt(at - 2) == '\\' && isNamed(source.charAt(at - 1));
    if (!repetition && !argument) {
      target.append('\\');
    }
    copy(1);
  }

  private void group() {
    if (source.startsWith("(?P<", at)) {
      target.append("(?<");
      at += 4;
    } else if (source.startsWith("(?P=", at) && source.indexOf(')', at) > 0) {
      int end = source.indexOf(')', at);
      target.append("\\k<").append(source, at + 4, end).append('>');
      at = end + 1;
    } else {
      copy(1);
    }
  }

  private void characterClass() {
    copy(1);
    if (at < source.length() && source.charAt(at) == '^') {
      copy(1);
    }
    if (at < source.length() && source.charAt(at) == ']') {
      target.append('\\');
      copy(1);
    }
    while (at < source.length() && source.charAt(at) != ']') {
      member();
    }
    if (at < source.length()) {
      copy(1);
    }
  }

  private void member() {
    char c = source.charAt(at);
    if (c == '\\') {
      escape();
    } else if (c == '[' && posix()) {
      return;
    } else {
      boolean special = c == '[' || c == '&' || c == '#' || Character.isWhitespace(c);
      if (special) {
        target.append('\\');
      }
      copy(1);
    }
  }

  /** Translates a POSIX class at this place, if there is one. */
  private boolean posix() {
    int end = source.indexOf(":]", at);
    if (!source.startsWith("[:", at) || end < 0) {
      return false;
    }
    String name = source.substring(at + 2, end);
    boolean negated = name.startsWith("^");
    String known = POSIX.get(negated ? name.substring(1) : name);
    if (known == null) {
      return false;
    }
    target.append(
        negated ? "\\" + Character.toUpperCase(known.charAt(1)) + known.substring(2) : known);
    at = end + 2;
    return true;
  }

  private void copy(int characters) {
    target.append(source, at, at + characters);
    at += characters;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  /** True for the letters whose escapes take an argument in braces. */
  private static boolean isNamed(char c) {
    return "pPxNogk".indexOf(c) >= 0;
  }
}
