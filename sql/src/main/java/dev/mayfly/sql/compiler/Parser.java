package dev.mayfly.sql.compiler;

import dev.mayfly.query.Operator;
import dev.mayfly.sql.Arithmetic;
import dev.mayfly.sql.compiler.Expression.Use;
import dev.mayfly.sql.compiler.Token.Kind;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Parser: recursive descent for clauses, precedence climbing for expressions.
 *
 * <p>The depth of nesting and the height of the tree are bounded, so that neither the parser nor a
 * traversal of the tree overflows the stack. A chain of n operators has height n, except AND and
 * OR, which are flat.
 */
public final class Parser {
  /** Maximum length of a query in characters. */
  public static final int MAX_LENGTH = 512 * 1024;

  /** Maximum nesting of brackets and subqueries. */
  static final int MAX_NESTING = 128;

  /** Maximum height of the tree. */
  static final int MAX_HEIGHT = 1000;

  /**
   * Reserved words of Cosmos DB, which cannot be aliases nor, after a dot, properties. ALL, FIRST,
   * LAST and RANK are keywords only at the beginning of their constructs.
   */
  private static final Set<String> RESERVED =
      Set.of(
          "SELECT",
          "VALUE",
          "FROM",
          "WHERE",
          "GROUP",
          "ORDER",
          "BY",
          "AS",
          "ASC",
          "DESC",
          "TOP",
          "DISTINCT",
          "OFFSET",
          "LIMIT",
          "JOIN",
          "IN",
          "LIKE",
          "BETWEEN",
          "AND",
          "OR",
          "NOT",
          "ESCAPE",
          "EXISTS",
          "ARRAY",
          "LEFT",
          "RIGHT");

  /** Keywords that are followed by arguments or a query in parentheses. */
  private static final Set<String> CALLED = Set.of("EXISTS", "ARRAY", "LEFT", "RIGHT");

  /** Case-sensitive keywords. */
  private static final Set<String> EXACT = Set.of("true", "false", "null", "undefined", "udf");

  /** Precedence of binary operators. */
  private static final Map<String, Integer> PRECEDENCE =
      Map.ofEntries(
          Map.entry("*", 9),
          Map.entry("/", 9),
          Map.entry("%", 9),
          Map.entry("+", 8),
          Map.entry("-", 8),
          Map.entry("<<", 7),
          Map.entry(">>", 7),
          Map.entry(">>>", 7),
          Map.entry("<", 6),
          Map.entry("<=", 6),
          Map.entry(">", 6),
          Map.entry(">=", 6),
          Map.entry("=", 5),
          Map.entry("!=", 5),
          Map.entry("<>", 5),
          Map.entry("&", 4),
          Map.entry("^", 3),
          Map.entry("|", 2),
          Map.entry("||", 1));

  private static final Map<String, Operator> COMPARISONS =
      Map.of(
          "<",
          Operator.LT,
          "<=",
          Operator.LTE,
          ">",
          Operator.GT,
          ">=",
          Operator.GTE,
          "=",
          Operator.EQ,
          "!=",
          Operator.NE,
          "<>",
          Operator.NE);

  private final Lexer lexer;
  private Token token;
  private Token ahead;
  private int end;
  private int nesting;
  private int height;

  private Parser(String text) {
    this.lexer = new Lexer(text);
    this.token = lexer.next();
    this.ahead = lexer.next();
  }

  /**
   * Parses a query.
   *
   * @throws SqlException if it is malformed
   */
  public static Select parse(String text) {
    if (text.length() > MAX_LENGTH) {
      throw new SqlException(
          "SC3002",
          new Span(0, text.length()),
          "The SQL query text exceeded the maximum limit of " + MAX_LENGTH + " characters.");
    }
    Parser parser = new Parser(text);
    Select query = parser.select();
    if (parser.token.kind() != Kind.END) {
      throw parser.unexpected();
    }
    return query;
  }

  private Token advance() {
    Token read = token;
    end = read.span().end();
    token = ahead;
    ahead = ahead.kind() == Kind.END ? ahead : lexer.next();
    return read;
  }

  private SqlException unexpected() {
    return token.kind() == Kind.END
        ? SqlException.atEnd(token.span())
        : SqlException.near(token.span(), token.text());
  }

  private boolean accept(String symbol) {
    boolean found = token.is(symbol);
    if (found) {
      advance();
    }
    return found;
  }

  private void expect(String symbol) {
    if (!accept(symbol)) {
      throw unexpected();
    }
  }

