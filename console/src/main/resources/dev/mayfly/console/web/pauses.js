const FIRST_MILLIS = 1000;
const LONGEST_MILLIS = 30000;

/**
 * Pauses between attempts to reach the server: each twice as long as the last one, at most 30
 * seconds, and shortened by a random part of up to a half. The tabs of many users then do not ask
 * a server that has just started all at once.
 */
export class Pauses {
  constructor() {
    this.reset();
  }

  /** The next pause is the first one again. */
  reset() {
    this.millis = FIRST_MILLIS;
  }

  /** Length of the next pause in milliseconds. */
  next() {
    const millis = this.millis * (1 - Math.random() / 2);
    this.millis = Math.min(2 * this.millis, LONGEST_MILLIS);
    return millis;
  }
}
