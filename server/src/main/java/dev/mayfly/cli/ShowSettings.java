package dev.mayfly.cli;

import dev.mayfly.config.Setting;
import dev.mayfly.config.Settings;
import dev.mayfly.config.SettingsPage;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.Json;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Command {@code settings}: prints the page of all settings. */
@Command(name = "settings", description = "Describe all settings of a server.")
final class ShowSettings implements Runnable {
  private final OutputOptions output;

  @Spec private CommandSpec spec = CommandSpec.create();

  ShowSettings(OutputOptions output) {
    this.output = output;
  }

  @Override
  public void run() {
    spec.commandLine().getOut().print(output.json() ? json() + "\n" : SettingsPage.markdown());
    spec.commandLine().getOut().flush();
  }

  private static String json() {
    DocumentWriter all = Document.writer().startArray("settings");
    for (Setting setting : Settings.ALL) {
      all.startDocument()
          .put("name", setting.name())
          .put("option", setting.option())
          .put("variable", setting.variable())
          .put("values", setting.kind().form())
          .put("standard", setting.standard())
          .put("text", setting.text())
          .end();
    }
    return Json.write(all.end().build());
  }
}