  private boolean acceptWord(String word) {
    boolean found = token.isWord(word);
    if (found) {
      advance();
    }
    return found;
  }

  private void expectWord(String word) {
    if (!acceptWord(word)) {
      throw unexpected();
    }
  }

  private Span since(int start) {
    return new Span(start, end);
  }

  private int here() {
    return token.span().start();
  }

  private void enter() {
    if (++nesting > MAX_NESTING) {
      throw SqlException.tooDeep(token.span(), MAX_NESTING);
    }
  }

  private void leave() {
    nesting--;
  }

  // clauses

  private Select select() {
    enter();
    int start = here();
    expectWord("SELECT");
    boolean distinct = acceptWord("DISTINCT");
    Expression top = acceptWord("TOP") ? amount() : null;
    Select.Projection projection = projection();
    List<Select.From> from = acceptWord("FROM") ? from() : List.of();
    Expression where = acceptWord("WHERE") ? expression() : null;
    List<Expression> groupBy = acceptBy("GROUP") ? expressions() : List.of();
    List<Select.Key> orderBy = acceptBy("ORDER") ? keys() : List.of();
    Expression offset = null;
    Expression limit = null;
    if (acceptWord("OFFSET")) {
      offset = amount();
      expectWord("LIMIT");
      limit = amount();
    }
    leave();
    return new Select(
        distinct, top, projection, from, where, groupBy, orderBy, offset, limit, since(start));
  }

  private boolean acceptBy(String word) {
    if (!acceptWord(word)) {
      return false;
    }
    expectWord("BY");
    return true;
  }

  /** Parses a number or a parameter. */
  private Expression amount() {
    Token read = token;
    return switch (read.kind()) {
      case NUMBER -> {
        advance();
        yield new Expression.Literal(read.value(), read.span());
      }
      case PARAMETER -> {
        advance();
        yield new Expression.Parameter(read.text(), read.span());
      }
      case NAME, STRING, SYMBOL, END -> throw unexpected();
    };
  }

  private Select.Projection projection() {
    if (token.is("*")) {
      return new Select.Projection.Everything(advance().span());
    }
    if (acceptWord("VALUE")) {
      return new Select.Projection.Single(expression());
    }
    List<Select.Item> items = new ArrayList<>();
    do {
      Expression value = expression();
      items.add(new Select.Item(value, alias()));
    } while (accept(","));
    return new Select.Projection.Listed(items);
  }

  private @Nullable String alias() {
    if (acceptWord("AS")) {
      return identifier();
    }
    return isIdentifier(token) ? identifier() : null;
  }

  private static boolean isIdentifier(Token token) {
    return token.kind() == Kind.NAME
        && !RESERVED.contains(token.text().toUpperCase(Locale.ROOT))
        && !EXACT.contains(token.text());
  }

  private String identifier() {
    if (!isIdentifier(token)) {
      throw unexpected();
    }
    return advance().text();
  }

  private List<Select.From> from() {
    List<Select.From> parts = new ArrayList<>();
    do {
      parts.add(source());
    } while (acceptWord("JOIN"));
    return parts;
  }

  private Select.From source() {
    int start = here();
    if (isIdentifier(token) && ahead.isWord("IN")) {
      String variable = identifier();
      advance();
      if (token.is("(")) {
        Select query = subquery();
        return new Select.From.Spread(variable, query, since(start));
      }
      boolean call = token.kind() == Kind.NAME && ahead.is("(");
      Expression array = call ? steps(primary()) : path();
      return new Select.From.Elements(variable, array, since(start));
    }
    if (token.is("(")) {
      Select query = subquery();
      return new Select.From.Results(query, alias(), since(start));
    }
    Expression path = path();
    return new Select.From.Value(path, alias(), since(start));
  }

  private Select subquery() {
    expect("(");
    Select query = select();
    expect(")");
    return query;
  }

  /** Parses a name and the steps after it. */
  private Expression path() {
    Token name = token;
    Expression path = new Expression.Name(identifier(), name.span());
    height = 1;
    return steps(path);
  }

  private List<Select.Key> keys() {
    if (token.isWord("RANK") && ahead.kind() == Kind.NAME) {
      throw new SqlException("SC2221", token.span(), "ORDER BY RANK is not supported.");
    }
    List<Select.Key> keys = new ArrayList<>();
    do {
      Expression value = expression();
      boolean descending = acceptWord("DESC");
      if (!descending) {
        acceptWord("ASC");
      }
      keys.add(new Select.Key(value, descending));
    } while (accept(","));
    return keys;
  }

