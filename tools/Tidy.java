import com.google.googlejavaformat.java.Formatter;
import com.google.googlejavaformat.java.ImportOrderer;
import com.google.googlejavaformat.java.JavaFormatterOptions;
import com.google.googlejavaformat.java.RemoveUnusedImports;

/*
 * Style check of the build: format, banned calls, a reason for every suppression, package-info,
 * size of packages, unique type names, tests only under src/test, pages with one title whose links
 * and named files exist, plain English, and commit subjects. For scripts of the console: length of
 * lines and files, and what could turn data into markup, leave the server or keep secrets.
 *
 * `mvn verify` runs it with `check`; `mvn -N validate -Dtidy=fix` formats in place.
 */

/** A banned call, the paths that may contain it, and the advice to print. */
record Ban(Pattern pattern, Predicate<String> allowed, String advice) {
  static Ban of(String regex, String advice, String... allowedPrefixes) {
    List<String> prefixes = List.of(allowedPrefixes);
    return new Ban(
        Pattern.compile(regex), path -> prefixes.stream().anyMatch(path::startsWith), advice);
  }
}

final List<Ban> bans =
    List.of(
        Ban.of(
            "System\\.currentTimeMillis|Instant\\.now\\(|Clock\\.system",
            "time is an argument; only embedded and server read the clock",
            "embedded/src/main/",
            "server/src/main/",
            "bench/"),
        Ban.of(
            "System\\.nanoTime",
            "durations are measured in bench, or through the engine's ticker",
            "embedded/src/main/",
            "server/src/main/",
            "bench/"),
        Ban.of(
            "Thread\\.sleep",
            "wait for a condition, not for time",
            "bench/",
            "embedded/src/main/",
            "server/src/main/"),
        Ban.of("\\.printStackTrace\\(", "let it propagate, or log it"),
        Ban.of("@Disabled|@Ignore\\b", "a skipped test is no test"),
        Ban.of("\\bTODO\\b|\\bFIXME\\b", "finish it, or write an issue"),
        Ban.of("new ThreadLocal|ThreadLocal\\.with", "pass it as an argument"));

/** What scripts of the console must not contain. */
final List<Ban> scriptBans =
    List.of(
        Ban.of(
            "innerHTML|outerHTML|insertAdjacentHTML|document\\.write|unsafeHTML|unsafeSVG",
            "what a document contains is never markup: use text nodes and properties"),
        Ban.of("\\beval\\b|new Function\\b", "the content security policy forbids it"),
        Ban.of(
            "styleMap| style=",
            "the content security policy forbids it: use a class, or set element.style"),
        Ban.of("localStorage", "nothing of the console outlives its tab"),
        Ban.of("https?:", "nothing is loaded from anywhere but the server"));

/** A longer script has more than one purpose. */
final int maxScriptLines = 300;

/** The browser of the tests of the console. */
final Path java17 = Path.of("/usr/lib/jvm/java-17-openjdk-amd64/bin/java");

final Path chromium = Path.of("/usr/bin/chromium");

/** A package with more files than this is too large to be read by `ls`. */
final int maxFilesInPackage = 45;

/** Subjects longer than this are cut by the usual tools. */
final int maxSubjectLength = 72;

/** Commits after this one are checked if the repository has no tag. */
final String firstChecked = "09df1e53";

final Pattern subject = Pattern.compile("\\S[^:]*: [^A-Z\\s].*[^.]");

/** Words that CONTRIBUTING.md advises against, in the first sentence of a Javadoc comment. */
final Pattern wordsInJavadoc =
    Pattern.compile(
        "\\b(tells?|told|says?|said|asks?|asked|who|whoever|so many|behind|one after the other)\\b"
            + "|(?<!there )\\b(is|are) none\\b",
        Pattern.CASE_INSENSITIVE);

/** The same for pages, without the words that have a plain use there. */
final Pattern wordsInPages =
    Pattern.compile(
        "\\b(tells?|told|whoever|so many)\\b|(?<!there )\\b(is|are) none\\b",
        Pattern.CASE_INSENSITIVE);

/** The page that lists these words. */
final Set<String> pagesWithOldEnglish = Set.of("CONTRIBUTING.md");

final Pattern javadoc = Pattern.compile("/\\*\\*(.*?)\\*/", Pattern.DOTALL);
final Pattern endOfSentence = Pattern.compile("\\.(\\s|$)|<p>|\\s@(param|return|throws)\\b");
final Pattern quotation = Pattern.compile("`[^`]*`|\"[^\"]*\"|\\{@code [^}]*}");

int failures;

