package dev.mayfly.mql.parser;

import dev.mayfly.mql.parser.pipeline.PipelineParser;
import java.util.Set;

/** Names of all stages, for tests. */
public final class StageNames {
  private StageNames() {}

  public static Set<String> all() {
    return PipelineParser.names();
  }
}
