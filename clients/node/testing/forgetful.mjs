// Starts a server and does not stop it: ends, or waits to be killed.
import { start } from "mayfly-test";

const mayfly = await start();
console.log(mayfly.cosmos.endpoint);
if (process.argv[2] === "is killed") {
  setInterval(() => {}, 1000);
}
