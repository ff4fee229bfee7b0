package dev.mayfly.mongo.schema;

import dev.mayfly.engine.ChangeImageMode;
import dev.mayfly.engine.CollectionSpec;
import dev.mayfly.engine.CollectionSpec.FeedSpec;
import dev.mayfly.mongo.collection.Namespaces;
import dev.mayfly.mongo.command.Section;
import java.util.Set;

/** Parser of the option {@code changeStreamPreAndPostImages}. */
final class PreAndPostImages {
  static final String FIELD = "changeStreamPreAndPostImages";

  private PreAndPostImages() {}

  /** Returns {@code enabled}; false if the request does not have the option. */
  static boolean of(Section request) {
    if (!request.has(FIELD)) {
      return false;
    }
    Section section =
        new Section(request.path() + "." + FIELD, request.document(FIELD)).allow(Set.of("enabled"));
    section.required("enabled");
    return section.flag("enabled");
  }

  /**
   * Returns the spec with a feed that records pre- and post-images, or that records the default.
   */
  static CollectionSpec withImages(CollectionSpec spec, boolean on) {
    ChangeImageMode images = on ? ChangeImageMode.BOTH : Namespaces.PLAIN.feed().images();
    FeedSpec feed = spec.feed();
    return spec.withFeed(new FeedSpec(images, feed.retentionMillis(), feed.maxBytes()));
  }
}
