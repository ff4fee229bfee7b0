package dev.mayfly.query.geo;

import com.google.common.geometry.S2Cell;
import com.google.common.geometry.S2CellId;
import com.google.common.geometry.S2Point;
import com.google.common.geometry.S2PointRegion;
import com.google.common.geometry.S2Region;
import java.util.List;

/** Single point. */
record PointPart(S2Point point) implements GeometryPart {
  S2Cell cell() {
    return new S2Cell(S2CellId.fromPoint(point));
  }

  @Override
  public S2Region region() {
    return new S2PointRegion(point);
  }

  @Override
  public List<Long> keys() {
    return List.of(S2CellId.fromPoint(point).id());
  }

  @Override
  public boolean edges(EdgeSink sink) {
    return sink.edge(point, point);
  }

  @Override
  public S2Point start() {
    return point;
  }

  @Override
  public boolean contains(GeometryPart other) {
    return other instanceof PointPart && intersects(other);
  }

  @Override
  public boolean intersects(GeometryPart other) {
    return switch (other) {
      case PointPart(S2Point that) -> S2CellId.fromPoint(point).equals(S2CellId.fromPoint(that));
      case LinePart line -> line.holds(this);
      case AreaPart area -> area.holds(this);
    };
  }
}
