package dev.mayfly.mongo.schema;

import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.CollectionSpec.FeedSpec;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Section;
import java.util.Set;

/** Whether changes carry the documents before and after them. */
final class PreAndPostImages {
  static final String FIELD = "changeStreamPreAndPostImages";

  private PreAndPostImages() {}

  /** What a request asks for; no when it says nothing. */
  static boolean of(Section request) {
    if (!request.has(FIELD)) {
      return false;
    }
    Section section =
        new Section(request.path() + "." + FIELD, request.document(FIELD)).allow(Set.of("enabled"));
    section.required("enabled");
    return section.flag("enabled");
  }

  /** The spec with a feed that keeps images, or keeps what it keeps without being asked. */
  static CollectionSpec kept(CollectionSpec spec, boolean on) {
    ChangeImageMode images = on ? ChangeImageMode.BOTH : Namespaces.PLAIN.feed().images();
    FeedSpec feed = spec.feed();
    return spec.withFeed(new FeedSpec(images, feed.retentionMillis(), feed.maxBytes()));
  }
}
