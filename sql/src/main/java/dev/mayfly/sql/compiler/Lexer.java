package dev.mayfly.sql.compiler;

import dev.mayfly.sql.compiler.Token.Kind;
import dev.mayfly.value.Value;

/** Lexer: splits a query into tokens. For one thread. */
final class Lexer {
  private final String text;
  private int at;

  Lexer(String text) {
    this.text = text;
  }

  /** Returns the next token; {@link Kind#END} after the last. */
  Token next() {
    skipBlanks();
    int start = at;
    if (at >= text.length()) {
      return new Token(Kind.END, "", Value.MISSING, new Span(start, start));
    }
    char c = text.charAt(at);
    if (beginsName(c)) {
      return plain(Kind.NAME, start, nameEnd(at + 1));
    }
    if (isDigit(c) || (c == '.' && isDigit(peek(1)))) {
      return number(start);
    }
    return switch (c) {
      case '@' -> parameter(start);
      case '\'', '"' -> string(start, c);
      default -> symbol(start);
    };
  }

  private Token plain(Kind kind, int start, int end) {
    at = end;
    return new Token(kind, text.substring(start, end), Value.MISSING, new Span(start, end));
  }

  private void skipBlanks() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '-' && peek(1) == '-') {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (Character.isWhitespace(c) || c == '\u00A0' || c == '\uFEFF') {
        at++;
      } else {
        return;
      }
    }
  }

  private char peek(int ahead) {
    return at + ahead < text.length() ? text.charAt(at + ahead) : 0;
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static boolean beginsName(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private int nameEnd(int from) {
    int end = from;
    while (end < text.length() && (beginsName(text.charAt(end)) || isDigit(text.charAt(end)))) {
      end++;
    }
    return end;
  }

  private Token parameter(int start) {
    int end = nameEnd(start + 1);
    if (end == start + 1) {
      throw SqlException.near(new Span(start, end), "@");
    }
    return plain(Kind.PARAMETER, start, end);
  }

  private Token number(int start) {
    if (text.charAt(at) == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
      return hexadecimal(start);
    }
    at = digits(at);
    boolean integer = true;
    if (peek(0) == '.') {
      integer = false;
      at = digits(at + 1);
    }
    if (peek(0) == 'e' || peek(0) == 'E') {
      integer = false;
      at = digits(peek(1) == '+' || peek(1) == '-' ? at + 2 : at + 1);
    }
    int end = nameEnd(at);
    String digits = text.substring(start, end);
    Span span = new Span(start, end);
    boolean ended = isDigit(text.charAt(end - 1)) || text.charAt(end - 1) == '.';
    if (end != at || !ended) {
      throw SqlException.badNumber(span, digits);
    }
    return new Token(Kind.NUMBER, digits, number(digits, integer, span), span);
  }

  private int digits(int from) {
    int end = from;
    while (end < text.length() && isDigit(text.charAt(end))) {
      end++;
    }
    return end;
  }

  private static Value number(String digits, boolean integer, Span span) {
    if (integer) {
      try {
        return Literals.integer(Long.parseLong(digits));
      } catch (NumberFormatException tooLarge) {
        // parsed as a double below
      }
    }
    double number = Double.parseDouble(digits);
    if (Double.isInfinite(number)) {
      throw SqlException.badNumber(span, digits);
    }
    return Value.of(number);
  }

  private Token hexadecimal(int start) {
    int end = nameEnd(start + 2);
    String digits = text.substring(start, end);
    Span span = new Span(start, end);
    try {
      Value value = Literals.integer(Long.parseUnsignedLong(digits, 2, digits.length(), 16));
      at = end;
      return new Token(Kind.NUMBER, digits, value, span);
    } catch (NumberFormatException invalid) {
      throw SqlException.badNumber(span, digits);
    }
  }

  private Token string(int start, char quote) {
    StringBuilder content = new StringBuilder();
    at++;
    while (peek(0) != quote || at >= text.length()) {
      if (at >= text.length()) {
        throw badString(start);
      }
      char c = text.charAt(at++);
      content.append(c == '\\' ? escaped(start) : c);
    }
    at++;
    String plain = content.toString();
    return new Token(Kind.STRING, plain, Value.of(plain), new Span(start, at));
  }

  private char escaped(int start) {
    char c = peek(0);
    at++;
    return switch (c) {
      case '"', '\'', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode(start);
      default -> throw badString(start);
    };
  }

  private char unicode(int start) {
    int code = 0;
    for (int i = 0; i < 4; i++) {
      int digit = Character.digit(peek(i), 16);
      if (digit < 0) {
        throw badString(start);
      }
      code = code << 4 | digit;
    }
    at += 4;
    return (char) code;
  }

  private SqlException badString(int start) {
    int end = Math.min(at, text.length());
    return SqlException.badText(new Span(start, end), text.substring(start, end));
  }

  private Token symbol(int start) {
    int length = symbolLength();
    if (length == 0) {
      int end = text.offsetByCodePoints(at, 1);
      throw SqlException.near(new Span(start, end), text.substring(start, end));
    }
    return plain(Kind.SYMBOL, start, start + length);
  }

  private int symbolLength() {
    char second = peek(1);
    return switch (text.charAt(at)) {
      case '(',
          ')',
          '[',
          ']',
          '{',
          '}',
          ',',
          '.',
          ':',
          '+',
          '-',
          '*',
          '/',
          '%',
          '~',
          '&',
          '^',
          '=' ->
          1;
      case '?' -> second == '?' ? 2 : 1;
      case '|' -> second == '|' ? 2 : 1;
      case '!' -> second == '=' ? 2 : 0;
      case '<' -> second == '=' || second == '>' || second == '<' ? 2 : 1;
      case '>' -> second == '=' ? 2 : second != '>' ? 1 : peek(2) == '>' ? 3 : 2;
      default -> 0;
    };
  }
}
