// Needs MAYFLY_JAR or the command mayfly. Uses no driver: see compat/node for those.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import net from "node:net";
import os from "node:os";
import path from "node:path";
import { once } from "node:events";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { start } from "mayfly-test";

const DAY = 86_400_000;
let mayfly;

before(async () => {
  mayfly = await start();
});
after(() => mayfly.stop());

/** Whether something listens at the address of a server. */
async function listens(server) {
  const socket = net.connect(new URL(server.cosmos.endpoint).port, "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function eventually(condition) {
  for (let i = 0; i < 600; i++) {
    if (await condition()) {
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail("not within 30 seconds");
}

test("there are addresses for both protocols", async () => {
  assert.match(mayfly.mongo, /^mongodb:\/\/127\.0\.0\.1:\d+\//);
  assert.match(mayfly.cosmos.endpoint, /^http:\/\/127\.0\.0\.1:\d+\/$/);
  assert.equal(
    mayfly.cosmos.connectionString,
    `AccountEndpoint=${mayfly.cosmos.endpoint};AccountKey=${mayfly.cosmos.key};`,
  );
  // CosmosClient writes to the options that it is given
  const options = mayfly.cosmos;
  options.endpoint = "elsewhere";
  assert.notEqual(mayfly.cosmos.endpoint, "elsewhere");
  assert.match(mayfly.console, /_console/);
  assert.equal((await fetch(new URL("readyz", mayfly.cosmos.endpoint))).status, 200);
});

test("the clock stands until it is moved", async () => {
  const now = await mayfly.now();
  assert.deepEqual(await mayfly.now(), now);
  assert.equal((await mayfly.advance(1500)) - now, 1500);
  assert.equal((await mayfly.advance({ days: 1, hours: 1, seconds: 0.5 })) - now, DAY + 3_602_000);
  const then = new Date(now.getTime() + 400 * DAY);
  assert.deepEqual(await mayfly.set(then), then);
  assert.deepEqual(await mayfly.set(then.toISOString()), then);
  assert.deepEqual(await mayfly.now(), then);
});

test("what is no move forward is rejected", async () => {
  const now = await mayfly.now();
  await assert.rejects(mayfly.set(now.getTime() - 1), /can only be moved forward/);
  await assert.rejects(mayfly.advance(-1), RangeError);
  await assert.rejects(mayfly.advance({ weeks: 1 }), /units are days/);
  await assert.rejects(mayfly.set("tomorrow"), TypeError);
  assert.deepEqual(await mayfly.now(), now);
});

test("an offset clock goes on", async () => {
  const server = await start({ clock: "offset" });
  try {
    const moved = await server.advance({ days: 30 });
    assert.ok(moved - Date.now() > 29 * DAY);
    await eventually(async () => (await server.now()) > moved);
  } finally {
    await server.stop();
  }
});

test("a stopped server is gone", async () => {
  const server = createRequire(import.meta.url)("mayfly-test");
  const other = await server.start({ options: ["--log-level", "error"] });
  assert.equal(await listens(other), true);
  await other.stop();
  await other.stop();
  assert.equal(await listens(other), false);
  await assert.rejects(other.now(), /Mayfly does not answer at http:.*ECONNREFUSED/);
});

test("a server that cannot start reports why", async () => {
  await assert.rejects(start({ options: ["--no-such-option"] }), /no-such-option/);
  await assert.rejects(start({ seed: "no/such/directory" }), /no\/such\/directory/);
  await assert.rejects(start({ command: ["no-such-mayfly"] }), /Set MAYFLY_JAR/);
  await assert.rejects(start({ clock: "broken" }), TypeError);
  await assert.rejects(start({ clocks: "offset" }), /unknown option "clocks"; options are clock, seed/);
});

test("an old Java is named", { skip: process.platform === "win32" }, async () => {
  const old = path.join(await mkdtemp(path.join(os.tmpdir(), "java-")), "java");
  await writeFile(old, "#!/bin/sh\necho java.lang.UnsupportedClassVersionError: x >&2\nexit 1\n", { mode: 0o755 });
  await assert.rejects(start({ java: old, jar: "mayfly.jar" }), /java is older than Java 25. Set JAVA_HOME/);
  await rm(path.dirname(old), { recursive: true });
});

test("a server ends with its test, even if that is killed", async () => {
  for (const end of ["forgets", "is killed"]) {
    const child = spawn(process.execPath, [fileURLToPath(new URL("../testing/forgetful.mjs", import.meta.url)), end], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const [line] = await once(child.stdout.setEncoding("utf8"), "data");
    const server = { cosmos: { endpoint: line.trim() } };
    if (end === "is killed") {
      assert.equal(await listens(server), true);
      child.kill("SIGKILL");
    }
    await once(child, "exit");
    await eventually(async () => !(await listens(server)));
  }
});