void main(String[] args) throws Exception {
  boolean fix = args.length > 0 && args[0].equals("fix");
  Path root = Path.of("").toAbsolutePath();
  List<Path> sources = files(root, ".java");
  for (Path file : sources) {
    format(root, file, fix);
    checkBans(root, file);
    checkSuppressions(root, file);
    checkJavadoc(root, file);
  }
  for (Path script : files(root, ".js")) {
    if (root.relativize(script).startsWith("console")) {
      checkScript(root, script);
    }
  }
  checkPackageInfo(root, sources);
  checkTestsAreUnderTest(root, sources);
  checkPackageSizes(root, sources);
  checkTypeNames(root, sources);
  for (Path page : files(root, ".md")) {
    checkLinks(root, page);
    checkTitle(root, page);
    checkPageWords(root, page);
  }
  checkNamedFiles(root, root.resolve("ARCHITECTURE.md"), sources);
  checkCommits(root);
  checkBrowser();
  checkCassandra();
  if (failures > 0) {
    IO.println("tidy: " + failures + " finding(s); `mvn -N validate -Dtidy=fix` formats the code");
    System.exit(1);
  }
}

List<Path> files(Path root, String suffix) throws IOException {
  try (Stream<Path> walk = Files.walk(root)) {
    return walk.filter(path -> path.toString().endsWith(suffix))
        .filter(path -> !root.relativize(path).toString().matches("(.*/)?(target|\\.git)/.*"))
        .sorted()
        .toList();
  }
}

void format(Path root, Path file, boolean fix) throws Exception {
  String before = Files.readString(file);
  String after;
  try {
    Formatter formatter = new Formatter(JavaFormatterOptions.defaultOptions());
    String ordered = ImportOrderer.reorderImports(before, JavaFormatterOptions.Style.GOOGLE);
    after = formatter.formatSource(RemoveUnusedImports.removeUnusedImports(ordered));
  } catch (Exception e) {
    finding(root, file, 1, "cannot be formatted: " + e.getMessage());
    return;
  }
  if (after.equals(before)) {
    return;
  }
  if (fix) {
    Files.writeString(file, after);
  } else {
    finding(root, file, 1, "is not in google-java-format");
  }
}

void checkBans(Path root, Path file) throws IOException {
  String path = root.relativize(file).toString();
  if (path.startsWith("tools/")) {
    return;
  }
  List<String> lines = Files.readAllLines(file);
  for (int i = 0; i < lines.size(); i++) {
    String line = lines.get(i);
    if (line.length() > 100 && !line.contains("import ") && !line.contains("http")) {
      finding(root, file, i + 1, "is longer than 100 columns");
    }
    for (Ban ban : bans) {
      if (ban.pattern().matcher(line).find() && !ban.allowed().test(path)) {
        finding(root, file, i + 1, ban.advice());
      }
    }
  }
}

void checkScript(Path root, Path file) throws IOException {
  List<String> lines = Files.readAllLines(file);
  if (lines.size() > maxScriptLines) {
    finding(root, file, lines.size(), "has more than " + maxScriptLines + " lines");
  }
  for (int i = 0; i < lines.size(); i++) {
    if (lines.get(i).length() > 100) {
      finding(root, file, i + 1, "is longer than 100 columns");
    }
    for (Ban ban : scriptBans) {
      if (ban.pattern().matcher(lines.get(i)).find()) {
        finding(root, file, i + 1, ban.advice());
      }
    }
  }
}

/** Without Chromium the browser tests are no part of the build; in CI they must be. */
void checkBrowser() {
  if (Files.notExists(chromium)) {
    IO.println("console: browser tests are skipped; tools/install-browser installs " + chromium);
    failures += "true".equals(System.getenv("CI")) ? 1 : 0;
  }
}

/** Without a JDK 17 no Cassandra node can run, and tests that need one are skipped. */
void checkCassandra() {
  if (Files.notExists(java17)) {
    IO.println("cassandra: tests on a real node are skipped; they need " + java17);
  }
}

void checkPackageInfo(Path root, List<Path> sources) {
  sources.stream()
      .filter(file -> isMain(root, file))
      .map(Path::getParent)
      .distinct()
      .filter(folder -> Files.notExists(folder.resolve("package-info.java")))
      .forEach(folder -> finding(root, folder, 1, "has no package-info.java"));
}

boolean isMain(Path root, Path file) {
  return root.relativize(file).toString().contains("/src/main/java/");
}

void checkTestsAreUnderTest(Path root, List<Path> sources) {
  sources.stream()
      .filter(file -> isMain(root, file) && file.getFileName().toString().endsWith("Test.java"))
      .forEach(file -> finding(root, file, 1, "is named like a test; tests are in src/test"));
}

void checkPackageSizes(Path root, List<Path> sources) {
  sources.stream()
      .filter(file -> isMain(root, file))
      .collect(Collectors.groupingBy(Path::getParent, TreeMap::new, Collectors.counting()))
      .forEach(
          (folder, files) -> {
            if (files > maxFilesInPackage) {
              finding(root, folder, 1, "has " + files + " files; split it at " + maxFilesInPackage);
            }
          });
}

