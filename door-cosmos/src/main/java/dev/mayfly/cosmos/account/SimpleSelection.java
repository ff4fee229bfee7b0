package dev.mayfly.cosmos.account;

import dev.mayfly.cosmos.rest.Refusal;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Json;
import dev.mayfly.value.Limits;
import dev.mayfly.value.Order;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import dev.mayfly.value.ValueException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The queries that SDKs make by themselves: {@code SELECT *} with equalities, such as {@code SELECT
 * * FROM root r WHERE r.offerResourceId = @id}.
 */
public final class SimpleSelection implements Selection {
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*SELECT\\s+\\*\\s+FROM\\s+(\\w+)(?:\\s+(?:AS\\s+)?(?!WHERE\\b)(\\w+))?"
              + "(?:\\s+WHERE\\s+(.+?))?\\s*;?\\s*",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Pattern CONDITION =
      Pattern.compile(
          "\\s*\\(?\\s*(\\w+)((?:\\.\\w+|\\[\\s*\"[^\"]*\"\\s*\\])+)\\s*=\\s*"
              + "(@\\w+|\"[^\"]*\"|'[^']*'|-?[\\d.]+|true|false|null)\\s*\\)?\\s*",
          Pattern.CASE_INSENSITIVE);
  private static final Pattern STEP = Pattern.compile("\\.(\\w+)|\\[\\s*\"([^\"]*)\"\\s*\\]");
  private static final Pattern AND = Pattern.compile("\\s+AND\\s+", Pattern.CASE_INSENSITIVE);

  /** A path and what must be there. */
  private record Condition(FieldPath path, Value value) {
    boolean holds(Document resource) {
      Value found = resource.at(path);
      return !found.isMissing() && Order.COSMOS.compare(found, value) == 0;
    }
  }

  @Override
  public List<Document> select(Document query, List<Document> all) {
    Value text = query.field("query");
    Matcher form = FORM.matcher(text.type() == Type.STRING ? text.asString() : "");
    if (!form.matches()) {
      throw unsupported();
    }
    List<Condition> conditions = conditions(form.group(3), parameters(query));
    return all.stream()
        .filter(resource -> conditions.stream().allMatch(one -> one.holds(resource)))
        .toList();
  }

  private static Refusal unsupported() {
    return Refusal.wrong(
        "Queries over resources other than items have the form SELECT * FROM root r WHERE"
            + " r.property = value.");
  }

  private static Map<String, Value> parameters(Document query) {
    Map<String, Value> values = new HashMap<>();
    Value list = query.field("parameters");
    Fields elements = list.isArray() ? list.asDocument().fields() : Document.EMPTY.fields();
    while (elements.next()) {
      Document parameter = elements.value().asDocument();
      values.put(parameter.field("name").asString(), parameter.field("value"));
    }
    return values;
  }

  private static List<Condition> conditions(@Nullable String where, Map<String, Value> parameters) {
    List<Condition> conditions = new ArrayList<>();
    if (where != null) {
      for (String part : AND.split(where, -1)) {
        Matcher condition = CONDITION.matcher(part);
        if (!condition.matches()) {
          throw unsupported();
        }
        Value value = value(condition.group(3), parameters);
        conditions.add(new Condition(path(condition.group(2)), value));
      }
    }
    return conditions;
  }

  private static FieldPath path(String text) {
    List<String> steps = new ArrayList<>();
    Matcher step = STEP.matcher(text);
    while (step.find()) {
      steps.add(step.group(1) == null ? step.group(2) : step.group(1));
    }
    return FieldPath.of(steps);
  }

  private static Value value(String text, Map<String, Value> parameters) {
    if (text.startsWith("@")) {
      return parameters.getOrDefault(text, Value.MISSING);
    }
    if (text.startsWith("'")) {
      return Value.of(text.substring(1, text.length() - 1));
    }
    try {
      return Json.parseValue(text, Limits.COSMOS);
    } catch (ValueException broken) {
      throw unsupported();
    }
  }
}
