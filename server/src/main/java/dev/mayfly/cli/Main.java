package dev.mayfly.cli;

import dev.mayfly.Mayfly;
import dev.mayfly.cli.doctor.Doctor;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** Command line of Mayfly: {@code mayfly COMMAND}. */
@Command(
    name = "mayfly",
    description = "A document database for data that expires.",
    scope = ScopeType.INHERIT,
    mixinStandardHelpOptions = true,
    versionProvider = Main.Version.class,
    synopsisSubcommandLabel = "COMMAND",
    usageHelpAutoWidth = true,
    footer = {
      "",
      "Exit codes: 0 success, 1 failure, 2 invalid command or setting.",
    })
public final class Main implements Runnable, OutputOptions {
  @Option(names = "--json", scope = ScopeType.INHERIT, description = "Print the result as JSON.")
  private boolean json;

  @Spec private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

  /** Output of {@code --version}. */
  static final class Version implements IVersionProvider {
    @Override
    public String[] getVersion() {
      return new String[] {"Mayfly " + Mayfly.VERSION};
    }
  }

  /** Runs a command and exits with its exit code. */
  public static void main(String[] arguments) {
    Logging.warningsOnly();
    PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
    PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
    boolean serves = arguments.length > 0 && arguments[0].equals(Serve.NAME);
    CommandLine line =
        serves ? serving(System.getenv(), out, err) : line(System.getenv(), out, err);
    System.exit(line.execute(arguments));
  }

  /**
   * Command line with {@code serve} only: building all other commands would slow down its start.
   */
  static CommandLine serving(Map<String, String> environment, PrintWriter out, PrintWriter err) {
    return serving(new Main(), environment, out, err);
  }

  private static CommandLine serving(
      Main main, Map<String, String> environment, PrintWriter out, PrintWriter err) {
    CommandLine line = new CommandLine(main);
    line.addSubcommand(Serve.line(main, environment));
    return withHandlers(line, out, err);
  }

  /** Command line with all commands. */
  static CommandLine line(Map<String, String> environment, PrintWriter out, PrintWriter err) {
    Main main = new Main();
    CommandLine line = serving(main, environment, out, err);
    line.addSubcommand(new ListCollections());
    line.addSubcommand(new Ttl());
    line.addSubcommand(new ManageUsers());
    line.addSubcommand(new ManageClock());
    line.addSubcommand(new ManageCluster());
    line.addSubcommand(new ManageCertificate());
    line.addSubcommand(new ImportCollection());
    line.addSubcommand(new ExportCollection());
    line.addSubcommand(new BackUp());
    line.addSubcommand(new Restore());
    line.addSubcommand(new CheckDirectory(main));
    line.addSubcommand(doctor(main, environment));
    line.addSubcommand(new Demo());
    line.addSubcommand(new ShowVersion(main));
    line.addSubcommand(new ShowSettings(main));
    line.addSubcommand(new AotTraining());
    line.addSubcommand(new Completion());
    line.addSubcommand(new CommandLine.HelpCommand());
    return withHandlers(line, out, err);
  }

  private static CommandLine doctor(Main main, Map<String, String> environment) {
    Target target = new Target();
    return Doctor.line(
        target,
        new Doctor.Inputs(
            target::directory,
            () -> target.open(false),
            file -> SettingOptions.configuration(file, environment),
            environment,
            main::json));
  }

  private static CommandLine withHandlers(CommandLine line, PrintWriter out, PrintWriter err) {
    return line.setOut(out)
        .setErr(err)
        .setParameterExceptionHandler(ErrorMessages::printUsage)
        .setExecutionExceptionHandler(ErrorMessages::print);
  }

  @Override
  public boolean json() {
    return json;
  }

  @Override
  public void run() {
    throw new MissingCommand(spec.commandLine());
  }
}
