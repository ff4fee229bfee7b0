/// <reference lib="esnext.disposable" />

/** Options of {@link start}. */
export interface StartOptions {
  /**
   * `"standing"` (the default) stops between its moves; `"offset"` goes on with the system clock,
   * also after a move.
   */
  clock?: "standing" | "offset";
  /** Directory with definitions and documents for the empty server. */
  seed?: string;
  /** Path of mayfly.jar. Default: the variable MAYFLY_JAR, then the command `mayfly` of the PATH. */
  jar?: string;
  /** Java 25 or later, for a jar. Default: that of JAVA_HOME, then `java` of the PATH. */
  java?: string;
  /** A command that runs Mayfly, in place of a jar, such as `["/opt/mayfly/mayfly"]`. */
  command?: readonly string[];
  /** Further options of `mayfly serve`. Paths in them must be absolute. */
  options?: readonly string[];
  /** How long to wait for the server. Default: 60 000. */
  timeoutMillis?: number;
}

/** A span of time: milliseconds, or the sum of the parts. */
export type Span =
  | number
  | { days?: number; hours?: number; minutes?: number; seconds?: number; millis?: number };

/** A server in a process of its own. It ends with this process, also if that is killed. */
export interface Mayfly extends AsyncDisposable {
  /** Connection string for MongoDB drivers. */
  readonly mongo: string;
  /**
   * Options of `new CosmosClient(...)`, a new object each time. Plain HTTP, so there is no
   * certificate to trust.
   */
  readonly cosmos: { endpoint: string; key: string; connectionString: string };
  /** Address of the web console. */
  readonly console: string;
  /** Process id of the server. */
  readonly pid: number;
  /** The time of the server. */
  now(): Promise<Date>;
  /** Moves the clock forward, and returns the new time. What is due has expired then. */
  advance(by: Span): Promise<Date>;
  /** Moves the clock forward to an instant, and returns the new time. */
  set(to: Date | number | string): Promise<Date>;
  /** Stops the server. Further calls have no effect. */
  stop(): Promise<void>;
}

/** Starts a server in memory on free ports, and returns it when clients can connect. */
export function start(options?: StartOptions): Promise<Mayfly>;
