package dev.mayfly.cli;

import dev.mayfly.Mayfly;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The program: {@code mayfly COMMAND}. */
@Command(
    name = "mayfly",
    description = "A document database in which every document lives exactly as long as it should.",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    usageHelpAutoWidth = true,
    footer = {
      "",
      "Exit codes: 0 done, 1 failed, 2 the command or a setting makes no sense.",
    })
public final class Main implements Runnable {
  @Option(
      names = "--json",
      scope = ScopeType.INHERIT,
      description = "Answer in JSON, for other programs.")
  private boolean json;

  @Spec private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

  /** What {@code --version} says. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"Mayfly " + Mayfly.VERSION};
    }
  }

  /** Does what the command line says and ends the process with its exit code. */
  public static void main(String[] arguments) {
    Logging.begin();
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    boolean serves = arguments.length > 0 && arguments[0].equals(Serve.NAME);
    CommandLine line =
        serves ? serving(System.getenv(), out, err) : line(System.getenv(), out, err);
    System.exit(line.execute(arguments));
  }

  /** The one command that must start fast: to learn of all others takes a while. */
  static CommandLine serving(Map<String, String> environment, PrintWriter out, PrintWriter err) {
    return serving(new Main(), environment, out, err);
  }

  private static CommandLine serving(
      Main main, Map<String, String> environment, PrintWriter out, PrintWriter err) {
    CommandLine line = new CommandLine(main);
    line.addSubcommand(Serve.line(main, environment));
    return answering(line, out, err);
  }

  /** The whole command line, which writes where it is told. */
  static CommandLine line(Map<String, String> environment, PrintWriter out, PrintWriter err) {
    Main main = new Main();
    CommandLine line = serving(main, environment, out, err);
    line.addSubcommand(new ListCollections());
    line.addSubcommand(new Ttl());
    line.addSubcommand(new ManageUsers());
    line.addSubcommand(new ManageClock());
    line.addSubcommand(new ImportCollection());
    line.addSubcommand(new ExportCollection());
    line.addSubcommand(new BackUp());
    line.addSubcommand(new Restore());
    line.addSubcommand(new CheckDirectory(main));
    line.addSubcommand(new Demo());
    line.addSubcommand(new ShowVersion(main));
    line.addSubcommand(new ShowSettings(main));
    line.addSubcommand(new AotTraining());
    line.addSubcommand(new Completion());
    line.addSubcommand(new CommandLine.HelpCommand());
    return answering(line, out, err);
  }

  private static CommandLine answering(CommandLine line, PrintWriter out, PrintWriter err) {
    return line.setOut(out)
        .setErr(err)
        .setParameterExceptionHandler(ErrorMessages::misuse)
        .setExecutionExceptionHandler(ErrorMessages::about);
  }

  /** Whether programs read what is answered. */
  boolean json() {
    return json;
  }

  @Override
  public void run() {
    throw new MissingCommand(spec.commandLine());
  }
}
