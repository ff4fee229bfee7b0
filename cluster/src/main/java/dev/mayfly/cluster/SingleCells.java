package dev.mayfly.cluster;

import dev.mayfly.cluster.ClusterStatus.CellStatus;
import dev.mayfly.cluster.ClusterStatus.ServerStatus;
import dev.mayfly.engine.Engine;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;

/** The only cell of a server that is alone. Costs nothing: its admissions do nothing. */
final class SingleCells implements Cells {
  private static final Member SELF =
      new Member(new UUID(0, 0), 0, "this server", "", Optional.empty(), "");

  private final Cell cell;
  private final Route here;
  private final List<Cell> served;

  SingleCells(Engine engine) {
    this.cell = new OnlyCell(engine);
    this.here = new Route.Here(cell);
    this.served = List.of(cell);
  }

  private record OnlyCell(Engine engine) implements Cell {
    @Override
    public int number() {
      return HOME;
    }

    @Override
    public Admission admit() {
      return Admission.ALWAYS;
    }
  }

  @Override
  public boolean isShared() {
    return false;
  }

  @Override
  public Route route(String database) {
    return here;
  }

  @Override
  public Route routeForWrite(String database) {
    return here;
  }

  @Override
  public Route home() {
    return here;
  }

  @Override
  public Route routeOf(int number) {
    return here;
  }

  @Override
  public List<Integer> numbers() {
    return List.of(Cell.HOME);
  }

  @Override
  public void refresh() {}

  @Override
  public List<Cell> served() {
    return served;
  }

  @Override
  public Member self() {
    return SELF;
  }

  @Override
  public List<Member> members() {
    return List.of(SELF);
  }

  @Override
  public List<Peer> peers() {
    return List.of();
  }

  @Override
  public Optional<Peer> peer(int slot) {
    return Optional.empty();
  }

  @Override
  public void observe(CellObserver observer) {
    observer.opened(cell);
  }

  @Override
  public void answer(RelayKind kind, RelayHandler handler) {}

  @Override
  public ClusterStatus status() {
    return new ClusterStatus(
        List.of(new ServerStatus(SELF, true, true, 0, 1, true, OptionalLong.of(0))),
        List.of(new CellStatus(Cell.HOME, Optional.of(SELF.id()), true, 0, 0, List.of())),
        Optional.empty());
  }

  @Override
  public void move(int number, int slot) {
    throw new IllegalArgumentException("this server is alone: there is no other to move a cell to");
  }

  @Override
  public void drain(int slot, boolean on) {
    throw new IllegalArgumentException("this server is alone: no other can take its cell");
  }

  @Override
  public void close() {}
}
