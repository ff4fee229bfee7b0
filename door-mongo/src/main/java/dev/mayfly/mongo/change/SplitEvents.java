package dev.mayfly.mongo.change;

import dev.mayfly.mongo.cursor.Tail;
import dev.mayfly.mql.CommandException;
import dev.mayfly.mql.ErrorCode;
import dev.mayfly.value.Document;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * {@code $changeStreamSplitLargeEvent}: splits events above the document size limit into {@link
 * EventFragments}.
 */
final class SplitEvents implements Tail {
  private final Tail events;
  private final Deque<Document> fragments = new ArrayDeque<>();
  private Document current = Document.EMPTY;

  /** The fragment to resume after, until it was reached. */
  private Optional<ResumeToken> behind;

  /**
   * @param behind the token that the stream begins with
   */
  SplitEvents(Tail events, ResumeToken behind) {
    this.events = events;
    this.behind = Optional.of(behind).filter(ResumeToken::isOfFragment);
  }

  @Override
  public boolean next() {
    while (fragments.isEmpty()) {
      if (!events.next()) {
        return false;
      }
      ResumeToken token = ResumeToken.of(events.resumeToken().orElseThrow());
      List<Document> parts = EventFragments.of(events.current(), token);
      fragments.addAll(parts.subList(told(token, parts.size()), parts.size()));
      behind = Optional.empty();
    }
    current = fragments.remove();
    return true;
  }

  /** The number of fragments of the event that were returned before the stream was resumed. */
  private int told(ResumeToken token, int count) {
    if (behind.isEmpty()) {
      return 0;
    }
    int told = behind.get().fragment() + 1;
    boolean cut = count > 1 && told <= count;
    if (token.position() != behind.get().position() || !cut) {
      throw new CommandException(
          ErrorCode.CHANGE_STREAM_FATAL_ERROR,
          "Attempted to resume from a split event, but the resumed stream produced a different"
              + " split. Ensure that the pipeline used to resume is the same as the original");
    }
    return told;
  }

  @Override
  public Document current() {
    return current;
  }

  @Override
  public boolean await(long nanos) {
    return !fragments.isEmpty() || events.await(nanos);
  }

  @Override
  public boolean ended() {
    return fragments.isEmpty() && events.ended();
  }

  /** While fragments are left, the token of the previous one: the event is incomplete. */
  @Override
  public Optional<Document> resumeToken() {
    return fragments.isEmpty()
        ? events.resumeToken()
        : Optional.of(current.field("_id").asDocument());
  }

  @Override
  public void close() {
    fragments.clear();
    events.close();
  }
}
