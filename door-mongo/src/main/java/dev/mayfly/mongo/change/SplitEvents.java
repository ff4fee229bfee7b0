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

  /** The token of the fragment to resume after; empty once that was reached. */
  private Optional<ResumeToken> resumeAfter;

  /**
   * @param resumeAfter the token at which the stream starts
   */
  SplitEvents(Tail events, ResumeToken resumeAfter) {
    this.events = events;
    this.resumeAfter = Optional.of(resumeAfter).filter(ResumeToken::isOfFragment);
  }

  @Override
  public boolean next() {
    while (fragments.isEmpty()) {
      if (!events.next()) {
        return false;
      }
      ResumeToken token = ResumeToken.of(events.resumeToken().orElseThrow());
      List<Document> parts = EventFragments.of(events.current(), token);
      fragments.addAll(parts.subList(returnedBefore(token, parts.size()), parts.size()));
      resumeAfter = Optional.empty();
    }
    current = fragments.remove();
    return true;
  }

  /** The number of fragments of the event that were returned before the stream was resumed. */
  private int returnedBefore(ResumeToken token, int count) {
    if (resumeAfter.isEmpty()) {
      return 0;
    }
    int returned = resumeAfter.get().fragment() + 1;
    boolean split = count > 1 && returned <= count;
    if (token.position() != resumeAfter.get().position() || !split) {
      throw new CommandException(
          ErrorCode.CHANGE_STREAM_FATAL_ERROR,
          "Attempted to resume from a split event, but the resumed stream produced a different"
              + " split. Ensure that the pipeline used to resume is the same as the original");
    }
    return returned;
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
