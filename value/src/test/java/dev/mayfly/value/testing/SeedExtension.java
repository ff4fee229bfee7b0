package dev.mayfly.value.testing;

import java.util.Random;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/**
 * Gives a test method a {@link Random} of its own and prints the seed when the test fails.
 *
 * <p>Replay with {@code mvn verify -Dseed=N}: every seeded test of the run then starts from N.
 */
public final class SeedExtension implements ParameterResolver, TestExecutionExceptionHandler {
  private static final ExtensionContext.Namespace NAMESPACE =
      ExtensionContext.Namespace.create(SeedExtension.class);

  /** The seed given by {@code -Dseed}, or a fresh one. */
  public static long seed() {
    return seed(new Random().nextLong());
  }

  /** The seed given by {@code -Dseed}, or another. */
  public static long seed(long otherwise) {
    String given = System.getProperty("mayfly.seed", "");
    return given.isBlank() ? otherwise : Long.parseLong(given.strip());
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Random.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    long seed = seed();
    context.getStore(NAMESPACE).put("seed", seed);
    return new Random(seed);
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    Long seed = context.getStore(NAMESPACE).get("seed", Long.class);
    if (seed != null) {
      System.err.println(context.getDisplayName() + " failed; replay with -Dseed=" + seed);
    }
    throw failure;
  }
}
