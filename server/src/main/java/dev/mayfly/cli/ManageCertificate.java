package dev.mayfly.cli;

import dev.mayfly.config.Settings;
import dev.mayfly.http.tls.CertificateAuthority;
import dev.mayfly.server.OwnCertificate;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Command {@code certificate}: the authority that signs automatic certificates. */
@Command(
    name = "certificate",
    description = "Show the certificate authority that signs automatic certificates.")
final class ManageCertificate implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new MissingCommand(spec.commandLine());
  }

  @Command(
      name = "export",
      description = {
        "Print the certificate of the authority as PEM, for programs that shall trust it.",
        "With --tls-authority, the authority is created if it does not exist. Start servers with"
            + " the same option, and they share it: trust it once, for all of them."
      })
  int export(
      @Option(
              names = "--data",
              paramLabel = "DIR",
              description = "Data directory of the server [mayfly-data].")
          @Nullable Path data,
      @Option(
              names = "--tls-authority",
              paramLabel = "DIR",
              description = "Directory of the authority, if it is not the data directory.")
          @Nullable Path authority,
      @Option(
              names = "--out",
              paramLabel = "FILE",
              description = "File to write; by default the certificate is printed.")
          @Nullable Path file)
      throws IOException {
    if (data != null && authority != null) {
      throw new CommandFailure("Both --data and --tls-authority are set: use only one of them.");
    }
    String pem = authority != null ? in(authority) : inData(data);
    PrintWriter out = spec.commandLine().getOut();
    if (file == null) {
      out.print(pem);
    } else {
      Files.writeString(file, pem);
      out.println("Wrote the certificate of the authority to " + file + ".");
    }
    out.flush();
    return 0;
  }

  private static String inData(@Nullable Path given) {
    Path data = given == null ? Path.of(Settings.DATA.standard()) : given;
    if (Files.notExists(OwnCertificate.file(data))) {
      throw new CommandFailure(
          "There is no certificate authority in "
              + data
              + ": a server creates it at its first start. For an authority of several servers, use"
              + " --tls-authority DIR.");
    }
    return in(data);
  }

  private static String in(Path directory) {
    try {
      return CertificateAuthority.in(OwnCertificate.file(directory), System.currentTimeMillis())
          .pem();
    } catch (IllegalArgumentException invalid) {
      throw new CommandFailure("" + invalid.getMessage() + ".", invalid);
    }
  }
}
