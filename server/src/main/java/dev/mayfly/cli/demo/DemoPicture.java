package dev.mayfly.cli.demo;

/** Animation of the demo: one bar per time span. Each frame overwrites the last. */
public final class DemoPicture {
  private static final int SPANS = 10;
  private static final int SPAN_MILLIS = DemoSessions.LONGEST_MILLIS / SPANS;
  private static final int SPAN_SECONDS = SPAN_MILLIS / 1000;
  private static final int MAX_WIDTH = 50;
  private static final String ESCAPE = "\u001b[";
  private static final String ERASE_LINE = ESCAPE + "2K";
  private static final int SOON_SPANS = 2;
  private static final int LATER_SPANS = 5;

  private final boolean colour;
  private int lines;

  public DemoPicture(boolean colour) {
    this.colour = colour;
  }

  /**
   * Returns the next frame. It begins with the control sequence that moves back to the first line.
   */
  public String next(DemoSessions sessions) {
    StringBuilder text = new StringBuilder(lines == 0 ? "" : ESCAPE + lines + "A");
    lines = 0;
    line(text, bold("Mayfly: sessions that live up to 20 seconds, each with its own deadline"));
    line(text, "");
    line(text, "expires in   documents");
    long[] due = sessions.due(SPANS, SPAN_MILLIS);
    for (int span = 0; span < SPANS; span++) {
      String label = "%2d - %2d s".formatted(span * SPAN_SECONDS, (span + 1) * SPAN_SECONDS);
      String bar = "\u2588".repeat((int) Math.min(MAX_WIDTH, due[span]));
      line(text, label + "    " + coloured(bar, span) + " " + due[span]);
    }
    DemoSessions.Figures figures = sessions.figures();
    line(
        text,
        "%d written, %d live, %d expired"
            .formatted(figures.written(), figures.live(), figures.expired()));
    return text.toString();
  }

  private void line(StringBuilder text, String content) {
    text.append(ERASE_LINE).append(content).append(System.lineSeparator());
    lines++;
  }

  private String bold(String text) {
    return colour ? ESCAPE + "1m" + text + ESCAPE + "0m" : text;
  }

  /** Red for the documents that expire next, then yellow, then green. */
  private String coloured(String bar, int span) {
    if (!colour) {
      return bar;
    }
    String code = span < SOON_SPANS ? "31m" : span < LATER_SPANS ? "33m" : "32m";
    return ESCAPE + code + bar + ESCAPE + "0m";
  }
}