/** Within a module, a simple name stands for one top-level type. */
void checkTypeNames(Path root, List<Path> sources) {
  Map<String, Path> known = new HashMap<>();
  for (Path file : sources) {
    String name = file.getFileName().toString();
    if (!isMain(root, file) || name.endsWith("-info.java")) {
      continue;
    }
    String path = root.relativize(file).toString();
    String module = path.substring(0, path.indexOf("/src/main/java/"));
    Path other = known.putIfAbsent(module + "/" + name, file);
    if (other != null) {
      finding(root, file, 1, "has the name of another type: " + root.relativize(other));
    }
  }
}

/** Checks subjects since the newest tag. Does nothing outside a repository or without git. */
void checkCommits(Path root) throws Exception {
  if (Files.notExists(root.resolve(".git"))) {
    return;
  }
  List<String> tag = git("describe", "--tags", "--abbrev=0");
  String since = tag.isEmpty() ? firstChecked : tag.getFirst();
  for (String line : git("log", "--no-merges", "--format=%h %s", since + "..HEAD")) {
    String text = line.substring(line.indexOf(' ') + 1);
    if (!subject.matcher(text).matches() || text.length() > maxSubjectLength) {
      failures++;
      IO.println(
          "commit " + line + ": write `area: imperative`, at most " + maxSubjectLength + " long");
    }
  }
}

/** Returns the lines that git prints; none if git fails or is missing. */
List<String> git(String... arguments) throws Exception {
  List<String> command = new ArrayList<>(List.of("git"));
  command.addAll(List.of(arguments));
  try {
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    List<String> lines = process.inputReader().readAllLines();
    return process.waitFor() == 0 ? lines : List.of();
  } catch (IOException e) {
    return List.of();
  }
}

/** A suppression has its reason on the same line or on the line above. */
void checkSuppressions(Path root, Path file) throws IOException {
  List<String> lines = Files.readAllLines(file);
  for (int i = 0; i < lines.size(); i++) {
    boolean suppresses = lines.get(i).strip().startsWith("@SuppressWarnings");
    boolean explained =
        lines.get(i).contains("//") || (i > 0 && lines.get(i - 1).strip().startsWith("//"));
    if (suppresses && !explained) {
      finding(root, file, i + 1, "suppresses a warning without a reason beside it");
    }
  }
}

void checkJavadoc(Path root, Path file) throws IOException {
  if (!isMain(root, file)) {
    return;
  }
  String source = Files.readString(file);
  var comment = javadoc.matcher(source);
  while (comment.find()) {
    String text = comment.group(1).replaceAll("\\n\\s*\\*", " ").strip();
    int line = (int) source.substring(0, comment.start()).lines().count();
    checkWords(root, file, Math.max(line, 1), endOfSentence.split(text, 2)[0], wordsInJavadoc);
  }
}

void checkPageWords(Path root, Path page) throws IOException {
  if (pagesWithOldEnglish.contains(root.relativize(page).toString())) {
    return;
  }
  boolean code = false;
  List<String> lines = Files.readAllLines(page);
  for (int i = 0; i < lines.size(); i++) {
    code ^= lines.get(i).startsWith("```");
    if (!code) {
      checkWords(root, page, i + 1, lines.get(i), wordsInPages);
    }
  }
}

void checkWords(Path root, Path file, int line, String text, Pattern words) {
  var found = words.matcher(quotation.matcher(text).replaceAll(""));
  if (found.find()) {
    finding(root, file, line, "write plain English instead of \"" + found.group() + "\"");
  }
}

void checkLinks(Path root, Path page) throws IOException {
  Pattern link = Pattern.compile("\\]\\(([^)#:\\s]+)(#[^)]*)?\\)");
  List<String> lines = Files.readAllLines(page);
  for (int i = 0; i < lines.size(); i++) {
    var matcher = link.matcher(lines.get(i));
    while (matcher.find()) {
      if (Files.notExists(page.getParent().resolve(matcher.group(1)))) {
        finding(root, page, i + 1, "links to a missing file: " + matcher.group(1));
      }
    }
  }
}

void checkTitle(Path root, Path page) throws IOException {
  int titles = 0;
  boolean code = false;
  for (String line : Files.readAllLines(page)) {
    code ^= line.startsWith("```");
    titles += !code && line.startsWith("# ") ? 1 : 0;
  }
  if (titles != 1) {
    finding(root, page, 1, "has " + titles + " titles, not one");
  }
}

/** Sources that a page names by file name, as in `Batch.java`, must exist. */
void checkNamedFiles(Path root, Path page, List<Path> sources) throws IOException {
  Set<String> known =
      sources.stream().map(file -> file.getFileName().toString()).collect(Collectors.toSet());
  Pattern name = Pattern.compile("`([A-Za-z]+\\.java)`");
  List<String> lines = Files.readAllLines(page);
  for (int i = 0; i < lines.size(); i++) {
    var matcher = name.matcher(lines.get(i));
    while (matcher.find()) {
      if (!known.contains(matcher.group(1))) {
        finding(root, page, i + 1, "names a missing file: " + matcher.group(1));
      }
    }
  }
}

void finding(Path root, Path file, int line, String what) {
  failures++;
  IO.println(root.relativize(file) + ":" + line + ": " + what);
}
