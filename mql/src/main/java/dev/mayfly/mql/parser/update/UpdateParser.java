package dev.mayfly.mql.parser.update;

import static dev.mayfly.mql.parser.FilterParser.bad;

import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.mql.expression.TypeNames;
import dev.mayfly.mql.parser.Syntax;
import dev.mayfly.mql.parser.Variables;
import dev.mayfly.mql.parser.pipeline.WriteStages;
import dev.mayfly.mql.pipeline.Stage;
import dev.mayfly.mql.update.Modifications;
import dev.mayfly.mql.update.Modifier;
import dev.mayfly.mql.update.Modifiers;
import dev.mayfly.mql.update.PipelineUpdate;
import dev.mayfly.mql.update.Replacement;
import dev.mayfly.mql.update.Update;
import dev.mayfly.query.Collation;
import dev.mayfly.query.DocumentPredicate;
import dev.mayfly.query.ShellText;
import dev.mayfly.value.Document;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Type;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/** Parser of updates: a replacement document, update operators or a pipeline. */
public final class UpdateParser {
  /** Rejects {@code $expr} in filters inside updates. */
  static final Function<Value, DocumentPredicate> NO_EXPRESSION =
      _ -> {
        throw new CommandException(
            new ErrorCode(224, "QueryFeatureNotAllowed"), "$expr is not allowed in this context");
      };

  private final Document syntax;
  private final ArrayFilters arrayFilters;
  private final ModifierParser modifiers;
  private final Modifications.Builder builder = new Modifications.Builder();
  private final List<UpdatePath> paths = new ArrayList<>();

  private UpdateParser(Document syntax, List<Document> arrayFilters, Collation collation) {
    this.syntax = syntax;
    this.arrayFilters = ArrayFilters.parse(arrayFilters, collation);
    this.modifiers = new ModifierParser(collation);
  }

  /**
   * Parses the {@code u} or {@code update} of a command.
   *
   * @param syntax a document or a pipeline
   * @throws CommandException if the syntax is invalid
   */
  public static Update parse(
      Value syntax, List<Document> arrayFilters, Variables variables, Collation collation) {
    return switch (syntax.type()) {
      case OBJECT -> document(syntax.asDocument(), arrayFilters, collation);
      case ARRAY -> pipeline(syntax, arrayFilters, new Syntax(variables, collation));
      default ->
          throw new CommandException(
              ErrorCode.FAILED_TO_PARSE, "Update argument must be either an object or an array");
    };
  }

  private static Update pipeline(Value syntax, List<Document> arrayFilters, Syntax context) {
    if (!arrayFilters.isEmpty()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "arrayFilters may not be specified for pipeline-style updates");
    }
    List<Document> stages = new ArrayList<>();
    Fields elements = syntax.asDocument().fields();
    while (elements.next()) {
      if (elements.type() != Type.OBJECT) {
        throw new CommandException(
            ErrorCode.TYPE_MISMATCH, "Each element of the 'pipeline' array must be an object");
      }
      stages.add(elements.value().asDocument());
    }
    List<PipelineUpdate.Step> steps = new ArrayList<>();
    for (Stage.Step step : WriteStages.steps(stages, context)) {
      steps.add(step::apply);
    }
    return new PipelineUpdate(steps);
  }

  /** Parses a document: update operators if its first field is one, else a replacement. */
  static Update document(Document syntax, List<Document> arrayFilters, Collation collation) {
    Fields fields = syntax.fields();
    if (fields.next() && fields.name().startsWith("$")) {
      return new UpdateParser(syntax, arrayFilters, collation).operators();
    }
    if (!arrayFilters.isEmpty()) {
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE, "Cannot specify arrayFilters with a replacement-style update");
    }
    return replacement(syntax);
  }

  private static Update replacement(Document syntax) {
    Fields fields = syntax.fields();
    while (fields.next()) {
      if (fields.name().startsWith("$")) {
        throw UpdatePath.dollar(fields.name(), fields.name());
      }
    }
    return new Replacement(syntax);
  }

  private Update operators() {
    Fields fields = syntax.fields();
    while (fields.next()) {
      operator(fields.name(), fields.value());
    }
    arrayFilters.requireAllUsed(syntax);
    return builder.build(arrayFilters.byName());
  }

  private void operator(String name, Value argument) {
    if (!argument.isDocument()) {
      // An unknown operator is reported first, regardless of its argument.
      modifiers.parse(name.equals("$rename") ? "$set" : name, "", argument(name));
      throw new CommandException(
          ErrorCode.FAILED_TO_PARSE,
          "Modifiers operate on fields but we found type "
              + TypeNames.of(argument.type())
              + " instead. For example: {$mod: {<field>: ...}} not {"
              + ShellText.field(name, argument)
              + "}");
    }
    Fields fields = argument.asDocument().fields();
    boolean any = false;
    while (fields.next()) {
      any = true;
      if (name.equals("$rename")) {
        rename(fields.name(), fields.value());
      } else {
        UpdatePath path = UpdatePath.parse(fields.name());
        add(path, modifiers.parse(name, path.text(), fields.value()));
      }
    }
    if (!any && !name.equals("$rename")) {
      modifiers.parse(name, "", argument(name));
    }
  }

  /** Returns an argument that is valid for the operator. */
  private static Value argument(String name) {
    return switch (name) {
      case "$currentDate" -> Value.TRUE;
      case "$pullAll" -> Value.array(List.of());
      case "$bit" -> Value.of(Document.writer().put("and", 1).build());
      default -> Value.of(1);
    };
  }

  private void rename(String from, Value argument) {
    if (argument.type() != Type.STRING) {
      throw bad("The 'to' field for $rename must be a string: " + ShellText.field(from, argument));
    }
    UpdatePath source = UpdatePath.parse(from);
    UpdatePath target = UpdatePath.parse(argument.asString());
    String shown = ShellText.field(from, argument);
    if (source.isDynamic()) {
      throw bad("The source field for $rename may not be dynamic: " + source.text());
    }
    if (target.isDynamic()) {
      throw bad("The destination field for $rename may not be dynamic: " + target.text());
    }
    if (source.text().equals(target.text())) {
      throw bad("The source and target field for $rename must differ: " + shown);
    }
    if (isOnTheWay(source, target) || isOnTheWay(target, source)) {
      throw bad("The source and target field for $rename must not be on the same path: " + shown);
    }
    add(target, new Modifiers.MovedFrom(FieldPath.of(source.steps())));
    add(source, new Modifiers.Unset());
  }

  private void add(UpdatePath path, Modifier modifier) {
    arrayFilters.use(path);
    if (!builder.add(path.steps(), modifier)) {
      throw new CommandException(
          ErrorCode.CONFLICTING_UPDATE_OPERATORS,
          "Updating the path '"
              + path.text()
              + "' would create a conflict at '"
              + conflict(path)
              + "'");
    }
    paths.add(path);
  }

  /** Returns the shorter of the path and the one it conflicts with. */
  private String conflict(UpdatePath path) {
    for (UpdatePath other : paths) {
      if (other.text().equals(path.text()) || isOnTheWay(other, path)) {
        return other.text();
      }
    }
    return path.text();
  }

  private static boolean isOnTheWay(UpdatePath shorter, UpdatePath longer) {
    return longer.text().startsWith(shorter.text() + ".");
  }
}
