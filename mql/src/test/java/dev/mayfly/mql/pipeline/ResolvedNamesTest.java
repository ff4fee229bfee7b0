package dev.mayfly.mql.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.mql.expression.Literal;
import dev.mayfly.value.FieldPath;
import dev.mayfly.value.Value;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Names of a pipeline, resolved before it runs. */
final class ResolvedNamesTest {
  private final List<Target> asked = new ArrayList<>();

  private static Stage union(String from, Stage... stages) {
    return new Stage.Union(Target.here(from), Pipeline.of(stages));
  }

  private static Stage lookup(String from, Stage... stages) {
    return new Stage.Lookup(
        Target.here(from), Optional.empty(), List.of(), Pipeline.of(stages), FieldPath.of("f"));
  }

  private ResolvedNames.Origin resolve(Target name) {
    asked.add(name);
    return name.collection().equals("view")
        ? new ResolvedNames.Origin(new Target("db", "base"), Pipeline.of(union("inView")))
        : new ResolvedNames.Origin(name, Pipeline.EMPTY);
  }

  @Test
  void eachNameIsResolvedOnceWithThoseOfNestedPipelinesAndViews() {
    Stage facet = new Stage.Facet(List.of(new Stage.Branch("b", Pipeline.of(lookup("inFacet")))));
    Pipeline pipeline =
        Pipeline.of(lookup("a", union("b"), union("view")), facet, union("a"), union("view"));
    ResolvedNames names = ResolvedNames.of(new Target("db", "c"), pipeline, this::resolve);
    assertThat(asked)
        .extracting(Target::toString)
        .containsExactly("db.c", "db.a", "db.b", "db.view", "db.inView", "db.inFacet");
    assertThat(names.origin(new Target("db", "view")).collection())
        .isEqualTo(new Target("db", "base"));
    assertThat(names.origin(new Target("db", "a")).view()).isEqualTo(Pipeline.EMPTY);
  }

  @Test
  void pipelineThatBringsItsDocumentsReadsNoCollection() {
    Stage documents = new Stage.Documents(new Literal(Value.array(List.of())));
    Pipeline pipeline = Pipeline.of(documents, lookup("", documents, union("a")));
    ResolvedNames.of(new Target("db", "$cmd.aggregate"), pipeline, this::resolve);
    assertThat(asked).containsExactly(new Target("db", "a"));
  }
}
