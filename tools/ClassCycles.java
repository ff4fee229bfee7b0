/*
 * Prints the dependency cycles among the classes of the main code: the strongly connected
 * components with more classes than the given number, and their references. A nested class counts as its top-level class.
 * Build first; then `java tools/ClassCycles.java 12`.
 */

final Pattern dependency = Pattern.compile("\\s+(dev\\.mayfly\\S+)\\s+->\\s+(dev\\.mayfly\\S+).*");

final Map<String, Set<String>> graph = new TreeMap<>();
final Map<String, Integer> numbers = new HashMap<>();
final Map<String, Integer> lowest = new HashMap<>();
final Deque<String> open = new ArrayDeque<>();
final List<List<String>> cycles = new ArrayList<>();

void main(String[] args) throws Exception {
  int most = args.length > 0 ? Integer.parseInt(args[0]) : 12;
  readGraph();
  for (String type : List.copyOf(graph.keySet())) {
    if (!numbers.containsKey(type)) {
      visit(type);
    }
  }
  cycles.sort(Comparator.<List<String>>comparingInt(List::size).reversed());
  for (List<String> cycle : cycles) {
    if (cycle.size() > most) {
      print(cycle);
    }
  }
}

void print(List<String> cycle) {
  IO.println(cycle.size() + " classes:");
  for (String type : cycle) {
    Set<String> next = new TreeSet<>(graph.get(type));
    next.retainAll(cycle);
    next.remove(type);
    IO.println("  " + simpleName(type) + " -> " + next.stream().map(this::simpleName).toList());
  }
}

String simpleName(String type) {
  return type.substring(type.lastIndexOf('.') + 1);
}

void readGraph() throws Exception {
  List<String> command = new ArrayList<>(List.of("-verbose:class", "-filter:none"));
  command.addAll(List.of("--multi-release", "base", "--ignore-missing-deps"));
  try (Stream<Path> modules = Files.list(Path.of(""))) {
    modules
        .map(module -> module.resolve("target/classes/dev").getParent())
        .filter(Files::isDirectory)
        .forEach(classes -> command.add(classes.toString()));
  }
  StringWriter text = new StringWriter();
  ToolProvider jdeps = ToolProvider.findFirst("jdeps").orElseThrow();
  jdeps.run(new PrintWriter(text), new PrintWriter(System.err), command.toArray(String[]::new));
  for (String line : text.toString().lines().toList()) {
    var matcher = dependency.matcher(line);
    if (matcher.matches()) {
      String to = topLevel(matcher.group(2));
      graph.computeIfAbsent(topLevel(matcher.group(1)), _ -> new TreeSet<>()).add(to);
    }
  }
}

String topLevel(String type) {
  int nested = type.indexOf('$');
  return nested < 0 ? type : type.substring(0, nested);
}

/** Tarjan's algorithm. */
void visit(String type) {
  int number = numbers.size();
  numbers.put(type, number);
  lowest.put(type, number);
  open.push(type);
  for (String next : graph.getOrDefault(type, Set.of())) {
    if (!numbers.containsKey(next)) {
      visit(next);
      lowest.merge(type, lowest.get(next), Math::min);
    } else if (open.contains(next)) {
      lowest.merge(type, numbers.get(next), Math::min);
    }
  }
  if (lowest.get(type) == number) {
    List<String> cycle = new ArrayList<>();
    do {
      cycle.add(open.pop());
    } while (!cycle.getLast().equals(type));
    cycles.add(cycle);
  }
}
