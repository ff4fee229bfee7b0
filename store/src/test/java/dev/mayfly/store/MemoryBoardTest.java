package dev.mayfly.store;

final class MemoryBoardTest extends BoardContract {
  private final MemoryBoard board = new MemoryBoard();

  @Override
  protected Board board() {
    return board;
  }

  @Override
  protected Stores stores() {
    return board.stores();
  }

  @Override
  protected int newCell() {
    return 9;
  }
}