  private List<Expression> expressions() {
    List<Expression> all = new ArrayList<>();
    int maxHeight = 0;
    do {
      all.add(expression());
      maxHeight = Math.max(maxHeight, height);
    } while (accept(","));
    height = maxHeight;
    return all;
  }

  // expressions, from the lowest precedence to the highest; each stores the height of its tree in
  // the field

  private Expression expression() {
    enter();
    int start = here();
    Expression condition = coalesce();
    if (accept("?")) {
      int first = height;
      Expression then = expression();
      first = Math.max(first, height);
      expect(":");
      Expression otherwise = expression();
      raise(first);
      condition = new Expression.Choice(condition, then, otherwise, since(start));
    }
    leave();
    return condition;
  }

  /** Records the height of a node above the last operand and another of a given height. */
  private void raise(int other) {
    height = Math.max(height, other) + 1;
    if (height > MAX_HEIGHT) {
      throw SqlException.tooDeep(token.span(), MAX_HEIGHT);
    }
  }

  private Expression coalesce() {
    int start = here();
    Expression first = logical(false);
    while (accept("??")) {
      int left = height;
      Expression second = logical(false);
      raise(left);
      first = new Expression.Coalesce(first, second, since(start));
    }
    return first;
  }

  private Expression logical(boolean all) {
    int start = here();
    Expression first = all ? condition() : logical(true);
    String word = all ? "AND" : "OR";
    if (!token.isWord(word)) {
      return first;
    }
    List<Expression> members = new ArrayList<>(List.of(first));
    int maxHeight = height;
    while (acceptWord(word)) {
      members.add(all ? condition() : logical(true));
      maxHeight = Math.max(maxHeight, height);
    }
    raise(maxHeight);
    return new Expression.Logical(all, members, since(start));
  }

  /** Parses an operand, optionally with one IN, BETWEEN or LIKE, which do not chain. */
  private Expression condition() {
    int start = here();
    Expression value = binary(1);
    boolean negated =
        token.isWord("NOT")
            && (ahead.isWord("IN") || ahead.isWord("BETWEEN") || ahead.isWord("LIKE"));
    if (negated) {
      advance();
    }
    int left = height;
    Expression tested = test(value, start);
    if (tested == null) {
      return value;
    }
    raise(left);
    return negated ? new Expression.Unary(Expression.Sign.NOT, tested, since(start)) : tested;
  }

  private @Nullable Expression test(Expression value, int start) {
    if (acceptWord("IN")) {
      expect("(");
      enter();
      List<Expression> others = expressions();
      leave();
      expect(")");
      return new Expression.In(value, others, since(start));
    }
    if (acceptWord("BETWEEN")) {
      Expression low = binary(1);
      int first = height;
      expectWord("AND");
      Expression high = binary(1);
      height = Math.max(first, height);
      return new Expression.Between(value, low, high, since(start));
    }
    if (acceptWord("LIKE")) {
      Expression pattern = binary(1);
      Expression escape = acceptWord("ESCAPE") ? binary(1) : null;
      return new Expression.Like(value, pattern, escape, since(start));
    }
    return null;
  }

  private Expression binary(int minPrecedence) {
    int start = here();
    Expression left = unary();
    while (token.kind() == Kind.SYMBOL) {
      Integer precedence = PRECEDENCE.get(token.text());
      if (precedence == null || precedence < minPrecedence) {
        break;
      }
      String symbol = advance().text();
      int first = height;
      Expression right = binary(precedence + 1);
      raise(first);
      left = joined(symbol, left, right, since(start));
    }
    return left;
  }

  private static Expression joined(String symbol, Expression left, Expression right, Span span) {
    Operator comparison = COMPARISONS.get(symbol);
    if (comparison != null) {
      return new Expression.Compare(comparison, left, right, span);
    }
    for (Arithmetic.Operator operator : Arithmetic.Operator.values()) {
      if (operator.symbol().equals(symbol)) {
        return new Expression.Binary(operator, left, right, span);
      }
    }
    throw SqlException.near(span, symbol);
  }

  private Expression unary() {
    Expression.Sign sign = sign();
    if (sign == null) {
      return steps(primary());
    }
    enter();
    int start = here();
    advance();
    Expression operand = unary();
    leave();
    raise(0);
    return new Expression.Unary(sign, operand, since(start));
  }

