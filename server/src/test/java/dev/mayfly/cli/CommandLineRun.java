package dev.mayfly.cli;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Map;

/** Result of a command line that ran inside the test. */
record CommandLineRun(int exit, String out, String err) {
  static CommandLineRun of(String... arguments) {
    return in(Map.of(), arguments);
  }

  static CommandLineRun in(Map<String, String> environment, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exit =
        Main.line(environment, new PrintWriter(out, true), new PrintWriter(err, true))
            .execute(arguments);
    return new CommandLineRun(exit, out.toString(), err.toString());
  }
}
