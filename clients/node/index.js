"use strict";

// Starts Mayfly for a test: MongoDB and Azure Cosmos DB with a clock that the test moves.

const { spawn } = require("node:child_process");
const http = require("node:http");
const os = require("node:os");
const path = require("node:path");
const readline = require("node:readline");

const CLOCKS = { standing: "true", offset: "offset" };
const OPTIONS = ["clock", "seed", "jar", "java", "command", "options", "timeoutMillis"];
const UNITS = { days: 86_400_000, hours: 3_600_000, minutes: 60_000, seconds: 1000, millis: 1 };
const KEPT_LINES = 30;
const STOP_MILLIS = 10_000;
const running = new Set();

// The server also stops by itself when this process ends, but not at once.
process.on("exit", () => running.forEach((child) => child.kill("SIGKILL")));

class Mayfly {
  #child;
  #ended;
  #clock;
  #cosmos;

  constructor(child, ended, ready) {
    this.#child = child;
    this.#ended = ended;
    this.#clock = new URL("_mayfly/clock", ready.operator);
    const key = /AccountKey=([^;]*)/.exec(ready.cosmos)[1];
    this.mongo = ready.mongo;
    this.#cosmos = {
      endpoint: ready.operator,
      key,
      connectionString: `AccountEndpoint=${ready.operator};AccountKey=${key};`,
    };
    this.console = ready.console;
    this.pid = ready.pid;
  }

  /** A new object each time: CosmosClient writes to the options that it is given. */
  get cosmos() {
    return { ...this.#cosmos };
  }

  async now() {
    return time(await request("GET", this.#clock));
  }

  async advance(by) {
    return time(await request("POST", this.#clock, { advanceMillis: millis(by) }));
  }

  async set(to) {
    const date = new Date(to);
    if (Number.isNaN(date.getTime())) {
      throw new TypeError(`not a date: ${to}`);
    }
    return time(await request("POST", this.#clock, { to: date.toISOString() }));
  }

  async stop() {
    await stop(this.#child, this.#ended);
  }

  [Symbol.asyncDispose ?? Symbol.for("Symbol.asyncDispose")]() {
    return this.stop();
  }
}

async function start(options = {}) {
  const child = launch(options);
  running.add(child);
  const ended = new Promise((resolve) => {
    child.once("error", resolve);
    child.once("exit", resolve);
  }).finally(() => running.delete(child));
  try {
    const ready = await firstLine(child, options.timeoutMillis ?? 60_000);
    // A test that forgets to stop the server still ends, and the server with it.
    for (const handle of [child, child.stdin, child.stdout, child.stderr]) {
      handle.unref();
    }
    return new Mayfly(child, ended, JSON.parse(ready));
  } catch (failure) {
    await stop(child, ended);
    throw failure;
  }
}

function launch(options) {
  const unknown = Object.keys(options).find((name) => !OPTIONS.includes(name));
  if (unknown !== undefined) {
    throw new TypeError(`unknown option "${unknown}"; options are ${OPTIONS.join(", ")}`);
  }
  const clock = CLOCKS[options.clock ?? "standing"];
  if (clock === undefined) {
    throw new TypeError(`clock must be "standing" or "offset", not ${JSON.stringify(options.clock)}`);
  }
  const [program, ...first] = command(options);
  const seed = options.seed === undefined ? [] : ["--seed", path.resolve(options.seed)];
  const settings = [
    "--emulator",
    ...["--mongo-port", "0", "--cosmos-port", "0", "--health-port", "off"],
    ...["--test-clock", clock, "--stop-with-input", "true"],
    ...seed,
    ...(options.options ?? []),
  ];
  return spawn(program, [...first, "--json", "serve", ...settings], {
    // not the directory of the tests, which may contain the mayfly.yaml of another server
    cwd: os.tmpdir(),
    env: environment(),
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
  });
}

function command(options) {
  if (options.command !== undefined) {
    return options.command;
  }
  const jar = options.jar ?? process.env.MAYFLY_JAR;
  if (!jar) {
    return ["mayfly"];
  }
  const home = process.env.JAVA_HOME;
  const java = options.java ?? (home ? path.join(home, "bin", "java") : "java");
  const more = (process.env.MAYFLY_JAVA_OPTIONS ?? "").split(" ").filter((option) => option !== "");
  return [java, "-Xmx768m", ...more, "-jar", path.resolve(jar)];
}

/** Variables with this prefix are settings of servers, and the server rejects unknown ones. */
function environment() {
  const kept = ([name]) => !name.startsWith("MAYFLY_") || name === "MAYFLY_JAVA_OPTIONS";
  return Object.fromEntries(Object.entries(process.env).filter(kept));
}

/** Waits for the line that a server prints when it is ready. */
function firstLine(child, timeoutMillis) {
  const log = [];
  readline.createInterface({ input: child.stderr }).on("line", (line) => {
    log.push(line);
    log.splice(0, log.length - KEPT_LINES);
  });
  return new Promise((resolve, reject) => {
    const fail = (reason) => {
      clearTimeout(timer);
      const old = log.some((line) => line.includes("UnsupportedClassVersionError"));
      const why = old
        ? `${child.spawnfile} is older than Java 25. Set JAVA_HOME, or the option java, to Java 25 or later.`
        : reason;
      reject(new Error([`Mayfly did not start: ${why}`, ...log].join("\n")));
    };
    const timer = setTimeout(() => fail(`not ready after ${timeoutMillis} ms`), timeoutMillis);
    child.once("error", (error) =>
      fail(
        error.code === "ENOENT"
          ? `there is no program ${child.spawnfile}. Set MAYFLY_JAR to the path of mayfly.jar (and` +
              " JAVA_HOME to Java 25 or later), or add the command mayfly to the PATH."
          : error.message,
      ),
    );
    // after its output: "exit" can come before the last lines
    child.once("close", (code) => fail(`the process ended with code ${code}`));
    const lines = readline.createInterface({ input: child.stdout });
    lines.on("line", (line) => {
      if (line.startsWith("{")) {
        clearTimeout(timer);
        resolve(line);
      }
    });
  });
}

async function stop(child, ended) {
  if (!running.has(child)) {
    return;
  }
  child.ref();
  const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MILLIS);
  child.stdin.on("error", () => {});
  child.stdin.end();
  await ended;
  clearTimeout(timer);
}

function millis(by) {
  const parts = typeof by === "number" ? { millis: by } : by;
  let sum = 0;
  for (const [unit, count] of Object.entries(parts)) {
    if (UNITS[unit] === undefined || typeof count !== "number") {
      throw new TypeError(`not a span of time: ${JSON.stringify(by)}; units are ${Object.keys(UNITS).join(", ")}`);
    }
    sum += UNITS[unit] * count;
  }
  if (!Number.isSafeInteger(sum) || sum < 0) {
    throw new RangeError(`a clock moves forward by whole milliseconds, not by ${sum}`);
  }
  return sum;
}

function time(reply) {
  return new Date(reply.now.$date);
}

function request(method, url, body) {
  return new Promise((resolve, reject) => {
    const call = http.request(url, { method, agent: false }, (reply) => {
      let text = "";
      reply.setEncoding("utf8");
      reply.on("data", (part) => (text += part));
      reply.on("error", reject);
      reply.on("end", () => {
        const answer = JSON.parse(text);
        if (reply.statusCode === 200) {
          resolve(answer);
        } else {
          reject(new Error(answer.error));
        }
      });
    });
    call.on("error", (cause) =>
      reject(new Error(`Mayfly does not answer at ${url}: ${cause.message}`, { cause })),
    );
    call.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

exports.start = start;
