package dev.mayfly.query;

import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * Translation of PCRE syntax to Java's.
 *
 * <p>Differences handled: a bracket or {@code &&} inside a class is literal in PCRE, as is white
 * space there in extended mode; POSIX classes; a first {@code ]} in a class; a brace that starts no
 * repetition; group names, which PCRE allows in more forms and places; comments; branch resets
 * without groups; scripts, octal numbers and {@code \N}; leading verbs. Features that Java lacks,
 * such as recursion, conditions and {@code \K}, are rejected by name.
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

  private static final String NAME = "[A-Za-z_][A-Za-z0-9_]*";

  /** The start of a named group, or a reference to one. */
  private static final Pattern NAMED =
      Pattern.compile("\\(\\?(?:P?<(" + NAME + ")>|'(" + NAME + ")')");

  private static final Pattern REFERENCE =
      Pattern.compile(
          "\\(\\?P=(NAME)\\)|\\\\[kg]\\{(NAME)}|\\\\k<(NAME)>|\\\\k'(NAME)'".replace("NAME", NAME));

  private static final Pattern NUMBERED = Pattern.compile("\\\\g(?:(\\d+)|\\{(\\d+)})");
  private static final Pattern COMMENT = Pattern.compile("\\(\\?#[^)]*\\)");
  private static final Pattern OCTAL = Pattern.compile("\\\\o\\{([0-7]{1,7})}");
  private static final Pattern PROPERTY = Pattern.compile("\\\\([pP])\\{(\\^?)([A-Za-z_&]+)}");

  /** Features that Java lacks, and their names. */
  private static final Map<Pattern, String> UNKNOWN =
      Map.of(
          Pattern.compile("\\(\\?(?:R|[+-]?\\d+|&|P>)|\\\\g[<']"), "recursion and calls of groups",
          Pattern.compile("\\(\\?\\("), "conditional groups",
          Pattern.compile("\\\\K"), "\\K",
          Pattern.compile("\\(\\*"), "backtracking verbs",
          Pattern.compile("\\(\\?\\|"), "a branch reset with groups in it");

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
        case '\\' -> escapeOutside();
        case '[' -> characterClass();
        case '{' -> brace();
        case '(' -> group();
        default -> copy(1);
      }
    }
    return target.toString();
  }

  /** Returns the flags; call it after the translation. */
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

  /** Writes an escape outside a class. */
  private void escapeOutside() {
    if (source.startsWith("\\N", at) && !source.startsWith("{", at + 2)) {
      target.append("[^\\n]");
      at += 2;
    } else if (!reference() && !numbered()) {
      refuseUnknown();
      escape();
    }
  }

  /** Writes an escape; copies a whole quotation, which Java knows, too. */
  private void escape() {
    Matcher octal = here(OCTAL);
    Matcher property = here(PROPERTY);
    if (source.startsWith("\\Q", at)) {
      int end = source.indexOf("\\E", at);
      copy(end < 0 ? source.length() - at : end + 2 - at);
    } else if (octal.lookingAt()) {
      int code = Integer.parseInt(octal.group(1), 8);
      replace(octal, "\\x{" + Integer.toHexString(code) + "}");
    } else if (property.lookingAt()) {
      boolean negated = property.group(1).equals("P") != property.group(2).equals("^");
      replace(property, property(property.group(3), negated));
    } else {
      copy(Math.min(2, source.length() - at));
    }
  }

  /** Keeps a general category; any longer name is a script. */
  private static String property(String name, boolean negated) {
    String letter = negated ? "\\P" : "\\p";
    return switch (name) {
      case "L&" -> letter + "{LC}";
      case "Any" -> negated ? "[^\\x{0}-\\x{10FFFF}]" : "[\\x{0}-\\x{10FFFF}]";
      case "Xan" -> negated ? "[^\\p{L}\\p{N}]" : "[\\p{L}\\p{N}]";
      case "Xwd" -> negated ? "[^\\p{L}\\p{N}_]" : "[\\p{L}\\p{N}_]";
      case "Xsp", "Xps" -> negated ? "\\S" : "\\s";
      default -> letter + "{" + (name.length() > 2 ? "Is" : "") + name + "}";
    };
  }

  /** Writes a reference to a named group, if there is one at this position. */
  private boolean reference() {
    Matcher matcher = here(REFERENCE);
    if (!matcher.lookingAt()) {
      return false;
    }
    replace(matcher, "\\k<" + plain(firstGroup(matcher)) + ">");
    return true;
  }

  private boolean numbered() {
    Matcher matcher = here(NUMBERED);
    if (!matcher.lookingAt()) {
      return false;
    }
    // in a group of its own: a digit may follow
    replace(matcher, "(?:\\" + firstGroup(matcher) + ")");
    return true;
  }

  /** Returns the name in letters and digits only, as Java requires. */
  private static String plain(String name) {
    return "n" + name.replace("Z", "ZZ").replace("_", "Zu");
  }

  private static String firstGroup(Matcher matcher) {
    for (int i = 1; i <= matcher.groupCount(); i++) {
      if (matcher.group(i) != null) {
        return matcher.group(i);
      }
    }
    throw new IllegalStateException("no group of " + matcher.pattern() + " has met");
  }

  private Matcher here(Pattern pattern) {
    return pattern.matcher(source).region(at, source.length());
  }

  private void replace(Matcher matched, String by) {
    target.append(by);
    at = matched.end();
  }

  private void refuseUnknown() {
    UNKNOWN.forEach(
        (pattern, name) -> {
          if (here(pattern).lookingAt()) {
            throw new PatternSyntaxException("not supported: " + name, source, at);
          }
        });
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
    Matcher named = here(NAMED);
    Matcher comment = here(COMMENT);
    if (named.lookingAt()) {
      replace(named, "(?<" + plain(firstGroup(named)) + ">");
    } else if (comment.lookingAt()) {
      replace(comment, "");
    } else if (source.startsWith("(?|", at) && !hasGroupsInside()) {
      target.append("(?:");
      at += 3;
    } else if (!reference()) {
      refuseUnknown();
      copy(1);
    }
  }

  /** Returns whether the group that begins here contains capturing groups. */
  private boolean hasGroupsInside() {
    int depth = 0;
    for (int i = at; i < source.length(); i++) {
      char c = source.charAt(i);
      if (c == '\\') {
        i++;
      } else if (c == '(') {
        boolean counted =
            !source.startsWith("(?", i)
                || NAMED.matcher(source).region(i, source.length()).lookingAt();
        if (depth > 0 && counted) {
          return true;
        }
        depth++;
      } else if (c == ')' && --depth == 0) {
        return false;
      }
    }
    return false;
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

  /** Translates a POSIX class at this position, if there is one. */
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

  /** Returns whether the escape of this letter takes an argument in braces. */
  private static boolean isNamed(char c) {
    return "pPxNogk".indexOf(c) >= 0;
  }
}
