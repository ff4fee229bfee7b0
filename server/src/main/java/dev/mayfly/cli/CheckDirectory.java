package dev.mayfly.cli;

import dev.mayfly.OfflineInspection;
import dev.mayfly.OfflineInspection.Damage;
import dev.mayfly.UnreadableException;
import dev.mayfly.config.Settings;
import dev.mayfly.engine.CheckReport;
import dev.mayfly.engine.Engine;
import dev.mayfly.engine.Namespace;
import dev.mayfly.store.StoreException;
import dev.mayfly.store.rocksdb.RocksStore;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Value;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code check}: verifies the consistency of a data directory. */
@Command(
    name = "check",
    description = {
      "Verify the consistency of a data directory, while no server runs.",
      "First checks the log and the checksums of all files. Then checks that every"
          + " document has its index and lane entries, that every entry has its document,"
          + " and that the counts are right. Without --repair nothing is changed. Exits"
          + " with 1 if something is wrong."
    })
final class CheckDirectory implements Callable<Integer> {
  private final OutputOptions output;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Data directory; no server may have it open [mayfly-data].")
  private Path data = Path.of(Settings.DATA.standard());

  @Option(
      names = "--repair",
      description =
          "Rewrite entries that do not match the documents, continue after damage in"
              + " the log (a copy is kept), and truncate unreadable feeds; reports what is"
              + " lost.")
  private boolean repair;

  @Spec private CommandSpec spec = CommandSpec.create();

  CheckDirectory(OutputOptions output) {
    this.output = output;
  }

  @Override
  public Integer call() {
    if (!RocksStore.isStore(data)) {
      throw new CommandFailure("There is no data in " + data + ": use --data DIR.");
    }
    Map<String, CheckReport> all = new TreeMap<>();
    List<Damage> damages;
    try (OfflineInspection offlineInspection = open()) {
      damages = offlineInspection.damages();
      for (Namespace name : offlineInspection.engine().namespaces()) {
        all.put(name.toString(), check(offlineInspection.engine(), name));
      }
    }
    CheckReport total = all.values().stream().reduce(CheckReport.NONE, CheckReport::plus);
    PrintWriter out = spec.commandLine().getOut();
    if (output.json()) {
      out.println(ExtendedJson.relaxed(document(all, damages)));
    } else {
      print(all, total, damages, out);
    }
    out.flush();
    return total.wrong() > total.repaired() || !damages.stream().allMatch(Damage::repaired) ? 1 : 0;
  }

  /** Reports an unreadable collection as wrong and continues with the others. */
  private CheckReport check(Engine engine, Namespace name) {
    try {
      return engine.collection(name).check(repair);
    } catch (StoreException failure) {
      return new CheckReport(0, 0, 0, 1, 0, List.of(name + ": " + failure.getMessage()));
    }
  }

  private OfflineInspection open() {
    try {
      return OfflineInspection.of(data, OpenDirectory.clock(data), repair);
    } catch (UnreadableException failure) {
      throw new CommandFailure(
          "The data in "
              + data
              + " cannot be opened. Restore a backup. "
              + String.join("\n", failure.problems()),
          failure);
    } catch (StoreException failure) {
      if (failure.reason() == StoreException.Reason.IN_USE) {
        throw new CommandFailure("A server has " + data + " open: stop it first.", failure);
      }
      throw failure;
    }
  }

  private void print(
      Map<String, CheckReport> all, CheckReport total, List<Damage> damages, PrintWriter out) {
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
    damages.forEach(
        damage -> out.println("Damaged: " + damage.what() + "; " + damage.remedy() + "."));
    if (total.wrong() == 0 && damages.isEmpty()) {
      out.println("Nothing is wrong.");
    } else if (total.wrong() == 0) {
      out.println("All readable data is consistent.");
    } else if (repair) {
      out.println(total.wrong() + " wrong, " + total.repaired() + " repaired.");
    } else {
      out.println(total.wrong() + " wrong; --repair repairs what it can.");
    }
  }

  private static Document document(Map<String, CheckReport> all, List<Damage> damages) {
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
    writer.end().startArray("damages");
    damages.forEach(
        damage ->
            writer
                .startDocument()
                .put("what", damage.what())
                .put("remedy", damage.remedy())
                .put("repaired", damage.repaired())
                .end());
    return writer.end().build();
  }
}
