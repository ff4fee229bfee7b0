package dev.mayfly.cli;

import dev.mayfly.Mayfly;
import dev.mayfly.config.Settings;
import dev.mayfly.engine.Findings;
import dev.mayfly.engine.Namespace;
import dev.mayfly.store.StoreException;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Value;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Compares all that is stored with itself. */
@Command(
    name = "check",
    description = {
      "Compare all that is stored with itself, while no server runs.",
      "Every document must be in its indexes and in the order it expires in, every entry must have"
          + " its document, and the counts must be right. Exits with 1 when something is wrong."
    })
final class CheckDirectory implements Callable<Integer> {
  private final Main main;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Directory of the data, which no server has open [mayfly-data].")
  private Path data = Path.of(Settings.DATA.standard());

  @Option(
      names = "--repair",
      description = "Write anew what disagrees with the documents; wrong counts are only told.")
  private boolean repair;

  @Spec private CommandSpec spec = CommandSpec.create();

  CheckDirectory(Main main) {
    this.main = main;
  }

  @Override
  public Integer call() {
    if (Files.notExists(data)) {
      throw new CommandFailure("There is no data in " + data + ": say --data DIR.");
    }
    Map<String, Findings> all = new TreeMap<>();
    try (Mayfly mayfly = open()) {
      for (Namespace name : mayfly.engine().namespaces()) {
        all.put(name.toString(), mayfly.engine().collection(name).check(repair));
      }
    }
    Findings total = all.values().stream().reduce(Findings.NONE, Findings::plus);
    PrintWriter out = spec.commandLine().getOut();
    if (main.json()) {
      out.println(ExtendedJson.relaxed(document(all)));
    } else {
      print(all, total, out);
    }
    out.flush();
    return total.wrong() > total.repaired() ? 1 : 0;
  }

  private Mayfly open() {
    try {
      return OpenDirectory.instance(data);
    } catch (StoreException failure) {
      if (failure.reason() == StoreException.Reason.IN_USE) {
        throw new CommandFailure("A server has " + data + " open: stop it first.", failure);
      }
      throw failure;
    }
  }

  private void print(Map<String, Findings> all, Findings total, PrintWriter out) {
    Table table = new Table("COLLECTION", "DOCUMENTS", "INDEX ENTRIES", "LANE ENTRIES", "WRONG");
    all.forEach(
        (name, found) ->
            table.row(
                name,
                Amounts.count(found.records()),
                Amounts.count(found.entries()),
                Amounts.count(found.laneEntries()),
                Amounts.count(found.wrong())));
    table.print(out);
    total.examples().forEach(out::println);
    if (total.wrong() == 0) {
      out.println("Nothing is wrong.");
    } else if (repair) {
      out.println(total.wrong() + " wrong, " + total.repaired() + " put right.");
    } else {
      out.println(total.wrong() + " wrong; --repair puts right what it can.");
    }
  }

  private static Document document(Map<String, Findings> all) {
    DocumentWriter writer = Document.writer().startArray("collections");
    all.forEach(
        (name, found) ->
            writer
                .startDocument()
                .put("collection", name)
                .put("documents", found.records())
                .put("indexEntries", found.entries())
                .put("laneEntries", found.laneEntries())
                .put("wrong", found.wrong())
                .put("repaired", found.repaired())
                .put("examples", Value.array(found.examples().stream().map(Value::of).toList()))
                .end());
    return writer.end().build();
  }
}