  private Expression.@Nullable Sign sign() {
    if (token.kind() == Kind.SYMBOL) {
      return switch (token.text()) {
        case "-" -> Expression.Sign.MINUS;
        case "+" -> Expression.Sign.PLUS;
        case "~" -> Expression.Sign.INVERT;
        default -> null;
      };
    }
    return token.isWord("NOT") ? Expression.Sign.NOT : null;
  }

  /** Parses the fields and elements after an operand. */
  private Expression steps(Expression of) {
    Expression path = of;
    int start = of.span().start();
    while (true) {
      if (accept(".")) {
        path = new Expression.Member(path, identifier(), since(start));
        raise(0);
      } else if (accept("[")) {
        path = bracketed(path, start);
      } else {
        return path;
      }
    }
  }

  private Expression bracketed(Expression of, int start) {
    int below = height;
    Expression index = expression();
    expect("]");
    raise(below);
    boolean name =
        index instanceof Expression.Literal(Value value, _) && value.type() == Type.STRING;
    return name
        ? new Expression.Member(of, ((Expression.Literal) index).value().asString(), since(start))
        : new Expression.Element(of, index, since(start));
  }

  private Expression primary() {
    Token read = token;
    height = 1;
    return switch (read.kind()) {
      case NUMBER, STRING -> {
        advance();
        yield new Expression.Literal(read.value(), read.span());
      }
      case PARAMETER -> {
        advance();
        yield new Expression.Parameter(read.text(), read.span());
      }
      case NAME -> named();
      case SYMBOL -> bracket();
      case END -> throw unexpected();
    };
  }

  private Expression named() {
    Token name = token;
    if (ahead.is("(")) {
      return called();
    }
    if (name.isExactly("udf") && ahead.is(".")) {
      return custom();
    }
    Value literal =
        switch (name.text()) {
          case "true" -> Value.TRUE;
          case "false" -> Value.FALSE;
          case "null" -> Value.NULL;
          default -> Value.MISSING;
        };
    if (!literal.isMissing() || name.isExactly("undefined")) {
      advance();
      return new Expression.Literal(literal, name.span());
    }
    return new Expression.Name(identifier(), name.span());
  }

  /** Parses a function call, or a keyword followed by a subquery. */
  private Expression called() {
    Token name = token;
    String word = name.text().toUpperCase(Locale.ROOT);
    if (RESERVED.contains(word) && !CALLED.contains(word)) {
      throw unexpected();
    }
    advance();
    Use use = token.is("(") && ahead.isWord("SELECT") ? use(word) : null;
    if (use == null) {
      return new Expression.Call(name.text(), false, arguments(), since(name.span().start()));
    }
    Select query = subquery();
    raise(0);
    return new Expression.Subquery(use, query, since(name.span().start()));
  }

  private static @Nullable Use use(String word) {
    for (Use use : Use.values()) {
      if (use != Use.ONLY && use.word().equals(word)) {
        return use;
      }
    }
    return null;
  }

  private Expression custom() {
    int start = here();
    advance();
    advance();
    if (token.kind() != Kind.NAME) {
      throw unexpected();
    }
    String name = advance().text();
    return new Expression.Call(name, true, arguments(), since(start));
  }

  private List<Expression> arguments() {
    expect("(");
    enter();
    List<Expression> arguments = token.is(")") ? List.of() : expressions();
    leave();
    expect(")");
    raise(0);
    return arguments;
  }

  private Expression bracket() {
    int start = here();
    if (token.is("(")) {
      if (ahead.isWord("SELECT")) {
        Select query = subquery();
        raise(0);
        return new Expression.Subquery(Use.ONLY, query, since(start));
      }
      advance();
      Expression inner = expression();
      expect(")");
      return inner;
    }
    if (accept("[")) {
      List<Expression> elements = token.is("]") ? List.of() : expressions();
      expect("]");
      raise(0);
      return new Expression.NewArray(elements, since(start));
    }
    if (token.is("{")) {
      return object();
    }
    throw unexpected();
  }

  private Expression object() {
    int start = here();
    advance();
    List<String> names = new ArrayList<>();
    List<Expression> values = new ArrayList<>();
    int maxHeight = 0;
    if (!token.is("}")) {
      do {
        if (token.kind() != Kind.NAME && token.kind() != Kind.STRING) {
          throw unexpected();
        }
        names.add(advance().text());
        expect(":");
        values.add(expression());
        maxHeight = Math.max(maxHeight, height);
      } while (accept(","));
    }
    expect("}");
    raise(maxHeight);
    return new Expression.NewObject(names, values, since(start));
  }
}
