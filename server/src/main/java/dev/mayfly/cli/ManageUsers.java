package dev.mayfly.cli;

import dev.mayfly.cli.doctor.ReportSource;
import dev.mayfly.value.Document;
import dev.mayfly.value.DocumentWriter;
import dev.mayfly.value.ExtendedJson;
import dev.mayfly.value.Fields;
import dev.mayfly.value.Value;
import java.io.Console;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Command {@code users}: manages users of the MongoDB protocol. */
@Command(
    name = "users",
    description = "Add, list and remove users of the MongoDB protocol.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {ManageUsers.Add.class, ManageUsers.ListAll.class, ManageUsers.Remove.class})
final class ManageUsers implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public void run() {
    throw new MissingCommand(spec.commandLine());
  }

  /** A command on one user. */
  abstract static class OnUser extends RemoteCommand {
    @Parameters(index = "0", paramLabel = "USER", description = "Name of the user.")
    private String user = "";

    @Option(
        names = "--database",
        paramLabel = "NAME",
        description = "Authentication database of the user [admin].")
    private String database = "admin";

    protected final String user() {
      return user;
    }

    protected final String database() {
      return database;
    }
  }

  /** Adds a user. */
  @Command(
      name = "add",
      description = "Add a user; prompts for the password, or reads it from a file.")
  static final class Add extends OnUser {
    @Option(
        names = "--role",
        paramLabel = "ROLE",
        description = "Role such as read, readWrite, dbOwner or root; may be repeated [root].")
    private List<String> roles = List.of("root");

    @Option(
        names = "--password-file",
        paramLabel = "FILE",
        description = "File whose first line is the password; - for standard input.")
    private @Nullable String passwordFile;

    @Override
    protected void run(CommandTarget connection) throws IOException {
      DocumentWriter body =
          Document.writer()
              .put("user", user())
              .put("database", database())
              .put("password", password())
              .startArray("roles");
      roles.forEach(role -> body.add(Value.of(role)));
      Document reply = connection.request("POST", "/users", body.end().build());
      print(reply, "Added " + user() + " to " + database() + ".");
    }

    private String password() throws IOException {
      if (passwordFile == null) {
        return prompt();
      }
      String text =
          passwordFile.equals("-")
              ? new String(System.in.readAllBytes(), StandardCharsets.UTF_8)
              : Files.readString(Path.of(passwordFile));
      return text.lines().findFirst().orElse("");
    }

    private static String prompt() {
      return Optional.ofNullable(System.console())
          .filter(Console::isTerminal)
          .map(console -> console.readPassword("Password: "))
          .map(String::new)
          .orElseThrow(
              () ->
                  new CommandFailure(
                      "Cannot prompt for a password without a"
                          + " terminal: use --password-file."));
    }
  }

  /** Lists users. */
  @Command(name = "list", description = "List users and their roles.")
  static final class ListAll extends RemoteCommand {
    @Override
    protected boolean changes() {
      return false;
    }

    @Override
    protected void run(CommandTarget connection) {
      Document reply = connection.request("GET", "/users");
      if (json()) {
        out().println(ExtendedJson.relaxed(reply));
        return;
      }
      Table table = new Table("USER", "DATABASE", "ROLES");
      Fields users = reply.field("users").asDocument().fields();
      while (users.next()) {
        Document user = users.value().asDocument();
        table.row(
            user.field("user").asString(),
            user.field("database").asString(),
            roles(user.field("roles").asDocument()));
      }
      table.print(out());
    }

    private static String roles(Document array) {
      StringBuilder text = new StringBuilder();
      Fields roles = array.fields();
      while (roles.next()) {
        Document role = roles.value().asDocument();
        text.append(text.isEmpty() ? "" : ", ").append(role.field("role").asString());
        text.append('@').append(role.field("db").asString());
      }
      return text.toString();
    }
  }

  /** Removes a user. */
  @Command(name = "remove", description = "Remove a user; its sessions are logged out at once.")
  static final class Remove extends OnUser {
    @Override
    protected void run(CommandTarget connection) {
      String path =
          "/users/" + ReportSource.escaped(database()) + "/" + ReportSource.escaped(user());
      print(connection.request("DELETE", path), "Removed " + user() + " from " + database() + ".");
    }
  }
}
