package dev.mayfly.mql.parser.update;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.parser.FilterParser;
import dev.mayfly.query.Collation;
import dev.mayfly.query.Filter;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.Value;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** The {@code arrayFilters} of an update, by identifier: the first name of all their paths. */
final class ArrayFilters {
  private final Map<String, Filter> filters = new HashMap<>();
  private final Set<String> used = new HashSet<>();

  static ArrayFilters parse(List<Document> syntax, Collation collation) {
    ArrayFilters all = new ArrayFilters();
    syntax.forEach(one -> all.add(one, collation));
    return all;
  }

  Map<String, Filter> byName() {
    return filters;
  }

  /** Records the identifiers that a path uses. */
  void use(UpdatePath path) {
    for (String identifier : path.identifiers()) {
      if (!filters.containsKey(identifier)) {
        throw FilterParser.bad(
            "No array filter found for identifier '"
                + identifier
                + "' in path '"
                + path.text()
                + "'");
      }
      used.add(identifier);
    }
  }

  /** Fails if no path uses a filter. */
  void requireAllUsed(Document update) {
    if (used.size() < filters.size()) {
      TreeSet<String> unused = new TreeSet<>(filters.keySet());
      unused.removeAll(used);
      throw failed(
          "The array filter for identifier '"
              + unused.first()
              + "' was not used in the update "
              + ShellText.of(Value.of(update)));
    }
  }

  private void add(Document syntax, Collation collation) {
    Filter filter;
    try {
      filter = FilterParser.parse(syntax, UpdateParser.NO_EXPRESSION, collation);
    } catch (CommandException refused) {
      throw new CommandException(
          refused.code(), "Error parsing array filter :: caused by :: " + refused.message());
    }
    String name = name(filter);
    if (filters.putIfAbsent(name, filter) != null) {
      throw failed("Found multiple array filters with the same top-level field name " + name);
    }
  }

  private static String name(Filter filter) {
    List<String> names = filter.paths().map(path -> path.step(0)).distinct().toList();
    if (names.isEmpty()) {
      throw failed("Cannot use an expression without a top-level field name in arrayFilters");
    }
    if (names.size() > 1) {
      throw failed(
          "Error parsing array filter :: caused by :: Expected a single top-level field name,"
              + " found '"
              + names.get(0)
              + "' and '"
              + names.get(1)
              + "'");
    }
    if (!UpdatePath.isIdentifier(names.getFirst())) {
      throw FilterParser.bad(
          "Error parsing array filter :: caused by :: The top-level field name must be an"
              + " alphanumeric string beginning with a lowercase letter, found '"
              + names.getFirst()
              + "'");
    }
    return names.getFirst();
  }

  private static CommandException failed(String message) {
    return new CommandException(ErrorCode.FAILED_TO_PARSE, message);
  }
}
